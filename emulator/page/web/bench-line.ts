// The chosen line of a board: its net, and the cause of its level.

import { driver, level, nameOf, netOf, type Pin } from "./bench-pin.js";
import { button, element, field, form } from "./dom.js";
import type { Bench } from "./protocol.js";

interface Actions {
  /** Puts a net on the line; takes the line away if it has no name. */
  wire(pin: Pin, net: string): void;
  why(net: string): void;
  close(): void;
}

/** The words and tools for a net, and for the pin if one was chosen. */
export function lineView(net: string | undefined, pin: Pin | null, bench: Bench, actions: Actions): HTMLElement {
  const made = element("section", { class: "bench-line", "aria-label": "The chosen line" });
  const close = button("Close", { class: "quiet", "data-focus": "line-close" }, () => actions.close());
  made.append(element("h4", {}, pin ? nameOf(pin, bench) : `Net ${net}`, close));
  if (net !== undefined) made.append(...why(net, bench, actions));
  if (!pin) return made;
  if ("net" in pin) {
    const other = pin.kind === "switch" ? "an address line of a chip" : "a data line of a chip";
    made.append(element("p", {}, `To wire it, choose ${other} in the picture.`));
    return made;
  }
  const input = field("Net on this line", { size: 8, value: netOf(pin, bench) ?? "", "data-focus": "line-net" });
  const connect = () => input.value.trim() && actions.wire(pin, input.value.trim());
  const row = form(element("button", { type: "submit", "data-focus": "line-connect" }, "Connect"), connect, element("label", {}, "Net ", input));
  if (netOf(pin, bench) !== undefined) row.append(button("Take this line away", { "data-focus": "line-away" }, () => actions.wire(pin, "")));
  const other = pin.kind === "address" ? "a switch, or a data line of a chip" : "a lamp, or an address line of a chip";
  made.append(element("p", {}, `To wire it, choose the other end in the picture: ${other}. Or type the name of a net; pins with the same name are connected.`), row);
  return made;
}

/** The cause of a net's level: its driver, the address, and the cell. */
function why(net: string, bench: Bench, actions: Actions): HTMLElement[] {
  const value = level(net, bench);
  if (value === "") return [];
  const from = driver(net, bench);
  if (!from) return [element("p", { class: "bench-why" }, element("b", {}, `${net} is ${value}`), `, because its switch is at ${value}.`)];
  const { name, address, at } = bench.chips[from.chip]!;
  const lines = address.map((other) => button(`${other} = ${level(other, bench)}`, { class: "go", title: `Why is ${other} ${level(other, bench)}?`, "data-focus": `why-${other}` }, () => actions.why(other)));
  return [
    element("p", { class: "bench-why" }, element("b", {}, `${net} is ${value}`), `, because ${name} looks up cell ${at}, and ${net} is ${value} there. It is cell ${at} because of`),
    element("p", { class: "bench-why" }, ...lines),
  ];
}
