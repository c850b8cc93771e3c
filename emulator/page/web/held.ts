// Postponed drawing for panes that replace their buttons at each update. While a button is held down, the pane is not drawn:
// a click is only registered if its target still exists on release.

const PRESSED = "button, svg";

export class Drawing {
  private isHeld = false;
  /** The postponed drawing. */
  private waiting: (() => void) | null = null;

  constructor(at: HTMLElement) {
    const isOn = (event: Event) => event.target instanceof Element && event.target.closest(PRESSED) !== null;
    at.addEventListener("pointerdown", (event) => (this.isHeld ||= event.button === 0 && isOn(event)));
    at.addEventListener("keydown", (event) => (this.isHeld ||= event.key === " " && isOn(event)));
    // The click event follows these in the same turn of the event loop.
    for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, () => setTimeout(() => this.letGo()));
  }

  /** Draws now, or later; of several postponed drawings only the last is done. */
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
