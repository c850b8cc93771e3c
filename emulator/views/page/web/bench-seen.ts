// What a board does: the lamps for each setting of the switches, and the last moves over time.

import { bits } from "./bench-chip.js";
import { drawn, element } from "./dom.js";
import type { Bench } from "./protocol.js";

/** The levels after a move. */
export type Seen = ReadonlyMap<string, boolean>;

/** As many moves are drawn. */
export const MOST_SEEN = 24;
const STEP = 14;
const ROW = 20;

/** What the lamps show for each setting of the switches, with the present one marked. */
export function truthView({ switches, lamps, truth, levels }: Bench): HTMLElement | undefined {
  if (truth.length === 0) return undefined;
  const now = new Map(levels);
  const at = switches.reduce((sum, net, bit) => sum + (now.get(net) ? 2 ** bit : 0), 0);
  const head = [...switches.map((net) => element("th", { scope: "col" }, net)), ...lamps.map((net) => element("th", { scope: "col", class: "data" }, net))];
  const rows = truth.map((shown, row) => {
    const set = bits(row, switches.length).split(" ").map((bit) => element("td", { class: "address" }, bit));
    const seen = lamps.map((_, lamp) => element("td", { class: "data" }, shown[lamp] ?? "?"));
    return element("tr", row === at ? { class: "now", "aria-current": "true" } : {}, ...set, ...seen);
  });
  const table = element("div", { class: "bench-table", tabindex: 0, role: "region", "aria-label": "What the lamps show" }, element("table", { class: "truth" }, element("tr", {}, ...head), ...rows));
  const note = truth.includes("") ? " Where there is a ?, it never comes to rest." : "";
  return element("section", { class: "bench-truth" }, element("h4", {}, "What the lamps show"), element("p", { class: "hint" }, `If the switches were set from here. The marked row is now.${note}`), table);
}

/** The last moves: a line for each switch and lamp. */
export function movesView({ switches, lamps }: Bench, seen: readonly Seen[]): HTMLElement {
  const nets = [...switches, ...lamps];
  const left = Math.max(...nets.map((net) => net.length)) * 8 + 10;
  const [width, height] = [left + MOST_SEEN * STEP, nets.length * ROW + 4];
  const said = nets.map((net) => `${net} ${seen.map((levels) => (levels.get(net) ? 1 : 0)).join("")}`).join(", ");
  const picture = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `The last moves: ${said}` });
  nets.forEach((net, row) => {
    const y = (levels: Seen) => row * ROW + (levels.get(net) ? 4 : 16);
    const path = seen.map((levels, index) => `${index ? "V" : `M${left} `}${y(levels)}h${STEP}`).join("");
    picture.append(drawn("text", { x: 0, y: row * ROW + 15 }, net), drawn("path", { class: row < switches.length ? "switch" : "lamp", d: path }));
  });
  return element("section", { class: "bench-moves" }, element("h4", {}, "The last moves"), element("div", { class: "bench-picture", tabindex: 0, role: "region", "aria-label": "The last moves, over time" }, picture));
}
