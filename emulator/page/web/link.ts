// A link that opens a program at a moment of its run. All data is in the fragment, which browsers never send to a server.

import type { LinePoint } from "./margin.js";
import type { Options } from "./protocol.js";
import { isCount, isFile, isListOf, isObject, isOf, isOneOf, isTableOf, isText, isTruth, isWhole, type Check } from "./shape.js";

/** A breakpoint; only its line if it has no condition. */
export type Pointed = number | LinePoint;

/** Breakpoints in the form in which they are stored and sent. */
export function pointed(points: readonly LinePoint[]): Pointed[] {
  return points.map((point) => (point.condition || point.hits || point.file ? point : point.line));
}

/** Stored breakpoints in the form in which they are set. */
export function linePoints(points: readonly Pointed[]): LinePoint[] {
  return points.map((point) => (typeof point === "number" ? { line: point } : point));
}

/** The content of a link. An unchanged shipped program is given by its name only. */
export interface Linked {
  name: string;
  text?: string;
  files?: Record<string, string>;
  constants?: Record<string, number>;
  options?: Options;
  points?: Pointed[];
  cycle?: number;
  phase?: number;
  /** Whether the machine ran when the link was made: then it opens running. */
  runs?: boolean;
  /** Lessons of one's own: the names of their files, and their texts. */
  lessons?: [string, string][];
  /** Answers to exercises: the text of a file that was handed in. */
  answers?: string;
  /** A board of the bench: the exercise that it is an answer to, and its text. */
  board?: [string, string];
  /** The pane that is open. Presses of pads and keys up to the moment are in the options, in the format of `--input`. */
  tab?: string;
}

/** Some applications truncate longer links, so a program that needs one is better sent as a file. */
export const LONG_LINK = 16_000;

/** Maximum size of an unpacked link: a malicious short one could otherwise fill the memory. */
const MAX_BYTES = 1 << 20;

const MARK = "#g1=";

/** The fragment for a content. */
export async function fragment(linked: Linked): Promise<string> {
  const content = new Blob([JSON.stringify(linked)]);
  if (content.size > MAX_BYTES) throw new Error("the program is too large for one; save it as a file");
  const text = content.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return MARK + btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The content of a fragment; `null` for a fragment of another kind. A damaged fragment is an error. */
export async function linked(fragment: string): Promise<Linked | null> {
  if (!fragment.startsWith(MARK)) return null;
  let unpacked: string | null;
  let read: unknown;
  try {
    const characters = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    unpacked = await bounded(text);
    read = unpacked && JSON.parse(unpacked);
  } catch {
    throw new Error("this link is damaged: it was perhaps cut off on its way. Ask for it again, or for the program as a file");
  }
  if (unpacked === null) throw new Error("this link holds more than a program");
  if (!isLinked(read)) throw new Error("this link does not lead to a program");
  return read;
}

/** The text of a stream; `null` if it is longer than a link may be. */
async function bounded(stream: ReadableStream<BufferSource>): Promise<string | null> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = stream.getReader();
  let [text, size] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const CHECKS: Record<string, Check> = {
  name: isText,
  text: isText,
  files: isTableOf(isText),
  constants: isTableOf(isWhole),
  options: isOf({ engine: isOneOf("chips", "isa"), ram: isText, board: isText, cells: isListOf(isText), input: isText }),
  points: isListOf((value) => isCount(value) || (isObject(value) && isCount(value["line"]) && isOf({ condition: isText, hits: isText, file: isText })(value))),
  cycle: isCount,
  phase: isCount,
  runs: isTruth,
  lessons: isListOf(isFile),
  answers: isText,
  board: isFile,
  tab: isText,
};

/** Checks the shape of a link's content; the machine checks the values. */
export function isLinked(read: unknown): read is Linked {
  return isObject(read) && read["name"] !== undefined && isOf(CHECKS)(read);
}
