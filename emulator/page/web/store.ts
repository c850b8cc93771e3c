// What is kept in the browser, so that a reload loses nothing. A page without storage, or with a full one, goes on without.

import type { Pointed } from "./link.js";
import type { Options } from "./protocol.js";

/** A program, as it was in the editor. */
export interface Kept {
  name: string;
  text: string;
  files?: Record<string, string>;
  constants?: Record<string, number>;
  options?: Options;
  points: Pointed[];
  /** Whether it differs from the program that is shipped under this name. */
  isOwn: boolean;
  /** The program in the page that it was made from, as JSON. */
  placed?: string;
}

/** How the page looks. */
export interface Manner {
  speed?: number;
  shapes?: boolean;
  counts?: boolean;
  tab?: string;
  lesson?: string;
}

const PROGRAM = "gray1.program";
const OWN = "gray1.own";
/** So many programs of one's own are kept; the one that was not touched for longest goes first. */
const MOST_OWN = 40;
const MANNER = "gray1.manner";
const ATTEMPTS = "gray1.attempts";

/** What became of a program that was to be kept. */
export interface Keeping {
  /** False if this browser does not let the page keep anything, or no more. */
  isKept: boolean;
  /** Programs of one's own that had to go for it. */
  dropped: string[];
}

/**
 * Keeps what is open; what is one's own is kept beyond that. Another program of one's own with its name is kept under a new
 * one. `stem` is the text under this name that the program was made from, if there was one: that is replaced, or forgotten
 * if the program is as shipped again.
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

/** These programs, and this one as an earlier one of its name. */
function withEarlier(own: Record<string, Kept>, program: Kept): Record<string, Kept> {
  const ending = /\.[^.]*$/.exec(program.name)?.[0] ?? "";
  const stem = program.name.slice(0, program.name.length - ending.length);
  for (let number = 1; ; number++) {
    const name = `${stem} (earlier${number > 1 ? ` ${number}` : ""})${ending}`;
    if (own[name] === undefined) return { ...own, [name]: { ...program, name } };
    if (own[name].text === program.text) return own;
  }
}

/** Programs of one's own by their names, the latest last. */
export function ownPrograms(): Record<string, Kept> {
  // Without a prototype: a program may have any name.
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
