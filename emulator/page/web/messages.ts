// What the page and the worker tell each other. Questions and answers inside are those of protocol.ts.

import type { Answer, Moment, Request, Stop } from "./protocol.js";
import type { Speed } from "./speed.js";

/** A movement through the run. */
export type Move = Extract<Request, { ask: "go" | "seek" }>;

/** A question that is asked again whenever the machine has moved. */
export interface Standing {
  key: string;
  request: Request;
}

/** What is to be shown of the machine. */
export interface Shown {
  /** The size of the picture of the LEDs; 0 for none. */
  size: number;
  shapes: boolean;
  /** Pictures come seldom. */
  isCalm: boolean;
  standing: Standing[];
}

export type ToWorker =
  /** Comes first: the WebAssembly. */
  | { tell: "begin"; wasm: ArrayBuffer }
  | { tell: "ask"; id: number; request: Request }
  /** Runs from now on, until the page or the machine stops it. Runs and movements are numbered. */
  | { tell: "run"; number: number; speed: Speed }
  /** Moves once, however many slices it takes; a step waits for those before it. */
  | { tell: "move"; number: number; move: Move }
  | { tell: "speed"; speed: Speed }
  | { tell: "stop" }
  /** Panics, to try what becomes of it; the page never says so. */
  | { tell: "panic"; text: string }
  | { tell: "show"; shown: Shown };

/** Why a run or a movement is over. */
export interface Ended {
  stop: Stop | "asked" | "error";
  text: string;
  points: number[];
}

/** A picture of the LEDs. */
export interface Picture {
  size: number;
  cells: [number, number, number, number][];
  pixels: ArrayBuffer;
}

export type FromWorker =
  | { tell: "ready" }
  /** `bytes` are there if the answer has announced some. */
  | { tell: "answer"; id: number; answer: Answer; bytes?: ArrayBuffer }
  /** After each movement, and now and then while the machine runs. */
  | {
      tell: "moment";
      moment: Moment;
      picture?: Picture;
      answers: [key: string, answer: Answer][];
      isRunning: boolean;
      /** The number of the latest run or movement that the worker has heard of. */
      heard: number;
      /** Cycles a second, of the last second. */
      rate: number;
      ended?: Ended;
    }
  | { tell: "failed"; text: string };
