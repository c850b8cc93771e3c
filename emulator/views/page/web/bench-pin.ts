// The pins of a board on the bench, and what joining two of them changes.

import type { Bench, Rework } from "./protocol.js";

/** A pin: a switch, a lamp, or a line of a chip. The line behind the last one is one to be added. */
export type Pin = { kind: "switch" | "lamp"; net: string } | { kind: "address" | "data"; chip: number; line: number };

/** Names a pin, for finding it again after a change. */
export const keyOf = (pin: Pin): string => ("net" in pin ? `${pin.kind}-${pin.net}` : `${pin.kind}-${pin.chip}-${pin.line}`);

/** The net on a pin; nothing if it is to be added. */
export function netOf(pin: Pin, { chips }: Bench): string | undefined {
  return "net" in pin ? pin.net : chips[pin.chip]?.[pin.kind][pin.line];
}

/** A pin in words. */
export function nameOf(pin: Pin, bench: Bench): string {
  if ("net" in pin) return `${pin.kind === "switch" ? "Switch" : "Lamp"} ${pin.net}`;
  const { name } = bench.chips[pin.chip]!;
  const net = netOf(pin, bench);
  if (net === undefined) return `${name}: a new ${pin.kind} line`;
  return `${name}, ${pin.kind} line ${pin.line}: ${net}`;
}

/** What joins two pins, in either order; a text says why they cannot be joined, and nothing that this is not meant. */
export function joined(one: Pin, other: Pin, bench: Bench): Rework | string | null {
  const gives = (pin: Pin) => pin.kind === "switch" || pin.kind === "data";
  if (gives(one) === gives(other)) return null;
  const [source, sink] = gives(one) ? [one, other] : [other, one];
  if (sink.kind === "lamp") {
    if (source.kind === "switch" || "net" in source) return "A lamp is lit by a chip: lead the switch to a chip, and a data line of the chip to the lamp.";
    return { change: "wire", chip: source.chip, is_data: true, line: source.line, net: sink.net };
  }
  if ("net" in sink) return null;
  const net = netOf(source, bench);
  if (net === undefined) return "Give the new data line a name first.";
  return { change: "wire", chip: sink.chip, is_data: false, line: sink.line, net };
}

/** What puts a net on a line, or takes the line away if there is no name; nothing for a switch or a lamp. */
export function wired(pin: Pin, net: string): Rework | null {
  return "net" in pin ? null : { change: "wire", chip: pin.chip, is_data: pin.kind === "data", line: pin.line, net };
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

/** The level of a pin. What a chip sees on an address line may not be what the net has. */
export function seen(pin: Pin, bench: Bench): "0" | "1" | "" {
  const net = netOf(pin, bench);
  const at = pin.kind === "address" ? bench.chips[pin.chip]?.at : undefined;
  if (at === undefined || at === null || net === undefined || !("line" in pin)) return level(net, bench);
  return (at >> pin.line) & 1 ? "1" : "0";
}
