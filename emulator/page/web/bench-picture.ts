// The picture of a board: its switches, chips and lamps with their pins as buttons, and the wires between them.

import { HEAD, layout, pitch, type Box } from "./bench-layout.js";
import { keyOf, level, nameOf, netOf, seen, type Pin } from "./bench-pin.js";
import { button, drawn, element } from "./dom.js";
import type { Bench } from "./protocol.js";
import { Roving } from "./roving.js";

interface Actions {
  flip(net: string): void;
  pin(pin: Pin): void;
  chip(chip: number): void;
  net(net: string): void;
}

export interface Chosen {
  chip: number;
  pin: Pin | null;
  /** The net that is explained. */
  net: string | undefined;
  /** The pin that a line has just reached. */
  reached: Pin | null;
}

const MIN_ZOOM = 0.7;

export class Picture {
  readonly at = element("div", { class: "bench-picture" });
  private readonly roving = new Roving(this.at);

  constructor(private readonly actions: Actions) {}

  draw(bench: Bench, chosen: Chosen): void {
    const made = layout(bench);
    const sheet = element("div", { class: "bench-sheet", role: "group", "aria-label": "Board: arrow keys lead from pin to pin" });
    sheet.style.width = `${made.width}px`;
    sheet.style.height = `${made.height}px`;
    // A board that is a little too wide is drawn smaller.
    if (this.at.clientWidth > 0) sheet.style.setProperty("zoom", String(Math.min(1, Math.max(MIN_ZOOM, this.at.clientWidth / made.width))));
    const wires = drawn("svg", { class: "bench-wires", width: made.width, height: made.height, "aria-hidden": "true" });
    for (const { net, path, dots } of made.wires) {
      const kinds = ["net", level(net, bench) === "1" && "high", net === chosen.net && "chosen"].filter(Boolean).join(" ");
      const wire = drawn("g", { class: kinds }, drawn("path", { class: "grip", d: path }), drawn("path", { d: path }), ...dots.map(([cx, cy]) => drawn("circle", { cx, cy, r: 3 })));
      wire.addEventListener("click", () => this.actions.net(net));
      wires.append(wire);
    }
    sheet.append(wires);
    bench.switches.forEach((net, index) => sheet.append(this.switch(net, made.switches[index]!, bench, chosen)));
    bench.chips.forEach((_, chip) => sheet.append(this.chip(chip, made.chips[chip]!, bench, chosen)));
    bench.lamps.forEach((net, index) => sheet.append(placed(this.pin({ kind: "lamp", net }, bench, chosen), made.lamps[index]!)));
    const { scrollLeft, scrollTop } = this.at;
    this.at.replaceChildren(sheet);
    this.at.scrollTo(scrollLeft, scrollTop);
    this.roving.refresh();
  }

  private switch(net: string, box: Box, bench: Bench, chosen: Chosen): HTMLElement {
    const value = level(net, bench);
    const flip = button(`${net} `, { class: "bench-flip", "aria-pressed": value === "1", "aria-label": `Switch ${net}: ${value}`, "data-focus": `flip-${net}` }, () => this.actions.flip(net));
    flip.append(element("b", {}, value));
    flip.setAttribute("aria-pressed", String(value === "1"));
    return placed(element("div", { class: "bench-switch" }, flip, this.pin({ kind: "switch", net }, bench, chosen)), box);
  }

  private chip(chip: number, box: Box, bench: Bench, chosen: Chosen): HTMLElement {
    const { name, address, data, at } = bench.chips[chip]!;
    const head = button(name, { class: "bench-name", "aria-pressed": String(chip === chosen.chip), "aria-label": `Chip ${name}`, title: at === undefined ? "" : `looks up cell ${at}`, "data-focus": `chip-${chip}` }, () => this.actions.chip(chip));
    const side = (kind: "address" | "data", nets: readonly string[]) =>
      element("div", { class: `bench-side ${kind}` }, ...[...nets, ""].map((_, line) => this.pin({ kind, chip, line }, bench, chosen)));
    const made = element("div", { class: `bench-chip${chip === chosen.chip ? " chosen" : ""}`, role: "group", "aria-label": `Chip ${name}` }, head, side("address", address), side("data", data));
    made.style.setProperty("--head", `${HEAD}px`);
    return placed(made, box);
  }

  private pin(pin: Pin, bench: Bench, { pin: marked, reached }: Chosen): HTMLElement {
    const net = netOf(pin, bench);
    const value = seen(pin, bench);
    const is = (other: Pin | null) => other !== null && keyOf(other) === keyOf(pin);
    const isChosen = is(marked);
    const kinds = ["bench-pin", `of-${pin.kind}`, net === undefined && "new", value === "1" && "high", is(reached) && "reached"].filter(Boolean).join(" ");
    const label = pin.kind === "switch" ? `Wire from switch ${pin.net}` : nameOf(pin, bench);
    const made = button("", { class: kinds, "aria-pressed": String(isChosen), "aria-label": pin.kind === "switch" || net === undefined ? label : `${label}: ${value || "?"}`, "data-focus": keyOf(pin) }, () => this.actions.pin(pin));
    made.style.height = `${pitch()}px`;
    if (pin.kind !== "switch") made.append(element("span", {}, net === undefined ? "+" : `${net} `), element("b", {}, net === undefined ? "" : value || "?"));
    return made;
  }
}

function placed(at: HTMLElement, { x, y, width, height }: Box): HTMLElement {
  Object.assign(at.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  at.classList.add("placed");
  return at;
}
