// The open program, and the machine that runs it. While the user edits, the machine keeps the old program; the next run
// begins with the new one.

import type { Machine, News } from "./machine.js";
import { Lost, Refused } from "./machine.js";
import type { LinePoint } from "./margin.js";
import type { Move } from "./messages.js";
import type { Checked, Goal, Moment, Options, Point, PointStatus, Program } from "./protocol.js";
import type { Speed } from "./speed.js";

/** The open program: a source, with the files that it includes. */
export interface Open {
  name: string;
  text: string;
  files?: Record<string, string>;
  constants?: Record<string, number>;
  options?: Options;
}

interface Events {
  /** The assembler's results for the current source. */
  checked(checked: Checked): void;
  /** The machine has been given a program, and is at its beginning. */
  loaded(points: PointStatus[]): void;
  /** Whether the source is no longer the program of the machine. */
  stale(isStale: boolean): void;
  refused(text: string): void;
}

/** In the machine while there is no other program. */
const STANDBY: Program = { name: "nothing.g1", text: "halt: jmp halt\n" };

export class Session {
  private open: Open = { name: "", text: "" };
  private checked: Checked | null = null;
  private loadedText: string | null = null;
  private latest: Moment | null = null;
  /** Set while the machine is to run as soon as it has the program. */
  private starting: object | null = null;
  /** Counts changes and loads, so that the assembler's answers for an earlier source are dropped. */
  private generation = 0;
  /** Whether an earlier source is being assembled. The current one comes next, without the changes in between. */
  private isChecking = false;
  private isUnchecked = false;
  /** Whether the machine has the program that does nothing. */
  private isStandby = false;

  constructor(
    private readonly machine: Machine,
    private readonly events: Events,
    /** The editor, for the current source and breakpoints. */
    private readonly editor: { text(): string; points(): LinePoint[] },
  ) {
    machine.listen((news: News) => (this.latest = news.moment));
  }

  /** The open program with the current source. */
  program(): Open {
    return { ...this.open, text: this.editor.text() };
  }

  rename(name: string): void {
    this.open = { ...this.open, name };
  }

  moment(): Moment | null {
    return this.latest;
  }

  isStale(): boolean {
    return this.loadedText !== this.editor.text();
  }

  /** Opens another program, and goes to its beginning. */
  async take(open: Open): Promise<void> {
    this.open = open;
    await this.begin();
  }

  /** Loads the program into a new machine. */
  async begin(): Promise<void> {
    this.loadedText = null;
    this.isStandby = false;
    await this.load();
  }

  /** Notes that the machine has no program: the source is loaded when it is to run. */
  forget(): void {
    this.loadedText = null;
    this.isUnchecked = false;
    this.events.stale(true);
  }

  /** Begins again with other constants and options. */
  async choose(constants: Record<string, number>, options: Options): Promise<void> {
    const before = this.open;
    this.open = { ...before, constants, options };
    if (!(await this.load())) this.open = before;
  }

  /** The constants of the program that can be chosen. */
  defaults(): readonly string[] {
    return this.checked?.defaults ?? [];
  }

  /** Assembles the source after a change. If the machine is at the beginning, it is loaded immediately. */
  async edited(): Promise<void> {
    if (this.isChecking) {
      this.isUnchecked = true;
      return;
    }
    this.isChecking = true;
    await this.check().finally(() => (this.isChecking = false));
    if (!this.isUnchecked) return;
    this.isUnchecked = false;
    await this.edited();
  }

  private async check(): Promise<void> {
    const wanted = this.generation; // a program that is loaded meanwhile is not outdated
    await this.careful(async () => {
      const checked = await this.machine.ask({ ask: "check", program: this.asProgram() }, "checked");
      if (wanted !== this.generation) return;
      this.takeReport(checked);
      if (checked.errors === 0 && this.isStale() && !this.machine.isRunning() && this.latest?.cycle === this.latest?.start) {
        await this.load();
      }
    });
  }

  /** Notes that the source differs from the machine's program, until it is loaded. */
  typed(): void {
    this.generation++;
    this.events.stale(this.isStale());
  }

  /** Loads the program; returns whether the machine has accepted it. `state` is the text of a state file. */
  async load(state?: string): Promise<boolean> {
    this.machine.stop();
    const wanted = ++this.generation;
    const { text } = this.program();
    const { loadedText: before } = this;
    const sent = this.points();
    this.loadedText = null; // unknown until the answer arrives
    return this.careful(async () => {
      const asked = this.machine.ask(
        {
          ask: "load",
          program: this.asProgram(),
          points: sent,
          ...(this.open.options && { options: this.open.options }),
          ...(state !== undefined && { state }),
        },
        "loaded",
      );
      const answer = await asked.catch(async (error: unknown) => {
        if (error instanceof Refused && wanted === this.generation) {
          this.loadedText = before;
          await this.standBy();
        }
        throw error;
      });
      if (wanted !== this.generation) return false;
      this.takeReport(answer.checked);
      // If the machine refuses a program, it keeps the one it has.
      this.loadedText = answer.moment ? text : before;
      if (!answer.moment) return this.standBy();
      this.isStandby = false;
      // Breakpoints that were set or removed meanwhile are not in the machine yet.
      const points = this.points();
      const isSent = JSON.stringify(points) === JSON.stringify(sent);
      this.events.loaded(isSent ? answer.points : (await this.machine.ask({ ask: "points", points }, "points")).points);
      this.events.stale(false);
      return true;
    });
  }

  /** Runs to a goal, from a cycle if one is given, and from the beginning if the source was changed or the run has ended. Returns whether the machine runs. */
  async run(speed: Speed, to: Goal = "point", from: number | null = null): Promise<boolean> {
    const wish = (this.starting = {});
    const isFresh = await this.fresh();
    if (this.starting !== wish) return false;
    this.starting = null;
    return isFresh && this.machine.run(speed, to, from ?? (this.latest?.halted ? this.latest.start : null));
  }

  stop(): void {
    this.starting = null;
    this.machine.stop();
  }

  /** Whether the machine runs, or is about to. */
  isRunning(): boolean {
    return this.starting !== null || this.machine.isRunning();
  }

  async move(move: Move): Promise<void> {
    if (await this.fresh()) this.machine.move(move);
  }

  async pointed(): Promise<PointStatus[]> {
    const points = this.points();
    let statuses: PointStatus[] = [];
    await this.careful(async () => {
      if (!this.isStale()) statuses = (await this.machine.ask({ ask: "points", points }, "points")).points;
    });
    return statuses;
  }

  async edit(what: string, value: string): Promise<void> {
    await this.careful(() => this.machine.ask({ ask: "edit", what, value }, "moment"));
  }

  /** Changes a cell, in the format of `--cell`, and continues from where the machine was. */
  async burn(change: string): Promise<void> {
    const before = this.open;
    await this.careful(async () => {
      this.machine.stop();
      const { cycle, phase } = await this.machine.ask({ ask: "burn", change }, "burned");
      const place = change.split("=")[0];
      const others = (before.options?.cells ?? []).filter((cell) => cell.split("=")[0] !== place);
      if (before === this.open) this.open = { ...before, options: { ...before.options, cells: [...others, change] } };
      this.machine.move({ ask: "seek", cycle, phase, cycles: 0 });
    });
  }

  /** Loads the program again without some of its options, and without what was pressed and edited; continues from where the machine was. */
  async undo(...options: (keyof Options)[]): Promise<void> {
    const { open: before, latest } = this;
    const left = Object.entries(before.options ?? {}).filter(([name]) => !options.includes(name as keyof Options));
    this.open = { ...before, options: Object.fromEntries(left) };
    if (await this.load()) this.machine.move({ ask: "seek", cycle: latest?.cycle ?? 0, phase: latest?.phase ?? 0, cycles: 0 });
    else this.open = before;
  }

  /** Carries out an action that the machine may refuse; returns whether it was accepted. */
  async careful(action: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await action()) !== false;
    } catch (error) {
      if (error instanceof Refused) this.events.refused(error.message);
      else if (!(error instanceof Lost)) throw error;
      return false;
    }
  }

  /** Loads the program if the source differs from it; returns whether they are the same then. */
  private async fresh(): Promise<boolean> {
    if (!this.isStale()) return true;
    if (await this.load()) return true;
    if (this.checked && this.checked.errors > 0) {
      this.events.refused(`The program has ${this.checked.errors === 1 ? "an error" : `${this.checked.errors} errors`}: see below the source.`);
    }
    return false;
  }

  /** Gives a machine that has no program yet one that does nothing, so that there is a machine to be seen. Returns false. */
  private async standBy(): Promise<false> {
    if (this.loadedText !== null || this.isStandby) return false;
    this.isStandby = true;
    await this.machine.ask({ ask: "load", program: STANDBY, points: [] }, "loaded");
    this.events.loaded([]);
    this.events.stale(true);
    return false;
  }

  private points(): Point[] {
    return this.editor.points().map(({ line, file, ...point }) => ({ at: file === undefined ? String(line) : `${file}:${line}`, ...point }));
  }

  private takeReport(checked: Checked): void {
    this.checked = checked;
    this.events.checked(checked);
  }

  private asProgram(): Program {
    const { name, text, files, constants } = this.program();
    return { name, text, ...(files && { files }), ...(constants && { constants }) };
  }
}
