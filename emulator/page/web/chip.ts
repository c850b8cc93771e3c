// The view of one chip: its pins and their levels, its table around the cell in use, and its contents explained. After a
// change of a cell, the machine repeats the run on the changed board up to the present cycle.

import { button, element, field, form, hex } from "./dom.js";
import { Drawing } from "./held.js";
import type { Machine } from "./machine.js";
import type { Cell, Chip as ChipState, Field, Pin } from "./protocol.js";
import { Pane } from "./tabs.js";

interface Actions {
  /** Changes a cell, in the format of `--cell`. */
  burn(change: string): Promise<void>;
  mend(): Promise<void>;
  why(net: string): void;
}

export class Chip extends Pane {
  private name = "";
  /** The address shown; `null` is the one in use. */
  private address: number | null = null;
  private state: ChipState | null = null;
  private readonly choice = element("select", { "aria-label": "Chip" });
  private readonly body = element("div", { class: "chip-body" });
  private readonly drawing = new Drawing(this.body);
  private readonly follow = button("Follow", { "aria-pressed": "true", title: "Show the cell that is in use" }, () => this.open(this.name, null));

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    super("chip", "Chip");
    this.choice.addEventListener("change", () => this.open(this.choice.value, null));
    this.at.append(element("div", { class: "toolbar" }, this.choice, this.follow), this.body);
  }

  showBoard(names: readonly { name: string; part: string; burned: string }[]): void {
    this.choice.replaceChildren(...names.map(({ name, part, burned }) => element("option", { value: name }, `${name} — ${burned}, ${part}`)));
    if (!names.some(({ name }) => name === this.name)) this.name = names[0]?.name ?? "";
    this.choice.value = this.name;
    this.ask();
  }

  /** Shows a chip at an address, or at the one in use. */
  open(name: string, address: number | null): void {
    this.name = name;
    this.address = address;
    this.choice.value = name;
    this.follow.setAttribute("aria-pressed", String(address === null));
    this.ask();
  }

  protected override ask(): void {
    const request = this.isShown && this.name ? ({ ask: "chip", name: this.name, at: this.address } as const) : null;
    this.machine.keepAsking("chip", request, (answer) => {
      if (answer.answer === "chip") this.drawing.draw(() => this.draw(answer));
      if (answer.answer === "error") this.body.replaceChildren(element("p", { class: "wrong" }, answer.text));
    });
  }

  private draw(state: ChipState): void {
    if (state.name !== this.name) return;
    // While the user types a value, the elements around it must not be replaced.
    if (this.body.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    const isSame = this.state?.name === state.name;
    this.state = state;
    const focus = this.focused();
    this.body.replaceChildren(
      element("h3", {}, `${state.name}: ${state.burned}`),
      element("p", { class: "chip-part" }, `${state.part}, ${state.part_about}`),
      this.package(state),
      this.cell(state),
      this.table(state),
      ...this.neighbours(state),
      element("h4", {}, "What is burned there"),
      ...paragraphs(state.about),
    );
    if (isSame && focus) this.body.querySelector<HTMLElement>(`[data-focus="${focus}"]`)?.focus();
    else if (!isSame) this.at.scrollTop = 0;
  }

  private focused(): string | undefined {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement && this.body.contains(activeElement) ? activeElement.dataset["focus"] : undefined;
  }

  /** The chip with its inputs on the left and its outputs on the right. */
  private package(state: ChipState): HTMLElement {
    const side = (pins: readonly Pin[], kind: string) => element("ul", { class: `pins ${kind}`, "aria-label": kind }, ...pins.map((pin) => this.pin(pin)));
    return element("div", { class: "package" }, side(state.reads, "reads"), element("div", { class: "body", "aria-hidden": true }, state.name), side(state.gives, "gives"));
  }

  private pin({ pin, net, level, before, matters, others }: Pin): HTMLElement {
    const kinds = ["pin", level && "high", level !== before && "moved", !matters && "idle"].filter(Boolean).join(" ");
    const about = [`${net} is ${level ? 1 : 0}`, level !== before ? "it has moved in this phase" : "", matters ? "" : "it does not matter now", others.length ? `also at ${others.join(", ")}` : ""];
    const made = button("", { class: kinds, title: `Why? ${about.filter(Boolean).join("; ")}`, "data-focus": `pin-${pin}` }, () => this.actions.why(net));
    made.append(element("span", { class: "pin-name" }, pin), element("span", { class: "pin-net" }, net), element("b", {}, level ? "1" : "0"));
    return element("li", {}, made);
  }

  private cell(state: ChipState): HTMLElement {
    const { at, now, address_fields, data_fields, table, can_burn, name } = state;
    const data = table.find(({ address }) => address === at)?.data ?? 0;
    const digits = hexDigits(state.last);
    const title = at === now ? "The cell in use" : "The cell that is shown";
    const made = element("section", { class: "cell" }, element("h4", {}, `${title}: $${hex(at, digits)} gives $${hex(data, 2)}`), fields("address", address_fields), fields("gives", data_fields));
    if (!can_burn) return made;
    const input = field(`New value of cell ${hex(at, digits)} of ${name}`, { size: 8, placeholder: `$${hex(data, 2)}`, "data-focus": "value" });
    const burn = () => {
      if (input.value.trim()) void this.actions.burn(`${name}:0x${hex(at, digits)}=${number(input.value.trim())}`);
      input.blur();
    };
    const row = form(element("button", { type: "submit", "data-focus": "burn" }, "Burn"), burn, input);
    row.append(button("Undo all", { title: "The board as it was", "data-focus": "undo" }, () => void this.actions.mend()));
    made.append(row);
    return made;
  }

  private table({ table, at, now, last, name }: ChipState): HTMLElement {
    const digits = hexDigits(last);
    const cell = ({ address, data }: Cell) => {
      const kinds = [address === now && "now", address === at && "at"].filter(Boolean).join(" ");
      return element("td", { class: kinds }, button(hex(data, 2), { title: `$${hex(address, digits)}`, "data-focus": `cell-${address}` }, () => this.open(name, address)));
    };
    const body = element("table", { class: "cells", "aria-label": "The table around this cell" });
    for (let row = 0; row < table.length; ) {
      const first = table[row]!.address;
      const end = table.findIndex(({ address }, index) => index >= row && address >= first - (first % 8) + 8);
      const cells = table.slice(row, end < 0 ? undefined : end);
      const skipped = Array.from({ length: first % 8 }, () => element("td", {}));
      body.append(element("tr", {}, element("th", { scope: "row" }, `$${hex(first - (first % 8), digits)}`), ...skipped, ...cells.map(cell)));
      row += cells.length;
    }
    return element("section", {}, element("h4", {}, "Its table around it"), body);
  }

  private neighbours({ neighbours, last, name, table, at }: ChipState): HTMLElement[] {
    const digits = hexDigits(last);
    const data = table.find(({ address }) => address === at)?.data;
    const others = neighbours.filter((neighbour) => neighbour.data !== data);
    if (others.length === 0) return [];
    const rows = others.map(({ net, address, data }) =>
      element("tr", {}, element("td", {}, net), element("td", {}, button(`$${hex(address, digits)}`, { "data-focus": `near-${net}` }, () => this.open(name, address))), element("td", {}, `$${hex(data, 2)}`)),
    );
    const head = element("tr", {}, ...["if this line were otherwise", "address", "it would give"].map((text) => element("th", { scope: "col" }, text)));
    return [element("section", {}, element("h4", {}, "What matters now"), element("table", { class: "near" }, head, ...rows))];
  }
}

function fields(title: string, of: readonly Field[]): HTMLElement {
  const made = element("p", { class: "fields" }, element("span", { class: "name" }, title));
  for (const { name, width, value } of of) {
    made.append(element("span", { class: "field" }, element("i", {}, name), element("b", {}, value.toString(2).padStart(width, "0"))));
  }
  return made;
}

/** Text that was wrapped for a terminal; what is indented there stays as it is. */
function paragraphs(text: string): HTMLElement[] {
  return text.split(/\n\n+/).map((part) => {
    const isDrawn = part.split("\n").some((line) => line.startsWith("  "));
    return isDrawn ? element("pre", { class: "chip-about" }, part) : element("p", { class: "chip-about" }, part.replaceAll("\n", " "));
  });
}

function hexDigits(last: number): number {
  return last.toString(16).length;
}

/** A number in the notation that `--cell` reads. */
function number(text: string): string {
  return text.replace(/^\$/, "0x").replace(/^%/, "0b");
}
