// Opening programs: those that are shipped, one's own, files, links, and what was open the last time.

import type { Banner } from "./banner.js";
import { setText } from "./dom.js";
import type { Editor } from "./editor.js";
import { isLinked, type Linked } from "./link.js";
import type { Machine } from "./machine.js";
import type { Opened, Programs } from "./programs.js";
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
}

export class Opening {
  /** The shipped text of the program that is open, if it is a shipped one. */
  private shippedText: string | null = null;

  constructor(private readonly parts: Parts) {}

  /** What a link leads to, else the program that was put into the page, else what was open the last time. */
  async first(linked: Linked | null, placed: unknown): Promise<void> {
    if (linked && (await this.linked(linked))) return;
    const kept = keptProgram();
    // What was made of the placed program in this browser is not lost.
    if (isLinked(placed) && !(kept?.name === placed.name && kept.text !== placed.text) && (await this.linked(placed))) return;
    await (kept ? this.again(kept) : this.shipped(FIRST));
  }

  /** Opens a program; `shipped` is its text as it is shipped, if it is. */
  async open(program: Open, shipped: string | null, points: readonly number[] = []): Promise<void> {
    const { editor, session } = this.parts;
    this.shippedText = shipped;
    editor.setText(program.text);
    editor.setPoints(points);
    await session.take(program);
    this.keep();
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
    if (kept) await this.parts.session.careful(() => this.again(kept));
  }

  /** A program with the files that it includes; or a state, to go on from. */
  async files([first, ...others]: Opened[]): Promise<void> {
    const { banner, session } = this.parts;
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
  async linked({ name, text, points, cycle, phase, tab, ...rest }: Linked): Promise<boolean> {
    const { banner, chooseTab, seek } = this.parts;
    const shipped = await this.shippedAs(name);
    const found = text ?? shipped;
    if (found === null) {
      banner.wrong(`This link leads to the program ${name}, which this page does not have.`);
      return false;
    }
    await this.open({ name, text: found, ...rest }, shipped, points);
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
      points: editor.points(),
      cycle,
      phase,
      tab,
    };
    return { linked, isPartial: script.edits > 0 };
  }

  /** Keeps the program in this browser, and shows its name. */
  keep(): void {
    const { banner, editor, nameAt, programs, session } = this.parts;
    const program = session.program();
    const isOwn = program.text !== this.shippedText;
    if (!keepProgram({ ...program, points: editor.points(), isOwn })) {
      banner.announce("This browser keeps nothing: save your program as a file.");
    }
    programs.show(program.name, isOwn, Object.keys(ownPrograms()));
    setText(nameAt, program.name);
  }

  private async again({ points, isOwn: _, ...program }: Kept): Promise<void> {
    await this.open(program, await this.shippedAs(program.name), points);
  }

  private async shippedAs(name: string): Promise<string | null> {
    const { machine, programs } = this.parts;
    return programs.find(name) ? (await machine.ask({ ask: "program", name }, "text")).text : null;
  }
}
