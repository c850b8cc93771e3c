// The pins of a board on the bench, and the changes that join two of them.

import type { Bench, Rework } from "./protocol.js";

/** A pin: a switch, a lamp, or a line of a chip. The line behind the last one is new. */
export type Pin = { kind: "switch" | "lamp"; net: string } | { kind: "address" | "data"; chip: number; line: number };

/** Names a pin, for finding it again after a change. */
export const keyOf = (pin: Pin): string => ("net" in pin ? `${pin.kind}-${pin.net}` : `${pin.kind}-${pin.chip}-${pin.line}`);

/** The net on a pin; nothing for a new line. */
export function netOf(pin: Pin, { chips }: Bench): string | undefined {
  return "net" in pin ? pin.net : chips[pin.chip]?.[pin.kind][pin.line];
}

export function nameOf(pin: Pin, bench: Bench): string {
  if ("net" in pin) return `${pin.kind === "switch" ? "Switch" : "Lamp"} ${pin.net}`;
  const { name } = bench.chips[pin.chip]!;
  const net = netOf(pin, bench);
  if (net === undefined) return `${name}: a new ${pin.kind} line`;
  return `${name}, ${pin.kind} line ${pin.line}: ${net}`;
}

/** The changes that join two pins, in either order. A text says why they cannot be joined; `null` if that is not meant. */
export function joined(one: Pin, other: Pin, bench: Bench): Rework[] | string | null {
  const gives = (pin: Pin) => pin.kind === "switch" || pin.kind === "data";
  if (gives(one) === gives(other)) return null;
  const [source, sink] = gives(one) ? [one, other] : [other, one];
  if (sink.kind === "lamp") {
    if (source.kind === "switch" || "net" in source) return "A lamp is lit by a chip: lead the switch to a chip, and a data line of the chip to the lamp.";
    return [{ change: "wire", chip: source.chip, is_data: true, line: source.line, net: sink.net }];
  }
  if ("net" in sink) return null;
  const net = netOf(source, bench) ?? freeNet(bench);
  const wire: Rework = { change: "wire", chip: sink.chip, is_data: false, line: sink.line, net };
  const isNew = "chip" in source && netOf(source, bench) === undefined;
  return isNew ? [{ change: "wire", chip: source.chip, is_data: true, line: source.line, net }, wire] : [wire];
}

function freeNet({ chips, levels }: Bench): string {
  const known = new Set([...levels.map(([net]) => net), ...chips.flatMap(({ address, data }) => [...address, ...data])]);
  for (let number = 1; ; number++) if (!known.has(`N${number}`)) return `N${number}`;
}

/** The change that puts a net on a line of a chip, or takes the line away if there is no name. */
export function wired(pin: Pin, net: string): Rework[] {
  return "net" in pin ? [] : [{ change: "wire", chip: pin.chip, is_data: pin.kind === "data", line: pin.line, net }];
}

/** The chip that drives a net, and the line. */
export function driver(net: string, { chips }: Bench): { chip: number; line: number } | null {
  const chip = chips.findIndex(({ data }) => data.includes(net));
  return chip < 0 ? null : { chip, line: chips[chip]!.data.indexOf(net) };
}

/** A level as a digit; nothing if the board has none. */
export function level(net: string | undefined, { levels }: Bench): "0" | "1" | "" {
  const found = levels.find(([name]) => name === net);
  return found ? (found[1] ? "1" : "0") : "";
}

/** The level of a pin. In slow motion, a chip may see another level on an address line than the net has. */
export function seen(pin: Pin, bench: Bench): "0" | "1" | "" {
  const net = netOf(pin, bench);
  const at = pin.kind === "address" ? bench.chips[pin.chip]?.at : undefined;
  if (at === undefined || at === null || net === undefined || !("line" in pin)) return level(net, bench);
  return (at >> pin.line) & 1 ? "1" : "0";
}
