// The lessons beside the machine: a text, programs to open, and exercises that the machine checks by running them.

import { button, element } from "./dom.js";
import { HandIn, programOf } from "./hand-in.js";
import { starsOf } from "./bench-levels.js";
import { highlighted } from "./highlight.js";
import { parsed } from "./lesson-text.js";
import type { Machine } from "./machine.js";
import type { Exercise, Lesson, LessonPart } from "./protocol.js";
import type { Open } from "./session.js";
import { keepAttempt, keepLessons, keptAttempts, keptLessons, keptStudent, ownPrograms, type Attempt } from "./store.js";
import { truthTable } from "./truth-table.js";
import { Pane } from "./tabs.js";

/** Judges an attempt, and shows the verdict below some notes. */
type Check = (attempt: string, ...notes: (Node | string)[]) => Promise<void>;

/** A command in a lesson that shows a chip, and the cell that it shows. */
const SHOWS_CHIP = /\$ gray1 chips (\w+)(?: --at (\S+))?/;

interface Actions {
  open(program: Open): Promise<void>;
  program(): Open;
  /** Shows a chip, at an address if one is given. */
  openChip(name: string, at: number | null): void;
  /** Called when the levels of the bench were read, or their answers replaced. */
  levels(levels: readonly Lesson[]): void;
  chosen(number: number): void;
  /** Called when a link was taken: a reload must not take it again. */
  taken(): void;
}

/** In place of the number of a lesson: the last one. */
const LAST = Infinity;

export class Lessons extends Pane {
  private lessons: Lesson[] = [];
  /** The levels of the bench, which has a pane of its own. */
  private levels: Lesson[] = [];
  private open = 0;
  /** Lessons that are part of this page, in addition to those that are shipped. */
  private placed: [string, string][] = [];
  /** Lessons and answers of a link, until the lessons are there. */
  private coming: [string, string][] = [];
  private answers: string | undefined;
  private readonly handIn: HandIn;
  private readonly faults = element("p", { class: "wrong", role: "status" });
  private readonly choice = element("select", { "aria-label": "Lesson" });
  private readonly body = element("article", { class: "lesson-body" });

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    super("lesson", "Lessons");
    this.choice.addEventListener("change", () => this.choose(Number(this.choice.value)));
    this.handIn = new HandIn(machine, {
      exercises: () => this.exercises(),
      renamed: () => void this.read(),
      opened: () => this.judgeAll(),
      lesson: (name, text) => this.add([[name, text]]),
    });
    this.at.append(element("div", { class: "toolbar" }, this.choice), this.handIn.at, this.faults, this.body);
  }

  async begin(first: number): Promise<void> {
    if (this.open !== LAST) this.open = first;
    const { answers, coming } = this;
    this.answers = undefined;
    this.coming = [];
    if (coming.length > 0) await this.add(coming);
    else await this.read();
    if (answers === undefined) return;
    this.actions.taken();
    await this.handIn.take(answers);
  }

  /** Takes lessons and answers of a link, or lessons of the page, also before the first reading. */
  learn(own: [string, string][], answers: string | undefined, isLink: boolean): void {
    if (own.length === 0 && answers === undefined) return;
    if (isLink) this.coming = own;
    else this.placed = own;
    if (own.length > 0) this.open = LAST;
    this.answers = answers;
    if (this.lessons.length > 0) void this.begin(this.open);
  }

  /** The lessons of one's own, if the one that is open is among them. */
  own(): [string, string][] {
    const own = merged(keptLessons(), this.placed);
    return this.lessons.findIndex(({ number }) => number === this.open) >= this.lessons.length - own.length ? own : [];
  }

  /** Reads all lessons again, and shows the one that was open. */
  private async read(): Promise<void> {
    const own = merged(keptLessons(), this.placed);
    const { lessons, levels, faults } = await this.machine.ask({ ask: "lessons", own }, "lessons");
    this.lessons = lessons;
    this.levels = levels;
    this.actions.levels(levels);
    this.faults.textContent = faults.join("\n");
    this.choice.replaceChildren(...lessons.map(({ number }) => element("option", { value: number })));
    this.showProgress();
    this.choose(this.open);
  }

  /** Adds lessons of one's own, and opens the last. A lesson with an error is reported and not kept. */
  private async add(lessons: [string, string][]): Promise<void> {
    const own = merged(merged(keptLessons(), lessons), this.placed);
    const { faults } = await this.machine.ask({ ask: "lessons", own }, "lessons");
    const right = lessons.filter(([name]) => !faults.some((fault) => fault.startsWith(`${name}:`)));
    keepLessons(merged(keptLessons(), right));
    if (right.length > 0) this.open = LAST;
    await this.read();
    if (faults.length > 0) this.faults.textContent = faults.join("\n");
  }

  /** Removes a lesson of one's own; its answers are kept. */
  private async remove(at: number): Promise<void> {
    const own = merged(keptLessons(), this.placed);
    const name = own[own.length - (this.lessons.length - at)]?.[0];
    keepLessons(keptLessons().filter(([known]) => known !== name));
    await this.read();
  }

  private exercises(): Exercise[] {
    return [...this.lessons, ...this.levels].flatMap(exercisesOf);
  }

  /** Judges all answers that are there, and shows the open lesson with them. */
  private async judgeAll(): Promise<void> {
    await this.read();
    for (const exercise of this.exercises()) {
      const { id } = exercise;
      const kept = keptAttempts()[id];
      if (kept === undefined) continue;
      let [right, stars]: [string | undefined, number | undefined] = [undefined, undefined];
      for (const attempt of new Set([kept.right ?? kept.text, kept.text])) {
        const verdict = await this.machine.ask({ ask: "judge", exercise: id, attempt }, "judged");
        if (verdict.passed) {
          [right, stars] = [attempt, starsOf(exercise, verdict)];
          break;
        }
      }
      keepAttempt(id, { text: keptAttempts()[id]?.text ?? kept.text, right, stars });
    }
    this.actions.levels(this.levels);
    this.showProgress();
    this.choose(this.open);
    // The editor shows the answer that has come, if it shows the program of an exercise.
    const { name, text } = this.actions.program();
    const now = ownPrograms()[name]?.text;
    if (now !== undefined && now !== text && this.exercises().some(({ id }) => programOf(id) === name)) await this.actions.open({ name, text: now });
  }

  /** Shows in the list how many exercises of each lesson are solved. */
  private showProgress(): void {
    const attempts = keptAttempts();
    for (const [at, lesson] of this.lessons.entries()) {
      const ids = exercisesOf(lesson).map(({ id }) => id);
      const solved = ids.filter((id) => attempts[id]?.right !== undefined).length;
      const progress = ids.length === 0 ? "" : ` (${solved} of ${ids.length} solved)`;
      this.choice.options[at]!.textContent = `${lesson.number}. ${lesson.title}${progress}`;
    }
  }

  private choose(number: number): void {
    const at = number === LAST ? this.lessons.length - 1 : Math.max(0, this.lessons.findIndex((lesson) => lesson.number === number));
    const lesson = this.lessons[at];
    if (!lesson) return;
    this.open = lesson.number;
    this.choice.value = String(lesson.number);
    const { name, class: group } = keptStudent();
    const whose = element("p", { class: "whose" }, `Name: ${name || "_".repeat(30)}   Class: ${group || "_".repeat(12)}`);
    this.body.replaceChildren(whose, element("h3", {}, `${lesson.number}. ${lesson.title}`), ...lesson.parts.map((part) => this.part(part)));
    const next = this.lessons[at + 1];
    if (next) this.body.append(button(`Next: ${next.title}`, { class: "primary" }, () => this.choose(next.number)));
    if (at >= this.lessons.length - keptLessons().length - this.placed.length && at < this.lessons.length - this.placed.length) {
      this.body.append(button("Remove this lesson", { title: "Your answers are kept" }, () => void this.remove(at)));
    }
    this.at.scrollTop = 0;
    this.actions.chosen(lesson.number);
  }

  private part(part: LessonPart): HTMLElement {
    switch (part.part) {
      case "text": {
        const text = element("div", { class: "lesson-text" });
        text.append(parsed(part.html));
        for (const pre of text.querySelectorAll("pre")) {
          const [, name, at] = SHOWS_CHIP.exec(pre.textContent ?? "") ?? [];
          if (name) pre.after(this.chipButton(name, at === undefined ? null : number(at)));
        }
        return text;
      }
      case "program": {
        const { name, source } = part;
        const open = button("Open in the editor", {}, () => void this.actions.open({ name, text: source }));
        return element("figure", { class: "lesson-program" }, element("figcaption", {}, element("span", {}, name), open), element("pre", { tabindex: 0 }, highlighted(source.trimEnd())));
      }
      case "exercise":
        return this.exercise(part);
      case "fault":
        return element("p", { class: "wrong" }, part.text);
    }
  }

  /** In place of the command: what it shows, here. */
  private chipButton(name: string, at: number | null): HTMLElement {
    const where = at === null ? "" : ` at $${at.toString(16).toUpperCase()}`;
    return element("p", {}, button(`Open ${name}${where} here`, { class: "open-chip" }, () => this.actions.openChip(name, at)));
  }

  private exercise(exercise: Exercise): HTMLElement {
    const { id, statement, given } = exercise;
    const kept = keptAttempts()[id];
    const verdict = element("div", { class: "verdict", role: "status" });
    const state = element("span", { class: "solved" }, solvedBy(kept));
    const keep = (attempt: Attempt) => {
      keepAttempt(id, attempt);
      state.textContent = solvedBy(keptAttempts()[id]);
    };
    const check: Check = async (attempt, ...notes) => {
      verdict.className = "verdict";
      verdict.textContent = "…";
      try {
        const { passed, text } = await this.machine.ask({ ask: "judge", exercise: id, attempt }, "judged");
        verdict.className = `verdict ${passed ? "passed" : "failed"}`;
        // The text after an empty line is a report or a picture, which needs a monospaced font.
        const [words = "", ...report] = text.split("\n\n");
        verdict.replaceChildren(...notes, element("b", {}, passed ? "Solved. " : "Not yet. "), words);
        if (report.length > 0) verdict.append(element("pre", { tabindex: 0 }, report.join("\n\n")));
        keep({ text: attempt, ...(passed && { right: attempt }) });
        this.showProgress();
      } catch (error) {
        verdict.className = "verdict failed";
        verdict.textContent = (error as Error).message;
      }
    };
    const tools = this.attempt(exercise, kept?.text, check, (text) => keep({ text }));
    return element(
      "section",
      { class: "exercise", "aria-label": `Exercise ${id}` },
      element("h4", {}, `Exercise ${id} `, state),
      element("pre", { tabindex: 0 }, statement.trimEnd()),
      ...(given === null ? [] : [element("pre", { tabindex: 0, "aria-label": "The program" }, highlighted(given.trimEnd()))]),
      ...tools,
      verdict,
    );
  }

  /** The tools for an attempt, depending on the kind of the exercise. What is typed is kept at once. */
  private attempt(exercise: Exercise, kept: string | undefined, check: Check, typed: (text: string) => void): HTMLElement[] {
    const { id, kind, start, columns, given, broken } = exercise;
    if (kind === "program") return [this.programTools(exercise, check)];
    const checks = (text: () => string) => button("Check", { class: "primary" }, () => void check(text()));
    if (kind === "table" && columns) {
      const table = truthTable(columns, kept ?? start, typed);
      const again = button("From the start", {}, () => {
        table.fill(start);
        typed(start);
      });
      return [table.at, element("div", { class: "toolbar" }, checks(table.text), again)];
    }
    const input = element("textarea", { rows: Math.max(3, start.split("\n").length + 1), spellcheck: false, "aria-label": `Your answer to exercise ${id}` });
    input.value = kept ?? start;
    input.addEventListener("input", () => typed(input.value));
    const tools = element("div", { class: "toolbar" }, checks(() => input.value));
    const again = () => {
      input.value = start;
      typed(start);
    };
    tools.append(button("From the start", {}, again));
    if (kind === "cells" && given !== null) {
      // Malformed changes are passed on: the checker reports what is wrong with them.
      const changes = () => input.value.split("\n").map((line) => line.replace(/;.*/, "").trim()).filter((line) => line.includes("="));
      const open = () => void this.actions.open({ name: `exercise-${id}.g1`, text: given, options: { cells: [...broken, ...changes()] } });
      tools.append(button("Run it on this board", { title: "Opens the program on the board with the fault and your cells" }, open));
    }
    return [input, tools];
  }

  /** A program is written in the editor. */
  private programTools({ id, start }: Exercise, check: Check): HTMLElement {
    const name = programOf(id);
    const open = () => this.actions.open({ name, text: ownPrograms()[name]?.text ?? keptAttempts()[id]?.text ?? start });
    const judge = async () => {
      const { name: other, text } = this.actions.program();
      if (other === name) return check(text);
      // The program of the exercise is judged, whatever is in the editor; but that may be what was meant.
      await open();
      const judgeOther = () => this.actions.open({ name, text }).then(() => check(text));
      const note = element("p", {}, `Judged was ${name}, as it is now in the editor, and not ${other}, which was there. `, button(`Judge ${other}`, {}, () => void judgeOther()));
      await check(this.actions.program().text, note);
    };
    return element(
      "div",
      { class: "toolbar" },
      button("Open in the editor", {}, () => void open()),
      button("Check", { class: "primary" }, () => void judge()),
      button("From the start", { title: "What you tried stays among your programs" }, () => void this.actions.open({ name, text: start })),
    );
  }
}

const exercisesOf = ({ parts }: Lesson): Exercise[] => parts.flatMap((part) => (part.part === "exercise" ? [part] : []));

/** Adds lessons to others. A lesson replaces the one of the same file name. */
function merged(known: readonly [string, string][], more: readonly [string, string][]): [string, string][] {
  return [...known.filter(([name]) => !more.some(([other]) => other === name)), ...more];
}

/** A number as commands write it: 12, 0x1F, %101. */
function number(text: string): number | null {
  const value = Number(text.replace(/^%/, "0b").replace(/^\$/, "0x"));
  return Number.isSafeInteger(value) ? value : null;
}

/** The progress in the title of an exercise. */
function solvedBy(attempt: Attempt | undefined): string {
  if (attempt?.right === undefined) return "";
  return attempt.right === attempt.text ? "solved" : "solved; the answer that passed is kept, and is handed in";
}
