// The page's questions: a cycle to go to, and a range of the run.

import { question, wholeNumber } from "./question.js";
import type { Session } from "./session.js";

export class Questions {
  constructor(private readonly dialog: HTMLDialogElement, private readonly session: Session, private readonly seek: (cycle: number) => void) {}

  cycle(): void {
    const now = String(this.session.moment()?.cycle ?? 0);
    question(this.dialog, "Go to a cycle", [{ label: "Cycle", value: now, isNumber: true }], ([text = ""]) => {
      const cycle = wholeNumber(text);
      if (cycle === null) return "A cycle is a whole number, such as 1234.";
      this.seek(cycle);
      return null;
    });
  }

  stretch(chosen: (from: number, to: number) => void): void {
    const { start = 0, cycle = 0, end = 0 } = this.session.moment() ?? {};
    const fields = [
      { label: "From cycle", value: String(start), isNumber: true },
      { label: "To cycle", value: String(cycle > start ? cycle : end), isNumber: true },
    ];
    question(this.dialog, "Animation of a stretch", fields, ([first = "", last = ""]) => {
      const [from, to] = [wholeNumber(first), wholeNumber(last)];
      if (from === null || to === null || to <= from) return "Two cycles, the later one below.";
      chosen(from, to);
      return null;
    });
  }
}
