// The answer to "Why?": the chain of cells and instructions that caused a level or a value. Each step links to its moment.

import { button, element, field, form, grouped, hex } from "./dom.js";
import type { Machine } from "./machine.js";
import { fileName } from "./included.js";
import type { Frame, Lookup, Why as Causes } from "./protocol.js";
import { Pane } from "./tabs.js";

/** Number of steps that are followed back by default. */
const USUAL = 16;

interface Actions {
  seek(cycle: number, phase: number): void;
  openChip(name: string, at: number): void;
  /** Shows a line of the program, and the line in another file that it has led to. */
  goToLine(line: number | null, innermost: Frame | null): void;
}

export class Why extends Pane {
  private readonly input = field("What to explain", { id: "why-what", placeholder: "red 3,5   queens[2]   A3" });
  private readonly answer = element("div", { class: "why-answer", "aria-live": "polite" });
  private what = "";

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    super("why", "Why?");
    const submit = element("button", { type: "submit", class: "primary" }, "Why?");
    this.forget();
    this.at.append(form(submit, () => void this.explain(this.input.value.trim()), this.input), this.answer);
  }

  /** Removes the answer, which is about another program or board. */
  forget(): void {
    this.answer.replaceChildren(
      element("p", { class: "empty" }, "Why is this LED lit? Press “Why?” below the LEDs, then choose one. Or type a net, a byte of RAM or an LED above: the answer is the chain of chips, addresses and cells that made it so, back to the line of the program."),
    );
  }

  /** Asks for the causes of `what` at the present moment. */
  async explain(what: string, depth: number | null = USUAL): Promise<void> {
    if (!what) return;
    this.what = what;
    this.input.value = what;
    try {
      this.show(await this.machine.ask({ ask: "why", what, depth }, "why"), depth);
    } catch (error) {
      this.answer.replaceChildren(element("p", { class: "wrong" }, (error as Error).message));
    }
  }

  private show(causes: Causes, depth: number | null): void {
    const parts: HTMLElement[] = [element("h3", {}, causes.headline)];
    let list: HTMLElement | null = null;
    let last = "";
    for (const lookup of causes.lookups) {
      const cycle = `${lookup.cycle} ${lookup.instruction}`;
      if (cycle !== last || !list) {
        parts.push(this.cycle(lookup));
        list = element("ol", { class: "lookups" });
        parts.push(list);
        last = cycle;
      }
      list.append(this.lookup(lookup));
    }
    if (causes.further > 0) {
      const more = `${grouped(causes.further)} ${causes.further === 1 ? "cause lies" : "causes lie"} further back.`;
      const twice = button("Follow further", {}, () => void this.explain(this.what, (depth ?? USUAL) * 2));
      parts.push(element("p", { class: "further" }, more, " ", twice));
    }
    const text = element("details", {}, element("summary", {}, "As gray1 why tells it"), element("pre", { tabindex: 0 }, causes.text));
    this.answer.replaceChildren(...parts, text);
    this.at.scrollTop = 0;
  }

  private cycle({ cycle, instruction, line, innermost }: Lookup): HTMLElement {
    const text = instruction.replace(/^cycle \d+: /, "");
    const head = element("h4", {}, button(`cycle ${grouped(cycle)}`, { class: "go", title: "Go to this moment" }, () => this.actions.seek(cycle, 0)), ` ${text} `);
    const isIncluded = innermost !== null && !innermost.is_root;
    const label = isIncluded ? `${fileName(innermost.file)}:${innermost.line}` : `line ${innermost?.line ?? line}`;
    const own = isIncluded ? line : (innermost?.line ?? line);
    if (own !== null || isIncluded) {
      head.append(button(label, { class: "go", title: "Show this line" }, () => this.actions.goToLine(own, isIncluded ? innermost : null)));
    }
    return head;
  }

  private lookup({ phase, cycle, chip, address, levels, text, depth }: Lookup): HTMLElement {
    const item = element("li", {}, element("span", { class: "depth", title: `${depth} steps from the question` }, String(depth)));
    const body = element("div", {});
    const levelsButton = button(levels, { class: "go levels", title: `Go to phase ${phase} of cycle ${cycle}` }, () => this.actions.seek(cycle, phase));
    body.append(levelsButton);
    if (chip !== null) {
      const label = address === null ? chip : `${chip} at $${hex(address, 4)}`;
      body.append(" ", button(label, { class: "go", title: "Open the chip at this cell" }, () => this.actions.openChip(chip, address ?? 0)));
    }
    // The beginning of the line is already on the buttons.
    const said = new RegExp(`^${escaped(levels)}: (${escaped(chip ?? "")} at \\$[0-9A-F]+ )?`);
    body.append(...text.map((line) => element("p", {}, line.replace(said, ""))));
    item.append(body);
    return item;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
