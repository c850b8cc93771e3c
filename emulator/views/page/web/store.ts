// The data stored in the browser, so that a reload loses nothing. The page also works if storage is missing or full.

import type { Pointed } from "./link.js";
import type { Options, Student } from "./protocol.js";

/** A stored program. */
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
}

/** The appearance of the page. */
export interface Manner {
  speed?: number;
  shapes?: boolean;
  counts?: boolean;
  tab?: string;
  lesson?: string;
}

const PROGRAM = "gray1.program";
const OWN = "gray1.own";
/** Maximum number of the user's own programs stored; the least recently used one is dropped first. */
const MOST_OWN = 40;
const MANNER = "gray1.manner";
const ATTEMPTS = "gray1.attempts";
const ASIDE = "gray1.aside";
const STUDENT = "gray1.student";
const LESSONS = "gray1.lessons";

/** The result of storing a program. */
export interface Keeping {
  /** False if the browser does not permit storage, or if it is full. */
  isKept: boolean;
  /** The user's own programs that were dropped for it. */
  dropped: string[];
}

/**
 * Stores the open program, and also adds it to the user's own programs if it is one. Another own program of the same name
 * is stored under a new name. `stem` is the text under this name from which the program was made, if any: it is replaced,
 * or dropped if the program is the same as the shipped one again.
 */
export function keepProgram(kept: Kept, stem: string | null): Keeping {
  const before = ownPrograms();
  const { [kept.name]: there, ...others } = before;
  let own = before;
  if (kept.isOwn) {
    const isOther = there !== undefined && there.text !== stem && there.text !== kept.text;
    own = { ...(isOther ? withEarlier(others, there) : others), [kept.name]: kept };
  } else if (there && there.text === stem) {
    own = others;
  }
  const last = Object.fromEntries(Object.entries(own).slice(-MOST_OWN));
  const isOwnKept = own === before || write(OWN, last);
  return { isKept: write(PROGRAM, kept) && isOwnKept, dropped: Object.keys(own).filter((name) => !(name in last)) };
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
  return Object.assign(Object.create(null), read<Record<string, Kept>>(OWN)) as Record<string, Kept>;
}

export function keptProgram(): Kept | null {
  const kept = read<Partial<Kept>>(PROGRAM);
  if (typeof kept?.name !== "string" || typeof kept.text !== "string") return null;
  return { points: [], isOwn: true, ...kept, name: kept.name, text: kept.text };
}

export function keepManner(manner: Manner): void {
  write(MANNER, { ...keptManner(), ...manner });
}

export function keptManner(): Manner {
  return read<Manner>(MANNER) ?? {};
}

/** The answers to exercises, by their names, and whether one was right. */
export type Attempts = Record<string, { text: string; passed: boolean }>;

export function keepAttempt(exercise: string, text: string, passed: boolean): void {
  write(ATTEMPTS, { ...keptAttempts(), [exercise]: { text, passed } });
}

export function replaceAttempts(attempts: Attempts): void {
  write(ATTEMPTS, attempts);
}

/** The user's own answers, while those of a file or a link are in their place, which were `taken`. */
export interface SetAside {
  student: Required<Student>;
  attempts: Attempts;
  taken: Attempts;
}

export function keepSetAside(aside: SetAside | null): void {
  write(ASIDE, aside);
}

export function keptSetAside(): SetAside | null {
  return read<SetAside>(ASIDE);
}

/** Whose answers these are. */
export function keepStudent(student: Student): void {
  write(STUDENT, student);
}

export function keptStudent(): Required<Student> {
  return { name: "", class: "", ...read<Student>(STUDENT) };
}

/** Lessons of one's own: the names of their files, and their texts. */
export function keepLessons(lessons: readonly [string, string][]): void {
  write(LESSONS, lessons);
}

export function keptLessons(): [string, string][] {
  return read<[string, string][]>(LESSONS) ?? [];
}

export function keptAttempts(): Attempts {
  return read<Attempts>(ATTEMPTS) ?? {};
}

function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function read<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as Value | null;
  } catch {
    return null;
  }
}
