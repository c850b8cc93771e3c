// Messages over the page: errors, which stay, and notices, which pass.

import { button, element } from "./dom.js";

interface Choice {
  label: string;
  action: () => void;
}

export class Banner {
  private timer = 0;

  constructor(private readonly at: HTMLElement, private readonly announcement: HTMLElement) {}

  /** Shows an error, which stays until it is closed. */
  wrong(text: string, ...choices: Choice[]): void {
    this.show("banner", text, choices);
  }

  /** Shows a notice for some seconds. */
  notice(text: string, ...choices: Choice[]): void {
    this.show("banner notice", text, choices);
    this.timer = window.setTimeout(() => this.close(), 8000);
  }

  /** Announces a text to screen readers only. */
  announce(text: string): void {
    this.announcement.textContent = text;
  }

  close(): void {
    clearTimeout(this.timer);
    this.at.hidden = true;
    this.at.replaceChildren();
  }

  private show(kind: string, text: string, choices: Choice[]): void {
    this.close();
    this.at.className = kind;
    const buttons = choices.map(({ label, action }) =>
      button(label, { class: "primary" }, () => {
        this.close();
        action();
      }),
    );
    this.at.append(element("p", {}, text), ...buttons, button("Close", {}, () => this.close()));
    this.at.hidden = false;
  }
}
