// A menu that a button opens: items with a line about each, by pointer and by keys.

import { element } from "./dom.js";
import { Roving } from "./roving.js";

export interface Item {
  label: string;
  about: string;
  action(): void;
}

export class Menu {
  private readonly items: HTMLButtonElement[];

  constructor(
    private readonly opener: HTMLButtonElement,
    private readonly at: HTMLElement,
    items: readonly Item[],
  ) {
    this.items = items.map(({ label, about, action }) => {
      const made = element("button", { type: "button", role: "menuitem" }, label, element("small", {}, about));
      made.addEventListener("click", () => {
        this.close(true);
        action();
      });
      return made;
    });
    at.append(...this.items);
    new Roving(at);
    opener.addEventListener("click", () => (at.hidden ? this.open() : this.close(true)));
    at.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!at.contains(event.target as Node) && event.target !== opener) this.close(false);
    });
  }

  private open(): void {
    this.at.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.items[0]!.focus();
  }

  private close(isFocused: boolean): void {
    if (this.at.hidden) return;
    this.at.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    if (isFocused) this.opener.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape" || event.key === "Tab") this.close(true);
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
    if (event.key === "Escape") event.preventDefault();
  }
}
