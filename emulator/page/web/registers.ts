// The registers, the current instruction, and its source lines.

import { element, hex, setText } from "./dom.js";
import { fileName } from "./included.js";
import type { Moment } from "./protocol.js";

const FIELDS = ["A", "C", "PC", "phase", "runs", "from"] as const;

export class Registers {
  private readonly values = new Map<string, HTMLElement>();

  constructor(at: HTMLElement) {
    for (const field of FIELDS) {
      const isWide = field === "runs" || field === "from";
      const value = element("span", { class: isWide ? "wide" : undefined });
      this.values.set(field, value);
      at.append(element("span", { class: "name" }, field), value);
    }
  }

  show(moment: Moment): void {
    const { a, c, pc, word, instruction, phase, frames } = moment;
    this.set("A", `$${hex(a, 2)}  ${a}`);
    this.set("C", c ? "1" : "0");
    this.set("PC", `$${hex(pc, 3)}  Gray ${hex(pc ^ (pc >> 1), 3)}`);
    this.values.get("PC")!.title = "The number of the instruction, and how the chips hold it: in Gray code, as Board and Waves show it";
    this.set("phase", [0, 1, 2, 3].map((other) => (other === phase ? "●" : "○")).join(""));
    this.values.get("phase")!.setAttribute("aria-label", `phase ${phase}`);
    this.set("runs", `${instruction}  (${word})`);
    const lines = frames.map((frame) => (frame.is_root ? `line ${frame.line}` : `${fileName(frame.file)}:${frame.line}`));
    this.set("from", lines.reverse().join(", from ") || "no line of the source");
  }

  private set(field: (typeof FIELDS)[number], text: string): void {
    const value = this.values.get(field)!;
    value.classList.toggle("changed", value.textContent !== "" && value.textContent !== text && field.length <= 2);
    setText(value, text);
    if (field === "runs" || field === "from") value.title = text;
  }
}
