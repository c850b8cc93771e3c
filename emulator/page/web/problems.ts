// The errors and warnings under the source, each with its place and its remedy, worded as on the command line.

import { element } from "./dom.js";
import type { Checked, Diagnostic } from "./protocol.js";

/** Maximum number shown; further ones are only counted. */
const MAX = 40;

export class Problems {
  /** `goTo` puts the cursor at an offset; `explain` shows the explanation of a code. */
  constructor(
    private readonly at: HTMLElement,
    private readonly goTo: (offset: number) => void,
    private readonly explain: (code: string) => void,
  ) {}

  show({ diagnostics }: Checked): void {
    this.at.hidden = diagnostics.length === 0;
    const shown = diagnostics.slice(0, MAX).map((diagnostic) => this.problem(diagnostic));
    const rest = diagnostics.length - shown.length;
    this.at.replaceChildren(...shown, ...(rest > 0 ? [element("p", { class: "empty" }, `and ${rest} more`)] : []));
  }

  private problem({ is_error, code, message, label, help, place }: Diagnostic): HTMLElement {
    const where = place ? (place.is_root ? `line ${place.line}` : `${place.file}:${place.line}`) : "";
    const made = element(
      "div",
      { class: is_error ? "problem" : "problem warning" },
      element(
        place?.is_root ? "button" : "span",
        { class: "problem-text", ...(place?.is_root && { type: "button", title: "Go there" }) },
        element("span", { class: "place" }, `${is_error ? "error" : "warning"} ${where}  `),
        message,
        ...(label ? [element("span", { class: "label" }, ` — ${label}`)] : []),
      ),
      ...help.map((line) => element("span", { class: "remedy" }, `help: ${line}`)),
    );
    if (place?.is_root) made.firstElementChild!.addEventListener("click", () => this.goTo(place.from));
    const more = element("button", { type: "button", class: "code", "aria-label": `Explain ${code}` }, code);
    more.addEventListener("click", () => this.explain(code));
    made.append(more);
    return made;
  }
}
