// The bench, where one builds boards of memory chips: the levels, the board of one as a picture and as a text, its run, and
// the verdict. The text is the board; everything else is a view of it, and every change is made in it.

import { Boards } from "./bench-boards.js";
import { chipView } from "./bench-chip.js";
import { exerciseOf, levelMap, levelTask, levelText, starsOf } from "./bench-levels.js";
import { lineView } from "./bench-line.js";
import { joined, netOf, wired, type Pin } from "./bench-pin.js";
import { Picture } from "./bench-picture.js";
import { Replay } from "./bench-replay.js";
import { MOST_SEEN, movesView, truthView, type Seen } from "./bench-seen.js";
import { button, element } from "./dom.js";
import { Drawing } from "./held.js";
import type { Machine, Told } from "./machine.js";
import type { Bench as Board, Exercise, Lesson, Arrival, Rework, FailingMove } from "./protocol.js";
import { save } from "./save.js";
import { keepAttempt, keptAttempts } from "./store.js";
import { paneElement, type Pane } from "./tabs.js";

type Levels = [string, boolean][];

interface Actions {
  /** Called when a level was chosen. */
  chosen(number: number): void;
  /** Called when the board was changed. */
  changed(): void;
  /** Runs a shipped program on a board. */
  run(program: string, board: string): void;
}

export class Bench implements Pane {
  readonly id = "bench";
  readonly title = "Bench";
  readonly at = paneElement("bench");
  private levels: readonly Lesson[] = [];
  private level: Lesson | undefined;
  private exercise: Exercise | undefined;
  /** A board of a link, until the levels are there. */
  private coming: [string, string] | null = null;
  private boards = new Boards("");
  /** The board as it was when its text could last be read. */
  private told: Board | null = null;
  private seen: Seen[] = [];
  private chosenChip = 0;
  private chosenPin: Pin | null = null;
  private chosenNet: string | undefined;
  /** The switch of the beat that is next. */
  private next = 0;
  /** How often the board was to be looked at. */
  private looks = 0;
  /** Why the last thing was not done. */
  private refusal = "";
  /** What is under way: one thing after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  /** The pin that a line has just reached, in slow motion. */
  private reached: Pin | null = null;
  private readonly replay = new Replay((board, { net, chip: name }, place) => {
    const chip = board.chips.findIndex((one) => one.name === name);
    const line = board.chips[chip]?.address.indexOf(net) ?? -1;
    [this.told, this.reached, this.chosenChip] = [board, line < 0 ? null : { kind: "address", chip, line }, chip];
    this.seen = [...this.seen, new Map(board.levels)].slice(-MOST_SEEN);
    this.place.textContent = place;
    this.draw();
  });
  private readonly place = element("p", { class: "bench-place", role: "status" });
  private readonly drawing = new Drawing(this.at);
  private readonly map = element("div");
  private readonly text = element("div");
  private readonly task = element("div");
  private readonly fault = element("p", { class: "bench-fault wrong", role: "status" });
  private readonly picture: Picture;
  private readonly line = element("div");
  private readonly chip = element("div");
  private readonly run = element("div", { class: "bench-run" });
  private readonly verdict = element("div", { class: "verdict", role: "status" });
  private readonly source = element("textarea", { rows: 18, spellcheck: false, "aria-label": "The board as a text" });
  private readonly undo = button("Undo", { "data-focus": "undo", title: "Ctrl+Z" }, () => this.back(-1));
  private readonly redo = button("Redo", { "data-focus": "redo", title: "Ctrl+Shift+Z" }, () => this.back(1));
  private readonly step = button("Step", { title: "The next switch of the beat, up or down" }, () => this.tick());

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    this.picture = new Picture({
      flip: (net) => this.set([[net, !this.told?.levels.some(([name, level]) => name === net && level)]]),
      pin: (pin) => this.choosePin(pin),
      chip: (chip) => this.draw(() => (this.chosenChip = chip)),
      net: (net) => this.draw(() => ([this.chosenPin, this.chosenNet] = [null, net])),
    });
    const file = element("input", { type: "file", accept: ".ron,text/plain", hidden: true, "aria-label": "Board file", tabindex: -1 });
    file.addEventListener("change", () => void this.open(file));
    this.source.addEventListener("input", () => this.take(this.source.value, true));
    const tools = element(
      "div",
      { class: "toolbar bench-tools" },
      button("Check", { class: "primary" }, () => this.check()),
      this.step,
      button("Add a chip", {}, () => this.rework({ change: "add" }, () => (this.chosenChip = (this.told?.chips.length ?? 1) - 1))),
      this.undo,
      this.redo,
      button("From the start", { title: "Undo brings your board back" }, () => this.take(this.exercise?.start ?? "")),
      button("Save", { title: "The board as a file, which the command line takes too" }, () => save(`${this.exercise?.id ?? "board"}.ron`, new Blob([this.boards.now], { type: "text/plain" }))),
      button("Open…", { title: "A board from a file" }, () => file.click()),
      file,
    );
    const hint = element("p", { class: "hint" }, "Click a switch to move it, a bit of a table to change it, and two pins to connect them. Then press Check.");
    const board = element(
      "section",
      { class: "bench-board", "aria-label": "Your board" },
      this.task,
      tools,
      this.verdict,
      this.fault,
      hint,
      this.picture.at,
      this.line,
      element("div", { class: "bench-views" }, this.chip, this.run),
      element("details", { class: "bench-source" }, element("summary", {}, "The board as a text"), this.source),
    );
    this.at.append(element("div", { class: "bench-levels" }, this.map, this.text), board);
    this.at.addEventListener("keydown", (event) => this.key(event));
  }

  shown(isShown: boolean): void {
    document.body.classList.toggle("benching", isShown);
    if (isShown) this.draw(); // now the picture has a width
  }

  /** Takes the levels; their answers may have changed. The one that is open stays open, or else `first` is opened. */
  show(levels: readonly Lesson[], first: number): void {
    this.levels = levels;
    const { coming, exercise, level } = this;
    const kept = exercise && (keptAttempts()[exercise.id]?.text ?? exercise.start);
    if (level && kept === this.boards.now) this.draw();
    else this.choose(level?.number ?? first);
    if (coming) this.learn(coming);
  }

  /** Takes a board of a link: one's own is behind Undo. */
  learn(board: [string, string]): void {
    this.coming = board;
    const level = this.levels.find((level) => exerciseOf(level)?.id === board[0]);
    if (!level) return;
    this.coming = null;
    this.choose(level.number);
    this.boards.take(board[1]);
    this.look();
  }

  /** The board for a link, and the exercise that it answers. */
  board(): [string, string] | null {
    return this.exercise ? [this.exercise.id, this.boards.now] : null;
  }

  /** Opens a level, the first if there is none of this number. */
  choose(number: number): void {
    this.level = this.levels.find((level) => level.number === number) ?? this.levels[0];
    this.exercise = this.level && exerciseOf(this.level);
    if (!this.level || !this.exercise) return;
    this.boards = new Boards(keptAttempts()[this.exercise.id]?.text ?? this.exercise.start);
    [this.told, this.chosenChip, this.chosenPin, this.chosenNet, this.next] = [null, 0, null, undefined, 0];
    this.step.hidden = this.exercise.board?.beat.length === 0;
    this.text.replaceChildren(levelText(this.level));
    this.task.replaceChildren(levelTask(this.level));
    this.judged();
    this.at.scrollTop = 0;
    this.actions.chosen(this.level.number);
    this.draw(); // the text, which can be changed before the machine has read it
    this.look();
  }

  /** Changes the board through the machine; `done` is called when the new one is there. */
  private rework(rework: Rework, done = () => {}): void {
    this.later(async () => {
      const { text } = await this.machine.ask({ ask: "rework", board: this.boards.now, rework }, "text");
      this.keep(text);
      await this.ask([], this.up());
      this.draw(done);
    });
  }

  /** Takes another text. What is typed in one go is one step of Undo. */
  private take(text: string, isTyped = false): void {
    this.keep(text, isTyped);
    this.look();
  }

  private keep(text: string, isTyped = false): void {
    this.boards.take(text, isTyped);
    this.store();
  }

  private back(way: -1 | 1): void {
    if (!this.boards.go(way)) return;
    this.store();
    this.look();
  }

  private store(): void {
    if (!this.exercise) return;
    keepAttempt(this.exercise.id, { text: this.boards.now });
    this.judged();
    this.actions.changed();
  }

  /** Switches the board on, with its switches as they are. While one types, only the last text counts. */
  private look(): void {
    const number = ++this.looks;
    this.later(async () => {
      if (number !== this.looks) return;
      await this.ask([], this.up());
      this.draw();
    });
  }

  /** The switches that are up. */
  private up(): Levels {
    return this.told?.levels.filter(([net, level]) => level && this.told?.switches.includes(net)) ?? [];
  }

  /** Moves switches. */
  private set(moves: Levels): void {
    this.later(async () => {
      if (!this.told || this.told.fault !== null) return;
      await this.ask(this.told.levels, moves);
      this.draw();
    });
  }

  /** Moves the next switch of the beat; a clock ticks. */
  private tick(): void {
    const { told, exercise } = this;
    const beat = exercise?.board?.beat ?? [];
    const net = beat[this.next % beat.length];
    if (!told || net === undefined) return;
    const isUp = told.levels.some(([name, level]) => name === net && level);
    if (isUp) this.next++;
    this.set([[net, !isUp]]);
  }

  /** Asks the machine for the board after moves. Without levels, it is switched on. */
  private async ask(levels: Levels, moves: Levels): Promise<void> {
    const memory = this.exercise?.board?.memory ?? null;
    const told = await this.machine.ask({ ask: "bench", board: this.boards.now, levels, moves: moves.length > 0 ? [moves] : [], memory }, "bench");
    // A text that cannot be read leaves the picture as it was.
    const isRead = told.chips.length + told.switches.length > 0;
    this.told = isRead || !this.told ? told : { ...this.told, fault: told.fault, line: told.line };
    const seen: Seen = new Map(told.levels);
    this.seen = (levels.length > 0 ? [...this.seen, seen] : [seen]).slice(-MOST_SEEN);
  }

  private check(): void {
    this.later(async () => {
      const { exercise, boards } = this;
      if (!exercise) return;
      this.verdict.textContent = "…";
      const attempt = boards.now;
      const judged = await this.machine.ask({ ask: "judge", exercise: exercise.id, attempt }, "judged");
      const stars = judged.passed ? starsOf(exercise, judged) : 0;
      const isBest = judged.passed && stars >= (keptAttempts()[exercise.id]?.stars ?? 0);
      keepAttempt(exercise.id, { text: attempt, ...(isBest && { right: attempt, stars }) });
      this.judged(judged, stars);
      this.draw();
    });
  }

  /** Shows a verdict; without one, the way back to the board that passed. */
  private judged(judged?: Told<"judged">, stars = 0): void {
    this.verdict.className = judged ? `verdict ${judged.passed ? "passed" : "failed"}` : "verdict";
    this.verdict.replaceChildren();
    const right = this.exercise && keptAttempts()[this.exercise.id]?.right;
    if (!judged && right !== undefined && right !== this.boards.now) {
      this.verdict.append("The board that passed is kept, and is handed in. ", button("Back to it", {}, () => this.take(right)));
    }
    if (!judged) return;
    const { passed, text, tried, whole } = judged;
    const [words = "", ...report] = text.split("\n\n");
    this.verdict.append(element("b", {}, passed ? `Passed ${"★".repeat(stars)} ` : "Not yet. "), words);
    if (report.length > 0) this.verdict.append(element("pre", { tabindex: 0 }, report.join("\n\n")));
    const next = this.levels.find(({ number }) => number === (this.level?.number ?? 0) + 1);
    if (passed && next) this.verdict.append(element("div", {}, button(`Next level: ${next.title}`, {}, () => this.choose(next.number))));
    if (whole) {
      const { program, board } = whole;
      const file = () => save("gray1-mine.ron", new Blob([board], { type: "text/plain" }));
      const run = button(`Run ${program} on it`, {}, () => this.actions.run(program, board));
      this.verdict.append(element("div", { class: "toolbar" }, run, button("Save the whole board", { title: "The Gray-1 with your chips, which the command line takes" }, file)));
    }
    if (!tried) return;
    const plays = tried.orders.map((order, index) => {
      const name = tried.orders.length > 1 ? `Play order ${index + 1} slowly` : "Play it slowly";
      return button(name, { title: "Lets one line after the other reach its chip" }, () => this.playSlowly(tried, order));
    });
    const show = button("Show me", { title: "Sets the switches so" }, () => this.play(tried.levels, tried.moves));
    this.verdict.append(element("div", { class: "toolbar" }, show, ...plays), this.place);
  }

  /** Goes to the state that a verdict names, and makes its move. */
  private play(levels: Levels, moves: Levels): void {
    this.later(async () => {
      if (levels.length > 0) await this.ask(levels, []);
      await this.ask(levels, moves);
      this.draw();
    });
  }

  private playSlowly(tried: FailingMove, order: readonly Arrival[]): void {
    this.later(async () => {
      await this.ask(tried.levels, []);
      if (this.told) void this.replay.play(this.told, tried, order);
    });
  }

  private choosePin(pin: Pin): void {
    const { told, chosenPin } = this;
    if (!told) return;
    const change = chosenPin && joined(chosenPin, pin, told);
    if (typeof change === "string") return this.draw(() => (this.refusal = change));
    if (change) {
      this.chosenPin = null;
      this.chosenNet = undefined;
      return this.rework(change);
    }
    this.draw(() => {
      this.chosenPin = pin;
      this.chosenNet = netOf(pin, told);
      if (!("net" in pin)) this.chosenChip = pin.chip;
    });
  }

  /** Draws everything, after a change of what is chosen. */
  private draw(change = () => {}): void {
    change();
    this.drawing.draw(() => this.drawNow());
  }

  private drawNow(): void {
    const { told } = this;
    const focused = this.at.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    this.map.replaceChildren(levelMap(this.levels, this.level?.number ?? 0, (number) => this.choose(number)));
    // On a phone the map is a row that scrolls.
    const row = this.map.querySelector("ol");
    const tile = row?.querySelector("[aria-current]")?.parentElement;
    if (row && tile) row.scrollLeft = tile.offsetLeft - row.offsetLeft - (row.clientWidth - tile.clientWidth) / 2;
    if (this.source.value !== this.boards.now) this.source.value = this.boards.now;
    [this.undo.disabled, this.redo.disabled] = [!this.boards.can(-1), !this.boards.can(1)];
    if (!told) return;
    this.chosenChip = Math.min(this.chosenChip, told.chips.length - 1);
    const pin = this.chosenPin;
    if (pin && !("net" in pin) && !told.chips[pin.chip]) this.chosenPin = null;
    const trouble = told.fault !== null ? `Not complete yet${told.line > 0 ? `, line ${told.line} of the text` : ""}: ${told.fault}` : told.restless === null ? "" : `With these switches ${told.restless}.`;
    const said = this.refusal || trouble;
    if (this.fault.textContent !== said) this.fault.textContent = said;
    this.picture.draw(told, { chip: this.chosenChip, pin: this.chosenPin, net: this.chosenNet, reached: this.reached });
    const lines = this.chosenNet === undefined && !this.chosenPin ? [] : [lineView(this.chosenNet, this.chosenPin, told, {
      wire: (pin, net) => this.wire(pin, net),
      why: (net) => this.draw(() => ([this.chosenPin, this.chosenNet] = [null, net])),
      close: () => this.draw(() => ([this.chosenPin, this.chosenNet] = [null, undefined])),
    })];
    this.line.replaceChildren(...lines);
    this.chip.replaceChildren(...(this.chosenChip >= 0 ? [chipView(this.chosenChip, told, (rework) => this.rework(rework))] : []));
    const truth = truthView(told);
    this.run.replaceChildren(...(truth ? [truth] : []), movesView(told, this.seen));
    for (const marked of this.at.querySelectorAll<HTMLElement>(".bench-table .now")) show(marked);
    if (focused && !focused.isConnected) this.refocus(focused);
  }

  /** Focuses what has replaced an element, with what was typed there meanwhile. */
  private refocus(old: HTMLElement): void {
    const made = this.at.querySelector<HTMLElement>(`[data-focus="${CSS.escape(old.dataset["focus"] ?? "")}"]`);
    made?.focus({ preventScroll: true });
    const isField = (of: HTMLElement | null) => of instanceof HTMLInputElement || of instanceof HTMLTextAreaElement;
    if (!isField(old) || !isField(made) || old.value === old.defaultValue) return;
    made.value = old.value;
    made.setSelectionRange(old.selectionStart, old.selectionEnd);
  }

  private wire(pin: Pin, net: string): void {
    const change = wired(pin, net);
    if (!change) return;
    [this.chosenPin, this.chosenNet] = [null, undefined];
    this.rework(change);
  }

  /** Does something after what is under way, and says why it failed. */
  private later(action: () => Promise<void>): void {
    this.replay.stop();
    [this.refusal, this.reached, this.place.textContent] = ["", null, ""];
    this.queue = this.queue.then(action).catch((error: Error) => this.draw(() => (this.refusal = error.message)));
  }

  private async open(file: HTMLInputElement): Promise<void> {
    const chosen = file.files?.[0];
    if (chosen) this.take(await chosen.text());
    file.value = "";
  }

  private key(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || (event.target as Element).matches("input, textarea")) return;
    const way = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey) ? 1 : event.key === "z" ? -1 : null;
    if (way === null) return;
    event.preventDefault();
    this.back(way);
  }
}

/** Scrolls a table, and nothing else, to a row. */
function show(row: HTMLElement): void {
  const table = row.closest<HTMLElement>(".bench-table");
  if (table) table.scrollTop = row.offsetTop - table.clientHeight / 2;
}
