// Nets, buses and bytes of RAM over the last cycles, as on the screen of a logic analyser.

import { button, drawn, element, field, form, hex } from "./dom.js";
import { Drawing } from "./held.js";
import type { Machine } from "./machine.js";
import type { Checked, Wave, Waves as Recording } from "./protocol.js";
import { PHASES } from "./speed.js";
import { Pane } from "./tabs.js";

const FIRST = ["OSC", "S", "PH1", "PH2", "TICK", "PC", "W", "D", "X", "R", "T", "A", "C", "WE", "M"];
const CYCLES = [4, 8, 16, 32, 64];
const LANE = 26;
const HIGH = 5;
const LOW = 21;
/** The width of the names. */
const NAMES = [58, 130] as const;
const NAME_LETTER = 7.3;
/** The prefix of option values for bytes of RAM, and the maximum number of bytes of a name that are added at once. */
const BYTE = "byte:";
const MAX_ADDED = 16;
const TOP = 34;
const LETTER = 6.4;
/** The width of a phase. */
const MIN_WIDTH = 15;
const MAX_WIDTH = 40;

export class Waves extends Pane {
  private names = [...FIRST];
  private bytes: string[] = [];
  private cycles = 8;
  private readonly picture = element("div", { class: "wave-picture" });
  private readonly drawing = new Drawing(this.picture);
  private readonly adds = element("select", { "aria-label": "Add a net, a bus or a byte of RAM" });
  private readonly ram = element("optgroup", { label: "RAM of the program" });
  private readonly hint = element("p", { class: "wrong", role: "status" });
  /** The moment selected with the keyboard, in phases; `null` is the present one. */
  private cursor: number | null = null;

  constructor(private readonly machine: Machine, private readonly seek: (cycle: number, phase: number) => void) {
    super("waves", "Waves");
    const length = element("select", { "aria-label": "How many cycles" });
    for (const cycles of CYCLES) length.append(element("option", { value: cycles, selected: cycles === this.cycles }, `${cycles} cycles`));
    length.addEventListener("change", () => {
      this.cycles = Number(length.value);
      this.ask();
    });
    this.adds.addEventListener("change", () => {
      const { value } = this.adds;
      this.adds.value = "";
      if (value.startsWith(BYTE)) return this.addBytes(bytesOf(value.slice(BYTE.length)));
      if (value && !this.names.includes(value)) this.names.push(value);
      this.ask();
    });
    const byte = field("Byte of RAM", { size: 14, placeholder: "n, list[2], $123" });
    const add = () => {
      const text = byte.value.trim();
      if (text) void this.addByte(text).then((isAdded) => isAdded && (byte.value = ""));
    };
    const again = button("As at first", {}, () => {
      this.names = [...FIRST];
      this.bytes = [];
      this.ask();
    });
    this.at.append(element("div", { class: "toolbar" }, length, this.adds, form("Add byte", add, byte), again), this.hint, this.picture);
  }

  showBoard(nets: readonly string[], buses: readonly string[]): void {
    const group = (label: string, names: readonly string[]) =>
      element("optgroup", { label }, ...names.map((name) => element("option", { value: name }, name)));
    this.adds.replaceChildren(element("option", { value: "" }, "Add …"), this.ram, group("Buses", buses), group("Nets", nets));
    const known = new Set([...nets, ...buses]);
    this.names = this.names.filter((name) => known.has(name));
    this.ask();
  }

  showNames({ errors, symbols }: Checked): void {
    if (errors > 0) return;
    const ram = symbols.filter(({ kind }) => kind === "ram");
    this.ram.replaceChildren(...ram.map(({ name, size }) => element("option", { value: `${BYTE}${size},${name}` }, size === 1 ? name : `${name}: ${size} bytes`)));
  }

  protected override ask(): void {
    const request = this.isShown ? ({ ask: "waves", nets: this.names, bytes: this.bytes, cycles: this.cycles } as const) : null;
    this.machine.keepAsking("waves", request, (answer) => {
      if (answer.answer === "waves") this.drawing.draw(() => this.draw(answer));
      if (answer.answer === "error") this.picture.replaceChildren(element("p", { class: "empty" }, answer.text));
    });
  }

  private async addByte(name: string): Promise<boolean> {
    try {
      const { waves } = await this.machine.ask({ ask: "waves", nets: [], bytes: [name], cycles: 0 }, "waves");
      const fault = waves[0]?.fault ?? "";
      this.hint.textContent = fault && `${name}: ${fault}`;
      if (!fault) this.addBytes([name]);
      return !fault;
    } catch (error) {
      this.hint.textContent = (error as Error).message;
      return false;
    }
  }

  private addBytes(names: readonly string[]): void {
    this.bytes.push(...names.filter((name) => !this.bytes.includes(name)));
    this.ask();
  }

  private draw({ first, phases, instructions, waves }: Recording): void {
    const longest = Math.max(...waves.map(({ name }) => name.length));
    const nameWidth = Math.min(NAMES[1], Math.max(NAMES[0], longest * NAME_LETTER + 6));
    const room = (Math.max(320, this.picture.clientWidth) - nameWidth - 10) / Math.max(phases, 1);
    const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, room));
    const x = (phase: number) => phase * width;
    const height = TOP + waves.length * LANE;
    const svg = drawn("svg", { class: "wave-svg", width: x(phases) + 8, height, role: "slider", tabindex: 0, "aria-label": `The last ${this.cycles} cycles; Enter goes to the chosen moment`, "aria-valuemin": first, "aria-valuemax": first + phases - 1 });
    for (let phase = 0; phase <= phases; phase++) {
      const isCycle = (first + phase) % PHASES === 0;
      svg.append(drawn("line", { class: isCycle ? "cycle" : "phase", x1: x(phase), x2: x(phase), y1: isCycle ? 4 : TOP, y2: height }));
    }
    for (const [cycle, instruction] of instructions) {
      const left = x(Math.max(cycle * PHASES - first, 0)) + 4;
      const letters = Math.floor((PHASES * width - 6) / LETTER);
      const text = instruction.length > letters ? `${instruction.slice(0, letters - 1)}…` : instruction;
      const head = drawn("g", {}, drawn("text", { class: "head", x: left, y: 13 }, String(cycle)), drawn("text", { class: "head", x: left, y: 27 }, text));
      head.append(drawn("title", {}, `${cycle}: ${instruction}`));
      svg.append(head);
    }
    const cursor = drawn("rect", { class: "cursor", y: 0, width, height });
    svg.append(cursor);
    const point = (moment: number) => {
      const at = Math.max(0, Math.min(phases - 1, moment - first));
      cursor.setAttribute("x", String(x(at)));
      svg.setAttribute("aria-valuenow", String(first + at));
      svg.setAttribute("aria-valuetext", `cycle ${Math.floor((first + at) / PHASES)}, phase ${(first + at) % PHASES}`);
      return first + at;
    };
    point(this.cursor ?? first + phases - 1);
    svg.addEventListener("keydown", (event) => {
      const now = Number(svg.getAttribute("aria-valuenow"));
      const to: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - PHASES, PageDown: now + PHASES, Home: first, End: first + phases - 1 };
      const wanted = to[event.key];
      if (wanted === undefined && event.key !== "Enter") return;
      this.cursor = wanted === undefined ? null : point(wanted);
      if (wanted === undefined) this.seek(Math.floor(now / PHASES), now % PHASES);
      event.preventDefault();
      event.stopPropagation();
    });
    waves.forEach((wave, lane) => svg.append(this.lane(wave, TOP + lane * LANE, x, phases)));
    const names = element("div", { class: "wave-names", style: `width: ${nameWidth}px; padding-top: ${TOP}px` }, ...waves.map(({ name }, lane) => this.name(name, lane)));
    svg.addEventListener("click", (event) => {
      const at = Math.floor((event.clientX - svg.getBoundingClientRect().left) / width);
      if (at >= 0 && at < phases) this.seek(Math.floor((first + at) / PHASES), (first + at) % PHASES);
    });
    const left = this.picture.scrollLeft;
    const wasAtEnd = left + this.picture.clientWidth >= this.picture.scrollWidth - 4;
    const isFocused = document.activeElement?.classList.contains("wave-svg");
    this.picture.replaceChildren(names, svg);
    if (isFocused) svg.focus({ preventScroll: true });
    this.picture.scrollLeft = wasAtEnd ? this.picture.scrollWidth : left;
  }

  /** The name of a net or a byte; a click removes it. Bytes are below the nets, which may have the same names. */
  private name(name: string, lane: number): HTMLElement {
    const isByte = lane >= this.names.length;
    return button(name, { title: `Remove ${name}`, "aria-label": `Remove ${name}`, class: isByte ? "byte" : undefined, style: `height: ${LANE}px` }, () => {
      if (isByte) this.bytes = this.bytes.filter((other) => other !== name);
      else this.names = this.names.filter((other) => other !== name);
      this.ask();
    });
  }

  private lane(wave: Wave, top: number, x: (phase: number) => number, phases: number): SVGElement {
    const group = drawn("g", { class: "lane" });
    const ends = wave.changes.map((_, index) => wave.changes[index + 1]?.[0] ?? phases);
    if (wave.fault !== null) group.append(drawn("text", { class: "head", x: 4, y: top + LOW - 4 }, `not in this program: ${wave.fault}`));
    else if (wave.width === 1) group.append(line(wave, ends, top, x));
    else wave.changes.forEach(([from, value], index) => group.append(box(wave, from, ends[index]!, value, top, x)));
    return group;
  }
}

/** The bytes of an option value, which consists of their number and their name. */
function bytesOf(choice: string): string[] {
  const [size = "", name = ""] = choice.split(",");
  return size === "1" ? [name] : Array.from({ length: Math.min(Number(size), MAX_ADDED) }, (_, at) => `${name}[${at}]`);
}

/** A single net: high or low. */
function line({ changes }: Wave, ends: number[], top: number, x: (phase: number) => number): SVGElement {
  const points = changes.flatMap(([from, value], index) => {
    const y = top + (value ? HIGH : LOW);
    return [`${x(from)},${y}`, `${x(ends[index]!)},${y}`];
  });
  return drawn("polyline", { class: "level", points: points.join(" ") });
}

/** Draws a time span in which a bus does not change, with its value if there is room. */
function box({ width, name }: Wave, from: number, to: number, value: number, top: number, x: (phase: number) => number): SVGElement {
  const [left, right, middle] = [x(from), x(to), top + (HIGH + LOW) / 2];
  const slope = Math.min(3, (right - left) / 3);
  const text = hex(value, Math.ceil(width / 4));
  const points = [
    [left, middle], [left + slope, top + HIGH], [right - slope, top + HIGH],
    [right, middle], [right - slope, top + LOW], [left + slope, top + LOW],
  ];
  const shape = drawn("polygon", { class: "bus", points: points.map((point) => point.join(",")).join(" ") });
  const group = drawn("g", {}, shape, drawn("title", {}, `${name} = ${text}`));
  if (right - left > 7 * text.length + 4) {
    group.append(drawn("text", { class: "value", x: (left + right) / 2, y: middle + 4, "text-anchor": "middle" }, text));
  }
  return group;
}
