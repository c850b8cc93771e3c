// Plays steps one after the other, so that one can watch: a wrong move in slow motion, or a board that has passed at work.

import type { Arrival, Bench, FailingMove } from "./protocol.js";

/** A board while lines reach its chips: the line that has just arrived, and a sentence about it. */
export interface Frame {
  board: Bench;
  reached: Arrival;
  place: string;
}

export class Replay {
  private turn = 0;

  stop(): void {
    this.turn++;
  }

  /** Takes the steps, with a pause in milliseconds after each, until `stop` or another replay. */
  async play(steps: readonly (() => unknown)[], pause: number): Promise<void> {
    const turn = ++this.turn;
    for (const step of steps) {
      await step();
      await new Promise((passed) => setTimeout(passed, pause));
      if (turn !== this.turn) return;
    }
  }
}

/** The frames of an order of arrivals on a board at rest. Until a line has reached a chip, the chip sees its old level. */
export function framesOf(board: Bench, { moves }: FailingMove, order: readonly Arrival[]): Frame[] {
  const moved = new Map(moves);
  let now: Bench = { ...board, levels: board.levels.map(([net, level]) => [net, moved.get(net) ?? level]), truth: [] };
  return order.map((reached, index) => {
    const chips = now.chips.map((chip) => (chip.name === reached.chip ? { ...chip, at: reached.at } : chip));
    now = { ...now, levels: reached.levels, chips };
    return { board: now, reached, place: `${index + 1} of ${order.length}: ${reached.net} reaches ${reached.chip}` };
  });
}

/** Number of moves with which a board is shown at work. */
const MOVES = 16;

/** The switches to move, one after the other: the board's clock, its beat, or every setting of its first switches. */
export function demonstration({ switches }: Bench, beat: readonly string[], clock: string | undefined): string[] {
  const phases = clock ? [clock] : beat;
  // In Gray code, one switch moves at a time: the one of the lowest bit that is 1.
  const inGrayCode = (move: number) => switches[Math.min(3, switches.length - 1, Math.log2((move + 1) & -(move + 1)))]!;
  return Array.from({ length: MOVES }, (_, move) => (phases.length > 0 ? phases[Math.floor(move / 2) % phases.length]! : inGrayCode(move)));
}
