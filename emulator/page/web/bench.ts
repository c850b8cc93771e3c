// The bench, where users build boards of memory chips: the levels, the board as a picture and as a text, its trial, and the
// verdict. The text is the board: the rest is a view of the text, and every change is made in the text.

import { Boards } from "./bench-boards.js";
import { chipView } from "./bench-chip.js";
import { exerciseOf, levelMap, levelTask, levelText, starsOf } from "./bench-levels.js";
import { lineView } from "./bench-line.js";
import { limitsView, truthView } from "./bench-goal.js";
import { joined, netOf, wired, type Pin } from "./bench-pin.js";
import { Picture } from "./bench-picture.js";
import { demonstration, framesOf, Replay, type Frame } from "./bench-replay.js";
import { movesView } from "./bench-seen.js";
import { Trial } from "./bench-trial.js";
import { verdictView } from "./bench-verdict.js";
import { button, element } from "./dom.js";
import { Drawing } from "./held.js";
import type { Machine, AnswerOf } from "./machine.js";
import type { Exercise, Lesson, Rework } from "./protocol.js";
import { save } from "./save.js";
import { Roving } from "./roving.js";
import { keepAttempt, keptAttempts } from "./store.js";
import { Pane } from "./tabs.js";

/** With more columns, the table of the lamps is below the board. */
const MAX_COLUMNS = 11;
/** Pauses in milliseconds: after a line that reaches its chip, and after a move of a board that is shown at work. */
const ARRIVAL_PAUSE = 900;
const MOVE_PAUSE = 300;

interface Actions {
  chosen(number: number): void;
  changed(): void;
  run(program: string, board: string): void;
}

export class Bench extends Pane {
  private levels: readonly Lesson[] = [];
  private level: Lesson | undefined;
  private exercise: Exercise | undefined;
  /** A board of a link, until the levels are there. */
  private coming: [string, string] | null = null;
  private boards = new Boards("");
  private trial: Trial | null = null;
  private chosenChip = 0;
  private chosenPin: Pin | null = null;
  private chosenNet: string | undefined;
  /** Counts changes of the text, so that only the last one is shown. */
  private looks = 0;
  /** The reason why the last action failed. */
  private refusal = "";
  /** The action under way, and those that wait for it. */
  private queue: Promise<unknown> = Promise.resolve();
  /** In slow motion: the pin that a change has just reached. */
  private reached: Pin | null = null;
  private readonly replay = new Replay();
  private readonly place = element("p", { class: "bench-place", role: "status" });
  private readonly drawing = new Drawing(this.at);
  private readonly map = element("div");
  private readonly mapStop = new Roving(this.map);
  private readonly text = element("div");
  private readonly task = element("div");
  private readonly fault = element("p", { class: "bench-fault wrong", role: "status" });
  private readonly picture: Picture;
  private readonly line = element("div");
  private readonly chip = element("div");
  private readonly cellStop = new Roving(this.chip, ".truth button");
  private readonly goal = element("div", { class: "bench-goal" });
  private readonly moves = element("div");
  private readonly verdict = element("div", { class: "verdict", role: "status" });
  private readonly source = element("textarea", { rows: 18, spellcheck: false, "aria-label": "The board as a text" });
  private readonly undo = button("Undo", { "data-focus": "undo", title: "Ctrl+Z" }, () => this.back(-1));
  private readonly redo = button("Redo", { "data-focus": "redo", title: "Ctrl+Shift+Z" }, () => this.back(1));
  private readonly step = button("Step", { title: "The next switch of the beat, up or down" }, () => this.act((trial, text) => trial.tick(text)));

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    super("bench", "Bench");
    this.picture = new Picture({
      flip: (net) => this.act((trial, text) => trial.move(text, net)),
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
      button("Add a chip", {}, () => this.rework([{ change: "add" }], () => (this.chosenChip = (this.trial?.board?.chips.length ?? 1) - 1))),
      this.undo,
      this.redo,
      button("From the start", { title: "Undo brings your board back" }, () => this.take(this.exercise?.start ?? "")),
      button("Save", { title: "The board as a file, which the command line takes too" }, () => save(`${this.exercise?.id ?? "board"}.ron`, new Blob([this.boards.now], { type: "text/plain" }))),
      button("Open…", { title: "A board from a file" }, () => file.click()),
      file,
    );
    const hint = element("p", { class: "hint" }, "Press a switch to move it, a bit of a table to change it, and two pins to connect them. Then press Check.");
    const board = element(
      "section",
      { class: "bench-board", "aria-label": "Your board" },
      this.task,
      tools,
      this.verdict,
      this.fault,
      hint,
      element("div", { class: "bench-work" }, element("div", { class: "bench-made" }, this.picture.at, this.line), this.goal, element("div", { class: "bench-views" }, this.chip, this.moves)),
      element("details", { class: "bench-source" }, element("summary", {}, "The board as a text"), this.source),
    );
    const toBoard = button("To your board", { class: "to-board" }, () => board.scrollIntoView());
    this.at.append(element("div", { class: "bench-levels" }, this.map, toBoard, this.text), board);
    this.at.addEventListener("keydown", (event) => this.key(event));
  }

  override shown(isShown: boolean): void {
    document.body.classList.toggle("benching", isShown);
    if (isShown) this.draw(); // now the picture has a width
  }

  /** Takes the levels, whose answers may have changed. Opens the level `first` unless one is open. */
  show(levels: readonly Lesson[], first: number): void {
    this.levels = levels;
    const { coming, exercise, level } = this;
    const kept = exercise && (keptAttempts()[exercise.id]?.text ?? exercise.start);
    if (level && kept === this.boards.now) this.draw();
    else this.choose(level?.number ?? first);
    if (coming) this.learn(coming);
  }

  /** Takes a board of a link. Undo brings the user's own board back. */
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
    [this.trial, this.chosenChip, this.chosenPin, this.chosenNet] = [new Trial(this.machine, this.exercise), 0, null, undefined];
    this.step.hidden = this.exercise.board?.beat.length === 0;
    this.text.replaceChildren(levelText(this.level));
    this.task.replaceChildren(levelTask(this.level));
    this.judged();
    this.at.scrollTop = 0;
    this.actions.chosen(this.level.number);
    this.draw(); // the text, which can be changed before the machine has read it
    this.look();
  }

  /** Changes the board through the machine, as one step of Undo; `done` is called when the new board is there. */
  private rework(changes: readonly Rework[], done: () => unknown = () => {}): void {
    this.later(async () => {
      let text = this.boards.now;
      for (const rework of changes) ({ text } = await this.machine.ask({ ask: "rework", board: text, rework }, "text"));
      this.keep(text);
      await this.trial?.restart(text);
      this.draw(done);
    });
  }

  /** Takes another text. Text that is typed without a pause is one step of Undo. */
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

  /** Switches the board on, with its switches as they are. While the user types, only the last text counts. */
  private look(): void {
    const number = ++this.looks;
    this.act(async (trial, text) => number === this.looks && trial.restart(text));
  }

  /** Does something with the board after what is under way, and shows it. */
  private act(action: (trial: Trial, text: string) => Promise<unknown>): void {
    this.later(async () => {
      if (this.trial) await action(this.trial, this.boards.now);
      this.draw();
    });
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

  /** Shows a verdict; without one, a button that restores the board that passed. */
  private judged(judged?: AnswerOf<"judged">, stars = 0): void {
    this.verdict.className = judged ? `verdict ${judged.passed ? "passed" : "failed"}` : "verdict";
    this.verdict.replaceChildren();
    const right = this.exercise && keptAttempts()[this.exercise.id]?.right;
    if (!judged && right !== undefined && right !== this.boards.now) {
      this.verdict.append("The board that passed is kept, and is handed in. ", button("Back to it", {}, () => this.take(right)));
    }
    if (!judged) return;
    const next = this.levels.find(({ number }) => number === this.level!.number + 1);
    const view = verdictView(judged, stars, this.level!, next, {
      open: (number) => this.choose(number),
      run: (program, board) => this.actions.run(program, board),
      play: ({ levels, moves }) =>
        this.act(async (trial, text) => {
          if (levels.length > 0) await trial.set(text, levels, []);
          await trial.set(text, levels, moves);
        }),
      playSlowly: (tried, order) =>
        this.act(async (trial, text) => {
          await trial.set(text, tried.levels, []);
          const steps = trial.board ? framesOf(trial.board, tried, order) : [];
          void this.replay.play(steps.map((frame) => () => this.showFrame(trial, frame)), ARRIVAL_PAUSE);
        }),
    });
    this.verdict.append(...view, this.place);
    if (judged.passed && !judged.whole && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.demonstrate();
  }

  private showFrame(trial: Trial, frame: Frame): void {
    const { board, reached: { net, chip: name }, place } = frame;
    const chip = board.chips.findIndex((one) => one.name === name);
    const line = board.chips[chip]?.address.indexOf(net) ?? -1;
    trial.show(frame);
    [this.reached, this.chosenChip, this.place.textContent] = [line < 0 ? null : { kind: "address", chip, line }, chip, place];
    this.draw();
  }

  /** Shows a board that has passed at work, until the user does something. */
  private demonstrate(): void {
    const { exercise, trial, boards } = this;
    if (!trial?.board) return;
    const clock = /^clock (\w+)$/m.exec(exercise?.statement ?? "")?.[1];
    const moves = demonstration(trial.board, exercise?.board?.beat ?? [], clock);
    this.place.textContent = "Your board at work: its switches move by themselves.";
    this.picture.at.scrollIntoView({ block: "nearest" });
    void this.replay.play(moves.map((net) => () => trial.move(boards.now, net).then(() => this.draw())), MOVE_PAUSE);
  }

  private choosePin(pin: Pin): void {
    const { chosenPin } = this;
    const board = this.trial?.board;
    if (!board) return;
    const change = chosenPin && joined(chosenPin, pin, board);
    if (typeof change === "string") return this.draw(() => (this.refusal = change));
    if (change) return this.wire(change);
    this.draw(() => {
      this.chosenPin = pin;
      this.chosenNet = netOf(pin, board);
      if (!("net" in pin)) this.chosenChip = pin.chip;
    });
  }

  /** Draws everything after a change of the selection. */
  private draw(change: () => unknown = () => {}): void {
    change();
    this.drawing.draw(() => this.drawNow());
  }

  private drawNow(): void {
    const board = this.trial?.board;
    const focused = this.at.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    this.map.replaceChildren(levelMap(this.levels, this.level?.number ?? 0, (number) => this.choose(number)));
    this.mapStop.refresh();
    // On a phone the map is a row that scrolls.
    const row = this.map.querySelector("ol");
    const tile = row?.querySelector("[aria-current]")?.parentElement;
    if (row && tile) row.scrollLeft = tile.offsetLeft - row.offsetLeft - (row.clientWidth - tile.clientWidth) / 2;
    if (this.source.value !== this.boards.now) this.source.value = this.boards.now;
    [this.undo.disabled, this.redo.disabled] = [!this.boards.can(-1), !this.boards.can(1)];
    if (!board) return;
    this.chosenChip = Math.min(this.chosenChip, board.chips.length - 1);
    const pin = this.chosenPin;
    if (pin && !("net" in pin) && !board.chips[pin.chip]) this.chosenPin = null;
    const trouble = board.fault !== null ? `Not complete yet${board.line > 0 ? `, line ${board.line} of the text` : ""}: ${board.fault}` : board.restless === null ? "" : `With these switches ${board.restless}.`;
    const said = this.refusal || trouble;
    if (this.fault.textContent !== said) this.fault.textContent = said;
    const demands = this.trial?.demands ?? [];
    const table = truthView(board, demands);
    this.goal.replaceChildren(...(this.exercise ? [limitsView(this.exercise, board, demands)] : []), ...(table ? [table] : []));
    this.goal.classList.toggle("above", !table);
    this.goal.classList.toggle("wide", board.switches.length + 2 * board.lamps.length > MAX_COLUMNS);
    this.picture.draw(board, { chip: this.chosenChip, pin: this.chosenPin, net: this.chosenNet, reached: this.reached });
    const lines = this.chosenNet === undefined && !this.chosenPin ? [] : [lineView(this.chosenNet, this.chosenPin, board, {
      wire: (pin, net) => this.wire(wired(pin, net)),
      why: (net) => this.draw(() => ([this.chosenPin, this.chosenNet] = [null, net])),
      close: () => this.draw(() => ([this.chosenPin, this.chosenNet] = [null, undefined])),
    })];
    this.line.replaceChildren(...lines);
    this.chip.replaceChildren(...(this.chosenChip >= 0 ? [chipView(this.chosenChip, board, (rework) => this.rework([rework]))] : []));
    this.cellStop.refresh();
    this.moves.replaceChildren(movesView(board, this.trial?.seen ?? []));
    for (const marked of this.at.querySelectorAll<HTMLElement>(".bench-table .now")) show(marked);
    if (focused && !focused.isConnected) this.refocus(focused);
  }

  /** Focuses the replacement of an element, and restores the text that was being typed. */
  private refocus(old: HTMLElement): void {
    const made = this.at.querySelector<HTMLElement>(`[data-focus="${CSS.escape(old.dataset["focus"] ?? "")}"]`);
    made?.focus({ preventScroll: true });
    const isField = (of: HTMLElement | null) => of instanceof HTMLInputElement || of instanceof HTMLTextAreaElement;
    if (!isField(old) || !isField(made) || old.value === old.defaultValue) return;
    made.value = old.value;
    made.setSelectionRange(old.selectionStart, old.selectionEnd);
  }

  /** Changes lines, and shows the chip of the last one. */
  private wire(changes: Rework[]): void {
    const last = changes.at(-1);
    [this.chosenPin, this.chosenNet] = [null, undefined];
    this.rework(changes, () => last && "chip" in last && (this.chosenChip = last.chip));
  }

  /** Queues an action, and shows the reason if it fails. */
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
