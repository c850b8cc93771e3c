// The page: it makes its parts, and tells each what the others have found. What a part does is in its own file.

import { Banner } from "./banner.js";
import { Board } from "./board.js";
import { Chip } from "./chip.js";
import { find, setText } from "./dom.js";
import { Editor } from "./editor.js";
import { showExplained, showHelp } from "./help.js";
import { listenToKeyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Leds } from "./leds.js";
import { Lessons } from "./lessons.js";
import { Links } from "./links.js";
import { Machine, type News } from "./machine.js";
import { Memory } from "./memory.js";
import { Output } from "./output.js";
import { makeWorker, placed, wasm } from "./parts.js";
import { Problems } from "./problems.js";
import { Programs, type Opened } from "./programs.js";
import type { Checked, Goal, Hello, Way } from "./protocol.js";
import { Registers } from "./registers.js";
import { SaveMenu } from "./save.js";
import { Session, type Open } from "./session.js";
import { nearest, SPEEDS } from "./speed.js";
import { keepManner, keepProgram, keptManner, keptProgram } from "./store.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Transport } from "./transport.js";
import { showView, viewBar } from "./views.js";
import { Waves } from "./waves.js";
import { Why } from "./why.js";

/** What opens at first. */
const FIRST = "queens.g1";
const FIRST_SPEED = 8000;

const manner = keptManner();
const banner = new Banner(find("banner", HTMLElement), find("announcement", HTMLElement));
const machine = new Machine(makeWorker, wasm, (text) => lost(text));
const dialog = find("help-dialog", HTMLDialogElement);

let hello: Hello | null = null;
let isShapes = manner.shapes ?? false;
let keys: Keys | null = null;
/** The shipped text of the program that is open, if it is a shipped one. */
let shippedText: string | null = null;

const editor = new Editor(find("editor", HTMLElement), {
  typed: () => {
    session.typed();
    keep();
  },
  changed: () => void session.edited(),
  pointed: () => {
    keep();
    void session.pointed().then((told) => editor.setPoints(editor.points(), told));
  },
});

const session = new Session(
  machine,
  {
    checked: (checked) => showChecked(checked),
    loaded: (told) => editor.setPoints(editor.points(), told),
    stale: (isStale) => (find("edited", HTMLElement).hidden = !isStale),
    refused: (text) => banner.wrong(text),
  },
  editor,
);

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
    stop: () => machine.stop(),
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

const timeline = new Timeline(find("timeline", HTMLElement), (cycle) => seek(cycle, 0));
const registers = new Registers(find("registers", HTMLElement));
const output = new Output(find("output", HTMLElement));

const board = new Board(machine, (name) => openChip(name, null));
const chip = new Chip(machine, { burn: (change) => session.burn(change), why: (net) => void explain(net) });
const memory = new Memory(machine, { why: (what) => void explain(what), edit: (what, value) => void session.edit(what, value) });
const waves = new Waves(machine, seek);
const why = new Why(machine, {
  seek,
  openChip,
  goToLine: (line) => {
    showView("source");
    editor.goToLine(line);
  },
});
const lessons = new Lessons(machine, {
  open: (program) => open(program, null),
  program: () => session.program(),
  chosen: (number) => keepManner({ lesson: String(number) }),
});
const tabs = new Tabs(find("tabs", HTMLElement), find("tab-panels", HTMLElement), [lessons, board, chip, memory, waves, why], (tab) => keepManner({ tab }));

const programs = new Programs(find("program-choice", HTMLSelectElement), find("file", HTMLInputElement), find("open", HTMLButtonElement), {
  choose: (name) => {
    banner.close();
    void openShipped(name);
  },
  opened: (files) => {
    banner.close();
    void openFiles(files);
  },
  refused: (text) => banner.wrong(text),
});

const links = new Links(find("link", HTMLButtonElement), banner, async () => {
  const { text, ...program } = session.program();
  const { cycle, phase } = session.moment() ?? { cycle: 0, phase: 0 };
  const isOwn = text !== shippedText;
  return { ...program, ...(isOwn && { text }), points: editor.points(), cycle, phase, tab: tabs.chosenId() };
});

new SaveMenu(find("save", HTMLButtonElement), find("save-menu", HTMLElement), machine, {
  program: () => session.program(),
  moment: () => session.moment(),
  shapes: () => isShapes,
  careful: (action) => session.careful(action),
});

machine.listen(show);
viewBar(find("bar", HTMLElement));
toggle("shapes", isShapes, (isOn) => {
  isShapes = isOn;
  keepManner({ shapes: isOn });
  showLeds();
});
const asking = toggle("ask", false, (isOn) => leds.setAsking(isOn));
find("help", HTMLButtonElement).addEventListener("click", () => showHelp(dialog, hello));
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
new ResizeObserver(showLeds).observe(find("leds", HTMLElement));
listenToKeyboard({
  keys: () => keys,
  toggleRun: () => (machine.isRunning() ? machine.stop() : void run()),
  step,
  toStart: () => seek(session.moment()?.start ?? 0, 0),
  toEnd: () => seek(session.moment()?.end ?? 0, 0),
  changeSpeed: (by) => transport.change(by),
});
window.addEventListener("hashchange", () => void openLink());
void begin();

/** A machine, and the first program in it. */
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
    if (!(await openLink()) && !(await openPlaced())) await openKept();
    const drawing = await machine.ask({ ask: "board" }, "board");
    board.showBoard(drawing);
    chip.showBoard(drawing.chips);
    waves.showBoard(drawing.nets, drawing.buses);
    await lessons.begin(Number(manner.lesson ?? 1));
    tabs.choose(manner.tab ?? "board");
  });
}

/** The machine is lost; the source is not. */
function lost(text: string): void {
  transport.show(false, 0);
  banner.wrong(`The machine has stopped working: ${text}. Your program is safe.`, {
    label: "Start it again",
    action: () => {
      const program = session.program();
      void machine.begin().then(() => session.take(program));
    },
  });
}

/** Where the machine is, everywhere. */
function show({ moment, picture, isRunning, rate, ended }: News): void {
  if (picture) leds.show(picture);
  leds.setStates(moment.leds);
  transport.show(isRunning, rate);
  timeline.show(moment);
  registers.show(moment);
  output.show(moment.output, moment.sent);
  memory.show(moment);
  const root = moment.frames.filter((frame) => frame.is_root).map((frame) => frame.line);
  editor.showRunning(session.isStale() ? [] : root.reverse(), !isRunning);
  if (!ended || ended.stop === "asked") return;
  if (ended.stop === "error" || moment.stuck) banner.wrong(ended.text || (moment.stuck ?? "The machine cannot go on."));
  const where = `cycle ${moment.cycle}, phase ${moment.phase}`;
  const what = { goal: "at", point: "breakpoint at", halted: "halted at", beginning: "the beginning,", limit: "at", error: "stopped at" }[ended.stop];
  banner.announce(`${what} ${where}${ended.text ? `. ${ended.text}` : ""}`);
}

function showChecked(checked: Checked): void {
  editor.showChecked(checked);
  problems.show(checked);
  memory.showNames(checked);
  const { words, ram_bytes, errors } = checked;
  find("size", HTMLElement).textContent = errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}` : `${words} words, ${ram_bytes} bytes of RAM`;
}

function showLeds(): void {
  machine.showLeds(leds.pixels(), isShapes);
}

async function openShipped(name: string): Promise<void> {
  await session.careful(async () => {
    const { text } = await machine.ask({ ask: "program", name }, "text");
    const hz = programs.find(name)?.hz;
    if (hz) transport.suggest(hz);
    await open({ name, text }, text);
  });
}

/** Opens a program; `shipped` is its text as it is shipped, if it is. */
async function open(program: Open, shipped: string | null, points: readonly number[] = []): Promise<void> {
  shippedText = shipped;
  editor.setText(program.text);
  editor.setPoints(points);
  await session.take(program);
  keep();
}

async function openFiles([first, ...others]: Opened[]): Promise<void> {
  if (!first) return;
  if (first.name.endsWith(".ron")) {
    if (await session.load(first.text)) banner.notice(`${first.name}: the machine is as it was saved.`);
    return;
  }
  const files = Object.fromEntries(others.map(({ name, text }) => [name, text]));
  await open({ name: first.name, text: first.text, ...(others.length > 0 && { files }) }, null);
}

/** What a link leads to; says whether there was one. */
async function openLink(): Promise<boolean> {
  const linked = await links.followed();
  if (!linked) return false;
  const { name, text, points, cycle, phase, tab, ...rest } = linked;
  const shipped = programs.find(name) ? (await machine.ask({ ask: "program", name }, "text")).text : null;
  if (text === undefined && shipped === null) {
    banner.wrong(`This link leads to the program ${name}, which this page does not have.`);
    return false;
  }
  await open({ name, text: text ?? shipped!, ...rest }, shipped, points);
  if (cycle !== undefined && (cycle > 0 || phase)) seek(cycle, phase ?? 0);
  if (tab) tabs.choose(tab);
  return true;
}

/** The program that was put into the page. */
async function openPlaced(): Promise<boolean> {
  const program = placed();
  if (!program || typeof program !== "object") return false;
  const kept = keptProgram();
  const { name, text } = program as Open;
  // What was made of it in this browser is not lost.
  if (kept?.name === name && kept.text !== text) return false;
  await open(program as Open, null);
  return true;
}

async function openKept(): Promise<void> {
  const kept = keptProgram();
  if (!kept) return openShipped(FIRST);
  const { points, isOwn: _, ...program } = kept;
  const shipped = programs.find(kept.name) ? (await machine.ask({ ask: "program", name: kept.name }, "text")).text : null;
  await open(program, shipped, points);
}

function keep(): void {
  const { options: _, ...program } = session.program();
  const isOwn = program.text !== shippedText;
  programs.show(program.name, isOwn);
  setText(find("name", HTMLElement), program.name);
  if (!keepProgram({ ...program, points: editor.points(), isOwn })) {
    banner.announce("This browser keeps nothing: save your program as a file.");
  }
}

async function run(): Promise<void> {
  transport.show(true, 0);
  if (!(await session.run(transport.speed()))) transport.show(false, 0);
}

function seek(cycle: number, phase: number): void {
  void session.move({ ask: "seek", cycle, phase, cycles: 0 });
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

/** A button that is on or off; returns what sets it. */
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
