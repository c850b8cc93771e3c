// A chip on the bench: its name, the nets on its lines, its formulas, and its table, in which a click changes a bit.

import { button, element } from "./dom.js";
import type { Bench, Rework } from "./protocol.js";
import { truthTable } from "./truth-table.js";

/** The tools for a chip; `change` carries out a change to the board. */
export function chipView(chip: number, { chips }: Bench, change: (rework: Rework) => void): HTMLElement {
  const { name, written, formulas, cells, first, address, data, at } = chips[chip]!;
  const field = (label: string, key: string, value: string, size: number) => {
    const input = element("input", { type: "text", value, size, autocomplete: "off", spellcheck: false, "data-focus": `chip-${key}` });
    input.addEventListener("change", () => renamed());
    return { input, at: element("label", {}, `${label} `, input) };
  };
  const fields = [field("Name", "name", name, 8), field("Address lines", "address", written[0], 14), field("Data lines", "data", written[1], 8)] as const;
  const renamed = () => {
    const [name, address, data] = fields.map(({ input }) => input.value.trim()) as [string, string, string];
    change({ change: "chip", chip, name, address, data });
  };
  const text = element("textarea", { rows: Math.max(1, formulas.length), spellcheck: false, "aria-label": `Formulas of ${name}, one for each data line`, "data-focus": "chip-formulas", placeholder: `${data[0] ?? "Q"} = …` }, formulas.join("\n"));
  text.addEventListener("change", () => change({ change: "formulas", chip, formulas: text.value.split("\n").map((line) => line.trim()).filter(Boolean) }));
  return element(
    "section",
    { class: "bench-own", "aria-label": `Chip ${name}` },
    element("h4", {}, `Chip ${name}: its table`),
    ...table(),
    element("h4", {}, "The same as formulas"),
    element("p", { class: "hint" }, "! not, & and, | or, ^ one of the two, E ? D : Q if E then D else Q. Numbers can be added and compared."),
    text,
    element("h4", {}, "Its name and its lines"),
    element("div", { class: "toolbar" }, ...fields.map(({ at }) => at), button("Remove this chip", { "data-focus": "chip-remove" }, () => change({ change: "remove", chip }))),
  );

  function table(): HTMLElement[] {
    if (cells.length === 0) return [element("p", { class: "hint" }, "There is no table before the formulas are right.")];
    const rows = cells.map((cell, index) => `${bits(first + index, address.length)} | ${bits(cell, data.length)}`);
    const bitsOf = (lines: readonly string[]) => lines.flatMap((line) => line.split("|")[1]?.trim().split(" ") ?? []);
    const flipped = (text: string) => {
      const after = bitsOf(text.split("\n").slice(1));
      const place = bitsOf(rows).findIndex((bit, index) => bit !== after[index]);
      if (place >= 0) change({ change: "flip", chip, address: first + Math.floor(place / data.length), line: place % data.length });
    };
    const made = truthTable([address, data], ["address | data", ...rows].join("\n"), flipped).at;
    made.className = "bench-table";
    for (const [index, row] of [...made.querySelectorAll("tr")].slice(1).entries()) {
      if (first + index === at) {
        row.className = "now";
        row.setAttribute("aria-current", "true");
      }
      for (const [line, bit] of row.querySelectorAll("button").entries()) bit.dataset["focus"] = `cell-${first + index}-${line}`;
    }
    return [element("p", { class: "hint" }, `Click a bit to change it. ${at === undefined ? "" : "The marked row is looked up now."}`), made];
  }
}

/** A number as bits, the lowest first, as its lines are named. */
export function bits(number: number, lines: number): string {
  return Array.from({ length: lines }, (_, line) => (number >> line) & 1).join(" ");
}
