// The start of the single-file page. What is in the file itself is painted first: a solution on the LEDs and the beginning of
// the program. Then the script of the page is inflated and run.

import { inflated, packed } from "./packed.js";

/** The features that the page requires, with the browsers that have them. */
const NEEDED = { DecompressionStream: "Firefox 113, Safari 16.4, Chrome 103", WebAssembly: "Firefox 52, Safari 11, Chrome 57" };

const missing = Object.entries(NEEDED).find(([name]) => !(name in globalThis));
if (missing) {
  say(`This browser is too old for this page: it has no ${missing[0]}, which is in ${missing[1]} and later.`);
} else {
  document.body.classList.toggle("elsewhere", opensAnother());
  const painted = () => setTimeout(() => void begin());
  if (document.hidden) painted();
  else requestAnimationFrame(painted);
}

async function begin(): Promise<void> {
  try {
    const made = document.createElement("script");
    made.textContent = await inflated(packed("page") ?? "");
    document.body.append(made);
    made.remove(); // it has run; a page that is saved by the browser must not contain it
  } catch {
    say("This file is damaged, perhaps because it was cut off on its way. Get it again.");
  }
}

/** Predicts whether the page opens another program than the first one, whose picture is then not shown. */
function opensAnother(): boolean {
  if (location.search || location.hash) return true;
  try {
    const kept = localStorage.getItem("gray1.program");
    return kept !== null && (JSON.parse(kept) as { name?: unknown }).name !== "queens.g1";
  } catch {
    return false;
  }
}

function say(text: string): void {
  const banner = document.getElementById("banner");
  if (!banner) return;
  banner.textContent = text;
  banner.hidden = false;
}
