// What is kept in the browser, so that a reload loses nothing. A page without storage, or with a full one, goes on without.

import type { Options } from "./protocol.js";

/** A program, as it was in the editor. */
export interface Kept {
  name: string;
  text: string;
  files?: Record<string, string>;
  constants?: Record<string, number>;
  options?: Options;
  points: number[];
  /** Whether it differs from the program that is shipped under this name. */
  isOwn: boolean;
}

/** How the page looks. */
export interface Manner {
  speed?: number;
  shapes?: boolean;
  tab?: string;
  lesson?: string;
}

const PROGRAM = "gray1.program";
const OWN = "gray1.own";
/** So many programs of one's own are kept; the one that was not touched for longest goes first. */
const MOST_OWN = 40;
const MANNER = "gray1.manner";
const ATTEMPTS = "gray1.attempts";

/** Keeps what is open; what is one's own is kept beyond that, until it is as shipped again. False if nothing can be kept. */
export function keepProgram(kept: Kept): boolean {
  const { [kept.name]: _, ...others } = read<Record<string, Kept>>(OWN) ?? {};
  const own = kept.isOwn ? { ...others, [kept.name]: kept } : others;
  write(OWN, Object.fromEntries(Object.entries(own).slice(-MOST_OWN)));
  return write(PROGRAM, kept);
}

/** Programs of one's own by their names, the latest last. */
export function ownPrograms(): Record<string, Kept> {
  return read<Record<string, Kept>>(OWN) ?? {};
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
