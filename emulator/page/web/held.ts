// Drawing in a pane whose buttons are made anew at each news of the machine. While one of them is held down nothing is
// drawn: a click needs its target to be there still when it is let go.

const PRESSED = "button, svg";

export class Drawing {
  private isHeld = false;
  /** What is drawn when nothing is held any longer. */
  private waiting: (() => void) | null = null;

  constructor(at: HTMLElement) {
    const isOn = (event: Event) => event.target instanceof Element && event.target.closest(PRESSED) !== null;
    at.addEventListener("pointerdown", (event) => (this.isHeld ||= event.button === 0 && isOn(event)));
    at.addEventListener("keydown", (event) => (this.isHeld ||= event.key === " " && isOn(event)));
    // The click comes after these, in the same turn.
    for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, () => setTimeout(() => this.letGo()));
  }

  /** Draws now, or later; of several drawings that wait only the last is done. */
  draw(action: () => void): void {
    if (this.isHeld) this.waiting = action;
    else action();
  }

  private letGo(): void {
    const { waiting } = this;
    [this.isHeld, this.waiting] = [false, null];
    waiting?.();
  }
}
