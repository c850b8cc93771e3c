// Opening programs: those that are shipped, one's own, files, links, and what was open the last time.

import type { Banner } from "./banner.js";
import { setText } from "./dom.js";
import type { Editor } from "./editor.js";
import { isLinked, linePoints, pointed, type Linked, type Pointed } from "./link.js";
import type { Machine } from "./machine.js";
import { programFirst, type Opened, type Programs } from "./programs.js";
import type { Options } from "./protocol.js";
import type { Open, Session } from "./session.js";
import { keepProgram, keptProgram, ownPrograms, type Kept } from "./store.js";

/** What opens at first. */
const FIRST = "queens.g1";

interface Parts {
  machine: Machine;
  session: Session;
  editor: Editor;
  programs: Programs;
  banner: Banner;
  /** Where the name of the program is shown. */
  nameAt: HTMLElement;
  /** Suggests a speed, in cycles a second; 0 is as fast as it goes. */
  suggest(hz: number): void;
  seek(cycle: number, phase: number): void;
  chooseTab(tab: string): void;
  /** The address is no longer to lead to what its link holds. */
  leaveLink(): void;
}

export class Opening {
  /** The shipped text of the program that is open, if it is a shipped one. */
  private shippedText: string | null = null;
  /** The program in the page that the one that is open was made from, as JSON. */
  private placed: string | undefined;
  /** The text among one's own programs that the one that is open was made from, or was kept as. */
  private stem: string | null = null;
  private isToldOfKeeping = false;

  constructor(private readonly parts: Parts) {}

  /** What a link leads to, else the program that was put into the page, else what was open the last time. */
  async first(linked: Linked | null, placed: unknown): Promise<void> {
    if (linked && (await this.linked(linked))) return;
    const kept = keptProgram();
    if (isLinked(placed)) {
      // What was made of the placed program in this browser is not lost. Files on a disk share what is kept, so that a
      // program of this name may come from another page.
      const source = JSON.stringify(placed);
      const made = [kept, ...Object.values(ownPrograms()).reverse()].find((program) => program?.placed === source);
      if (made && made.text !== placed.text) return this.again(made);
      if (await this.linked(placed, source)) return;
    }
    await (kept ? this.again(kept) : this.shipped(FIRST));
  }

  /** Opens a program; `shipped` is its text as it is shipped, if it is. */
  async open(program: Open, shipped: string | null): Promise<void> {
    this.parts.leaveLink();
    await this.take(program, shipped);
  }

  async shipped(name: string): Promise<void> {
    const { programs, session, suggest } = this.parts;
    await session.careful(async () => {
      const text = await this.shippedAs(name);
      if (text === null) return;
      suggest(programs.find(name)?.hz ?? 0);
      await this.open({ name, text }, text);
    });
  }

  async own(name: string): Promise<void> {
    const kept = ownPrograms()[name];
    if (!kept) return;
    this.parts.leaveLink();
    await this.parts.session.careful(() => this.again(kept));
  }

  /** A program with the files that it includes; or a state, to go on from. */
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

  /** Follows a link; says whether it leads somewhere. */
  async linked({ name, text, points, cycle, phase, tab, ...rest }: Linked, placed?: string): Promise<boolean> {
    const { banner, chooseTab, seek } = this.parts;
    const shipped = await this.shippedAs(name);
    const found = text ?? shipped;
    if (found === null) {
      banner.wrong(`This link leads to the program ${name}, which this page does not have.`);
      return false;
    }
    await this.take({ name, text: found, ...rest }, shipped, points, placed);
    if (cycle !== undefined && (cycle > 0 || phase)) seek(cycle, phase ?? 0);
    if (tab) chooseTab(tab);
    return true;
  }

  /** What a link to the present moment holds; whether something was changed that no link can carry. */
  async toLink(tab: string): Promise<{ linked: Linked; isPartial: boolean }> {
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
    };
    return { linked, isPartial: script.edits > 0 };
  }

  /** The program was changed: keeps it. */
  changed(): void {
    this.parts.leaveLink();
    this.keep();
  }

  private async take(program: Open, shipped: string | null, points: readonly Pointed[] = [], placed?: string): Promise<void> {
    const { editor, session } = this.parts;
    this.shippedText = shipped;
    this.placed = placed;
    this.stem = ownPrograms()[program.name]?.text === program.text ? program.text : null;
    editor.setText(program.text);
    editor.setPoints(linePoints(points));
    await session.take(program);
    this.keep();
  }

  /** Keeps the program in this browser, and shows its name. */
  private keep(): void {
    const { banner, editor, nameAt, programs, session } = this.parts;
    const program = session.program();
    const isOwn = program.text !== this.shippedText;
    const kept: Kept = { ...program, points: pointed(editor.points()), isOwn, ...(this.placed !== undefined && { placed: this.placed }) };
    const { isKept, dropped } = keepProgram(kept, this.stem);
    this.stem = isOwn ? program.text : null;
    if (!isKept && isOwn && !this.isToldOfKeeping) {
      this.isToldOfKeeping = true;
      banner.wrong("This browser keeps nothing more: what you type is lost with the page. Save your program as a file.");
    } else if (dropped.length > 0) {
      banner.wrong(`Too many programs of yours are kept in this browser: ${dropped.join(", ")} had to go.`);
    }
    programs.show(program.name, isOwn, Object.keys(ownPrograms()));
    setText(nameAt, program.name);
  }

  private async again({ points, isOwn: _, placed, ...program }: Kept): Promise<void> {
    await this.take(program, await this.shippedAs(program.name), points, placed);
  }

  private async shippedAs(name: string): Promise<string | null> {
    const { machine, programs } = this.parts;
    return programs.find(name) ? (await machine.ask({ ask: "program", name }, "text")).text : null;
  }
}
