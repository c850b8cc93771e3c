// The verdict on a board: the fault and what shows it, or what a board that has passed opens.

import { parsed } from "./lesson-text.js";
import { button, element } from "./dom.js";
import type { AnswerOf } from "./machine.js";
import type { Arrival, FailingMove, Lesson } from "./protocol.js";
import { save } from "./save.js";

interface Actions {
  open(number: number): void;
  run(program: string, board: string): void;
  /** Goes to the state that the verdict names, and makes its move. */
  play(tried: FailingMove): void;
  /** The same, line by line. */
  playSlowly(tried: FailingMove, order: readonly Arrival[]): void;
}

export function verdictView({ passed, text, tried, whole }: AnswerOf<"judged">, stars: number, level: Lesson, next: Lesson | undefined, actions: Actions): (HTMLElement | string)[] {
  const [words = "", ...report] = text.split("\n\n");
  const made: (HTMLElement | string)[] = [element("b", {}, passed ? `Passed ${"★".repeat(stars)} ` : "Not yet. "), words];
  if (report.length > 0) made.push(element("pre", { tabindex: 0 }, report.join("\n\n")));
  if (passed) made.push(...conclusion(level));
  const tools: HTMLElement[] = [];
  if (passed && next) tools.push(button(`Next level: ${next.title}`, { class: "primary" }, () => actions.open(next.number)));
  if (whole) {
    const { program, board } = whole;
    const file = () => save("gray1-mine.ron", new Blob([board], { type: "text/plain" }));
    tools.push(button(`Run ${program} on it`, {}, () => actions.run(program, board)));
    tools.push(button("Save the whole board", { title: "The Gray-1 with your chips, which the command line takes" }, file));
  }
  if (tried) {
    tools.push(button("Show me", { title: "Sets the switches so" }, () => actions.play(tried)));
    for (const [index, order] of tried.orders.entries()) {
      const name = tried.orders.length > 1 ? `Play order ${index + 1} slowly` : "Play it slowly";
      tools.push(button(name, { title: "Lets one line after the other reach its chip" }, () => actions.playSlowly(tried, order)));
    }
  }
  return tools.length > 0 ? [...made, element("div", { class: "toolbar" }, ...tools)] : made;
}

/** The level's section "When it works", which its text folds. */
function conclusion({ parts }: Lesson): HTMLElement[] {
  return parts.flatMap((part) => {
    const folded = part.part === "text" ? [...parsed(part.html).querySelectorAll("details")] : [];
    const found = folded.find((details) => details.querySelector("summary")?.textContent === "When it works");
    found?.querySelector("summary")?.remove();
    return found ? [element("div", { class: "bench-conclusion" }, ...found.childNodes)] : [];
  });
}
