// The data stored in the browser, so that a reload loses nothing. The page also works if storage is missing or full.

import { isLinked, type Pointed } from "./link.js";
import type { Options, Student } from "./protocol.js";
import { isAll, isCount, isFile, isListOf, isOf, isTableOf, isText, isTruth, type Check } from "./shape.js";

export interface Kept {
  name: string;
  text: string;
  files?: Record<string, string>;
  constants?: Record<string, number>;
  options?: Options;
  points: Pointed[];
  /** Whether it differs from the shipped program of this name. */
  isOwn: boolean;
  /** The program placed in the page from which it was made, as JSON. */
  placed?: string;
  /** Identifies the opening of the program that has stored it: two tabs may have opened the same one. */
  by?: string;
}

/** The appearance of the page. */
export interface Manner {
  speed?: number;
  shapes?: boolean;
  counts?: boolean;
  tab?: string;
  lesson?: string;
  level?: string;
  watch?: string[];
  /** Whether keys that are single characters control the machine. */
  letters?: boolean;
  toured?: boolean;
}

const IS_MANNER = isOf({ speed: isCount, shapes: isTruth, counts: isTruth, tab: isText, lesson: isText, level: isText, letters: isTruth, watch: isListOf(isText), toured: isTruth });
const IS_STUDENT = isOf({ name: isText, class: isText });
const IS_ATTEMPTS = isTableOf((value) => isAll({ text: isText })(value) && isOf({ right: isText, stars: isCount })(value));

const PROGRAM = "gray1.program";
const OWN = "gray1.own";
/** Maximum number of the user's own programs stored; the least recently used one is dropped first. */
const MAX_OWN = 40;
const MANNER = "gray1.manner";
const ATTEMPTS = "gray1.attempts";
const ASIDE = "gray1.aside";
const STUDENT = "gray1.student";
const LESSONS = "gray1.lessons";

export interface Keeping {
  /** False if the browser does not permit storage, or if it is full. */
  isKept: boolean;
  /** The name under which the program is stored: another one if another tab has taken its name. */
  name: string;
  /** The user's own programs that were dropped for it. */
  dropped: Kept[];
}

/**
 * Stores the open program, and also adds it to the user's own programs if it is one. Another own program of the same name
 * is stored under a new name. `stem` is the text under this name from which the program was made, if any: it is replaced,
 * or dropped if the program is the same as the shipped one again.
 */
export function keepProgram(kept: Kept, stem: string | null): Keeping {
  const before = ownPrograms();
  // Another tab that has opened the same program may have stored its own, and this one under a new name.
  const moved = Object.values(before).find(({ name, by }) => by !== undefined && by === kept.by && name !== kept.name && before[kept.name]);
  const program = moved && kept.isOwn ? { ...kept, name: moved.name } : kept;
  const { [program.name]: there, ...others } = before;
  let own = before;
  if (program.isOwn) {
    const isOther = there !== undefined && there.by !== program.by && there.text !== stem && there.text !== program.text;
    own = { ...(isOther ? withEarlier(others, there) : others), [program.name]: program };
  } else if (there && there.text === stem) {
    own = others;
  }
  const last = Object.fromEntries(Object.entries(own).slice(-MAX_OWN));
  const isOwnKept = own === before || write(OWN, last);
  const dropped = Object.values(own).filter(({ name }) => !(name in last));
  return { isKept: write(PROGRAM, program) && isOwnKept, name: program.name, dropped };
}

/**
 * Replaces a program among the user's own ones, or removes it, without opening it. Another of this name is stored under a
 * new name, unless its text is `known` from elsewhere.
 */
export function replaceOwn(name: string, text: string | undefined, known: string | undefined): void {
  const { [name]: there, ...others } = ownPrograms();
  const own = there && there.text !== text && there.text !== known ? withEarlier(others, there) : others;
  write(OWN, text === undefined ? own : { ...own, [name]: { name, text, points: [], isOwn: true } });
}

export const keepOwn = (program: Kept): unknown => write(OWN, { ...ownPrograms(), [program.name]: program });

export function forgetOwn(name: string): void {
  const { [name]: _, ...others } = ownPrograms();
  write(OWN, others);
}

/** Adds a program to these under a new name. */
function withEarlier(own: Record<string, Kept>, program: Kept): Record<string, Kept> {
  const ending = /\.[^.]*$/.exec(program.name)?.[0] ?? "";
  const stem = program.name.slice(0, program.name.length - ending.length);
  for (let number = 1; ; number++) {
    const name = `${stem} (earlier${number > 1 ? ` ${number}` : ""})${ending}`;
    if (own[name] === undefined) return { ...own, [name]: { ...program, name } };
    if (own[name].text === program.text) return own;
  }
}

/** The user's own programs by their names, the latest last. */
export function ownPrograms(): Record<string, Kept> {
  // The object has no prototype, since a program may have any name.
  const own = Object.create(null) as Record<string, Kept>;
  for (const [name, program] of Object.entries(read(OWN) ?? {})) {
    const kept = checked(program);
    if (kept) own[name] = kept;
  }
  return own;
}

export function keptProgram(): Kept | null {
  return checked(parsed(stored(PROGRAM, ofTab))) ?? checked(parsed(stored(PROGRAM, ofBrowser)));
}

/** A stored program, if it is one: what is stored may come from another version of the page, or from another page. */
function checked(read: unknown): Kept | null {
  if (!isLinked(read) || read.text === undefined) return null;
  const { isOwn = true, placed, by, ...program } = read as Partial<Kept>;
  const texts = { ...(isText(placed) && { placed }), ...(isText(by) && { by }) };
  return { ...program, name: read.name, text: read.text, points: read.points ?? [], isOwn: isOwn === true, ...texts } as Kept;
}

export const keptManner = (): Manner => shaped<Manner>(MANNER, IS_MANNER) ?? {};
export const keepManner = (manner: Manner): unknown => write(MANNER, { ...keptManner(), ...manner });

export interface Attempt {
  text: string;
  /** The text that passed, if any: it is what is handed in. */
  right?: string | undefined;
  stars?: number | undefined;
}

export type Attempts = Record<string, Attempt>;

export const keptAttempts = (): Attempts => shaped<Attempts>(ATTEMPTS, IS_ATTEMPTS) ?? {};
export const replaceAttempts = (attempts: Attempts): unknown => write(ATTEMPTS, attempts);

/** Stores an answer. The text that passed and its stars stay unless they are given. */
export function keepAttempt(exercise: string, attempt: Attempt): void {
  const kept = keptAttempts();
  replaceAttempts({ ...kept, [exercise]: { ...kept[exercise], ...attempt } });
}

/** The user's own answers, while those of a file or a link are in their place, which were `taken`. */
export interface SetAside {
  student: Required<Student>;
  attempts: Attempts;
  taken: Attempts;
}

const IS_SET_ASIDE = isAll({ student: IS_STUDENT, attempts: IS_ATTEMPTS, taken: IS_ATTEMPTS });
export const keptSetAside = (): SetAside | null => shaped<SetAside>(ASIDE, IS_SET_ASIDE);
export const keepSetAside = (aside: SetAside | null): unknown => write(ASIDE, aside);

/** The author of the answers. */
export const keptStudent = (): Required<Student> => ({ name: "", class: "", ...shaped<Student>(STUDENT, IS_STUDENT) });
export const keepStudent = (student: Student): unknown => write(STUDENT, student);

/** Lessons of the user's own: the names of their files, and their texts. */
export const keptLessons = (): [string, string][] => shaped<[string, string][]>(LESSONS, isListOf(isFile)) ?? [];
export const keepLessons = (lessons: readonly [string, string][]): unknown => write(LESSONS, lessons);

// These are functions, since a browser may refuse even to name its storage.
const ofBrowser = (): Storage => localStorage;
const ofTab = (): Storage => sessionStorage;

/**
 * Stores it for all tabs, and a copy for this tab: Chromium (seen in 156) now and then loses what the first tab at a file's
 * address has stored for all.
 */
function write(key: string, value: unknown): boolean {
  const isStored = [ofTab, ofBrowser].map((where) => {
    try {
      where().setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  });
  return isStored.every(Boolean);
}

/** What is stored, if it has this shape. */
function shaped<Value>(key: string, check: Check): Value | null {
  const value = read(key);
  return check(value) ? (value as Value) : null;
}

function read(key: string): unknown {
  return parsed(stored(key, ofBrowser) ?? stored(key, ofTab));
}

function stored(key: string, where: () => Storage): string | null {
  try {
    return where().getItem(key);
  } catch {
    return null;
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
