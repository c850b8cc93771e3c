// The margin of the editor: breakpoints to click, what each line costs, and how often it was run.

import { StateEffect, type EditorState, type Extension } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, type ViewUpdate } from "@codemirror/view";

import { element, grouped } from "./dom.js";
import { markers } from "./markers.js";
import type { LineCost, LineCount, Proved } from "./protocol.js";

/** A breakpoint of a line: it is hit only if the condition is not 0, and stops only at the hits given by `hits`. */
export interface LinePoint {
  line: number;
  /** The included file of the line, if it is not one of the program itself. */
  file?: string;
  condition?: string;
  hits?: string;
}

/** A breakpoint, with the reason if the machine has refused it. */
export interface CheckedPoint extends LinePoint {
  error: string | null;
}

export const setPoints = StateEffect.define<readonly CheckedPoint[]>();
export const setCosts = StateEffect.define<readonly LineCost[]>();
export const setProved = StateEffect.define<readonly Proved[]>();
/** How often the lines of a file were run. */
export interface CountedLines {
  lines: readonly LineCount[];
  cycles: number;
  /** The cycles of the line of any file that has most of them. */
  most: number;
}

/** Sets how often the lines were run; `null` if lines are not counted. */
export const setCounts = StateEffect.define<CountedLines | null>();

/** A mark in a margin. Two marks with the same label look the same. */
class Mark extends GutterMarker {
  constructor(private readonly label: string, private readonly make: () => HTMLElement) {
    super();
  }
  override eq(other: Mark): boolean {
    return other.label === this.label;
  }
  override toDOM(): HTMLElement {
    return this.make();
  }
}

class Point extends Mark {
  constructor(readonly checked: CheckedPoint) {
    const { condition, hits, error } = checked;
    const kinds = ["point", error !== null && "none", (condition || hits) && "conditional"].filter(Boolean).join(" ");
    super(`${kinds} ${words(checked)}`, () => element("div", { class: kinds, title: words(checked) }));
  }
}

function words({ condition, hits, error }: CheckedPoint): string {
  const parts = [condition && `if ${condition}`, hits && `hits ${hits}`].filter(Boolean);
  return error ?? (parts.length > 0 ? `Breakpoint: ${parts.join(", ")}` : "Breakpoint");
}

class Text extends Mark {
  /** `heat` is 0 to 1, and `cycle` the one to which a click goes. */
  constructor(text: string, title: string, readonly cycle: number | null = null, heat = 0) {
    const style = heat > 0 ? `--heat:${Math.ceil(100 * heat)}%` : undefined;
    super(JSON.stringify([text, title, cycle, heat]), () => element("span", { title, style }, text));
  }
}

function cost({ line, words, cycles }: LineCost): [number, Text] {
  const of = (count: string | number, what: string) => `${count} ${what}${String(count) === "1" ? "" : "s"}`;
  const title = cycles === "" ? of(words, "word") : `${of(words, "word")}; ${cycles === "endless" ? cycles : of(cycles, "cycle")}`;
  return [line, new Text(cycles === "endless" ? "∞" : cycles === "" ? `${words}w` : cycles, title)];
}

function count({ line, times, cycles, first }: LineCount, all: number, most: number): [number, Text] {
  if (cycles === 0) return [line, new Text("–", "never run")];
  const share = all > 0 ? `, ${((100 * cycles) / all).toFixed(1)} % of the run` : "";
  return [line, new Text(short(times), `begun ${grouped(times)} ${times === 1 ? "time" : "times"}; ${grouped(cycles)} ${cycles === 1 ? "cycle" : "cycles"}${share}; a click goes to its first run`, first, Math.sqrt(cycles / most))];
}

/** A number in few characters: 950, 1.2k, 34k, 5.6M. */
function short(number: number): string {
  let [rest, unit] = [number, ""];
  for (const next of ["k", "M", "G", "T"]) if (rest >= 1000) [rest, unit] = [rest / 1000, next];
  return unit && rest < 9.95 ? `${rest.toFixed(1)}${unit}` : `${Math.floor(rest)}${unit}`;
}

const points = markers(setPoints, (all) => all.map((point): [number, Point] => [point.line, new Point(point)]));
const costs = markers(setCosts, (lines) => lines.map(cost));
const counts = markers(setCounts, (counted) => (counted ? counted.lines.map((line) => count(line, counted.cycles, counted.most)) : []));
const idle = Decoration.line({ class: "cm-never" });
const never = markers(setCounts, (counted) => (counted?.lines ?? []).filter(({ cycles }) => cycles === 0).map(({ line }): [number, Decoration] => [line, idle]));

/** The margin with the breakpoints; `pointed` is called when one was set or removed there. */
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

/** The verdict on a contract, above its first line. */
class Verdict extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }
  override eq(other: Verdict): boolean {
    return other.text === this.text;
  }
  override toDOM(): HTMLElement {
    const kind = this.text.startsWith("proved") ? "held" : this.text.startsWith("refuted") ? "broken" : "open";
    return element("div", { class: `cm-verdict ${kind}` }, this.text);
  }
}

const verdicts = markers(setProved, (proved) =>
  proved.map(({ line, text }): [number, Decoration] => [line, Decoration.widget({ widget: new Verdict(text), block: true, side: -1 })]),
);

/** The verdicts on contracts, above their lines. */
export function verdictLines(): Extension {
  return [verdicts, EditorView.decorations.from(verdicts)];
}

export function costMargin(): Extension {
  return [costs, gutter({ class: "cm-costs", markers: (view) => view.state.field(costs) })];
}

/** The margin with the counts, which is empty unless lines are counted. A click on a count calls `seek`. */
export function countMargin(seek: (cycle: number) => void): Extension {
  return [
    counts,
    never,
    EditorView.decorations.from(never),
    gutter({
      class: "cm-counts",
      markers: (view) => view.state.field(counts),
      domEventHandlers: {
        mousedown(view, line) {
          view.state.field(counts).between(line.from, line.from, (_from, _to, { cycle }) => {
            if (cycle !== null) seek(cycle);
          });
          return true;
        },
      },
    }),
  ];
}

/** The breakpoints, in the order of their lines; each line has at most one. */
export function pointsOf(state: EditorState): CheckedPoint[] {
  const found = new Map<number, CheckedPoint>();
  state.field(points).between(0, state.doc.length, (from, _, { checked }) => {
    const { number: line } = state.doc.lineAt(from);
    if (!found.has(line)) found.set(line, { ...checked, line });
  });
  return [...found.values()];
}

/** Detects breakpoints that were added, removed or moved. */
export function hasOtherPoints({ startState, state }: ViewUpdate): boolean {
  return startState.field(points) !== state.field(points);
}

/** Sets or removes the breakpoint of the line at this offset. */
export function togglePoint(view: EditorView, offset: number): void {
  const line = view.state.doc.lineAt(offset).number;
  const now = pointsOf(view.state);
  const isThere = now.some((point) => point.line === line);
  const then = isThere ? now.filter((point) => point.line !== line) : [...now, { line, error: null }].sort((a, b) => a.line - b.line);
  const said = EditorView.announce.of(`Breakpoint ${isThere ? "removed from" : "set at"} line ${line}`);
  view.dispatch({ effects: [setPoints.of(then), said] });
}
