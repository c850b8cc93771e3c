// The time line: the whole run as far as it is known. It can be clicked and dragged, and has keys.

import { button, drawn, element, grouped, setText } from "./dom.js";
import type { Moment } from "./protocol.js";

/** Maximum number of marks: more would look like a solid bar. */
const MAX_MARKS = 256;

export class Timeline {
  private readonly where: HTMLButtonElement;
  private readonly end: HTMLButtonElement;
  private readonly past = drawn("rect", { class: "past", y: 10, height: 6, rx: 3, x: 0 });
  private readonly marks = drawn("g");
  private readonly knob = drawn("circle", { class: "knob", cy: 13, r: 8 });
  private readonly track = element("div", {
    class: "track",
    role: "slider",
    tabindex: 0,
    "aria-label": "Time line of the run, in cycles",
  });
  private moment: Moment | null = null;
  /** The cycle in which the run halts, once that is known. */
  private haltsAt = Infinity;
  private isDragging = false;
  private drawnMarks = "";

  /** `seek` goes to a cycle, `ahead` to the end of the run; `ask` asks for a cycle. */
  constructor(at: HTMLElement, private readonly seek: (cycle: number) => void, ahead: () => void, ask: () => void) {
    this.where = button("", { class: "where quiet", title: "Go to a cycle (g)" }, ask);
    const title = "The latest cycle that is known; press, to run ahead to the end of the run (Shift+End)";
    this.end = button("", { class: "end quiet", title }, ahead);
    const svg = drawn("svg", { "aria-hidden": true });
    svg.append(
      drawn("rect", { class: "rail", y: 10, width: "100%", height: 6, rx: 3 }),
      this.past,
      this.marks,
      this.knob,
    );
    this.track.append(svg);
    at.append(this.where, this.track, this.end);
    this.track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.track.setPointerCapture(event.pointerId);
      this.isDragging = true;
      this.point(event);
    });
    this.track.addEventListener("pointermove", (event) => this.isDragging && this.point(event));
    for (const end of ["pointerup", "pointercancel"]) this.track.addEventListener(end, () => (this.isDragging = false));
    this.track.addEventListener("keydown", (event) => this.key(event));
  }

  show(moment: Moment): void {
    this.moment = moment;
    const { cycle, phase, start, end } = moment;
    setText(this.where, `cycle ${grouped(cycle)}, phase ${phase}`);
    if (moment.halted) this.haltsAt = end;
    else if (end < this.haltsAt) this.haltsAt = Infinity; // another run
    const isKnown = end === this.haltsAt;
    setText(this.end, isKnown ? `halts at ${grouped(end)}` : `of ${grouped(end)} ⇥`);
    this.end.disabled = isKnown;
    const place = this.place(cycle + phase / 4);
    this.past.setAttribute("width", `${place}%`);
    this.knob.setAttribute("cx", `${place}%`);
    this.track.setAttribute("aria-valuemin", String(start));
    this.track.setAttribute("aria-valuemax", String(end));
    this.track.setAttribute("aria-valuenow", String(cycle));
    this.track.setAttribute("aria-valuetext", `cycle ${grouped(cycle)} of ${grouped(end)}, phase ${phase}`);
    this.showMarks(moment.lines);
  }

  /** A mark for each line of output. */
  private showMarks(lines: readonly number[]): void {
    const every = Math.ceil(lines.length / MAX_MARKS);
    const places = lines.filter((_, index) => index % every === 0).map((cycle) => this.place(cycle).toFixed(1));
    const wanted = places.join(" ");
    if (wanted === this.drawnMarks) return;
    this.drawnMarks = wanted;
    this.marks.replaceChildren(...places.map((x) => drawn("rect", { class: "mark", x: `${x}%`, y: 19, width: 1.5, height: 6 })));
  }

  private place(cycle: number): number {
    const { start, end } = this.moment!;
    return end > start ? Math.min(100, (100 * (cycle - start)) / (end - start)) : 0;
  }

  private point(event: PointerEvent): void {
    if (!this.moment) return;
    const { left, width } = this.track.getBoundingClientRect();
    const part = Math.max(0, Math.min(1, (event.clientX - left) / width));
    const { start, end } = this.moment;
    this.seek(Math.round(start + part * (end - start)));
  }

  private key(event: KeyboardEvent): void {
    if (!this.moment || event.ctrlKey || event.metaKey || event.altKey) return;
    const { cycle, start, end } = this.moment;
    const part = (share: number) => Math.max(1, Math.round((end - start) * share));
    const small = event.shiftKey ? part(0.1) : 1;
    const to: Record<string, number> = {
      ArrowLeft: cycle - small,
      ArrowDown: cycle - small,
      ArrowRight: cycle + small,
      ArrowUp: cycle + small,
      PageDown: cycle - part(0.1),
      PageUp: cycle + part(0.1),
      Home: start,
      End: end,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(Math.max(start, Math.min(wanted, end)));
  }
}
