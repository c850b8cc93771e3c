// The start of the single-file page: unpacks the script of the page, and runs it.

import { packed, unpacked } from "./packed.js";

/** What the page cannot do without, with the browsers that have it. */
const NEEDED = { DecompressionStream: "Firefox 113, Safari 16.4, Chrome 80", WebAssembly: "Firefox 52, Safari 11, Chrome 57" };

const missing = Object.entries(NEEDED).find(([name]) => !(name in globalThis));
if (missing) {
  say(`This browser is too old for this page: it has no ${missing[0]}, which is in ${missing[1]} and later.`);
} else {
  try {
    const made = document.createElement("script");
    made.textContent = new TextDecoder().decode(unpacked(packed("page") ?? ""));
    document.body.append(made);
    made.remove(); // it has run; a page that is saved by the browser must not contain it
  } catch {
    say("This file is damaged, perhaps because it was cut off on its way. Get it again.");
  }
}

function say(text: string): void {
  const banner = document.getElementById("banner");
  if (!banner) return;
  banner.textContent = text;
  banner.hidden = false;
}
