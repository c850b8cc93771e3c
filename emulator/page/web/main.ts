// The page: creates its parts and connects them. Each part is in a file of its own.

import { asked } from "./address.js";
import { Banner } from "./banner.js";
import { Bench } from "./bench.js";
import { showBusy } from "./busy.js";
import { Board } from "./board.js";
import { showCaption } from "./caption.js";
import { Changes } from "./changes.js";
import { Chip } from "./chip.js";
import { Counts } from "./counts.js";
import { find, setText, toggle } from "./dom.js";
import { Editor } from "./editor.js";
import { formatButton } from "./format.js";
import { showExplained, showHelp } from "./help.js";
import { listenToKeyboard } from "./keyboard.js";
import { Included } from "./included.js";
import { Keys } from "./keys.js";
import { Leds } from "./leds.js";
import { Lessons } from "./lessons.js";
import { Links } from "./links.js";
import { Lives } from "./lives.js";
import { Machine } from "./machine.js";
import { Memory } from "./memory.js";
import { Movement } from "./movement.js";
import { FIRST, Opening } from "./opening.js";
import { askOptions } from "./options.js";
import { Output } from "./output.js";
import { makeWorker, placed, wasm } from "./parts.js";
import { Points } from "./points.js";
import { listPrograms } from "./printing.js";
import { Problems } from "./problems.js";
import { programMenu } from "./program-menu.js";
import { Programs } from "./programs.js";
import type { Checked, Hello, Options } from "./protocol.js";
import { Questions } from "./questions.js";
import { Registers } from "./registers.js";
import { Roving } from "./roving.js";
import { saveMenu } from "./save.js";
import { clearMade } from "./saved.js";
import { Session } from "./session.js";
import { show } from "./show.js";
import { FIRST_SPEED, nearest, SPEEDS } from "./speed.js";
import { keepManner, keptManner } from "./store.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Tour } from "./tour.js";
import { stepsOf } from "./tour-steps.js";
import { Transport } from "./transport.js";
import { showNamed, showView, viewBar } from "./views.js";
import { Waves } from "./waves.js";
import { Why } from "./why.js";
import { Words } from "./words.js";

clearMade();
const manner = keptManner();
const address = asked(location);
document.body.classList.toggle("embedded", address.isEmbedded);
const banner = new Banner(find("banner", HTMLElement), find("announcement", HTMLElement));
const machine = new Machine(makeWorker, wasm, (text) => lives.lost(text), (busy) => showBusy(find("busy", HTMLElement), busy, () => void lives.interrupt(busy)));
/** Whether the system asks for less motion: then the LEDs change seldom, each picture a longer exposure. */
const calm = matchMedia("(prefers-reduced-motion: reduce)");
calm.addEventListener("change", () => showLeds());
const dialog = find("help-dialog", HTMLDialogElement);

let hello: Hello | null = null;
let isShapes = manner.shapes ?? false;
let keys: Keys | null = null;

const vocabulary = new Words();
const editor = new Editor(find("editor", HTMLElement), vocabulary, {
  typed: () => {
    session.typed();
    opening.changed();
  },
  changed: () => void session.edited(),
  pointed,
  counted: (cycle) => seek(cycle),
  points: (checked) => (points.show(checked), included.showPoints()),
  define: ({ at }) => (at?.file ? included.show(at.file, at.line) : editor.goToLine(at?.line ?? 1)),
});
const points: Points = new Points(find("points", HTMLElement), {
  change: (changed) => {
    editor.setPoints(changed);
    pointed();
  },
  goTo: ({ file, line }) => (file === undefined ? editor.goToLine(line) : included.show(file, line)),
});
/** The files that a program may include: those of the library, and its own. */
const textOf = (name: string) => session.program().files?.[name] ?? hello?.library.find(([known]) => known === name)?.[1] ?? null;
const included: Included = new Included(find("included", HTMLElement), textOf, (cycle) => seek(cycle), editor);

/** The board of the options that is drawn; none is that of the Gray-1. */
let drawnBoard: string | undefined;
const session = new Session(
  machine,
  {
    checked: (checked) => showChecked(checked),
    loaded: (statuses) => {
      editor.setPoints(editor.points(), statuses);
      leds.forget();
      why.forget();
      keys?.forget();
      if (drawnBoard !== session.program().options?.board) void drawBoard();
    },
    stale: (isStale) => (find("edited", HTMLElement).hidden = !isStale),
    refused: (text) => banner.wrong(text),
  },
  editor,
);

const movement: Movement = new Movement({ machine, session, transport: () => transport, settled: () => lives.settled, isCalm: () => calm.matches });
const { seek } = movement;
const counts = new Counts({ machine, session, editor, included, behind: find("behind", HTMLElement), calls: find("calls", HTMLElement), seek });

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
  movement,
  (speed) => {
    machine.setSpeed(speed);
    keepManner({ speed: SPEEDS.indexOf(speed) });
  },
  manner.speed ?? nearest(FIRST_SPEED),
);

const changed = new Changes(find("changes", HTMLElement), session, () => opening.changed());
const timeline = new Timeline(find("timeline", HTMLElement), seek, movement.ahead, () => questions.cycle());
const questions = new Questions(find("question-dialog", HTMLDialogElement), session, seek);
const registers = new Registers(find("registers", HTMLElement));
const output = new Output(find("output", HTMLElement));

const board = new Board(machine, (name) => openChip(name, null));
const chip = new Chip(machine, { burn, mend, why: (net) => void explain(net) });
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
const bench = new Bench(machine, { chosen: (number) => keepManner({ level: String(number) }), changed: () => links.leave(), run: runOn });
const lessons = new Lessons(machine, {
  levels: (levels) => bench.show(levels, address.level ?? Number(manner.level ?? 1)),
  open: (program) => opening.open(program, null),
  program: () => session.program(),
  openChip,
  chosen: (number) => keepManner({ lesson: String(number) }),
  taken: () => links.leave(),
});
const tabs = new Tabs(find("tabs", HTMLElement), find("tab-panels", HTMLElement), [lessons, bench, board, chip, memory, waves, why], (tab) => keepManner({ tab }));

const programs = new Programs(find("program-choice", HTMLSelectElement), find("file", HTMLInputElement), find("open", HTMLButtonElement), {
  choose: (name) => void opening.shipped(name),
  chooseOwn: (name) => void opening.own(name),
  opened: (files) => void opening.files(files),
  refused: (text) => banner.wrong(text),
});

const links = new Links(find("link", HTMLButtonElement), banner, () => opening.toLink(tabs.chosenId(), lessons.own(), bench.board()));
const opening = new Opening({
  machine,
  session,
  editor,
  programs,
  banner,
  nameAt: find("name", HTMLElement),
  opened: showProgram,
  suggest: (hz) => transport.suggest(hz),
  seek,
  runFrom: movement.runFrom,
  learn: (own, answers, isLink) => lessons.learn(own, answers, isLink),
  takeBoard: (board) => (bench.learn(board), openPane(bench.id)),
  chooseTab: (tab) => tabs.choose(tab),
  leaveLink: () => links.leave(),
});

const tour = new Tour(
  find("tour-card", HTMLElement),
  stepsOf({
    showView,
    chooseTab: (tab) => tabs.choose(tab),
    search: movement.search,
    pause: movement.stop,
    explain: (what) => void explain(what),
    burn,
    mend,
    openQueens: async () => {
      if (!opening.isShipped(FIRST)) await opening.shipped(FIRST);
    },
  }),
  () => keepManner({ toured: true }),
);
find("tour", HTMLButtonElement).addEventListener("click", () => (tabs.leave(bench), tour.start(true))); // the bench hides the machine

programMenu(find("file-menu", HTMLButtonElement), find("program-menu", HTMLElement), { session, opening, banner, dialog: find("question-dialog", HTMLDialogElement) });
saveMenu(find("save", HTMLButtonElement), find("save-menu", HTMLElement), machine, {
  program: () => session.program(),
  moment: () => session.moment(),
  shapes: () => isShapes,
  stretch: (chosen) => questions.stretch(chosen),
  careful: (action) => session.careful(action),
});

listPrograms(() => session.program());
const lives: Lives = new Lives({ machine, session, banner, transport, openFirst, draw });
const parts = { session, banner, leds, transport, timeline, changes: changed, registers, output, memory, editor, included, points };
machine.listen((news) => {
  show({ ...parts, aheadTo: () => movement.aheadTo }, news);
  if (!news.ended) return;
  movement.aheadTo = null;
  leds.begin();
});
viewBar(find("bar", HTMLElement));
new Roving(find("actions", HTMLElement), "#actions > button");
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
formatButton(find("format", HTMLButtonElement), { machine, session, editor });
find("options", HTMLButtonElement).addEventListener("click", () => {
  const chosen = (constants: Record<string, number>, options: Options) => void session.choose(constants, options).then(() => opening.changed());
  askOptions(find("options-dialog", HTMLDialogElement), session, chosen);
});
find("help", HTMLButtonElement).addEventListener("click", () => showHelp(dialog, hello));
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
new ResizeObserver(showLeds).observe(find("leds", HTMLElement));
listenToKeyboard(movement, {
  keys: () => keys,
  goTo: () => questions.cycle(),
  changeSpeed: (by) => transport.change(by),
  hasLetters: () => keptManner().letters ?? true,
});
tabs.choose(manner.tab ?? "board");
window.addEventListener("hashchange", () => {
  void session.careful(async () => {
    const linked = await links.followed();
    if (linked) await opening.linked(linked);
  });
});
void lives.begin();

/** Opens the first program, and draws what is the same for all. */
async function openFirst(): Promise<void> {
  hello = await machine.ask({ ask: "hello" }, "hello");
  vocabulary.begin(hello);
  programs.list(hello.programs);
  keys = new Keys(find("keys", HTMLElement), hello.keys, hold, () => machine.isRunning());
  const isFirst = await opening.first(await links.followed(), placed(), address.program);
  const asksForMore = address.lesson !== null || address.level !== null || address.program !== null;
  const isFirstVisit = isFirst && !manner.toured && !address.isEmbedded && !asksForMore;
  // With reduced motion a solution is shown, standing; the drawn one stays until the machine is there.
  if (isFirst && calm.matches && !asksForMore) await session.move({ ask: "go", way: "forward", to: "solution", cycles: 0 });
  else leds.begin();
  if (address.lesson) openPane("lesson");
  else if (address.level) openPane("bench");
  else if (address.view && !showNamed(address.view)) openPane(address.view);
  if (address.runs && !calm.matches) void movement.run();
  if (isFirstVisit && !calm.matches) void movement.search();
  await draw();
  if (isFirstVisit) tour.start(false);
}

/** Draws what is the same for every program: the board and the lessons. */
async function draw(): Promise<void> {
  await drawBoard();
  await lessons.begin(address.lesson ?? Number(manner.lesson ?? 1));
}

async function drawBoard(): Promise<void> {
  drawnBoard = session.program().options?.board;
  const drawing = await machine.ask({ ask: "board" }, "board");
  board.showBoard(drawing);
  chip.showBoard(drawing.chips);
  waves.showBoard(drawing.nets, drawing.buses);
}

function pointed(): void {
  opening.changed();
  void session.pointed().then((statuses) => editor.setPoints(editor.points(), statuses));
}

function showChecked(checked: Checked): void {
  editor.showChecked(checked);
  vocabulary.take(checked, editor.text());
  problems.show(checked);
  memory.showNames(checked);
  waves.showNames(checked);
  const { words, ram_bytes, errors } = checked;
  find("size", HTMLElement).textContent = errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}` : `${words} words, ${ram_bytes} bytes of RAM`;
}

/** Shows what the open program is, and what its colours mean. */
function showProgram(): void {
  const { text } = session.program();
  showCaption(find("caption", HTMLElement), text);
  document.body.classList.toggle("keyless", !/key/i.test(text));
  const does = opening.isShipped(FIRST) ? "; its program places eight queens" : "";
  setText(find("tagline", HTMLElement), `A computer made of memory chips only${does}.`);
}

function showLeds(): void {
  machine.showLeds(leds.pixels(), isShapes, calm.matches);
}

/** Changes a cell, in the format of `--cell`. */
async function burn(change: string): Promise<void> {
  await session.burn(change);
  why.forget();
  opening.changed();
}

async function runOn(program: string, board: string): Promise<void> {
  await opening.shipped(program, { board });
  tabs.leave(bench); // it hides the machine
  opening.changed();
  if (!calm.matches) await movement.run();
}

async function mend(): Promise<void> {
  await session.undo("cells");
  why.forget();
  opening.changed();
}

function hold(bits: number): void {
  void session.careful(() => machine.ask({ ask: "press", keys: bits }, "moment"));
}

async function explain(what: string): Promise<void> {
  asking(false);
  machine.stop();
  openPane("why");
  await why.explain(what);
}

function openChip(name: string, at: number | null): void {
  chip.open(name, at);
  openPane("chip");
}

function openPane(id: string): void {
  showView("inside");
  tabs.choose(id);
}
