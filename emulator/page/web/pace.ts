// How much of a run is due: whole cycles, or single phases at the slowest speeds. The caller provides the time.

import { PHASES, type Speed } from "./speed.js";

/** Maximum time, in milliseconds, that is caught up after a pause of the worker. */
const MAX_STALL = 250;

/** The phases or cycles to be run now. */
export interface Due {
  cycles: number;
  phases: number;
}

export class Pace {
  private paid: number;

  constructor(private speed: Speed, now: number) {
    this.paid = now;
  }

  setSpeed(speed: Speed, now: number): void {
    this.speed = speed;
    this.paid = now;
  }

  /** What is due now, at most `most` cycles; it counts as run. */
  due(now: number, most: number): Due {
    if (this.speed === Infinity) return { cycles: most, phases: 0 };
    this.paid = Math.max(this.paid, now - MAX_STALL - this.unit());
    const units = Math.floor((now - this.paid) / this.unit());
    if (units < 1) return { cycles: 0, phases: 0 };
    if (this.isByPhase()) {
      this.paid += this.unit();
      return { cycles: 0, phases: 1 };
    }
    const cycles = Math.min(units, most);
    this.paid += cycles * this.unit();
    return { cycles, phases: 0 };
  }

  wait(now: number): number {
    return this.paid + this.unit() - now;
  }

  private isByPhase(): boolean {
    return this.speed < PHASES;
  }

  /** Milliseconds that a phase, or a cycle, takes. */
  private unit(): number {
    return (1000 * (this.isByPhase() ? 1 : PHASES)) / this.speed;
  }
}
