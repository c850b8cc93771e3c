// The board as a picture, drawn from the netlist: chips, and the cables between them with their current levels. Nets
// that have changed in this phase are highlighted; nets that make no difference now are faint.

import { BOX, arrange } from "./arrange.js";
import { button, drawn, element, grouped, setText } from "./dom.js";
import type { AnswerOf, Machine } from "./machine.js";
import type { Activity, Board as Drawing, Levels } from "./protocol.js";
import { Roving } from "./roving.js";
import { ROWS } from "./rows.js";
import { Pane } from "./tabs.js";

/** The purpose of each block, in a word. */
const WORDS: Record<string, string> = {
  OSC: "oscillator", RSTIN: "reset", "PADCOL0-7": "pads", "PADROW0-7": "pads", "KEYS0-6": "keys", SEQ: "phases", DEC: "write", FLAGS: "carry, jump",
  PCL: "counter", PCH: "counter", PROGL: "program", PROGH: "program", TGL: "target", TGH: "target", RAML: "memory", RAMH: "memory", XMUX: "operand",
  ALUL: "arithmetic", ALUH: "arithmetic", T: "result", A: "accumulator", IODEC: "in and out", PMUX: "pad", KMUX: "input", DMUX: "data", PORT: "output",
  GDEC: "which row", RDEC: "which row", "GREEN0-7": "LEDs", "RED0-7": "LEDs",
};

/** In drawing order: a more active trunk is drawn over less active ones. */
const ORDER: Activity[] = ["idle", "steady", "moved"];

/** Changes are counted in this many cycles. */
const COUNTED = 1_000;

interface Wire {
  group: SVGElement;
  value: SVGElement;
  title: SVGElement;
  /** The two blocks, and the nets. */
  about: string;
}

export class Board extends Pane {
  private readonly picture = element("div", { class: "board-picture" });
  private readonly roving = new Roving(this.picture, "[role=button]");
  private boxes: { group: SVGElement; value: SVGElement; title: SVGElement; block: Drawing["blocks"][number] }[] = [];
  /** The chips, in the order of the machine's counts. */
  private chips: readonly string[] = [];
  private wires: Wire[] = [];
  private readonly buses = element("dl", { class: "buses", tabindex: 0, "aria-label": "Buses" });
  private busValues: HTMLElement[] = [];
  private layers: SVGElement | null = null;
  /** Whether the blocks show how often their chips have changed. */
  private isCounting = false;

  /** `openChip` opens a chip by its name. */
  constructor(private readonly machine: Machine, private readonly openChip: (name: string) => void) {
    super("board", "Board");
    const sign = (activity: Activity, text: string) => element("span", { class: `sign ${activity}` }, text);
    const larger = button("Larger", { class: "quiet larger", "aria-pressed": "false", title: "The board larger, to be scrolled" }, () => {
      larger.setAttribute("aria-pressed", String(this.picture.classList.toggle("large")));
    });
    const changes = button("Changes", { class: "quiet changes", "aria-pressed": "false", title: `How often each chip has changed in the last ${COUNTED.toLocaleString("en-US")} cycles` }, () => {
      this.isCounting = !this.isCounting;
      changes.setAttribute("aria-pressed", String(this.isCounting));
      this.picture.classList.toggle("heat", this.isCounting);
      this.ask();
    });
    this.at.append(
      element("div", { class: "legend" }, sign("moved", "moved now"), sign("steady", "needed"), sign("idle", "unused now"), element("div", { class: "board-tools" }, changes, larger)),
      this.picture,
      this.buses,
    );
  }

  protected override ask(): void {
    const { isShown } = this;
    this.machine.keepAsking("levels", isShown ? { ask: "levels" } : null, (answer) => {
      if (answer.answer === "levels") this.showLevels(answer);
    });
    this.machine.keepAsking("changes", isShown && this.isCounting ? { ask: "changes", cycles: COUNTED } : null, (answer) => {
      if (answer.answer === "changes" && this.isCounting) this.showChanges(answer);
    });
  }

  showBoard(board: Drawing): void {
    const { width, height, blocks, routes } = arrange(board.blocks, board.cables, board.blocks.map(({ name }) => rowOf(name)));
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "board-svg", role: "group", "aria-label": `${board.name}: chips and cables` });
    this.layers = drawn("g");
    this.chips = board.chips.map(({ name }) => name);
    this.wires = routes.map(({ points }, index) => {
      const { name, from, to } = board.cables[index]!;
      const path = drawn("path", { d: points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") });
      const [end, before] = [points.at(-1)!, points.at(-2)!];
      const value = drawn("text", { class: "wire-value", x: end[0], y: end[1] + (end[1] > before[1] ? -2.5 : 8), "text-anchor": "middle" });
      const title = drawn("title", {});
      return { group: drawn("g", { class: "wire" }, path, value, title), value, title, about: `${board.blocks[from]!.name} → ${board.blocks[to]!.name}: ${name}` };
    });
    this.layers.append(...this.wires.map(({ group }) => group));
    svg.append(this.layers);
    this.boxes = board.blocks.map((block, index) => {
      const { x, y } = blocks[index]!;
      const chip = block.chips[0];
      const text = (kind: string, y: number, content: string) => drawn("text", { class: kind, x: BOX.width / 2, y, "text-anchor": "middle" }, content);
      const value = text("value", 45, "");
      const title = drawn("title", {});
      const group = drawn(
        "g",
        { class: `block ${chip ? "chip" : "outside"}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, role: chip ? "button" : "img" },
        drawn("rect", { width: BOX.width, height: BOX.height, rx: 5 }),
        text(block.name.length > 8 ? "name long" : "name", 15, block.name),
        text("word", 29, WORDS[block.name] ?? ""),
        value,
        title,
      );
      if (chip) {
        const open = () => this.openChip(chip);
        group.addEventListener("click", open);
        group.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          event.stopPropagation();
          open();
        });
      }
      svg.append(group);
      return { group, value, title, block };
    });
    this.picture.replaceChildren(svg);
    this.roving.refresh();
    this.busValues = board.buses.map(() => element("dd"));
    this.buses.replaceChildren(...board.buses.map((name, index) => element("div", {}, element("dt", {}, name), this.busValues[index])));
    this.ask();
  }

  /** A block shows its chip that has changed most; its title lists all its chips. */
  private showChanges({ phases, chips }: AnswerOf<"changes">): void {
    const counts = new Map(this.chips.map((name, index) => [name, chips[index] ?? 0]));
    const most = Math.max(1, ...chips);
    for (const { group, value, title, block } of this.boxes) {
      const counted = block.chips.map((name) => ({ name, count: counts.get(name) ?? 0 }));
      const count = Math.max(0, ...counted.map(({ count }) => count));
      const each = counted.map(({ name, count }) => `${name} has changed in ${grouped(count)}`).join(", ");
      setText(value, each && `${grouped(count)}×`);
      group.style.setProperty("--heat", `${Math.ceil((100 * count) / most)}%`);
      setText(title, `${named(block)} ${value.textContent ?? ""}${each && `: ${each} of the last ${grouped(phases)} phases`}`);
    }
  }

  private showLevels({ blocks, cables, buses }: Levels): void {
    blocks.forEach(({ value, activity }, index) => {
      const box = this.boxes[index];
      if (!box) return;
      const { block } = box;
      const kind = box.group.classList.contains("chip") ? "chip" : "outside";
      box.group.setAttribute("class", `block ${kind} ${activity}`);
      if (this.isCounting) return;
      setText(box.value, value.length > 8 ? `${value.slice(0, 7)}…` : value);
      setText(box.title, `${named(block)} ${value}${activity === "moved" ? ", has moved" : ""}: ${block.about} Gives ${block.gives}`);
    });
    const byActivity = new Map<Activity, SVGElement[]>(ORDER.map((activity) => [activity, []]));
    this.wires.forEach(({ group, value, title, about }, index) => {
      const { activity, value: now } = cables[index] ?? { activity: "idle", value: "" };
      if (!group.classList.contains(activity)) group.setAttribute("class", `wire ${activity}`);
      setText(value, now.replaceAll(" ", ""));
      setText(title, `${about} = ${now}`);
      byActivity.get(activity)!.push(group);
    });
    this.layers?.append(...ORDER.flatMap((activity) => byActivity.get(activity)!));
    this.busValues.forEach((shown, index) => {
      const { activity = "idle", value = "" } = buses[index] ?? {};
      setText(shown, value);
      shown.classList.toggle("moved", activity === "moved");
    });
  }
}

/** The name of a block, and what it is for. */
function named({ name }: Drawing["blocks"][number]): string {
  return `${name} ${WORDS[name] ?? ""}`;
}

/** The row of a block; the last one for a block that has none. */
function rowOf(name: string): number {
  const row = ROWS.findIndex((names) => names.includes(name));
  return row < 0 ? ROWS.length - 1 : row;
}
