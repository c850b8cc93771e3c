// The list of breakpoints: conditions, hits at which the machine stops, and hit counts.

import { button, element, field, setText } from "./dom.js";
import { fileName } from "./included.js";
import type { LinePoint, CheckedPoint } from "./margin.js";

interface Actions {
  change(points: LinePoint[]): void;
  goTo(point: LinePoint): void;
}

export class Points {
  private readonly summary = element("summary");
  private readonly list = element("ul");
  private points: readonly CheckedPoint[] = [];
  private rows: Row[] = [];

  constructor(private readonly at: HTMLElement, private readonly actions: Actions) {
    at.append(element("details", {}, this.summary, this.list));
  }

  /** Shows these breakpoints. Existing rows are reused, so that the focus can move from one field to the next. */
  show(points: readonly CheckedPoint[]): void {
    this.points = points;
    this.at.hidden = points.length === 0;
    setText(this.summary, `${points.length} ${points.length === 1 ? "breakpoint" : "breakpoints"}: conditions, hits`);
    if (this.rows.length !== points.length) {
      this.rows = points.map((_, index) => this.row(index));
      this.list.replaceChildren(...this.rows.map(({ at }) => at));
    }
    this.rows.forEach((row, index) => row.show(points[index]!));
  }

  showHits(hits: readonly number[]): void {
    this.rows.forEach((row, index) => setText(row.hits, hits[index] ? `${hits[index]}×` : ""));
  }

  private row(index: number): Row {
    const changed = (condition: string, hits: string) => {
      const { line, file } = this.points[index]!;
      this.change(index, { line, ...(file && { file }), ...(condition && { condition }), ...(hits && { hits }) });
    };
    return new Row(changed, () => this.change(index), () => this.actions.goTo(this.points[index]!));
  }

  private change(index: number, ...others: LinePoint[]): void {
    const points = this.points.map(({ error: _, ...point }): LinePoint => point);
    points.splice(index, 1, ...others);
    this.actions.change(points);
  }
}

class Row {
  readonly hits = element("span", { class: "hits" });
  readonly at: HTMLElement;
  private readonly go: HTMLButtonElement;
  private readonly condition = field("", { placeholder: "if: n == 3 && c" });
  private readonly counts = field("", { placeholder: "hits: 3, == 3, % 10" });
  private readonly removes: HTMLButtonElement;
  private readonly fault = element("p", { class: "wrong", role: "status" });

  constructor(changed: (condition: string, hits: string) => void, removed: () => void, goes: () => void) {
    this.go = button("", { class: "go", title: "Go to this line" }, goes);
    this.removes = button("×", { class: "quiet" }, removed);
    for (const one of [this.condition, this.counts]) one.addEventListener("change", () => changed(this.condition.value.trim(), this.counts.value.trim()));
    this.at = element("li", {}, this.go, this.condition, this.counts, this.hits, this.removes, this.fault);
  }

  show({ line, file, condition = "", hits = "", error }: CheckedPoint): void {
    const place = file === undefined ? `line ${line}` : `${fileName(file)}:${line}`;
    setText(this.go, place);
    this.condition.setAttribute("aria-label", `Condition of the breakpoint in ${place}`);
    this.counts.setAttribute("aria-label", `Hits of the breakpoint in ${place}`);
    this.removes.setAttribute("aria-label", `Remove the breakpoint from ${place}`);
    // A field that the user is typing in is not changed.
    if (this.condition !== document.activeElement) this.condition.value = condition;
    if (this.counts !== document.activeElement) this.counts.value = hits;
    setText(this.fault, error ?? "");
    this.fault.hidden = error === null;
  }
}
