// The margin of the editor: breakpoints to click, and what each line costs.

import { RangeSet, StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { EditorView, GutterMarker, gutter } from "@codemirror/view";

import { element } from "./dom.js";

/** What a line costs: words, and cycles as the assembler puts it. */
export interface MarginLine {
  words: number;
  cycles: string;
}

/** New breakpoints in the place of all others. */
export const setPoints = StateEffect.define<{ line: number; error: string | null }[]>();
/** New costs, by lines. */
export const setCosts = StateEffect.define<ReadonlyMap<number, MarginLine>>();

class Point extends GutterMarker {
  constructor(private readonly error: string | null) {
    super();
  }
  override eq(other: Point): boolean {
    return other.error === this.error;
  }
  override toDOM(): HTMLElement {
    return element("div", { class: this.error ? "point none" : "point", title: this.error ?? "Breakpoint" });
  }
}

class Cost extends GutterMarker {
  constructor(private readonly cost: MarginLine) {
    super();
  }
  override eq(other: Cost): boolean {
    return other.cost.words === this.cost.words && other.cost.cycles === this.cost.cycles;
  }
  override toDOM(): HTMLElement {
    const { words, cycles } = this.cost;
    const of = (count: string | number, what: string) => `${count} ${what}${String(count) === "1" ? "" : "s"}`;
    const title = cycles === "" ? of(words, "word") : `${of(words, "word")}; ${cycles === "endless" ? cycles : of(cycles, "cycle")}`;
    return element("span", { title }, cycles === "endless" ? "∞" : cycles === "" ? `${words}w` : cycles);
  }
}

const points = StateField.define<RangeSet<Point>>({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let mapped = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setPoints)) continue;
      const { doc } = transaction.state;
      const known = effect.value.filter(({ line }) => line >= 1 && line <= doc.lines);
      mapped = RangeSet.of(known.map(({ line, error }) => new Point(error).range(doc.line(line).from)), true);
    }
    return mapped;
  },
});

const costs = StateField.define<RangeSet<Cost>>({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let mapped = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setCosts)) continue;
      const { doc } = transaction.state;
      const known = [...effect.value].filter(([line]) => line >= 1 && line <= doc.lines);
      mapped = RangeSet.of(known.map(([line, cost]) => new Cost(cost).range(doc.line(line).from)), true);
    }
    return mapped;
  },
});

/** The margin of the breakpoints; `pointed` is called when one was set or removed there. */
export function pointMargin(pointed: () => void): Extension {
  return [
    points,
    gutter({
      class: "cm-points",
      markers: (view) => view.state.field(points),
      domEventHandlers: {
        mousedown(view, line) {
          togglePoint(view, line.from);
          pointed();
          return true;
        },
      },
    }),
  ];
}

/** The margin of the costs. */
export function costMargin(): Extension {
  return [costs, gutter({ class: "cm-costs", markers: (view) => view.state.field(costs) })];
}

/** The lines with breakpoints, in order. */
export function pointLines(state: EditorState): number[] {
  const lines = new Set<number>();
  state.field(points).between(0, state.doc.length, (from) => void lines.add(state.doc.lineAt(from).number));
  return [...lines];
}

/** Sets or removes the breakpoint of the line at this offset. */
export function togglePoint(view: EditorView, offset: number): void {
  const line = view.state.doc.lineAt(offset).number;
  const now = pointLines(view.state);
  const then = now.includes(line) ? now.filter((other) => other !== line) : [...now, line].sort((a, b) => a - b);
  const said = EditorView.announce.of(`Breakpoint ${now.includes(line) ? "removed from" : "set at"} line ${line}`);
  view.dispatch({ effects: [setPoints.of(then.map((line) => ({ line, error: null }))), said] });
}
