// A notice that a request takes long, with a button that stops it.

import { button, element } from "./dom.js";
import type { Busy } from "./machine.js";

const WORDS: Partial<Record<Busy, string>> = {
  check: "Still assembling",
  load: "Still assembling",
  judge: "Still trying your answer",
  why: "Still looking for causes",
  save: "Still making the file",
  go: "Still on the way",
  seek: "Still on the way",
};

/** Shows the long request, or nothing; `stop` ends it. */
export function showBusy(at: HTMLElement, busy: Busy | null, stop: () => void): void {
  at.hidden = busy === null;
  at.replaceChildren(...(busy ? [element("span", {}, `${WORDS[busy] ?? "Still working"} …`), button("Stop", { class: "primary" }, stop)] : []));
}
