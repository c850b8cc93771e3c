// The machine as seen by the page: asynchronous questions, movements that can be stopped, and news of its position. The
// machine itself is in a worker, which can be replaced if it fails or no longer answers.

import type { FromWorker, Move, Shown, Standing, ToWorker, Wasm } from "./messages.js";
import type { Answer, Goal, Request } from "./protocol.js";
import type { Speed } from "./speed.js";

/** The answer to a successful request. */
export type AnswerOf<Name extends Answer["answer"]> = Extract<Answer, { answer: Name }>;
export type News = Extract<FromWorker, { tell: "moment" }>;

/** After this time without an answer, in milliseconds, the worker is considered lost. */
const TIMEOUT = 30_000;

/** After this time, in milliseconds, a question or a movement is shown as being under way. */
const BUSY_AFTER = 700;
const MOVE_BUSY_AFTER = 1500;

/** A request that was refused; the message is the machine's. */
export class Refused extends Error {}

/** The machine was lost during a request; `onFailure` has been called. */
export class Lost extends Error {}

export type Busy = Request["ask"];

interface Waiting {
  ask: Request["ask"];
  answered(answer: Answer, bytes?: ArrayBuffer): void;
  failed(error: Error): void;
  since: number;
}

export class Machine {
  private worker: Worker | null = null;
  /** Whether the worker has a machine: before that no messages are sent to it. */
  private isReady = false;
  private waiting = new Map<number, Waiting>();
  private count = 0;
  private shown: Shown = { size: 0, shapes: false, isCalm: false, standing: [] };
  private watching = new Map<string, { request: Request; answered: (answer: Answer) => void }>();
  private isRunningNow = false;
  /** The number of the latest run or movement: earlier news does not tell whether the machine runs now. */
  private latest = 0;
  /** The time of the worker's last message. */
  private heardAt = 0;
  /** Why there is no machine, if it was lost. */
  private failure: string | null = null;
  /** The request that takes long at present. */
  private busy: Busy | null = null;
  /** The movement that is under way, if it is not a run at a speed. */
  private moving: Move["ask"] | null = null;
  private readonly listeners: ((news: News) => void)[] = [];

  /** `makeWorker` and `wasm` are from `parts.ts`; `onFailure` is called when the machine is lost. */
  constructor(
    private readonly makeWorker: () => Promise<Worker>,
    private readonly wasm: () => Promise<Wasm>,
    private readonly onFailure: (text: string) => void,
    /** Called when a request takes long, and when it is over. */
    private readonly onBusy: (busy: Busy | null) => void,
  ) {
    setInterval(() => this.watch(), 250);
  }

  /** A new machine, without a program. */
  async begin(): Promise<void> {
    this.end();
    this.failure = null;
    let worker: Worker;
    let wasm: Wasm;
    try {
      [worker, wasm] = await Promise.all([this.makeWorker(), this.wasm()]);
    } catch (error) {
      this.fail((error as Error).message);
      throw error;
    }
    this.worker = worker;
    await new Promise<void>((ready, lost) => {
      const fail = (text: string) => {
        if (worker !== this.worker) return;
        lost(new Lost(text));
        this.fail(text);
      };
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (worker !== this.worker) return;
        this.heardAt = performance.now();
        if (data.tell === "failed") return fail(data.text);
        if (data.tell !== "ready") return this.hear(data);
        this.isReady = true;
        ready();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        fail(event.message || "the worker could not be started");
      };
      worker.postMessage({ tell: "begin", wasm } satisfies ToWorker, typeof wasm === "string" ? [] : [wasm]);
    });
    this.say({ tell: "show", shown: this.shown });
  }

  isThere(): boolean {
    return this.isReady;
  }

  /** Whether the machine runs, or is on its way somewhere. */
  isRunning(): boolean {
    return this.isRunningNow;
  }

  listen(listener: (news: News) => void): void {
    this.listeners.push(listener);
  }

  /** Sends a request, and returns the answer of this kind. A refusal, or the loss of the machine, is an error. */
  async ask<Name extends Answer["answer"]>(request: Request, expected: Name): Promise<AnswerOf<Name>> {
    return (await this.request(request, expected)).answer;
  }

  /** Sends a request whose answer comes with bytes. */
  async take<Name extends Answer["answer"]>(
    request: Request,
    expected: Name,
  ): Promise<{ answer: AnswerOf<Name>; bytes: ArrayBuffer }> {
    const { answer, bytes } = await this.request(request, expected);
    return { answer, bytes: bytes ?? new ArrayBuffer(0) };
  }

  /** Starts a run to a goal, from a cycle if one is given; returns whether that was possible. */
  run(speed: Speed, to: Goal, from: number | null): boolean {
    this.moving = null;
    return this.begins({ tell: "run", number: ++this.latest, speed, to, from });
  }

  move(move: Move): void {
    this.moving = move.ask;
    this.heardAt = performance.now();
    this.begins({ tell: "move", number: ++this.latest, move });
  }

  setSpeed(speed: Speed): void {
    this.say({ tell: "speed", speed });
  }

  stop(): void {
    this.say({ tell: "stop" });
  }

  /** Sets the size and the style of the pictures of the LEDs; calm ones are sent less often. */
  showLeds(size: number, shapes: boolean, isCalm: boolean): void {
    const { shown } = this;
    if (size === shown.size && shapes === shown.shapes && isCalm === shown.isCalm) return;
    this.shown = { ...shown, size, shapes, isCalm };
    this.say({ tell: "show", shown: this.shown });
  }

  /** From now on, repeats this request after each movement; `null` ends that. */
  keepAsking(key: string, request: Request | null, answered: (answer: Answer) => void = () => {}): void {
    if (request) this.watching.set(key, { request, answered });
    else if (!this.watching.delete(key)) return;
    const standing: Standing[] = [...this.watching].map(([key, { request }]) => ({ key, request }));
    this.shown = { ...this.shown, standing };
    this.say({ tell: "show", shown: this.shown });
  }

  private request<Name extends Answer["answer"]>(
    request: Request,
    expected: Name,
  ): Promise<{ answer: AnswerOf<Name>; bytes?: ArrayBuffer }> {
    return new Promise((resolve, reject) => {
      if (this.isMissing()) return reject(new Lost("the machine is not there"));
      const id = this.count++;
      this.waiting.set(id, {
        ask: request.ask,
        since: performance.now(),
        answered: (answer, bytes) => {
          if (answer.answer === expected) resolve({ answer: answer as AnswerOf<Name>, ...(bytes && { bytes }) });
          else reject(new Refused(answer.answer === "error" ? answer.text : `unexpected answer: ${answer.answer}`));
        },
        failed: reject,
      });
      this.say({ tell: "ask", id, request });
    });
  }

  private begins(message: ToWorker): boolean {
    if (this.isMissing()) return false;
    this.isRunningNow = true;
    this.say(message);
    return true;
  }

  /** Whether there is no machine; if it was lost, `onFailure` is called again. */
  private isMissing(): boolean {
    if (this.failure !== null) this.onFailure(this.failure);
    return !this.isReady;
  }

  private say(message: ToWorker): void {
    if (this.isReady) this.worker?.postMessage(message);
  }

  private hear(message: FromWorker): void {
    if (message.tell === "answer") {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      waiting?.answered(message.answer, message.bytes);
    } else if (message.tell === "moment") {
      this.say({ tell: "seen" });
      if (message.heard === this.latest) this.isRunningNow = message.isRunning;
      if (!this.isRunningNow) this.moving = null;
      const news = { ...message, isRunning: this.isRunningNow };
      for (const listener of this.listeners) listener(news);
      for (const [key, answer] of message.answers) this.watching.get(key)?.answered(answer);
    }
  }

  /** Reports a worker that has sent nothing for too long. A slow one that still sends its position is not lost. */
  private watch(): void {
    const first = [...this.waiting.values()].reduce<Waiting | null>((first, other) => (first && first.since <= other.since ? first : other), null);
    const silence = performance.now() - Math.max(first?.since ?? 0, this.heardAt);
    if (first && silence > TIMEOUT) return this.fail("it no longer answers");
    this.reportBusy(first && silence > BUSY_AFTER ? first.ask : this.moving && silence > MOVE_BUSY_AFTER ? this.moving : null);
  }

  private reportBusy(busy: Busy | null): void {
    if (busy === this.busy) return;
    this.busy = busy;
    this.onBusy(busy);
  }

  private fail(text: string): void {
    this.end();
    this.failure = text;
    this.onFailure(text);
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    this.isRunningNow = false;
    this.moving = null;
    this.reportBusy(null);
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { failed } of waiting) failed(new Lost("the machine was lost"));
  }
}
