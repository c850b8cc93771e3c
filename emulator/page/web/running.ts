// Marks the running line, and the lines that led to it, in a source.

import { StateEffect } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

import { markers } from "./markers.js";

/** Sets the running lines, the innermost first. */
export const setRunning = StateEffect.define<readonly number[]>();

const innermost = Decoration.line({ class: "cm-running", attributes: { "aria-current": "step" } });
const outer = Decoration.line({ class: "cm-running-outer" });

const field = markers(setRunning, (lines) => lines.map((line, index): [number, Decoration] => [line, index === 0 ? innermost : outer]));

export const running = [field, EditorView.decorations.from(field)];
