// A board under trial at a level: its levels, the moves of its switches, and the level's demands, all as the machine computes them.

import { demandsOf, type Demand } from "./bench-goal.js";
import type { Frame } from "./bench-replay.js";
import { MAX_SEEN, type Seen } from "./bench-seen.js";
import type { Machine } from "./machine.js";
import type { Bench, Exercise } from "./protocol.js";

export type Levels = [string, boolean][];

export class Trial {
  /** The board as it was when its text could last be read. */
  board: Bench | null = null;
  /** The levels after the last moves. */
  seen: Seen[] = [];
  /** The demands on the lamps; not known before the first board. */
  private demanded: Demand[] | null = null;
  /** The switch of the beat that is next. */
  private next = 0;

  constructor(private readonly machine: Machine, private readonly exercise: Exercise) {}

  get demands(): readonly Demand[] {
    return this.demanded ?? [];
  }

  /** Sets the board to these levels and moves switches. Without levels, the board is switched on. */
  async set(text: string, levels: Levels, moves: Levels): Promise<void> {
    const memory = this.exercise.board?.memory ?? null;
    const answer = await this.machine.ask({ ask: "bench", board: text, levels, moves: moves.length > 0 ? [moves] : [], memory }, "bench");
    // A text that cannot be read leaves the picture as it was.
    const isRead = answer.chips.length + answer.switches.length > 0;
    this.board = isRead || !this.board ? answer : { ...this.board, fault: answer.fault, line: answer.line };
    this.record(answer.levels, levels.length > 0);
    if (isRead) this.demanded ??= await demandsOf(this.machine, this.exercise, answer);
  }

  /** Switches a changed board on, with its switches as they are. */
  async restart(text: string): Promise<void> {
    const { levels = [], switches = [] } = this.board ?? {};
    await this.set(text, [], levels.filter(([net, level]) => level && switches.includes(net)));
  }

  async move(text: string, net: string): Promise<void> {
    if (this.board && this.board.fault === null) await this.set(text, this.board.levels, [[net, !this.isUp(net)]]);
  }

  /** Moves the next switch of the beat; a clock ticks. */
  async tick(text: string): Promise<void> {
    const beat = this.exercise.board?.beat ?? [];
    const net = beat[this.next % beat.length];
    if (net === undefined) return;
    if (this.isUp(net)) this.next++;
    await this.move(text, net);
  }

  /** Shows a board while a line reaches a chip. */
  show({ board }: Frame): void {
    this.board = board;
    this.record(board.levels, true);
  }

  private isUp(net: string): boolean {
    return Boolean(this.board?.levels.some(([name, level]) => name === net && level));
  }

  private record(levels: Levels, isContinued: boolean): void {
    this.seen = [...(isContinued ? this.seen : []), new Map(levels)].slice(-MAX_SEEN);
  }
}
