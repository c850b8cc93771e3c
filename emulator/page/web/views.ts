// On a narrow screen, shows one view at a time, with a bar to switch between them.

import { button } from "./dom.js";

const VIEWS = [
  { id: "panel", title: "LEDs" },
  { id: "source", title: "Source" },
  { id: "inside", title: "Inside" },
] as const;

type View = (typeof VIEWS)[number]["id"];

export function viewBar(bar: HTMLElement): void {
  bar.append(...VIEWS.map(({ id, title }) => button(title, { "data-view": id, "aria-pressed": String(id === "panel") }, () => showView(id))));
}

/** Shows a view. Has no effect on a wide screen, which shows all of them. */
export function showView(view: View): void {
  document.body.dataset["view"] = view;
  for (const choice of document.querySelectorAll<HTMLElement>("#bar button")) {
    choice.setAttribute("aria-pressed", String(choice.dataset["view"] === view));
  }
}

/** Shows the view of this name, `leds` or `source`; returns whether there is one. */
export function showNamed(name: string): boolean {
  const view = VIEWS.find(({ title }) => title.toLowerCase() === name);
  if (view) showView(view.id);
  return view !== undefined;
}
