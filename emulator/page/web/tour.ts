// The tour: five steps through the page, each beside its subject; on a phone, a strip above the views. It opens
// unasked on the first visit only, and does not move the focus.

import { button, element } from "./dom.js";

export interface Step {
  title: string;
  text: string;
  /** The text on a phone, in one or two lines. */
  short: string;
  /** What it speaks of: a selector. */
  of: string;
  begin?(): void;
  /** Things to try: their labels, and what they do. */
  tries?: { label: string; action: () => void }[];
}

export class Tour {
  private index = -1;

  constructor(private readonly at: HTMLElement, private readonly steps: readonly Step[], private readonly left: () => void) {
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !at.hidden && !event.defaultPrevented && !document.querySelector("dialog[open]")) this.leave();
    });
  }

  /** Shows the first step; `isAsked` if the user wants that, and not the page. */
  start(isAsked: boolean): void {
    this.show(0);
    if (isAsked) this.at.querySelector<HTMLElement>("button.primary")?.focus();
  }

  private show(index: number): void {
    const step = this.steps[index];
    if (!step) return this.leave();
    const hadFocus = this.at.contains(document.activeElement);
    this.mark(index);
    step.begin?.();
    // It stands before the source, unless it speaks of that.
    this.at.classList.toggle("aside", step.of === "#source");
    const isLast = index === this.steps.length - 1;
    this.at.replaceChildren(
      element("p", { class: "tour-place" }, `${index + 1} of ${this.steps.length}`),
      element("h2", {}, step.title),
      element("p", { class: "tour-text", role: "status" }, step.text),
      element("p", { class: "tour-short", role: "status" }, step.short),
      element("div", { class: "toolbar" }, ...(step.tries ?? []).map(({ label, action }) => button(label, {}, action))),
      element(
        "div",
        { class: "toolbar tour-ways" },
        ...(index > 0 ? [button("Back", {}, () => this.show(index - 1))] : []),
        button(isLast ? "Done" : "Next", { class: "primary" }, () => this.show(index + 1)),
        ...(isLast ? [] : [this.leaveButton()]),
      ),
    );
    this.at.hidden = false;
    if (hadFocus) this.at.querySelector<HTMLElement>("button.primary")?.focus();
  }

  /** `Leave the tour`; on a phone `Leave`. */
  private leaveButton(): HTMLButtonElement {
    const made = button("Leave", { class: "quiet" }, () => this.leave());
    made.append(element("span", { class: "tour-long" }, " the tour"));
    return made;
  }

  private leave(): void {
    this.mark(-1);
    this.at.hidden = true;
    this.left();
  }

  private mark(index: number): void {
    const of = (index: number) => document.querySelector(this.steps[index]?.of ?? "#none");
    of(this.index)?.classList.remove("toured");
    this.index = index;
    of(index)?.classList.add("toured");
  }
}
