// The profile of a run: execution counts beside the lines, and the durations of calls of routines and macros.

import { button, element, grouped, setText } from "./dom.js";
import type { Editor } from "./editor.js";
import type { Included } from "./included.js";
import type { Machine } from "./machine.js";
import type { CallCount } from "./protocol.js";
import type { Session } from "./session.js";

/** Number of cycles repeated at once to count how often lines were run. */
const COUNTED = 50_000;

interface Parts {
  machine: Machine;
  session: Session;
  editor: Editor;
  included: Included;
  /** The element that says how far the lines are counted, and the one with the calls. */
  behind: HTMLElement;
  calls: HTMLElement;
  seek(cycle: number): void;
}

export class Counts {
  private readonly list = element("div", { class: "calls" });
  private readonly details = element("details", {}, element("summary", {}, "Routines and macros: how long each call took"), this.list);

  constructor(private readonly parts: Parts) {
    parts.calls.append(this.details);
    this.details.addEventListener("toggle", () => {
      if (this.details.open) void this.showCalls();
      else this.list.replaceChildren();
    });
  }

  show(isOn: boolean): void {
    const { machine, session, editor, included, behind, calls } = this.parts;
    behind.hidden = true;
    calls.hidden = !isOn;
    if (!isOn) {
      editor.showCounts(null);
      included.showCounts(null);
      this.details.open = false;
    }
    machine.keepAsking("counts", isOn ? { ask: "counts", cycles: COUNTED } : null, (answer) => {
      const moment = session.moment();
      if (answer.answer !== "counts" || !moment) return;
      const cycles = answer.cycle - moment.start;
      const most = Math.max(...answer.files.flatMap(({ lines }) => lines.map((line) => line.cycles)));
      const counted = answer.files.map(({ file, lines }) => [file, { lines, cycles, most }] as const);
      const isShown = !session.isStale();
      editor.showCounts((isShown && counted[0]?.[1]) || null);
      included.showCounts(isShown ? new Map(counted) : null);
      behind.hidden = answer.cycle === moment.cycle || machine.isRunning();
      setText(behind, `counted to cycle ${grouped(answer.cycle)}`);
    });
  }

  private async showCalls(): Promise<void> {
    const { machine, session } = this.parts;
    await session.careful(async () => {
      const { cycle, routines } = await machine.ask({ ask: "calls" }, "calls");
      const again = button("Count again", { title: "Up to where the machine is now" }, () => void this.showCalls());
      const heading = routines.length > 0 ? `Up to cycle ${grouped(cycle)}:` : `No routine and no macro was called up to cycle ${grouped(cycle)}.`;
      this.list.replaceChildren(element("p", {}, `${heading} `, again));
      if (routines.length === 0) return;
      const head = ["", "calls", "least", "mean", "most", "in time"].map((name) => element("th", { scope: "col" }, name));
      this.list.append(element("table", {}, element("tr", {}, ...head), ...routines.map((routine) => this.row(routine))));
    });
  }

  private row({ name, line, calls, least, mean, most, first, longest }: CallCount): HTMLElement {
    const { editor, seek } = this.parts;
    const at = line === null ? name : button(name, { class: "quiet", title: `Line ${line}` }, () => editor.goToLine(line));
    const to = (label: string, cycle: number | null) =>
      cycle === null ? undefined : button(label, { class: "quiet", "aria-label": `${label} call of ${name}`, title: `Cycle ${grouped(cycle)}` }, () => seek(cycle));
    const cells = [grouped(calls), grouped(least), mean.toFixed(1), grouped(most)].map((text) => element("td", {}, text));
    return element("tr", {}, element("th", { scope: "row" }, at), ...cells, element("td", {}, to("First", first), to("Longest", longest)));
  }
}
