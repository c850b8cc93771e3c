// Movements through the run: running, searching, steps, and going to a cycle.

import type { Machine } from "./machine.js";
import type { Goal, Way } from "./protocol.js";
import type { Session } from "./session.js";
import { SLOW, type Speed } from "./speed.js";

/** Number of cycles run at once to find the end of a run. */
const AHEAD = 1e9;

interface Parts {
  machine: Machine;
  session: Session;
  transport(): { speed(): Speed; suggest(hz: number): void; show(isRunning: boolean, rate: number): void };
  /** Resolves when no new machine is on its way. */
  settled(): Promise<void>;
  isCalm(): boolean;
}

export class Movement {
  /** The cycle up to which the machine runs ahead, if it does. */
  aheadTo: number | null = null;

  constructor(private readonly parts: Parts) {}

  readonly run = async (): Promise<void> => {
    await this.runTo("point", null, this.parts.settled());
  };

  readonly stop = (): void => this.parts.session.stop();

  readonly toggle = (): void => (this.parts.session.isRunning() ? this.stop() : void this.run());

  /** Runs from a cycle on; with reduced motion, goes to the cycle. */
  readonly runFrom = (cycle: number): void => (this.parts.isCalm() ? this.seek(cycle) : void this.runTo("point", cycle));

  /** Searches for the first solution from the beginning, slowly enough to be followed. */
  readonly search = async (): Promise<void> => {
    this.parts.transport().suggest(SLOW);
    await this.runTo("solution", this.parts.session.moment()?.start ?? 0);
  };

  readonly seek = (cycle: number, phase = 0): void => void this.parts.session.move({ ask: "seek", cycle, phase, cycles: 0 });

  readonly toStart = (): void => this.seek(this.parts.session.moment()?.start ?? 0);

  readonly toEnd = (): void => this.seek(this.parts.session.moment()?.end ?? 0);

  /** Runs at full speed, past breakpoints, so that the time line has the whole run. */
  readonly ahead = (): void => {
    const { session } = this.parts;
    const cycle = (session.moment()?.end ?? 0) + AHEAD;
    void session.move({ ask: "seek", cycle, phase: 0, cycles: 0, ahead: true }).then(() => (this.aheadTo = cycle));
  };

  readonly step = (way: Way, to: Goal): void => void this.parts.session.move({ ask: "go", way, to, cycles: 0 });

  /** Whether the machine is on its way: then the repetition of a held key is ignored. */
  readonly isMoving = (): boolean => this.parts.machine.isRunning();

  private async runTo(goal: Goal, from: number | null, ready: Promise<void> | null = null): Promise<void> {
    const { session } = this.parts;
    const transport = this.parts.transport();
    transport.show(true, 0);
    await ready;
    await session.run(transport.speed(), goal, from);
    transport.show(session.isRunning(), 0);
  }
}
