// The user's changes to the machine and to the run: burned cells, presses, edited bytes. They are always shown, and each one
// can be undone.

import { button, element } from "./dom.js";
import type { Moment, Options } from "./protocol.js";
import type { Session } from "./session.js";

/** Maximum number of cells listed; further ones are counted. */
const MAX_CELLS = 3;

interface Change {
  text: string;
  undo: string;
  /** The options without which the program is loaded again to undo it. */
  options: (keyof Options)[];
}

export class Changes {
  private drawn = "";

  constructor(private readonly at: HTMLElement, private readonly session: Session, private readonly undone: () => void) {}

  show(moment: Moment): void {
    const all = changes(this.session.program().options ?? {}, moment);
    const wanted = JSON.stringify(all);
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    this.at.hidden = all.length === 0;
    this.at.replaceChildren(...all.map((change) => this.change(change)));
  }

  private change({ text, undo, options }: Change): HTMLElement {
    const undoes = button(undo, { "aria-label": `${undo}: ${text}` }, () => void this.session.undo(...options).then(this.undone));
    return element("p", { class: "change" }, element("span", {}, text), undoes);
  }
}

function changes({ board, cells = [], input, ram }: Options, { pressed, edited }: Moment): Change[] {
  const times = (count: number) => (count === 1 ? "once" : `${count} times`);
  const all: (Change | false)[] = [
    board !== undefined && { text: "This board has chips of your own.", undo: "Back to the Gray-1", options: ["board"] },
    cells.length > 0 && { text: `Not the board as it was: ${listed(cells)}.`, undo: "Mend it", options: ["cells"] },
    input !== undefined && { text: "Pads and keys are pressed in this run, as a link has recorded them.", undo: "Without them", options: ["input"] },
    pressed > 0 && { text: `Pads and keys were pressed ${times(pressed)} in this run.`, undo: "Run without that", options: [] },
    edited > 0 && { text: `RAM or registers were changed ${times(edited)} by hand.`, undo: "Undo", options: [] },
    ram !== undefined && { text: `RAM at power-up is ${ram}.`, undo: "As usual", options: ["ram"] },
  ];
  return all.filter((change) => change !== false);
}

/** Cells in words: `ALUL $2AA gives $0B`. */
function listed(cells: readonly string[]): string {
  const words = cells.slice(0, MAX_CELLS).map((cell) => cell.replace(/^(\w+):0x0*(?=.)(\w*)=0x(\w+)$/, "$1 at $$$2 gives $$$3"));
  const more = cells.length - words.length;
  return words.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
