// The listing for printing. Without a lesson, the whole source is printed (the editor only contains the visible lines), and
// then the open pane.

import { element } from "./dom.js";
import { highlighted } from "./highlight.js";
import type { Open } from "./session.js";

/** Makes the listing whenever something is printed. */
export function listPrograms(program: () => Open): void {
  const paper = element("section", { class: "paper", "aria-hidden": "true" });
  document.body.append(paper);
  window.addEventListener("beforeprint", () => {
    const { name, text } = program();
    const width = String(text.trimEnd().split("\n").length).length;
    const lines = text.trimEnd().split("\n").map((line, index) => element("div", {}, `${String(index + 1).padStart(width)}  `, highlighted(line)));
    paper.replaceChildren(element("h3", {}, name), element("pre", {}, ...lines));
  });
  window.addEventListener("afterprint", () => paper.replaceChildren());
}
