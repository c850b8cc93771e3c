// The seven keys of the machine, on the page and on the keyboard.

import { element } from "./dom.js";

/** The labels of the keys, and their keys on the keyboard, by their names in the machine. */
const KEYS: Record<string, { sign: string; key: string }> = {
  left: { sign: "◀", key: "ArrowLeft" },
  right: { sign: "▶", key: "ArrowRight" },
  up: { sign: "▲", key: "ArrowUp" },
  down: { sign: "▼", key: "ArrowDown" },
  a: { sign: "A", key: "a" },
  b: { sign: "B", key: "b" },
  start: { sign: "Start", key: "Enter" },
};

export class Keys {
  private held = 0;
  private readonly buttons: HTMLButtonElement[];

  /** `names` are in the order of their bits; `hold` receives the keys held; if `isRunning`, a click ends by itself. */
  constructor(
    at: HTMLElement,
    private readonly names: readonly string[],
    private readonly hold: (bits: number) => void,
    private readonly isRunning: () => boolean,
  ) {
    this.buttons = names.map((name, bit) => {
      const key = element(
        "button",
        { type: "button", "aria-label": `Key ${name}`, "aria-pressed": "false", title: `Key ${name} of the machine` },
        KEYS[name.toLowerCase()]?.sign ?? name,
      );
      key.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        key.setPointerCapture(event.pointerId);
        this.touched(bit);
      });
      for (const end of ["pointerup", "pointercancel"]) key.addEventListener(end, () => this.released(bit));
      key.addEventListener("click", (event) => {
        if (event.detail !== 0) return; // clicks of a pointer are handled by its own events
        this.touched(bit);
        this.released(bit);
      });
      key.addEventListener("contextmenu", (event) => event.preventDefault());
      return key;
    });
    at.replaceChildren(...this.buttons);
    window.addEventListener("blur", () => this.set(0));
  }

  /** If a key of the keyboard is one of the machine's, presses or releases it and returns true. */
  keyboard(event: KeyboardEvent, isDown: boolean): boolean {
    const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const bit = this.names.findIndex((name) => KEYS[name.toLowerCase()]?.key === wanted);
    if (bit < 0 || (isDown && (event.ctrlKey || event.metaKey || event.altKey))) return false;
    if (!event.repeat) this.set(isDown ? this.held | (1 << bit) : this.held & ~(1 << bit));
    return true;
  }

  /** Shows all keys as released, without telling the machine, which begins like that. */
  forget(): void {
    this.show(0);
  }

  /** While the machine is stopped, a click holds a key until the next click. */
  private touched(bit: number): void {
    this.set(this.isRunning() ? this.held | (1 << bit) : this.held ^ (1 << bit));
  }

  private released(bit: number): void {
    if (this.isRunning()) this.set(this.held & ~(1 << bit));
  }

  private set(held: number): void {
    if (held === this.held) return;
    this.show(held);
    this.hold(held);
  }

  private show(held: number): void {
    this.held = held;
    this.buttons.forEach((button, bit) => button.setAttribute("aria-pressed", String(Boolean((held >> bit) & 1))));
  }
}
