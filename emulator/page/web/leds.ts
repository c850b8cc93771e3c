// The LEDs: a picture drawn by the renderer of the crate, and above it 64 buttons, one for each LED.
//
// The buttons are a single stop for the Tab key; arrow keys move among them. Each is labelled with its row, column and
// colour. Holding a button down presses a pad of the machine; while "Why?" is on, it asks instead what lit the LED.

import { element } from "./dom.js";
import type { Picture } from "./messages.js";
import { Roving } from "./roving.js";

/** Rows and columns. */
const SIDE = 8;

/** A place on the display. */
export interface Pad {
  row: number;
  column: number;
}

interface Callbacks {
  press(pad: Pad | null): void;
  why(pad: Pad): void;
  /** Whether the machine runs: while it is stopped, a click holds a pad until the next click. */
  isRunning(): boolean;
}

export class Leds {
  private readonly canvas = element("canvas", { "aria-hidden": true });
  private readonly pads = element("div", { class: "pads", role: "group", "aria-label": "LEDs, each of them a pad" });
  private readonly buttons: HTMLButtonElement[] = [];
  private held: number | null = null;
  private isAsking = false;
  private labels: string[] = [];

  constructor(private readonly at: HTMLElement, private readonly callbacks: Callbacks) {
    for (let index = 0; index < SIDE * SIDE; index++) {
      const pad = element("button", { type: "button", "aria-pressed": "false" });
      this.buttons.push(pad);
      pad.addEventListener("pointerdown", (event) => this.pointerDown(event, index));
      pad.addEventListener("pointermove", (event) => this.pointerMove(event, pad));
      for (const end of ["pointerup", "pointercancel"]) pad.addEventListener(end, () => this.letGo(false));
      pad.addEventListener("keydown", (event) => this.keyDown(event, index));
      pad.addEventListener("keyup", (event) => this.keyUp(event));
      pad.addEventListener("blur", () => this.letGo(this.callbacks.isRunning()));
      pad.addEventListener("contextmenu", (event) => event.preventDefault());
      // Screen readers send a click without events of a pointer or a key.
      pad.addEventListener("click", (event) => {
        if (event.detail !== 0 || !event.isTrusted) return;
        this.choose(index);
        this.letGo(false);
      });
    }
    this.pads.append(...this.buttons);
    new Roving(this.pads);
    at.append(this.canvas, this.pads);
    this.setStates(new Array(2 * SIDE).fill(0));
  }

  /** The size of a sharp picture, in pixels. */
  pixels(): number {
    const side = this.at.clientWidth * Math.min(window.devicePixelRatio || 1, 2);
    return Math.max(120, Math.min(840, Math.round(side / 8) * 8));
  }

  /** Replaces the drawing of the file by pictures of the machine. */
  begin(): void {
    this.at.querySelector(".first")?.remove();
  }

  show({ size, cells, pixels }: Picture): void {
    const [first, last] = [cells[0], cells[cells.length - 1]];
    if (!first || !last) return;
    if (this.canvas.width !== size) {
      this.canvas.width = this.canvas.height = size;
      const percent = (length: number) => `${(100 * length) / size}%`;
      this.pads.style.left = percent(first[0]);
      this.pads.style.top = percent(first[1]);
      this.pads.style.width = percent(last[0] + last[2] - first[0]);
      this.pads.style.height = percent(last[1] + last[3] - first[1]);
    }
    this.canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(pixels), size, size), 0, 0);
  }

  /** Labels the LEDs: eight green rows, then eight red ones, a bit for each column, the lowest at the left. */
  setStates(rows: readonly number[]): void {
    this.buttons.forEach((button, index) => {
      const [row, column] = [Math.floor(index / SIDE), index % SIDE];
      const isLit = (line: number) => ((rows[line] ?? 0) >> column) & 1;
      const colour = ["dark", "green", "red", "amber"][isLit(row) + 2 * isLit(row + SIDE)]!;
      const label = `row ${row}, column ${column}: ${colour}`;
      if (this.labels[index] !== label) {
        this.labels[index] = label;
        button.setAttribute("aria-label", label);
      }
    });
  }

  /** Whether a click asks what lit an LED. */
  setAsking(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.at.classList.toggle("asking", isAsking);
    this.letGo(true);
  }

  /** Shows all pads as released, without telling the machine, which begins like that. */
  forget(): void {
    if (this.held !== null) this.buttons[this.held]!.setAttribute("aria-pressed", "false");
    this.held = null;
  }

  private pointerDown(event: PointerEvent, index: number): void {
    if (event.button !== 0) return;
    if (!this.choose(index)) return;
    this.buttons[index]!.setPointerCapture(event.pointerId);
  }

  /** A finger that is drawn over the pads presses each of them. */
  private pointerMove({ pointerId, clientX, clientY }: PointerEvent, pad: HTMLElement): void {
    if (this.held === null || !this.callbacks.isRunning() || !pad.hasPointerCapture(pointerId)) return;
    const index = this.buttons.findIndex((button) => button === document.elementFromPoint(clientX, clientY));
    if (index >= 0 && index !== this.held) this.choose(index);
  }

  private keyDown(event: KeyboardEvent, index: number): void {
    if (event.key !== " " && event.key !== "Enter") return;
    if (!event.repeat) this.choose(index);
    event.preventDefault();
    event.stopPropagation();
  }

  private keyUp(event: KeyboardEvent): void {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    this.letGo(false);
  }

  /** Presses the pad, or asks about the LED; returns whether the pad is held now. */
  private choose(index: number): boolean {
    const pad = { row: Math.floor(index / SIDE), column: index % SIDE };
    if (this.isAsking) {
      this.callbacks.why(pad);
      return false;
    }
    if (this.held === index) {
      this.letGo(true);
      return false;
    }
    this.letGo(true, true);
    this.held = index;
    this.buttons[index]!.setAttribute("aria-pressed", "true");
    this.callbacks.press(pad);
    return true;
  }

  /** Releases the pad; while the machine is stopped, only if `isCertain`. */
  private letGo(isCertain: boolean, isReplaced = false): void {
    if (this.held === null || (!isCertain && !this.callbacks.isRunning())) return;
    this.forget();
    if (!isReplaced) this.callbacks.press(null);
  }
}
