// Opens programs: shipped ones, the user's own, files, links, and the one that was open last time.

import type { Banner } from "./banner.js";
import { setText } from "./dom.js";
import type { Editor } from "./editor.js";
import { isLinked, linePoints, pointed, type Linked, type Pointed } from "./link.js";
import type { Machine } from "./machine.js";
import { programFirst, type Opened, type Programs } from "./programs.js";
import type { Options } from "./protocol.js";
import { save } from "./save.js";
import type { Open, Session } from "./session.js";
import { forgetOwn, keepProgram, keptProgram, ownPrograms, type Kept } from "./store.js";

/** The program that is opened on the first visit. */
export const FIRST = "queens.g1";

interface Parts {
  machine: Machine;
  session: Session;
  editor: Editor;
  programs: Programs;
  banner: Banner;
  nameAt: HTMLElement;
  /** Called when a program was opened or changed. */
  opened(): void;
  /** Suggests a speed, in cycles per second; 0 is the maximum. */
  suggest(hz: number): void;
  seek(cycle: number, phase: number): void;
  /** Runs from a cycle on, unless reduced motion is asked for: then it goes there. */
  runFrom(cycle: number): void;
  /** Takes lessons, which are kept in this browser if they come from a link, and answers. */
  learn(lessons: [string, string][], answers: string | undefined, isLink: boolean): void;
  takeBoard(board: [string, string]): void;
  chooseTab(tab: string): void;
  /** Removes a link from the address. */
  leaveLink(): void;
}

export class Opening {
  /** The shipped text of the open program, if it is a shipped one. */
  private shippedText: string | null = null;
  /** The program placed in the page from which the open one was made, as JSON. */
  private placed: string | undefined;
  /** The text, among the user's own programs, from which the open one was made or as which it was stored. */
  private stem: string | null = null;
  /** Identifies this opening of the program. */
  private by = "";
  private isWarned = false;

  constructor(private readonly parts: Parts) {}

  /** Opens the program of a link, or else the one that is asked for, or that is placed in the page, or that was open last time; returns whether there was none. */
  async first(linked: Linked | null, placed: unknown, asked: string | null): Promise<boolean> {
    if (linked && (await this.linked(linked))) return false;
    if (asked !== null) {
      if (this.shippedNames().includes(asked)) {
        await this.shipped(asked);
        return false;
      }
      this.parts.banner.wrong(`The address asks for the program ${asked}, which this page does not have.`);
    }
    const kept = keptProgram();
    if (isLinked(placed)) {
      this.parts.learn(placed.lessons ?? [], undefined, false);
      // Changes to the placed program in this browser are not lost. Pages opened from a disk share their storage, so a
      // stored program of this name may come from another page.
      const source = JSON.stringify(placed);
      const made = [kept, ...Object.values(ownPrograms()).reverse()].find((program) => program?.placed === source);
      if (made && made.text !== placed.text) {
        await this.again(made);
        return false;
      }
      if (await this.linked(placed, source)) return false;
    }
    await (kept ? this.again(kept) : this.shipped(FIRST));
    return kept === null;
  }

  /** Whether the open program is this shipped one, unchanged. */
  isShipped(name: string): boolean {
    const program = this.parts.session.program();
    return program.name === name && program.text === this.shippedText;
  }

  /** Opens a program; `shipped` is its shipped text if it is a shipped one. */
  async open(program: Open, shipped: string | null): Promise<void> {
    this.parts.leaveLink();
    await this.take(program, shipped);
  }

  async shipped(name: string, options?: Options): Promise<void> {
    const { programs, session, suggest } = this.parts;
    await session.careful(async () => {
      const text = await this.shippedAs(name);
      if (text === null) return;
      suggest(programs.find(name)?.hz ?? 0);
      await this.open({ name, text, ...(options && { options }) }, text);
    });
  }

  async own(name: string): Promise<void> {
    const kept = ownPrograms()[name];
    if (!kept) return;
    this.parts.leaveLink();
    await this.parts.session.careful(() => this.again(kept));
  }

  shippedNames(): string[] {
    return this.parts.programs.names();
  }

  rename(name: string): void {
    const { session } = this.parts;
    const before = session.program().name;
    if (ownPrograms()[before]?.by === this.by) forgetOwn(before);
    session.rename(name);
    // What has another name than a shipped program is the user's own.
    this.shippedText = null;
    this.stem = null;
    this.changed();
  }

  /** Leaves the open program for the first one; `forgets` removes it where it is stored. */
  async leave(forgets: () => void): Promise<void> {
    await this.shipped(FIRST);
    forgets();
    this.keep();
  }

  /** Opens a program with the files that it includes, or a state to continue from. */
  async files(opened: readonly Opened[]): Promise<void> {
    const { banner, session } = this.parts;
    const [first, ...others] = programFirst(opened);
    if (!first) return;
    banner.close();
    if (first.name.endsWith(".ron")) {
      if (await session.load(first.text)) banner.notice(`${first.name}: the machine is as it was saved.`);
      return;
    }
    const files = Object.fromEntries(others.map(({ name, text }) => [name, text]));
    await this.open({ name: first.name, text: first.text, ...(others.length > 0 && { files }) }, null);
  }

  /** Follows a link; returns whether that succeeded. */
  async linked({ name, text, points, cycle, phase, tab, runs, lessons = [], answers, board, ...rest }: Linked, placed?: string): Promise<boolean> {
    const { banner, chooseTab, learn, programs, runFrom, seek, suggest } = this.parts;
    if (placed === undefined) learn(lessons, answers, true);
    if (board) this.parts.takeBoard(board);
    const shipped = await this.shippedAs(name);
    const found = text ?? shipped;
    if (found === null) {
      banner.wrong(`This link leads to the program ${name}, which this page does not have.`);
      return false;
    }
    await this.take({ name, text: found, ...rest }, shipped, points, placed);
    if (runs) {
      suggest(programs.find(name)?.hz ?? 0);
      runFrom(cycle ?? 0);
    } else if (cycle !== undefined && (cycle > 0 || phase)) {
      seek(cycle, phase ?? 0);
    }
    if (tab) chooseTab(tab);
    return true;
  }

  /** The content of a link to the present moment, with these lessons or this board if they are open, and whether there are changes that a link cannot contain. */
  async toLink(tab: string, lessons: [string, string][], board: [string, string] | null): Promise<{ linked: Linked; isPartial: boolean }> {
    const { editor, machine, session } = this.parts;
    const { text, options, ...program } = session.program();
    const { cycle, phase } = session.moment() ?? { cycle: 0, phase: 0 };
    const script = await machine.ask({ ask: "script" }, "script");
    const { input: _, ...others } = options ?? {};
    const all: Options = { ...others, ...(script.text && { input: script.text }) };
    const linked: Linked = {
      ...program,
      ...(text !== this.shippedText && { text }),
      ...(Object.keys(all).length > 0 && { options: all }),
      points: pointed(editor.points()),
      cycle,
      phase,
      tab,
      ...(session.isRunning() && { runs: true }),
      ...(tab === "lesson" && lessons.length > 0 && { lessons }),
      ...(tab === "bench" && board && { board }),
    };
    return { linked, isPartial: script.edits > 0 };
  }

  changed(): void {
    this.parts.leaveLink();
    this.keep();
  }

  private async take(program: Open, shipped: string | null, points: readonly Pointed[] = [], placed?: string): Promise<void> {
    const { editor, session } = this.parts;
    this.shippedText = shipped;
    this.placed = placed;
    this.by = Math.random().toString(36).slice(2);
    this.stem = ownPrograms()[program.name]?.text === program.text ? program.text : null;
    editor.setText(program.text);
    editor.setPoints(linePoints(points));
    await session.take(program);
    this.keep();
  }

  /** Stores the program in this browser, and shows its name. */
  private keep(): void {
    const { banner, editor, nameAt, programs, session } = this.parts;
    const program = session.program();
    const isOwn = program.text !== this.shippedText;
    const kept: Kept = { ...program, points: pointed(editor.points()), isOwn, by: this.by, ...(this.placed !== undefined && { placed: this.placed }) };
    const { isKept, name, dropped } = keepProgram(kept, this.stem);
    if (name !== program.name) {
      session.rename(name);
      banner.notice(`Another tab has changed ${program.name} too: what you have here is kept as ${name}.`);
    }
    this.stem = isOwn ? program.text : null;
    if (!isKept && isOwn && !this.isWarned) {
      this.isWarned = true;
      banner.wrong("This browser keeps nothing more: what you type is lost with the page. Save your program as a file.");
    } else if (dropped.length > 0) {
      const names = dropped.map(({ name }) => name).join(", ");
      const action = () => dropped.forEach(({ name, text }) => save(name, new Blob([text], { type: "text/plain" })));
      banner.wrong(`Too many programs of yours are kept in this browser: ${names} had to go.`, { label: "Save as a file", action });
    }
    programs.show(name, isOwn, Object.keys(ownPrograms()));
    setText(nameAt, name);
    this.parts.opened();
  }

  private async again({ points, isOwn: _, by: __, placed, ...program }: Kept): Promise<void> {
    await this.take(program, await this.shippedAs(program.name), points, placed);
  }

  private async shippedAs(name: string): Promise<string | null> {
    const { machine, programs } = this.parts;
    return programs.find(name) ? (await machine.ask({ ask: "program", name }, "text")).text : null;
  }
}
