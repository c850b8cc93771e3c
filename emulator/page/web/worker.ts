// The worker: it owns the machine, and runs it in slices of a few milliseconds. Between two slices it receives messages of
// the page, so that a run can be stopped at any time.

import start, { Page, last_panic, panic_with } from "gray1-engine";

import type { Ended, FromWorker, Move, Picture, Shown, ToWorker } from "./messages.js";
import { Pace } from "./pace.js";
import { unpacked } from "./packed.js";
import type { Answer, Moment, Request } from "./protocol.js";

/** The target length of a slice, in milliseconds. */
const SLICE = 10;
const MAX_SLICE = 2e7;
const FIRST_SLICE = 2000;
/** Maximum number of steps that wait for earlier ones. */
const MAX_STEPS = 100;
/** The intervals, in milliseconds, at which the LEDs, and everything else, are updated during a run. */
const FRAME = 33;
const CALM_FRAME = 500;
const REST = 120;
/** During a run, a press lasts at least this long, in milliseconds, and at least one slice, so that no tap is lost. */
const MIN_PRESS = 80;
/** Requests that may change what is shown. */
const CHANGES = new Set<Request["ask"]>(["load", "press", "edit", "burn"]);
/** Maximum sleep, in milliseconds; then the page hears that a slow machine still runs. */
const MAX_SLEEP = 250;

let page: Page | null = null;
let shown: Shown = { size: 0, shapes: false, isCalm: false, standing: [] };
let work: { move: Move; pace: Pace | null } | null = null;
/** Steps that wait for the one under way: none is dropped, however quickly they arrive. */
let steps: Move[] = [];
/** The number of the latest run or movement. */
let heard = 0;
let slice = FIRST_SLICE;
let lastFrame = 0;
let lastRest = 0;
/** Moments that the page has not taken yet: to draw may take it longer than a frame, and it must not fall behind. */
let unseen = 0;
/** For the measured speed: a moment of the last second. */
let measured = { time: 0, cycle: 0, rate: 0 };
let isWaiting = false;
/** The request that counts lines. Counting lags behind the machine, and continues while the machine is stopped. */
let counting: Request | null = null;
/** Presses that wait for the one before; the time of that one, and whether the machine has run since then. */
let presses: { id: number; request: Request }[] = [];
let pressed = { time: 0, hasRun: true };

// A message to itself is received after those of the page that are already waiting; a timer would wait four milliseconds.
const turn = new MessageChannel();
turn.port1.onmessage = () => guarded(next);

self.onmessage = (event: MessageEvent<ToWorker>) => guarded(() => hear(event.data));

function hear(message: ToWorker): void {
  switch (message.tell) {
    case "begin":
      void start({ module_or_path: typeof message.wasm === "string" ? unpacked(message.wasm) : message.wasm }).then(
        () => guarded(() => ((page = new Page()), send({ tell: "ready" }))),
        (error: unknown) => fail(error),
      );
      return;
    case "ask":
      if (message.request.ask === "press") return press(message.id, message.request);
      return answer(message.id, message.request);
    case "run":
      heard = message.number;
      measured = { time: performance.now(), cycle: -1, rate: 0 };
      if (message.from !== null) ask({ ask: "seek", cycle: message.from, phase: 0, cycles: MAX_SLICE });
      return begin({
        move: { ask: "go", way: "forward", to: message.to, cycles: 0 },
        pace: new Pace(message.speed, performance.now()),
      });
    case "move":
      heard = message.number;
      if (work && isStep(work.move, work.pace) && isStep(message.move, null)) {
        if (steps.length < MAX_STEPS) steps.push(message.move);
        return;
      }
      return begin({ move: message.move, pace: null });
    case "speed":
      work?.pace?.setSpeed(message.speed, performance.now());
      return wake();
    case "stop":
      if (work) finish({ stop: "asked", text: "", points: [] });
      return;
    case "seen":
      unseen--;
      return;
    case "panic":
      return panic_with(message.text);
    case "show":
      shown = message.shown;
      if (!work) show(undefined);
  }
}

function begin(what: typeof work): void {
  work = what;
  steps = [];
  slice = FIRST_SLICE;
  wake();
}

function isStep(move: Move, pace: Pace | null): boolean {
  return move.ask === "go" && pace === null;
}

function wake(): void {
  if ((work || counting) && !isWaiting) {
    isWaiting = true;
    turn.port2.postMessage(null);
  }
}

function next(): void {
  isWaiting = false;
  if (!work) return countOn();
  const { move, pace } = work;
  const now = performance.now();
  const due = pace ? pace.due(now, slice) : { cycles: slice, phases: 0 };
  if (due.cycles === 0 && due.phases === 0) return sleep(pace?.wait(now) ?? 0);
  const request: Request = due.phases > 0 ? { ask: "go", way: "forward", to: "phase", cycles: 1 } : { ...move, cycles: due.cycles };
  const answer = ask(request);
  pressed.hasRun = true;
  const took = performance.now() - now;
  if (due.cycles === slice) slice = Math.max(200, Math.min(MAX_SLICE, Math.round((slice * SLICE) / Math.max(took, 1))));
  if (answer.answer !== "moved") {
    const text = answer.answer === "error" ? answer.text : "";
    return finish({ stop: "error", text, points: [] });
  }
  const isUnderWay = answer.stop === "limit" || (due.phases > 0 && answer.stop === "goal");
  if (!isUnderWay) return finish({ stop: answer.stop, text: answer.text, points: answer.points });
  measure(answer.moment);
  pressNext();
  const time = performance.now();
  if (unseen === 0 && time - lastFrame >= (shown.isCalm ? CALM_FRAME : FRAME)) show(undefined, answer.moment);
  wake();
}

/** Counts a further part of the run, and shows the result at intervals. */
function countOn(): void {
  if (!counting) return;
  const answer = ask(counting);
  if (answer.answer !== "counts" || answer.cycle === look()?.cycle || performance.now() - lastFrame >= REST) show(undefined);
  else wake();
}

function press(id: number, request: Request): void {
  presses.push({ id, request });
  pressNext();
}

/** Carries out the presses that are due; all of them if the machine is stopped. */
function pressNext(): void {
  while (presses.length > 0) {
    if (work && (!pressed.hasRun || performance.now() < pressed.time + MIN_PRESS)) return;
    const { id, request } = presses.shift()!;
    pressed = { time: performance.now(), hasRun: false };
    answer(id, request);
  }
}

function sleep(milliseconds: number): void {
  isWaiting = true;
  setTimeout(() => turn.port2.postMessage(null), Math.max(1, Math.min(milliseconds, MAX_SLEEP)));
}

function finish(ended: Ended): void {
  const next = ended.stop === "goal" ? steps.shift() : undefined;
  work = next ? { move: next, pace: null } : null;
  if (next) return wake();
  steps = [];
  pressNext();
  show(ended);
}

function measure(moment: Moment): void {
  const time = performance.now();
  if (measured.cycle < 0) measured = { time, cycle: moment.cycle, rate: 0 };
  const passed = time - measured.time;
  if (passed >= 500) measured = { time, cycle: moment.cycle, rate: ((moment.cycle - measured.cycle) * 1000) / passed };
}

/** Sends the position of the machine to the page, with the picture and the answers to its standing requests. */
function show(ended: Ended | undefined, known?: Moment): void {
  lastFrame = performance.now();
  const moment = known ?? look();
  if (!moment) return;
  const isFull = !work || lastFrame - lastRest >= REST;
  if (isFull) lastRest = lastFrame;
  const answers = isFull ? shown.standing.map(({ key, request }): [string, Answer] => [key, ask(request)]) : [];
  const behind = shown.standing.findIndex((_, index) => isBehind(answers[index]?.[1], moment));
  counting = work || behind < 0 ? null : shown.standing[behind]!.request;
  wake();
  const picture = shown.size > 0 ? pictured() : undefined;
  const message: FromWorker = {
    tell: "moment",
    moment,
    answers,
    isRunning: work !== null,
    heard,
    rate: measured.rate,
    ...(picture && { picture }),
    ...(ended && { ended }),
  };
  unseen++;
  send(message, picture ? [picture.pixels] : []);
}

function isBehind(answer: Answer | undefined, moment: Moment): boolean {
  return answer?.answer === "counts" && answer.cycle !== moment.cycle;
}

function look(): Moment | null {
  const answer = ask({ ask: "look" });
  return answer.answer === "moment" ? answer : null;
}

function pictured(): Picture | undefined {
  const answer = ask({ ask: "picture", size: shown.size, shapes: shown.shapes });
  if (answer.answer !== "picture" || !answer.changed) return undefined;
  return { size: answer.size, cells: answer.cells, pixels: bytes() };
}

function answer(id: number, request: Request): void {
  const given = ask(request);
  const isFile = given.answer === "file" || (given.answer === "picture" && given.changed);
  const taken = isFile ? bytes() : undefined;
  send({ tell: "answer", id, answer: given, ...(taken && { bytes: taken }) }, taken ? [taken] : []);
  if (CHANGES.has(request.ask) && !work) show(undefined);
}

/** The bytes of the last answer, as a buffer that can be transferred. */
function bytes(): ArrayBuffer {
  const taken = page!.take();
  return taken.byteLength === taken.buffer.byteLength ? taken.buffer : taken.slice().buffer;
}

function ask(request: Request): Answer {
  if (!page) throw new Error("asked before it was ready");
  return JSON.parse(page.ask(JSON.stringify(request))) as Answer;
}

function send(message: FromWorker, transferred: Transferable[] = []): void {
  self.postMessage(message, { transfer: transferred });
}

/** Reports a panic. The machine cannot be used any more; the page creates a new one. */
function fail(error: unknown): void {
  const panic = page ? last_panic() : "";
  work = null;
  page = null;
  send({ tell: "failed", text: panic || (error instanceof Error ? error.message : String(error)) });
}

function guarded(action: () => void): void {
  try {
    action();
  } catch (error) {
    fail(error);
  }
}
