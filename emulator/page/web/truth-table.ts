// A table of a ROM to fill in: a row for each address, a bit to click for each data line.

import { element } from "./dom.js";

/** Stands for a bit that is not filled in. */
const OPEN = ".";
const NEXT: Record<string, string> = { [OPEN]: "0", "0": "1", "1": "0" };

export interface TruthTable {
  at: HTMLElement;
  text(): string;
  fill(text: string): void;
}

/** A table with these address and data lines, filled in as `text` says; `changed` is called after each click. */
export function truthTable(columns: [string[], string[]], text: string, changed: (text: string) => void): TruthTable {
  const at = element("div");
  const report = () => changed(filled.text());
  let filled = filledTable(columns, text, report);
  at.append(filled.at);
  const fill = (text: string) => {
    filled = filledTable(columns, text, report);
    at.replaceChildren(filled.at);
  };
  return { at, text: () => filled.text(), fill };
}

function filledTable([inputs, outputs]: [string[], string[]], text: string, changed: () => void): Pick<TruthTable, "at" | "text"> {
  const [head, ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const rows = lines.map((line) => {
    const [address = "", data = ""] = line.split("|");
    return { address: address.trim().split(/\s+/), data: data.trim().split(/\s+/) };
  });
  const table = element("table", { class: "truth" });
  const names = (of: readonly string[], kind: string) => of.map((name) => element("th", { scope: "col", class: kind }, name));
  table.append(element("tr", {}, ...names(inputs, "address"), ...names(outputs, "data")));
  for (const row of rows) {
    const cells = row.data.map((_, column) => {
      const bit = element("button", { type: "button" });
      const show = () => {
        const value = row.data[column]!;
        bit.textContent = value === OPEN ? "·" : value;
        bit.className = value === "1" ? "one" : value === "0" ? "zero" : "open";
        const is = value === OPEN ? "not filled in" : value;
        bit.setAttribute("aria-label", `${outputs[column] ?? ""} at ${row.address.join(" ")}: ${is}`);
      };
      bit.addEventListener("click", () => {
        row.data[column] = NEXT[row.data[column]!] ?? OPEN;
        show();
        changed();
      });
      show();
      return element("td", { class: "data" }, bit);
    });
    table.append(element("tr", {}, ...row.address.map((bit) => element("td", { class: "address" }, bit)), ...cells));
  }
  return {
    at: table,
    text: () => [head, ...rows.map(({ address, data }) => `${address.join(" ")} | ${data.join(" ")}`)].join("\n"),
  };
}
