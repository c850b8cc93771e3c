// The levels of the bench: the map with the progress, and the text of a level.

import { button, element } from "./dom.js";
import { parsed } from "./lesson-text.js";
import type { Exercise, Lesson, Verdict } from "./protocol.js";
import { keptAttempts } from "./store.js";

export function exerciseOf(level: Lesson): Exercise | undefined {
  return level.parts.find((part): part is Extract<typeof part, { part: "exercise" }> => part.part === "exercise");
}

/** One star for a board that passes; two if it has as few chips as the best known; three if also as few address bits. */
export function starsOf({ board }: Exercise, { chips, address_bits: bits }: Verdict): number {
  const best = board?.best;
  if (!best || chips === null || bits === null || chips > best[0]) return 1;
  return chips < best[0] || bits <= best[1] ? 3 : 2;
}

/** The progress at a level, as the map shows it. */
function reached(id: string): { stars: number; words: string } {
  const { right, stars = 1 } = keptAttempts()[id] ?? {};
  return right !== undefined ? { stars, words: `passed, ${stars} of 3 stars` } : { stars: 0, words: "not passed yet" };
}

/** The map of the levels; `open` is the one that is open. */
export function levelMap(levels: readonly Lesson[], open: number, choose: (number: number) => void): HTMLElement {
  const items = levels.map((level) => {
    const { stars, words } = reached(exerciseOf(level)?.id ?? "");
    const tile = button("", { class: stars > 0 ? "passed" : "", "aria-current": level.number === open ? "true" : undefined, "aria-label": `Level ${level.number}, ${level.title}: ${words}`, title: `${level.title}: ${words}`, "data-focus": `level-${level.number}` }, () => choose(level.number));
    tile.append(element("b", {}, String(level.number)), " ", element("span", {}, level.title), element("small", { "aria-hidden": "true" }, stars > 0 ? "★".repeat(stars) + "☆".repeat(3 - stars) : ""));
    return element("li", {}, tile);
  });
  const passed = levels.filter((level) => reached(exerciseOf(level)?.id ?? "").stars > 0).length;
  const rule = "★ it passes, ★★ with as few chips as are known to do it, ★★★ and as few address bits.";
  return element("nav", { class: "bench-map", "aria-label": "Levels" }, element("ol", {}, ...items), element("p", { class: "hint" }, `${passed} of ${levels.length} passed. ${rule}`));
}

/** The task of a level, to stand beside the board: the section of its text that ends with the exercise. */
export function levelTask(level: Lesson): HTMLElement {
  const task = element("section", { class: "bench-task", tabindex: 0, "aria-label": "The task" });
  task.append(split(level)[1]);
  return task;
}

/** The text before the exercise: what comes before its last section, and that section without its heading. */
function split({ parts }: Lesson): [DocumentFragment, DocumentFragment] {
  const before = parts.slice(0, parts.findIndex(({ part }) => part === "exercise")).reverse();
  const text = before.find((part): part is Extract<typeof part, { part: "text" }> => part.part === "text");
  const [story, task] = [parsed(text?.html ?? ""), document.createDocumentFragment()];
  const heading = [...story.querySelectorAll("h4.part")].pop();
  while (heading?.nextSibling) task.append(heading.nextSibling);
  heading?.remove();
  return [story, task];
}

/** The text of a level without its task. The formal statement is folded: the task says the same in words. */
export function levelText(level: Lesson): HTMLElement {
  const first = level.parts.find(({ part }) => part === "text");
  const parts = level.parts.map((part) => {
    switch (part.part) {
      case "text": {
        const text = element("div", { class: "lesson-text" });
        text.append(part === first ? split(level)[0] : parsed(part.html));
        return text;
      }
      case "exercise":
        return element("details", {}, element("summary", {}, "What is checked, line by line"), element("pre", { tabindex: 0 }, part.statement.trimEnd()));
      case "fault":
        return element("p", { class: "wrong" }, part.text);
      case "program":
        return undefined;
    }
  });
  return element("article", { class: "bench-text" }, element("h3", {}, `${level.number}. ${level.title}`), ...parts);
}
