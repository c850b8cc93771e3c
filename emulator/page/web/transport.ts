// The controls under everything: run and pause, the speed, and steps in both directions.

import { button, element, setText } from "./dom.js";
import { Roving } from "./roving.js";
import { SPEEDS, measuredText, nearest, speedText, type Speed } from "./speed.js";
import type { Goal, Way } from "./protocol.js";

/** The steps: name, goal, key (a capital letter goes back, as in the debugger), and description. */
export const STEPS: readonly { name: string; goal: Goal; key: string; about: string }[] = [
  { name: "phase", goal: "phase", key: "p", about: "a quarter of a cycle: one edge of the oscillator" },
  { name: "instruction", goal: "instruction", key: "c", about: "one machine cycle" },
  { name: "line", goal: "line", key: "n", about: "a line of the source, also within macros" },
  { name: "over", goal: "statement", key: "s", about: "a line of the program itself, past macros and the library" },
  { name: "solution", goal: "solution", key: "o", about: "to where a line of output is complete" },
];

/** The movements that the buttons begin. */
interface Actions {
  run(): unknown;
  stop(): void;
  step(way: Way, goal: Goal): void;
  toStart(): void;
  toEnd(): void;
}

interface Places {
  run: HTMLButtonElement;
  slider: HTMLInputElement;
  speedText: HTMLElement;
  steps: HTMLElement;
}

export class Transport {
  private index: number;
  private isRunning = false;

  constructor(private readonly places: Places, actions: Actions, private readonly setSpeed: (speed: Speed) => void, first: number) {
    this.index = first;
    const { run, slider, steps } = places;
    run.addEventListener("click", () => (this.isRunning ? actions.stop() : actions.run()));
    slider.min = "0";
    slider.max = String(SPEEDS.length - 1);
    slider.step = "1";
    slider.addEventListener("input", () => this.choose(Number(slider.value)));
    const ends = pair("ends", [
      button("⇤", { "aria-label": "To the beginning of the run", title: "To the beginning (Home)" }, actions.toStart),
      button("⇥", { "aria-label": "To the end of the known run", title: "To the end of the known run (End)" }, actions.toEnd),
    ]);
    steps.replaceChildren(
      ...STEPS.map(({ name, goal, key, about }) => {
        const step = (way: Way, sign: string, label: string, key: string) =>
          button(sign, { "aria-label": label, title: `${label} (${key}): ${about}` }, () => actions.step(way, goal));
        return pair(name, [
          step("back", "‹", `Back one ${name}`, key.toUpperCase()),
          step("forward", "›", `Forward one ${name}`, key),
        ]);
      }),
      ends,
    );
    new Roving(steps);
    this.choose(first);
    this.show(false, 0);
  }

  speed(): Speed {
    return SPEEDS[this.index]!;
  }

  /** Sets a speed that suits the program, in cycles per second; 0 is the maximum. */
  suggest(hz: number): void {
    this.choose(nearest(hz));
  }

  choose(index: number): void {
    this.index = Math.max(0, Math.min(SPEEDS.length - 1, index));
    const { slider } = this.places;
    slider.value = String(this.index);
    slider.setAttribute("aria-valuetext", speedText(this.speed()));
    setText(this.places.speedText, speedText(this.speed()));
    this.setSpeed(this.speed());
  }

  change(by: number): void {
    this.choose(this.index + by);
  }

  /** Shows whether the machine runs, and its measured speed; after the end of a run, `hasEnded`, Run begins it again. */
  show(isRunning: boolean, rate: number, hasEnded = false): void {
    this.isRunning = isRunning;
    setText(this.places.run, isRunning ? "Pause" : hasEnded ? "Run again" : "Run");
    this.places.run.classList.toggle("running", isRunning);
    const isMeasured = isRunning && rate > 0 && this.speed() === Infinity;
    setText(this.places.speedText, isMeasured ? measuredText(rate) : speedText(this.speed()));
  }
}

function pair(name: string, buttons: HTMLButtonElement[]): HTMLElement {
  const group = element("div", { class: "pair", role: "group", "aria-label": name }, element("span", { "aria-hidden": true }, name));
  group.append(element("div", {}, ...buttons));
  return group;
}
