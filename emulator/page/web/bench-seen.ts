// The last moves of a board, over time.

import { drawn, element } from "./dom.js";
import type { Bench } from "./protocol.js";

export type Seen = ReadonlyMap<string, boolean>;

export const MAX_SEEN = 24;
const STEP = 14;
const ROW = 20;

/** The last moves: a line for each switch and lamp. */
export function movesView({ switches, lamps }: Bench, seen: readonly Seen[]): HTMLElement {
  const nets = [...switches, ...lamps];
  const left = Math.max(...nets.map((net) => net.length)) * 8 + 10;
  const [width, height] = [left + MAX_SEEN * STEP, nets.length * ROW + 4];
  const said = nets.map((net) => `${net} ${seen.map((levels) => (levels.get(net) ? 1 : 0)).join("")}`).join(", ");
  const picture = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `The last moves: ${said}` });
  nets.forEach((net, row) => {
    const y = (levels: Seen) => row * ROW + (levels.get(net) ? 4 : 16);
    const path = seen.map((levels, index) => `${index ? "V" : `M${left} `}${y(levels)}h${STEP}`).join("");
    picture.append(drawn("text", { x: 0, y: row * ROW + 15 }, net), drawn("path", { class: row < switches.length ? "switch" : "lamp", d: path }));
  });
  return element("section", { class: "bench-moves" }, element("h4", {}, "The last moves"), element("div", { class: "bench-picture", tabindex: 0, role: "region", "aria-label": "The last moves, over time" }, picture));
}
