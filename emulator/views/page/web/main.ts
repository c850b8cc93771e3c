// The page: creates its parts and connects them. Each part is in a file of its own.

import { Banner } from "./banner.js";
import { showBusy } from "./busy.js";
import { Board } from "./board.js";
import { Chip } from "./chip.js";
import { Counts } from "./counts.js";
import { find, grouped } from "./dom.js";
import { Editor } from "./editor.js";
import { showExplained, showHelp } from "./help.js";
import { listenToKeyboard } from "./keyboard.js";
import { Included } from "./included.js";
import { Keys } from "./keys.js";
import { Leds } from "./leds.js";
import { Lessons } from "./lessons.js";
import { Links } from "./links.js";
import { Machine, type Busy, type News } from "./machine.js";
import { Memory } from "./memory.js";
import { Opening } from "./opening.js";
import { showOptions } from "./options.js";
import { Output } from "./output.js";
import { makeWorker, placed, wasm } from "./parts.js";
import { Points } from "./points.js";
import { listPrograms } from "./printing.js";
import { Problems } from "./problems.js";
import { Programs } from "./programs.js";
import type { Checked, Goal, Hello, Options, Way } from "./protocol.js";
import { Registers } from "./registers.js";
import { SaveMenu } from "./save.js";
import { Session } from "./session.js";
import { nearest, SPEEDS } from "./speed.js";
import { keepManner, keptManner } from "./store.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Transport } from "./transport.js";
import { showView, viewBar } from "./views.js";
import { Waves } from "./waves.js";
import { Why } from "./why.js";

const FIRST_SPEED = 8000;
/** Number of cycles run at once to find the end of a run. */
const AHEAD = 1e9;

const manner = keptManner();
const banner = new Banner(find("banner", HTMLElement), find("announcement", HTMLElement));
const machine = new Machine(makeWorker, wasm, (text) => lost(text), (busy) => showBusy(find("busy", HTMLElement), busy, () => void interrupt(busy)));
/** Whether the system asks for less motion: then the LEDs change seldom, each picture a longer exposure. */
const calm = matchMedia("(prefers-reduced-motion: reduce)");
calm.addEventListener("change", () => showLeds());
const dialog = find("help-dialog", HTMLDialogElement);

let hello: Hello | null = null;
let isDrawn = false;
let isShapes = manner.shapes ?? false;
let keys: Keys | null = null;
/** The cycle up to which the machine runs ahead, if it does. */
let aheadTo: number | null = null;

const editor = new Editor(find("editor", HTMLElement), {
  typed: () => {
    session.typed();
    opening.changed();
  },
  changed: () => void session.edited(),
  pointed,
  counted: (cycle) => seek(cycle, 0),
  points: (told) => points.show(told),
});
const points: Points = new Points(find("points", HTMLElement), {
  change: (changed) => {
    editor.setPoints(changed);
    pointed();
  },
  goTo: (line) => editor.goToLine(line),
});
/** The files that a program may include: those of the library, and its own. */
const included = new Included(find("included", HTMLElement), (name) => session.program().files?.[name] ?? hello?.library.find(([known]) => known === name)?.[1] ?? null, (cycle) => seek(cycle, 0));

const session = new Session(
  machine,
  {
    checked: (checked) => showChecked(checked),
    loaded: (told) => {
      editor.setPoints(editor.points(), told);
      leds.forget();
      keys?.forget();
    },
    stale: (isStale) => (find("edited", HTMLElement).hidden = !isStale),
    refused: (text) => banner.wrong(text),
  },
  editor,
);

const counts = new Counts({ machine, session, editor, included, behind: find("behind", HTMLElement), calls: find("calls", HTMLElement), seek: (cycle) => seek(cycle, 0) });

const problems = new Problems(
  find("problems", HTMLElement),
  (offset) => editor.goTo(offset),
  (code) => void session.careful(async () => showExplained(dialog, code, (await machine.ask({ ask: "explain", code }, "text")).text)),
);

const leds = new Leds(find("leds", HTMLElement), {
  press: (pad) => void session.careful(() => machine.ask({ ask: "press", pad: pad && [pad.row, pad.column] }, "moment")),
  why: ({ row, column }) => {
    const lines = session.moment()?.leds ?? [];
    const isLit = (line: number) => ((lines[line] ?? 0) >> column) & 1;
    const colour = isLit(row + 8) || !isLit(row) ? "red" : "green";
    void explain(`${colour} ${row},${column}`);
  },
  isRunning: () => machine.isRunning(),
});

const transport = new Transport(
  {
    run: find("run", HTMLButtonElement),
    slider: find("speed", HTMLInputElement),
    speedText: find("speed-text", HTMLElement),
    steps: find("steps", HTMLElement),
  },
  {
    run: () => void run(),
    stop: () => session.stop(),
    step,
    setSpeed: (speed) => {
      machine.setSpeed(speed);
      keepManner({ speed: SPEEDS.indexOf(speed) });
    },
    toStart: () => seek(session.moment()?.start ?? 0, 0),
    toEnd: () => seek(session.moment()?.end ?? 0, 0),
  },
  manner.speed ?? nearest(FIRST_SPEED),
);

const timeline = new Timeline(find("timeline", HTMLElement), (cycle) => seek(cycle, 0), ahead);
const registers = new Registers(find("registers", HTMLElement));
const output = new Output(find("output", HTMLElement));

const board = new Board(machine, (name) => openChip(name, null));
const chip = new Chip(machine, { burn: (change) => session.burn(change).then(() => opening.changed()), why: (net) => void explain(net) });
const memory = new Memory(machine, { why: (what) => void explain(what), edit: (what, value) => void session.edit(what, value) });
const waves = new Waves(machine, seek);
const why = new Why(machine, {
  seek,
  openChip,
  goToLine: (line, innermost) => {
    showView("source");
    if (line !== null) editor.goToLine(line);
    if (innermost) included.show(innermost.file, innermost.line);
  },
});
const lessons = new Lessons(machine, {
  open: (program) => opening.open(program, null),
  program: () => session.program(),
  chosen: (number) => keepManner({ lesson: String(number) }),
  taken: () => links.leave(),
});
const tabs = new Tabs(find("tabs", HTMLElement), find("tab-panels", HTMLElement), [lessons, board, chip, memory, waves, why], (tab) => keepManner({ tab }));

const programs = new Programs(find("program-choice", HTMLSelectElement), find("file", HTMLInputElement), find("open", HTMLButtonElement), {
  choose: (name) => void opening.shipped(name),
  chooseOwn: (name) => void opening.own(name),
  opened: (files) => void opening.files(files),
  refused: (text) => banner.wrong(text),
});

const links = new Links(find("link", HTMLButtonElement), banner, () => opening.toLink(tabs.chosenId(), lessons.own()));
const opening = new Opening({
  machine,
  session,
  editor,
  programs,
  banner,
  nameAt: find("name", HTMLElement),
  suggest: (hz) => transport.suggest(hz),
  seek,
  learn: (own, answers, isLink) => lessons.learn(own, answers, isLink),
  chooseTab: (tab) => tabs.choose(tab),
  leaveLink: () => links.leave(),
});

new SaveMenu(find("save", HTMLButtonElement), find("save-menu", HTMLElement), machine, {
  program: () => session.program(),
  moment: () => session.moment(),
  shapes: () => isShapes,
  careful: (action) => session.careful(action),
});

listPrograms(() => session.program());
machine.listen(show);
viewBar(find("bar", HTMLElement));
toggle("shapes", isShapes, (isOn) => {
  isShapes = isOn;
  keepManner({ shapes: isOn });
  showLeds();
});
toggle("counts", manner.counts ?? false, (isOn) => {
  keepManner({ counts: isOn });
  counts.show(isOn);
});
counts.show(manner.counts ?? false);
const asking = toggle("ask", false, (isOn) => leds.setAsking(isOn));
find("format", HTMLButtonElement).addEventListener("click", () => {
  void session.careful(async () => {
    const text = editor.text();
    const laidOut = (await machine.ask({ ask: "format", text }, "text")).text;
    if (editor.text() === text) editor.replaceText(laidOut); // otherwise the user has typed meanwhile
  });
});
find("options", HTMLButtonElement).addEventListener("click", () => {
  const chosen = (constants: Record<string, number>, options: Options) => void session.choose(constants, options).then(() => opening.changed());
  showOptions({ dialog: find("options-dialog", HTMLDialogElement), session, chosen, refused: (text) => banner.wrong(text) }, session.defaults());
});
find("help", HTMLButtonElement).addEventListener("click", () => showHelp(dialog, hello));
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
new ResizeObserver(showLeds).observe(find("leds", HTMLElement));
listenToKeyboard({
  keys: () => keys,
  toggleRun: () => (session.isRunning() ? session.stop() : void run()),
  step,
  toStart: () => seek(session.moment()?.start ?? 0, 0),
  toEnd: () => seek(session.moment()?.end ?? 0, 0),
  changeSpeed: (by) => transport.change(by),
  ahead,
  isMoving: () => machine.isRunning(),
});
tabs.choose(manner.tab ?? "board");
window.addEventListener("hashchange", () => {
  void session.careful(async () => {
    const linked = await links.followed();
    if (linked) await opening.linked(linked);
  });
});
void begin();

/** Creates a machine with the first program in it. */
async function begin(): Promise<void> {
  try {
    await machine.begin();
  } catch {
    return; // it has been told
  }
  await session.careful(async () => {
    hello = await machine.ask({ ask: "hello" }, "hello");
    programs.list(hello.programs);
    keys = new Keys(find("keys", HTMLElement), hello.keys, hold, () => machine.isRunning());
    await opening.first(await links.followed(), placed());
    await draw();
  });
}

/** Draws what is the same for every program: the board and the lessons. */
async function draw(): Promise<void> {
  const drawing = await machine.ask({ ask: "board" }, "board");
  board.showBoard(drawing);
  chip.showBoard(drawing.chips);
  waves.showBoard(drawing.nets, drawing.buses);
  await lessons.begin(Number(manner.lesson ?? 1));
  isDrawn = true;
}

/** Reports that the machine was lost (the source is not). */
function lost(text: string): void {
  transport.show(false, 0);
  banner.wrong(`The machine has stopped working: ${text}. Your program is safe.`, {
    label: "Start it again",
    action: () => void again(),
  });
}

/** Creates another machine, with the program that is in the editor. */
async function again(): Promise<void> {
  if (!hello || !session.program().name) return begin(); // nothing was open yet
  try {
    await machine.begin();
  } catch {
    return; // it has been told
  }
  await session.begin();
  if (!isDrawn) await session.careful(draw);
  if (machine.isThere()) banner.notice("The machine has begun anew.");
}

/** Ends a request that takes too long, by replacing the machine, since a busy one cannot receive messages. */
async function interrupt(busy: Busy | null): Promise<void> {
  try {
    await machine.begin();
  } catch {
    return; // it has been told
  }
  // A source that takes too long to assemble is not assembled again automatically.
  const isSource = busy === "check" || busy === "load";
  if (isSource) session.forget();
  else await session.begin();
  if (!isDrawn) await session.careful(draw);
  banner.notice(isSource ? "Stopped. The program is assembled again when you change it or run it." : "Stopped. The machine has begun anew.");
}

function pointed(): void {
  opening.changed();
  void session.pointed().then((told) => editor.setPoints(editor.points(), told));
}

/** Shows the position of the machine in all parts. */
function show({ moment, picture, isRunning, rate, ended }: News): void {
  if (picture) leds.show(picture);
  leds.setStates(moment.leds);
  transport.show(session.isRunning(), rate);
  timeline.show(moment);
  registers.show(moment);
  output.show(moment.output, moment.sent);
  memory.show(moment);
  const root = moment.frames.filter((frame) => frame.is_root).map((frame) => frame.line);
  editor.showRunning(session.isStale() ? [] : root.reverse(), !isRunning);
  const last = moment.frames.at(-1);
  if (!isRunning) included.follow(last && !last.is_root && !session.isStale() ? last.file : null, last?.line ?? 0);
  points.showHits(moment.hits);
  if (!ended) return;
  if (ended.stop === "goal" && moment.cycle === aheadTo) {
    banner.notice(`The run goes on beyond cycle ${grouped(aheadTo)}. Ask again to run further ahead.`);
  }
  aheadTo = null;
  if (ended.stop === "asked") return;
  if (ended.stop === "error" || moment.stuck) banner.wrong(ended.text || (moment.stuck ?? "The machine cannot go on."));
  const where = `cycle ${moment.cycle}, phase ${moment.phase}`;
  const what = { goal: "at", point: "breakpoint at", halted: "halted at", beginning: "the beginning,", limit: "at", error: "stopped at" }[ended.stop];
  banner.announce(`${what} ${where}${ended.text ? `. ${ended.text}` : ""}`);
}

function showChecked(checked: Checked): void {
  editor.showChecked(checked);
  problems.show(checked);
  memory.showNames(checked);
  waves.showNames(checked);
  const { words, ram_bytes, errors } = checked;
  find("size", HTMLElement).textContent = errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}` : `${words} words, ${ram_bytes} bytes of RAM`;
}

function showLeds(): void {
  machine.showLeds(leds.pixels(), isShapes, calm.matches);
}

async function run(): Promise<void> {
  transport.show(true, 0);
  await session.run(transport.speed());
  transport.show(session.isRunning(), 0);
}

function seek(cycle: number, phase: number): void {
  void session.move({ ask: "seek", cycle, phase, cycles: 0 });
}

/** Runs at full speed, past breakpoints, so that the time line has the whole run. */
function ahead(): void {
  const cycle = (session.moment()?.end ?? 0) + AHEAD;
  void session.move({ ask: "seek", cycle, phase: 0, cycles: 0, ahead: true }).then(() => (aheadTo = cycle));
}

function step(way: Way, to: Goal): void {
  void session.move({ ask: "go", way, to, cycles: 0 });
}

function hold(bits: number): void {
  void session.careful(() => machine.ask({ ask: "press", keys: bits }, "moment"));
}

async function explain(what: string): Promise<void> {
  asking(false);
  machine.stop();
  showView("inside");
  tabs.choose("why");
  await why.ask(what);
}

function openChip(name: string, at: number | null): void {
  showView("inside");
  chip.open(name, at);
  tabs.choose("chip");
}

/** Makes a toggle button; returns the function that sets it. */
function toggle(id: string, first: boolean, changed: (isOn: boolean) => void): (isOn: boolean) => void {
  const made = find(id, HTMLButtonElement);
  const set = (isOn: boolean) => {
    made.setAttribute("aria-pressed", String(isOn));
    changed(isOn);
  };
  made.addEventListener("click", () => set(made.getAttribute("aria-pressed") !== "true"));
  made.setAttribute("aria-pressed", String(first));
  return set;
}
