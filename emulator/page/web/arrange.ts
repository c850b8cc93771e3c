// The layout of a board: places of its blocks and routes of its cables, derived from the netlist and from the row of each
// block, which `layout.mjs` has found.
//
// The outputs of a block form one trunk: it leaves the block downwards (or upwards, also to blocks of its own row), runs along
// the channels between the rows, and passes rows through gaps between blocks.

import type { Block, Cable } from "./protocol.js";

export const BOX = { width: 72, height: 50 };
const GAP = 10;
/** The space for a trunk that passes a row, and for one that runs along a channel. */
const PASSAGE = 8;
const TRACK = 6;
const EDGE = 10;
const SWEEPS = 6;

export interface Placed {
  x: number;
  y: number;
}

/** The route of a cable: points, with right angles only. The first ones are shared with the other cables of its trunk. */
export interface Route {
  points: [number, number][];
}

export interface Arrangement {
  width: number;
  height: number;
  /** The upper left corners. */
  blocks: Placed[];
  /** In the order of the cables. */
  routes: Route[];
}

/** An element of a row: a block, or the passage of a block's trunk. */
interface Slot {
  block: number;
  isPassage: boolean;
  isUp: boolean;
  x: number;
  width: number;
}

/** A trunk in the channel between two rows: where it enters, and where it leaves. */
interface Crossing {
  xs: number[];
  y: number;
}

/** Arranges a board whose blocks are in these rows. */
export function arrange(blocks: readonly Block[], cables: readonly Cable[], row: readonly number[]): Arrangement {
  const count = Math.max(...row) + 1;
  const slots = slotsOf(row, count, cables);
  const links = linksOf(slots, row, cables);
  order(slots, links);
  const width = place(slots, links);
  return route(blocks, cables, row, slots, width);
}

function slotsOf(row: readonly number[], count: number, cables: readonly Cable[]): Slot[][] {
  const slots: Slot[][] = Array.from({ length: count }, () => []);
  row.forEach((at, block) => slots[at]!.push({ block, isPassage: false, isUp: false, x: 0, width: BOX.width + GAP }));
  row.forEach((at, block) => {
    const readers = cables.filter((cable) => cable.from === block).map((cable) => row[cable.to]!);
    // Downwards to the row above the lowest reader; upwards to the row below the highest, past the block's own row if need be.
    for (let passed = at + 1; passed < Math.max(at, ...readers); passed++) slots[passed]!.push(passage(block, false));
    for (let passed = at - 1; passed > Math.min(at, ...readers); passed--) slots[passed]!.push(passage(block, true));
  });
  return slots;
}

function passage(block: number, isUp: boolean): Slot {
  return { block, isPassage: true, isUp, x: 0, width: PASSAGE };
}

/** The connected slots in neighbouring rows, for each slot. */
function linksOf(slots: Slot[][], row: readonly number[], cables: readonly Cable[]): Map<Slot, Slot[]> {
  const links = new Map<Slot, Slot[]>(slots.flat().map((slot) => [slot, []]));
  const join = (one: Slot | undefined, other: Slot | undefined) => {
    if (!one || !other) return;
    links.get(one)!.push(other);
    links.get(other)!.push(one);
  };
  const find = (at: number, block: number, isPassage: boolean, isUp = false) =>
    slots[at]?.find((slot) => slot.block === block && slot.isPassage === isPassage && slot.isUp === (isPassage && isUp));
  for (const { from, to } of cables) {
    const [start, end] = [row[from]!, row[to]!];
    const step = end > start ? 1 : -1;
    let last = find(start, from, false);
    for (let at = start + step; at !== end && at >= 0 && at < slots.length && start !== end; at += step) {
      const slot = find(at, from, true, step < 0);
      join(last, slot);
      last = slot;
    }
    join(last, find(end, to, false));
  }
  return links;
}

/** Puts the slots of each row into an order with few crossings: each near the middle of its neighbours. */
function order(slots: Slot[][], links: Map<Slot, Slot[]>): void {
  const number = (row: Slot[]) => row.forEach((slot, index) => (slot.x = (index + 0.5) / row.length));
  slots.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const all = sweep % 2 === 0 ? slots : [...slots].reverse();
    for (const row of all) {
      const wanted = new Map(row.map((slot) => [slot, mean(links.get(slot)!.map((other) => other.x), slot.x)]));
      row.sort((a, b) => wanted.get(a)! - wanted.get(b)!);
      number(row);
    }
  }
}

/** Places each slot near its neighbours, keeping the order. Returns the total width. */
function place(slots: Slot[][], links: Map<Slot, Slot[]>): number {
  const widths = slots.map((row) => row.reduce((sum, slot) => sum + slot.width, 0));
  const width = Math.max(...widths);
  for (const row of slots) spread(row, width, (slot) => slot.x * width);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const all = sweep % 2 === 0 ? slots : [...slots].reverse();
    for (const row of all) spread(row, width, (slot) => mean(links.get(slot)!.map((other) => other.x), slot.x));
  }
  return width + 2 * EDGE;
}

/** Moves slots near to where they want to be, without changing their order or letting them overlap. */
function spread(row: Slot[], width: number, wanted: (slot: Slot) => number): void {
  const wishes = row.map(wanted);
  const least: number[] = [];
  row.reduce((left, slot, index) => ((least[index] = left + slot.width / 2), left + slot.width), 0);
  const most: number[] = [];
  row.reduceRight((right, slot, index) => ((most[index] = right - slot.width / 2), right - slot.width), width);
  let last = -Infinity;
  row.forEach((slot, index) => {
    const before = row[index - 1];
    const next = before ? last + (before.width + slot.width) / 2 : least[index]!;
    last = slot.x = Math.min(most[index]!, Math.max(next, wishes[index]!, least[index]!));
  });
}

/** The routes of the cables, through the channels between rows, each as wide as necessary. */
function route(blocks: readonly Block[], cables: readonly Cable[], row: readonly number[], slots: Slot[][], width: number): Arrangement {
  const count = slots.length;
  const middle = (at: number, block: number, isUp: boolean) =>
    EDGE + slots[at]!.find((slot) => slot.block === block && slot.isPassage && slot.isUp === isUp)!.x;
  const boxOf = blocks.map((_, block) => EDGE + slots[row[block]!]!.find((slot) => slot.block === block && !slot.isPassage)!.x);
  const port = ports(cables, row, boxOf);
  // The trunks in each channel, with all places where they are needed. Channel `n` is above row `n`.
  const crossings: Map<string, Crossing>[] = Array.from({ length: count + 1 }, () => new Map());
  const cross = (channel: number, trunk: string, ...xs: number[]) => {
    const crossing = crossings[channel]!.get(trunk) ?? { xs: [], y: 0 };
    crossing.xs.push(...xs);
    crossings[channel]!.set(trunk, crossing);
  };
  const ways = cables.map((cable, index) => {
    const { from, to } = cable;
    const isUp = row[to]! <= row[from]!;
    const trunk = `${from}${isUp ? "up" : ""}`;
    const steps: { channel: number; from: number; to: number }[] = [];
    let x = boxOf[from]!;
    // Channel `n` is above row `n`: upwards it is the one of the row itself, downwards that of the next row.
    const [first, last] = isUp ? [row[from]!, row[to]! + 1] : [row[from]! + 1, row[to]!];
    for (let at = first; at !== last && (isUp ? at > last : at < last); at += isUp ? -1 : 1) {
      const next = middle(isUp ? at - 1 : at, from, isUp);
      steps.push({ channel: at, from: x, to: next });
      x = next;
    }
    steps.push({ channel: isUp ? Math.min(first, last) : last, from: x, to: port[index]! });
    for (const step of steps) cross(step.channel, trunk, step.from, step.to);
    return { trunk, isUp, steps };
  });
  const heights = crossings.map(tracks);
  const tops: number[] = [];
  let y = EDGE;
  for (let at = 0; at < count; at++) {
    const channel = crossings[at]!;
    for (const crossing of channel.values()) crossing.y += y;
    y += heights[at]!;
    tops[at] = y;
    y += BOX.height;
  }
  const routes = ways.map(({ trunk, isUp, steps }, index): Route => {
    const { from, to } = cables[index]!;
    const points: [number, number][] = [[steps[0]!.from, tops[row[from]!]! + (isUp ? 0 : BOX.height)]];
    for (const step of steps) {
      const at = crossings[step.channel]!.get(trunk)!.y;
      points.push([step.from, at], [step.to, at]);
    }
    const isBelow = isUp && row[to] !== row[from];
    points.push([port[index]!, tops[row[to]!]! + (isBelow ? BOX.height : 0)]);
    return { points };
  });
  const placed = blocks.map((_, block) => ({ x: boxOf[block]! - BOX.width / 2, y: tops[row[block]!]! }));
  return { width, height: y + EDGE, blocks: placed, routes };
}

/** The places where cables enter their blocks: side by side, in the order of their sources. */
function ports(cables: readonly Cable[], row: readonly number[], boxOf: readonly number[]): number[] {
  const into = new Array<number>(cables.length).fill(0);
  boxOf.forEach((middle, block) => {
    for (const isBelow of [false, true]) {
      const here = cables.flatMap((cable, index) => (cable.to === block && row[block]! < row[cable.from]! === isBelow ? [index] : []));
      here.sort((a, b) => boxOf[cables[a]!.from]! - boxOf[cables[b]!.from]!);
      // The middle is left to the output of the block.
      here.forEach((index, at) => (into[index] = middle + side(at, here.length)));
    }
  });
  return into;
}

function side(at: number, count: number): number {
  const step = Math.min(12, (BOX.width - 14) / (count + 1));
  const offset = (at - (count - 1) / 2) * step;
  return offset + (offset >= 0 ? step / 2 : -step / 2);
}

/** Gives overlapping trunks of a channel different tracks; returns the height of the channel. */
function tracks(channel: Map<string, Crossing>): number {
  const ends: number[] = [];
  const crossings = [...channel.values()].sort((a, b) => Math.min(...a.xs) - Math.min(...b.xs));
  for (const crossing of crossings) {
    const [left, right] = [Math.min(...crossing.xs), Math.max(...crossing.xs)];
    let track = ends.findIndex((end) => end < left - 3);
    if (track < 0) track = ends.length;
    ends[track] = right;
    crossing.y = (track + 1.3) * TRACK;
  }
  return (ends.length + 1.6) * TRACK;
}

function mean(values: readonly number[], otherwise: number): number {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise;
}
