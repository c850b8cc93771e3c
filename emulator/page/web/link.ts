// A link that opens a program at a moment of its run. Everything is in the fragment, which browsers send to nobody.

import type { Options } from "./protocol.js";

/** What a link leads to. A shipped program that was not changed goes by its name. */
export interface Linked {
  name: string;
  text?: string;
  files?: Record<string, string>;
  constants?: Record<string, number>;
  options?: Options;
  points?: number[];
  cycle?: number;
  phase?: number;
  /** What happened to the machine until then: pads and keys, as `--input` has them, are in the options. */
  tab?: string;
}

/** Programs that fill a longer fragment are better sent as files: some programs cut long links off. */
export const LONG_LINK = 16_000;

const MARK = "#g1=";

/** The fragment for it. */
export async function fragment(linked: Linked): Promise<string> {
  const text = new Blob([JSON.stringify(linked)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return MARK + btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What a fragment leads to: `null` if it is not one of ours. A damaged one is an error. */
export async function linked(fragment: string): Promise<Linked | null> {
  if (!fragment.startsWith(MARK)) return null;
  let read: unknown;
  try {
    const characters = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    read = JSON.parse(await new Response(text).text());
  } catch {
    throw new Error("this link is damaged: it was perhaps cut off on its way. Ask for it again, or for the program as a file");
  }
  if (!isLinked(read)) throw new Error("this link does not lead to a program");
  return read;
}

/** Whether it has the shape of a link's content; the machine judges what the values are worth. */
export function isLinked(read: unknown): read is Linked {
  if (typeof read !== "object" || read === null) return false;
  const { name, text, cycle, phase, points } = read as Record<string, unknown>;
  const isCount = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
  return (
    typeof name === "string" &&
    (text === undefined || typeof text === "string") &&
    isCount(cycle) &&
    isCount(phase) &&
    (points === undefined || (Array.isArray(points) && points.every(isCount)))
  );
}
