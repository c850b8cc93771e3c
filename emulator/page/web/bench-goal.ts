// The goal of a level, beside its board: limits, and for each setting of the switches what the lamps show and should show.
// The level's statement contains formulas. The machine evaluates them, as the contents of a chip on a board of their own.

import { bits } from "./bench-chip.js";
import { element } from "./dom.js";
import type { Machine } from "./machine.js";
import type { Bench, Exercise } from "./protocol.js";

/** The machine makes no table for a board with more switches. */
const MAX_SWITCHES = 8;
/** Lines that the picture and the map show. */
const HEAD = /^(switches|lamps|clock|best) /;
const LIMIT = /^(?:at most (\d+) chips?|each chip at most (\d+) address lines?)$/;
/** `always: Q = A ^ B`, `while SET: Q == 1`, `while !SET: Q stays`. */
const STATE = /^(?:always|while (.+?)): (\w+) (?:==? (.+)|stays)$/;
/** `each change of CK while BACK: Q = 2 3 1 0`, `each change of BACK: Q stays`. */
const CHANGE = /^each change of (\w+)(?: while (.+?))?: (\w+) (?:= ([\d ]+)|stays)$/;

/** A sentence of the statement about some lamps. */
export interface Demand {
  /** The lamps, lowest first. */
  lamps: string[];
  /** For each setting of the switches: whether the demand applies, and the levels if the switches determine them. */
  settings: { applies: boolean; levels: string }[];
  /** Whether the switches determine the levels. Otherwise, the demand is about a move of one switch. */
  isTable: boolean;
  /** The switch that moves; any of them if there is no name. */
  moved: string | undefined;
  /** The numbers that follow each other; without them, the lamps stay as they are. */
  steps: number[];
}

/** Reads the demands that can be shown as a table. A board with too many switches for one has none. */
export async function demandsOf(machine: Machine, { statement }: Exercise, { switches, lamps }: Bench): Promise<Demand[]> {
  if (switches.length > MAX_SWITCHES) return [];
  const linesOf = (net: string) => lamps.filter((lamp) => lamp === net || lamp.replace(/\d+$/, "") === net);
  const found = statement.split("\n").map(async (line): Promise<Demand[]> => {
    const [isState, when = "1", net = "", formula] = STATE.exec(line) ?? [];
    const [isChange, moved, condition = "1", changed = "", steps = ""] = CHANGE.exec(line) ?? [];
    if (!isState && !isChange) return [];
    const about = linesOf(net || changed);
    const formulas = [`APPLIES = ${isState ? when : condition}`, ...(formula ? [`${net} = ${formula}`] : [])];
    const board = reference(switches, formula ? about : [], formulas);
    const { truth, fault } = await machine.ask({ ask: "bench", board }, "bench");
    if (fault !== null || about.length === 0) return [];
    const settings = truth.map((levels) => ({ applies: levels[0] === "1", levels: levels.slice(1) }));
    return [{ lamps: about, settings, isTable: formula !== undefined, moved, steps: steps.split(" ").filter(Boolean).map(Number) }];
  });
  return (await Promise.all(found)).flat();
}

/** The text of a board with one chip that contains these formulas. */
function reference(switches: readonly string[], lines: readonly string[], formulas: readonly string[]): string {
  const stems = new Map<string, string[]>();
  for (const net of [...switches, ...lines]) {
    const stem = net.replace(/\d+$/, "");
    stems.set(stem, [...(stems.get(stem) ?? []), net]);
  }
  const buses = [...stems].filter(([stem, nets]) => nets[0] !== stem).map(([stem, nets]) => `"${stem}": "${nets.join(" ")}"`);
  const [inputs, outputs] = [switches.join(" "), ["APPLIES", ...lines].join(" ")];
  return `Board(
    name: "goal",
    parts: {"ROM": Rom(address: 13, data: 8, about: "")},
    inputs: [(nets: "${inputs}", about: "")],
    chips: [Rom(name: "GOAL", part: "ROM", address: "${inputs}", data: "${outputs}", burn: Formula(${JSON.stringify(formulas)}))],
    buses: {${buses.join(", ")}},
    bench: (switches: "${inputs}", lamps: "${outputs}"),
)`;
}

/** The level that a lamp should show after the switches are set, `0` or `1`; nothing if that is left open. */
function wanted(demands: readonly Demand[], lamp: string, setting: number, { switches, levels }: Bench): string {
  const now = new Map(levels);
  const moved = switches.filter((net, bit) => Boolean((setting >> bit) & 1) !== now.get(net));
  for (const { lamps, settings, isTable, moved: only, steps } of demands) {
    const line = lamps.indexOf(lamp);
    const row = settings[setting];
    if (line < 0 || !row?.applies) continue;
    if (isTable) return row.levels[line] ?? "";
    if (moved.length !== 1 || (only && moved[0] !== only)) continue;
    const number = numberOf(lamps, now);
    const next = steps.length > 0 ? steps[(steps.indexOf(number) + 1) % steps.length]! : number;
    return String((next >> line) & 1);
  }
  return "";
}

const numberOf = (nets: readonly string[], levels: ReadonlyMap<string, boolean>) => nets.reduce((sum, net, bit) => sum + (levels.get(net) ? 2 ** bit : 0), 0);

/** The levels of the lamps for each setting of the switches, beside the levels that are wanted. */
export function truthView(bench: Bench, demands: readonly Demand[]): HTMLElement | undefined {
  const { switches, lamps, truth, levels } = bench;
  // A board that is not complete shows nothing yet; the goal stays.
  const count = truth.length || (demands[0]?.settings.length ?? 0);
  if (count === 0) return undefined;
  const now = numberOf(switches, new Map(levels));
  let [judged, right] = [0, 0];
  const rows = Array.from({ length: count }, (_, setting) => {
    const shown = truth[setting] ?? "";
    const asked = lamps.map((lamp) => wanted(demands, lamp, setting, bench));
    const isAsked = truth.length > 0 && asked.some(Boolean);
    const isRight = asked.every((level, lamp) => !level || level === shown[lamp]);
    if (isAsked) [judged, right] = [judged + 1, right + Number(isRight)];
    const kinds = [setting === now && "now", isAsked && (isRight ? "right" : "wrong")].filter(Boolean).join(" ");
    const verdict = isAsked ? element("td", { class: "verdict-sign", "aria-label": isRight ? "right" : "wrong" }, isRight ? "✓" : "✗") : element("td");
    return element(
      "tr",
      { class: kinds, "aria-current": setting === now ? "true" : undefined },
      ...bits(setting, switches.length).split(" ").map((bit) => element("td", { class: "address" }, bit)),
      ...asked.map((level, lamp) => element("td", { class: isAsked && level && level !== shown[lamp] ? "data wrong" : "data" }, shown[lamp] ?? "?")),
      ...(demands.length > 0 ? [...asked.map((level) => element("td", { class: "wanted" }, level || "·")), verdict] : []),
    );
  });
  const names = (nets: readonly string[], kind: string) => nets.map((net) => element("th", { scope: "col", class: kind }, net));
  const group = (text: string, nets: readonly string[]) => element("th", { scope: "colgroup", colspan: nets.length }, text);
  const head = [
    element("tr", {}, group("if", switches), group("shown", lamps), ...(demands.length > 0 ? [group("wanted", lamps), element("td")] : [])),
    element("tr", {}, ...names(switches, "address"), ...names(lamps, "data"), ...(demands.length > 0 ? [...names(lamps, "wanted"), element("td")] : [])),
  ];
  const table = element("div", { class: "bench-table", tabindex: 0, role: "region", "aria-label": "Levels of the lamps, shown and wanted" }, element("table", { class: "truth" }, ...head, ...rows));
  const note = truth.includes("") ? "A ? stands for a board that does not come to rest." : "";
  const isFromHere = demands.some(({ isTable }) => !isTable);
  const result = judged > 0 ? `Right${isFromHere ? " from here" : ""}: ${right} of ${judged}. ${isFromHere ? "Check tries every state. " : ""}` : "";
  return element("section", { class: "bench-truth" }, element("h4", {}, "The lamps"), element("p", { class: `hint${right < judged ? " wrong" : ""}`, role: "status" }, result, note), table);
}

/** The limits of a level, and whether the board keeps them; then the demands that no table shows. */
export function limitsView({ statement }: Exercise, { chips }: Bench, demands: readonly Demand[]): HTMLElement {
  const lines = Math.max(0, ...chips.map(({ address }) => address.length));
  const isInTable = (line: string) => demands.length > 0 && (STATE.test(line) || CHANGE.test(line));
  const items = statement.trimEnd().split("\n").flatMap((line) => {
    const [limit, most, wide] = LIMIT.exec(line) ?? [];
    if (!limit) return HEAD.test(line) || isInTable(line) ? [] : [element("li", {}, element("code", {}, line))];
    const isKept = most ? chips.length <= Number(most) : lines <= Number(wide);
    return [element("li", { class: isKept ? "right" : "wrong" }, `${isKept ? "✓" : "✗"} ${limit}${isKept ? "" : `: here ${most ? chips.length : lines}`}`)];
  });
  return element("ul", { class: "bench-limits", "aria-label": "Limits and demands" }, ...items);
}
