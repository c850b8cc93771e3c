// Marks the running line, and the lines that led to it, in a source.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";

/** Sets the running lines, the innermost first. */
export const setRunning = StateEffect.define<readonly number[]>();

const innermost = Decoration.line({ class: "cm-running", attributes: { "aria-current": "step" } });
const outer = Decoration.line({ class: "cm-running-outer" });

/** The marks of the running lines. */
export const running = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let mapped = lines.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setRunning)) continue;
      const { doc } = transaction.state;
      const known = effect.value.filter((line) => line >= 1 && line <= doc.lines);
      const marks = known.map((line, index) => (index === 0 ? innermost : outer).range(doc.line(line).from));
      mapped = Decoration.set(marks, true);
    }
    return mapped;
  },
  provide: (field) => EditorView.decorations.from(field),
});
