// The scale of speeds, from one phase per second to the maximum, and their descriptions.

import { grouped } from "./dom.js";

/** A speed in phases per second, or `Infinity`. */
export type Speed = number;

/** Number of phases of a machine cycle, which runs one instruction. */
export const PHASES = 4;

/** The speed on the first visit, in cycles per second, and one at which a search can be followed. */
export const FIRST_SPEED = 8000;
export const SLOW = 200;

/** The positions of the slider: three for single phases, then instructions in steps of 1, 2 and 5. */
export const SPEEDS: readonly Speed[] = [
  1,
  2,
  ...[...Array(19).keys()].map((step) => PHASES * [1, 2, 5][step % 3]! * 10 ** Math.floor(step / 3)),
  Infinity,
];

export function speedText(speed: Speed): string {
  if (speed === Infinity) return "as fast as it goes";
  if (speed < PHASES) return speed === 1 ? "1 phase a second" : `${speed} phases a second`;
  const instructions = speed / PHASES;
  if (instructions >= 1e6) return `${instructions / 1e6} MHz`;
  if (instructions === 1) return "1 instruction a second";
  return `${grouped(instructions)} instructions a second`;
}

export function measuredText(cyclesPerSecond: number): string {
  if (cyclesPerSecond >= 1e6) return `${(cyclesPerSecond / 1e6).toFixed(1)} million instructions a second`;
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(cyclesPerSecond, 1))) - 1);
  return `${grouped(Math.round(cyclesPerSecond / digits) * digits)} instructions a second`;
}

/** The position of the slider nearest to a number of cycles per second; 0 is the maximum. */
export function nearest(hz: number): number {
  if (hz === 0) return SPEEDS.length - 1;
  const distance = (speed: Speed) => Math.abs(Math.log((speed === Infinity ? 1e8 : speed) / (hz * PHASES)));
  return SPEEDS.reduce((best, speed, index) => (distance(speed) < distance(SPEEDS[best]!) ? index : best), 0);
}
