// The layout of a board's picture: switches on the left, chips in columns behind the nets that they read, lamps on the right.
// A net has one track in each channel between two columns. Feedback runs below the chips.

import type { Bench } from "./protocol.js";

/** A place where a net begins or ends. */
export interface Port {
  net: string;
  x: number;
  y: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  width: number;
  height: number;
  /** The switches and the lamps, in the order of the board. */
  switches: Box[];
  lamps: Box[];
  chips: Box[];
  /** The wires of each net: a path, and the dots where it branches. */
  wires: { net: string; path: string; dots: [number, number][] }[];
}

/** An element of a column: a chip, a switch, a lamp, or a net on its way to a later column. */
interface Node {
  box: Box;
  /** Nets that come in on the left and go out on the right, each at its height within the box. */
  reads: { net: string; dy: number }[];
  gives: { net: string; dy: number }[];
}

export const pitch = (): number => (matchMedia("(pointer: coarse)").matches ? 40 : 30);
export const HEAD = 30;
const TRACK = 9;
const EDGE = 8;
const GAP = 14;
const LETTER = 8.2;

/** The space between two nodes of a column: pins of switches stand as close as those of chips, so that wires are straight. */
const gap = (one: Node): number => (one.reads.length + one.gives.length > 2 ? GAP : 0);

const textWidth = (names: readonly string[]) => LETTER * Math.max(2, ...names.map((name) => name.length));

export function layout({ switches, lamps, chips }: Bench): Layout {
  const row = pitch();
  const end = { switches: textWidth(switches) + row + 46, lamps: textWidth(lamps) + 48 };
  const chipNodes = chips.map(({ name, address, data }): Node => {
    const rows = Math.max(address.length, data.length) + 1;
    const width = Math.max(textWidth(address) + textWidth(data) + 84, textWidth([name]) + 44);
    const at = (net: string, line: number) => ({ net, dy: HEAD + (line + 0.5) * row });
    return { box: box(width, HEAD + rows * row + 4), reads: address.map(at), gives: data.map(at) };
  });
  const single = (net: string, width: number, isSwitch: boolean): Node => {
    const end = [{ net, dy: row / 2 }];
    return { box: box(width, row), reads: isSwitch ? [] : end, gives: isSwitch ? end : [] };
  };
  const switchNodes = switches.map((net) => single(net, end.switches, true));
  const lampNodes = lamps.map((net) => single(net, end.lamps, false));
  const depth = depths(chips);
  const last = Math.max(0, ...depth) + 1;
  const columns: Node[][] = Array.from({ length: last + 1 }, (_, column) => (column === 0 ? [...switchNodes] : column === last ? [...lampNodes] : chipNodes.filter((_, chip) => depth[chip] === column)));
  pass(columns);
  const height = place(columns);
  const { width, bottom, wires } = route(columns, height);
  const boxes = (nodes: Node[]) => nodes.map(({ box }) => box);
  return { width, height: bottom + EDGE, switches: boxes(switchNodes), lamps: boxes(lampNodes), chips: boxes(chipNodes), wires };
}

const box = (width: number, height: number): Box => ({ x: 0, y: 0, width, height });

/** The column of each chip: behind every chip that it reads, except in loops. */
function depths(chips: Bench["chips"]): number[] {
  const depth = chips.map(() => 0);
  const open = new Set<number>();
  const visit = (chip: number): number => {
    if (depth[chip]! > 0) return depth[chip]!;
    if (open.has(chip)) return 0;
    open.add(chip);
    const read = chips[chip]!.address.map((net) => chips.findIndex(({ data }) => data.includes(net))).filter((driver) => driver >= 0 && driver !== chip);
    const found = 1 + Math.max(0, ...read.map(visit));
    open.delete(chip);
    return (depth[chip] = found);
  };
  chips.forEach((_, chip) => visit(chip));
  return depth;
}

/** Adds a node to each column that a net passes on its way. */
function pass(columns: Node[][]): void {
  const from = new Map<string, number>();
  columns.forEach((column, at) => column.forEach(({ gives }) => gives.forEach(({ net }) => from.has(net) || from.set(net, at))));
  const to = new Map<string, number>();
  columns.forEach((column, at) => column.forEach(({ reads }) => reads.forEach(({ net }) => to.set(net, at))));
  [...from].forEach(([net, start], index) => {
    // Neighbours get different heights, so that one does not look like the continuation of the other.
    const height = TRACK * (1 + (index % 3));
    for (let at = start + 1; at < (to.get(net) ?? 0); at++) {
      const through = [{ net, dy: TRACK / 2 }];
      columns[at]!.push({ box: box(0, height), reads: through, gives: through });
    }
  });
}

/** Gives each node its height on the page: near what it reads; switches near what reads them. Returns the lower edge. */
function place(columns: Node[][]): number {
  const most = Math.max(...columns.map(heightOf));
  const at = new Map<string, number>();
  const note = (node: Node) => [...node.gives, ...node.reads].forEach(({ net, dy }) => at.has(net) || at.set(net, node.box.y + dy));
  columns.forEach((column, index) => {
    stack(column, most, index > 0 ? (node) => wish(node.reads, at) : () => undefined);
    column.forEach(note);
  });
  at.clear();
  columns.slice(1).flat().forEach(note);
  stack(columns[0]!, most, (node) => wish(node.gives, at));
  return EDGE + most;
}

const heightOf = (column: readonly Node[]) => column.reduce((sum, node) => sum + node.box.height + gap(node), 0);

/** The height at which a node is level with its neighbours. */
function wish(ends: Node["reads"], at: ReadonlyMap<string, number>): number | undefined {
  return mean(ends.flatMap(({ net, dy }) => (at.has(net) ? [at.get(net)! - dy] : [])));
}

/** Stacks the nodes of a column, each as near to its wish as its neighbours permit. */
function stack(column: Node[], most: number, wished: (node: Node) => number | undefined): void {
  const wishes = new Map(column.map((node) => [node, wished(node)]));
  if ([...wishes.values()].some((wish) => wish !== undefined)) column.sort((a, b) => (wishes.get(a) ?? Infinity) - (wishes.get(b) ?? Infinity));
  let left = heightOf(column);
  let y = EDGE;
  for (const node of column) {
    node.box.y = Math.max(y, Math.min(wishes.get(node) ?? y, EDGE + most - left));
    y = node.box.y + node.box.height + gap(node);
    left -= node.box.height + gap(node);
  }
}

/** The wires of a net in a channel: from the left, from or to the lane below, and to places on the right. */
interface Crossing {
  net: string;
  left: Port | null;
  rights: Port[];
  /** The lane in which it goes back under the chips. */
  lane: number | null;
}

function route(columns: Node[][], height: number): Pick<Layout, "width" | "wires"> & { bottom: number } {
  const from = new Map<string, number>();
  columns.forEach((column, at) => column.forEach(({ gives, box }) => box.width > 0 && gives.forEach(({ net }) => from.has(net) || from.set(net, at))));
  // A net that is read in the column of its driver, or before, is feedback.
  const back = new Map<string, number[]>();
  columns.forEach((column, at) => column.forEach(({ reads, box }) => box.width > 0 && reads.forEach(({ net }) => (from.get(net) ?? -1) >= at && back.set(net, [...(back.get(net) ?? []), at]))));
  const lanes = new Map([...back.keys()].map((net, lane) => [net, height + GAP + lane * TRACK]));
  const channels = columns.slice(0, -1).map((column, at): Crossing[] => {
    const nets = new Map<string, Crossing>();
    const crossing = (net: string) => nets.get(net) ?? nets.set(net, { net, left: null, rights: [], lane: null }).get(net)!;
    const port = (net: string, box: Box, dy: number): Port => ({ net, x: 0, y: box.y + dy });
    for (const { reads, box } of columns[at + 1]!) for (const { net, dy } of reads) if (from.has(net)) crossing(net).rights.push(port(net, box, dy));
    for (const { gives, box } of column) for (const { net, dy } of gives) if (nets.has(net) || from.get(net) === at) crossing(net).left ??= port(net, box, dy);
    for (const [net, at_] of back) if (from.get(net) === at || at_.includes(at + 1)) crossing(net).lane = lanes.get(net)!;
    return [...nets.values()].filter(({ left, rights, lane }) => (left && rights.length > 0) || lane !== null);
  });
  const wires = new Map<string, { path: string; dots: [number, number][]; ends: number[] }>();
  const wire = (net: string) => wires.get(net) ?? wires.set(net, { path: "", dots: [], ends: [] }).get(net)!;
  let x = EDGE;
  columns.forEach((column, at) => {
    const width = Math.max(...column.map(({ box }) => box.width), 0);
    for (const { box, gives } of column) {
      box.x = x + (at === 0 ? width - box.width : 0);
      if (box.width > 0) continue;
      wire(gives[0]!.net).path += `M${x} ${box.y + gives[0]!.dy}h${width}`;
    }
    const channel = channels[at];
    const start = x + width;
    if (!channel) return void (x = start);
    const bent = tracks(channel.filter(({ left, rights, lane }) => lane !== null || rights.some(({ y }) => y !== left?.y)));
    const end = start + Math.max(26, (bent.length + 1) * TRACK + 8);
    for (const crossing of channel) {
      const { net, rights, lane } = crossing;
      // Only a net that has its driver here, or passes, comes from the left.
      const left = from.get(net)! > at ? null : crossing.left;
      const track = start + 8 + bent.indexOf(crossing) * TRACK;
      const made = wire(net);
      const edge = (y: number) => column.find(({ box, gives }) => gives.some((give) => give.net === net && box.y + give.dy === y))?.box;
      const begin = left && edge(left.y) ? edge(left.y)!.x + edge(left.y)!.width : start;
      if (!bent.includes(crossing)) {
        made.path += `M${begin} ${left!.y}H${end}`;
        continue;
      }
      const ys = [...(left ? [left.y] : []), ...rights.map(({ y }) => y), ...(lane === null ? [] : [lane])];
      made.path += `M${track} ${Math.min(...ys)}V${Math.max(...ys)}`;
      if (left) made.path += `M${begin} ${left.y}H${track}`;
      for (const { y } of rights) made.path += `M${track} ${y}H${end}`;
      if (lane !== null) made.ends.push(track);
      for (const y of ys) if (y > Math.min(...ys) && y < Math.max(...ys)) made.dots.push([track, y]);
    }
    x = end;
  });
  for (const [net, lane] of lanes) {
    const { ends } = wire(net);
    wire(net).path += `M${Math.min(...ends)} ${lane}H${Math.max(...ends)}`;
  }
  const bottom = Math.max(height, ...lanes.values());
  return { width: x + EDGE, bottom, wires: [...wires].map(([net, { path, dots }]) => ({ net, path, dots })) };
}

/** The order of tracks in a channel, from the left. */
function tracks(bent: readonly Crossing[]): Crossing[] {
  // Nets that go down are ordered from the lowest, nets that go up from the highest: fewer cross.
  const down = ({ left, rights, lane }: Crossing) => (lane !== null ? 1 : Math.sign(mean(rights.map(({ y }) => y))! - (left?.y ?? 0)));
  const rest = [...bent].sort((a, b) => down(b) - down(a) || down(a) * ((b.left?.y ?? 0) - (a.left?.y ?? 0)));
  const order: Crossing[] = [];
  while (rest.length > 0) {
    // One that comes at the height at which another leaves has to turn first: else the two would lie on each other.
    const isAfter = (one: Crossing) => rest.some((other) => other !== one && one.rights.some(({ y }) => y === other.left?.y));
    const next = Math.max(0, rest.findIndex((one) => !isAfter(one)));
    order.push(...rest.splice(next, 1));
  }
  return order;
}

function mean(values: readonly number[]): number | undefined {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined;
}
