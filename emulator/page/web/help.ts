// The help: an overview of the page, and all keys.

import { button, element } from "./dom.js";
import { licences } from "./parts.js";
import type { Hello } from "./protocol.js";
import { keepManner, keptManner } from "./store.js";
import { STEPS } from "./transport.js";

const KEYS: [string[], string][] = [
  [["Space"], "run; while the machine runs: pause"],
  ...STEPS.map(({ name, key, about }): [string[], string] => [[key, key.toUpperCase()], `forward, back by one ${name}: ${about}`]),
  [["Home", "End"], "to the beginning, to the end of the known run"],
  [["g"], "go to a cycle"],
  [["Shift+End"], "run ahead to the end of the run"],
  [["-", "+"], "slower, faster"],
  [["Ctrl+Space", "F12"], "complete the word at the cursor, go to its definition (also Ctrl and a click)"],
  [["F9"], "a breakpoint at the line of the cursor"],
  [["Esc"], "leave the editor, close what is open"],
  [["◀", "▶", "▲", "▼", "A", "B", "Enter"], "the keys of the machine, outside of the editor and of what has arrow keys of its own"],
];

/** Shows a text: the explanation of an error or a warning, or the licences. */
export function showExplained(dialog: HTMLDialogElement, title: string, text: string): void {
  dialog.replaceChildren(closing(dialog), element("h2", {}, title), element("pre", { class: "explained", tabindex: 0 }, text));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export function showHelp(dialog: HTMLDialogElement, hello: Hello | null): void {
  const row = (keys: readonly string[], text: string) => {
    const first = element("td", {}, ...keys.flatMap((key) => [element("kbd", {}, key), " "]));
    return element("tr", {}, first, element("td", {}, text));
  };
  const letters = element("input", { type: "checkbox", id: "letters", checked: keptManner().letters ?? true });
  letters.addEventListener("change", () => keepManner({ letters: letters.checked }));
  const showLicences = () => void licences().then((text) => showExplained(dialog, "Licences", text));
  const instructions = (hello?.instructions ?? []).map(([name, about]) => element("tr", {}, element("td", {}, element("code", {}, name)), element("td", {}, about)));
  dialog.replaceChildren(
    closing(dialog),
    element("h2", {}, "The Gray-1"),
    element("p", {}, "A computer whose CPU is made of memory chips only. Here it runs in your browser, every chip looked up in its table, phase by phase. Nothing is sent anywhere; what you type stays in this browser."),
    element("p", {}, "Every LED is also a pad that programs can read: press it. With “Why?”, an LED tells which chips, cells and lines of the program have lit it. While the machine stands, a click holds a pad or a key until the next click, so that you can step with it held."),
    element("p", {}, "The numbers beside the source are the cycles that a line takes; “Counts” shows how often it was run. A click further to the left sets a breakpoint, which can have a condition: see below the source. You can go back from anywhere: the whole run is there."),
    element("h2", {}, "Keys"),
    element("label", {}, letters, " Keys that are single characters control the machine"),
    element("table", {}, ...KEYS.map(([keys, text]) => row(keys, text))),
    element("h2", {}, "The eight instructions"),
    element("table", {}, ...instructions),
    element("p", { class: "version" }, hello ? `Version ${hello.version} ` : "", button("Licences", { class: "quiet" }, showLicences)),
  );
  dialog.showModal();
}

function closing(dialog: HTMLDialogElement): HTMLElement {
  return element("form", { method: "dialog" }, button("Close", { autofocus: true }, () => dialog.close()));
}
