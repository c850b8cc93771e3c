// A wrong move in slow motion: lines reach chips one after the other, in an order in which it goes wrong.

import type { Bench, Arrival, FailingMove } from "./protocol.js";

/** Milliseconds for each line. */
const SLOW = 900;

export class Replay {
  /** The number of the replay that goes on. */
  private turn = 0;

  /** `show` gets the board after each line, and which line that was. */
  constructor(private readonly show: (board: Bench, reached: Arrival, place: string) => void) {}

  stop(): void {
    this.turn++;
  }

  /** Plays an order on a board at rest. Until a line has reached a chip, that chip sees its old level. */
  async play(board: Bench, { moves }: FailingMove, order: readonly Arrival[]): Promise<void> {
    const turn = ++this.turn;
    const moved = new Map(moves);
    let now: Bench = { ...board, levels: board.levels.map(([net, level]) => [net, moved.get(net) ?? level]), truth: [] };
    for (const [index, reached] of order.entries()) {
      const chips = now.chips.map((chip) => (chip.name === reached.chip ? { ...chip, at: reached.at } : chip));
      now = { ...now, levels: reached.levels, chips };
      this.show(now, reached, `${index + 1} of ${order.length}: ${reached.net} reaches ${reached.chip}`);
      await new Promise((passed) => setTimeout(passed, SLOW));
      if (turn !== this.turn) return;
    }
  }
}
