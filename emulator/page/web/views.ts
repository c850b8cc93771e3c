// On a narrow screen: one view at a time, and a bar to switch.

import { button } from "./dom.js";

const VIEWS = [
  { id: "panel", title: "LEDs" },
  { id: "source", title: "Source" },
  { id: "inside", title: "Inside" },
] as const;

type View = (typeof VIEWS)[number]["id"];

/** Fills the bar. */
export function viewBar(bar: HTMLElement): void {
  bar.append(...VIEWS.map(({ id, title }) => button(title, { "data-view": id, "aria-pressed": String(id === "panel") }, () => showView(id))));
}

/** Shows a view; where all are seen at once, nothing changes. */
export function showView(view: View): void {
  document.body.dataset["view"] = view;
  for (const choice of document.querySelectorAll<HTMLElement>("#bar button")) {
    choice.setAttribute("aria-pressed", String(choice.dataset["view"] === view));
  }
}
