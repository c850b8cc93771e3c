// RAM: the bytes by their names in the program, or all 4,096. Bytes that have changed since the last update are
// highlighted. A byte can be changed, and its causes can be asked for.

import { button, element, hex } from "./dom.js";
import { Drawing } from "./held.js";
import type { Machine } from "./machine.js";
import type { Checked, Moment } from "./protocol.js";
import { Roving } from "./roving.js";
import { Pane } from "./tabs.js";
import { Watch } from "./watch.js";

const SIZE = 4096;
const ROW = 16;
/** A name with more bytes than this is shown in several rows. */
const MAX_IN_ROW = 16;

interface Actions {
  why(what: string): void;
  /** Changes a byte: the history forks. */
  edit(what: string, value: string): void;
}

export class Memory extends Pane {
  private bytes: number[] = [];
  private names: { name: string; address: number; size: number }[] = [];
  private moment: Moment | null = null;
  private shows: "names" | "all" = "names";
  private readonly body = element("div", { class: "ram-body" });
  private readonly drawing = new Drawing(this.body);
  private readonly watch: Watch;
  private readonly hint = element("p", { class: "ram-hint", "aria-live": "polite" });
  private readonly input = element("input", { type: "text", "aria-label": "New value of the byte", size: 8, placeholder: "value" });
  private readonly chosen = element("form", { class: "ram-chosen", hidden: true });
  private address = -1;
  private readonly roving = new Roving(this.body);

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    super("ram", "RAM");
    this.watch = new Watch(machine);
    const byNames = button("By name", { "aria-pressed": "true" }, () => choose("names"));
    const all = button("All bytes", { "aria-pressed": "false" }, () => choose("all"));
    const choose = (shows: "names" | "all") => {
      this.shows = shows;
      byNames.setAttribute("aria-pressed", String(shows === "names"));
      all.setAttribute("aria-pressed", String(shows === "all"));
      this.draw();
    };
    const set = element("button", { type: "submit" }, "Change");
    const why = button("Why?", {}, () => this.actions.why(this.nameOf(this.address)));
    this.chosen.append(this.hint, this.input, set, why);
    this.chosen.addEventListener("submit", (event) => {
      event.preventDefault();
      this.actions.edit(this.nameOf(this.address), this.input.value.trim());
    });
    this.body.addEventListener("click", (event) => {
      const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-address]") : null;
      if (cell) this.choose(Number(cell.dataset["address"]));
    });
    this.at.append(element("div", { class: "toolbar", role: "group", "aria-label": "What is shown of RAM" }, byNames, all), this.chosen, this.watch.at, this.body);
  }

  protected override ask(): void {
    this.watch.shown(this.isShown);
    this.machine.keepAsking("ram", this.isShown ? { ask: "ram" } : null, (answer) => {
      if (answer.answer === "ram") this.read(answer.bytes);
    });
  }

  showNames({ symbols }: Checked): void {
    this.names = symbols.filter(({ kind }) => kind === "ram").map(({ name, value, size }) => ({ name, address: value, size }));
    this.names.sort((a, b) => a.address - b.address);
    this.bytes = [];
  }

  show(moment: Moment): void {
    this.moment = moment;
  }

  private read(digits: string): void {
    const bytes = Array.from({ length: SIZE }, (_, at) => parseInt(digits.slice(2 * at, 2 * at + 2), 16));
    const before = this.bytes;
    this.bytes = bytes;
    this.drawing.draw(() => this.draw(before.length ? before : bytes));
  }

  private draw(before: readonly number[] = this.bytes): void {
    if (this.bytes.length === 0) return;
    const rows = this.shows === "names" ? this.namedRows() : this.allRows();
    const table = element("table", { class: "ram-table" });
    for (const { label, address, count } of rows) {
      const row = element("tr", {}, element("th", { scope: "row" }, label));
      for (let at = address; at < address + count; at++) row.append(this.cell(at, before));
      table.append(row);
    }
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["address"] : undefined;
    this.body.replaceChildren(rows.length ? table : element("p", { class: "empty" }, "This program names no bytes of RAM."));
    this.roving.refresh();
    if (focused) this.body.querySelector<HTMLElement>(`[data-address="${focused}"]`)?.focus();
    if (this.address >= 0) this.describe();
  }

  private namedRows() {
    return this.names.flatMap(({ name, address, size }) =>
      Array.from({ length: Math.ceil(size / MAX_IN_ROW) }, (_, row) => ({
        label: row === 0 ? name : `+${row * MAX_IN_ROW}`,
        address: address + row * MAX_IN_ROW,
        count: Math.min(MAX_IN_ROW, size - row * MAX_IN_ROW),
      })),
    );
  }

  private allRows() {
    return Array.from({ length: SIZE / ROW }, (_, row) => ({ label: `$${hex(row * ROW, 3)}`, address: row * ROW, count: ROW }));
  }

  private cell(at: number, before: readonly number[]): HTMLElement {
    const value = this.bytes[at] ?? 0;
    const kinds = [
      before[at] !== value && "changed",
      this.moment?.reads?.[0] === at && "read",
      this.moment?.stores?.[0] === at && "stored",
      at === this.address && "chosen",
    ].filter(Boolean);
    const made = element("button", { type: "button", "data-address": at, "data-focus": at, class: kinds.join(" ") }, hex(value, 2));
    made.title = `${this.nameOf(at)} at $${hex(at, 3)}: ${value}`;
    return element("td", {}, made);
  }

  private choose(address: number): void {
    this.address = address;
    this.chosen.hidden = false;
    for (const cell of this.body.querySelectorAll(".chosen")) cell.classList.remove("chosen");
    this.body.querySelector(`[data-address="${address}"]`)?.classList.add("chosen");
    this.describe();
  }

  private describe(): void {
    const value = this.bytes[this.address] ?? 0;
    const bits = value.toString(2).padStart(8, "0");
    this.hint.textContent = `${this.nameOf(this.address)} is $${hex(value, 2)} = ${value} = %${bits}`;
  }

  /** The name of the byte in the debugger. */
  private nameOf(address: number): string {
    const named = this.names.find((name) => address >= name.address && address < name.address + name.size);
    if (!named) return `$${hex(address, 3)}`;
    return named.size === 1 ? named.name : `${named.name}[${address - named.address}]`;
  }
}
