// The messages between the page and the worker. The requests and answers in them are those of protocol.ts.

import type { Answer, Goal, Moment, Request, Stop } from "./protocol.js";
import type { Speed } from "./speed.js";

export type Move = Extract<Request, { ask: "go" | "seek" }>;

/** A request that is repeated whenever the machine has moved. */
export interface Standing {
  key: string;
  request: Request;
}

/** The state of the machine that the page displays. */
export interface Shown {
  /** The size of the picture of the LEDs; 0 for none. */
  size: number;
  shapes: boolean;
  /** Whether pictures are sent less often. */
  isCalm: boolean;
  standing: Standing[];
}

/** The WebAssembly, or a part of the page that contains it packed. */
export type Wasm = ArrayBuffer | string;

export type ToWorker =
  /** The first message, with the WebAssembly. */
  | { tell: "begin"; wasm: Wasm }
  | { tell: "ask"; id: number; request: Request }
  /** Starts a run, which lasts until the page or the machine stops it, from a cycle if one is given. Runs and movements are numbered. */
  | { tell: "run"; number: number; speed: Speed; to: Goal; from: number | null }
  /** Moves once, in as many slices as necessary; a step waits for those before it. */
  | { tell: "move"; number: number; move: Move }
  | { tell: "speed"; speed: Speed }
  | { tell: "stop" }
  /** A moment has arrived: while the machine runs, the next one comes after that. */
  | { tell: "seen" }
  /** Panics, for tests; the page never sends this. */
  | { tell: "panic"; text: string }
  | { tell: "show"; shown: Shown };

/** The end of a run or a movement, with the reason. */
export interface Ended {
  stop: Stop | "asked" | "error";
  text: string;
  points: number[];
}

export interface Picture {
  size: number;
  cells: [number, number, number, number][];
  pixels: ArrayBuffer;
}

export type FromWorker =
  | { tell: "ready" }
  /** `bytes` is present if the answer has announced some. */
  | { tell: "answer"; id: number; answer: Answer; bytes?: ArrayBuffer }
  /** Sent after each movement, and at intervals while the machine runs. */
  | {
      tell: "moment";
      moment: Moment;
      picture?: Picture;
      answers: [key: string, answer: Answer][];
      isRunning: boolean;
      /** The number of the latest run or movement that the worker has received. */
      heard: number;
      /** The speed over the last second, in cycles per second. */
      rate: number;
      ended?: Ended;
    }
  | { tell: "failed"; text: string };
