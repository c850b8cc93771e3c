// The five steps of the tour. The last one breaks a cell on purpose.

import type { Step } from "./tour.js";
import type { showView } from "./views.js";

/**
 * A cell of the lower half of the ALU, and the wrong content for it. It is the one for NOT (0 OR 0): 1110 in place of 1111.
 * The search then takes 13582417 for its first solution, where two queens are in one column; this LED depends on the cell.
 */
const CELL = "ALUL:0x0003=0x2E";
const LED = "green 7,0";

interface Actions {
  showView: typeof showView;
  chooseTab(tab: string): void;
  /** Searches for the first solution from the beginning, slowly. */
  search(): Promise<void>;
  pause(): void;
  explain(what: string): void;
  burn(change: string): Promise<void>;
  mend(): Promise<void>;
  /** Opens the program of the queens if another one is open. */
  openQueens(): Promise<void>;
}

export function stepsOf({ showView, chooseTab, search, pause, explain, burn, mend, openQueens }: Actions): Step[] {
  const isolated = async (action: () => Promise<void>) => {
    await openQueens();
    await action();
    await search();
  };
  return [
    {
      title: "A computer made of memory chips",
      text: "Its processor consists of memory chips: 39 chips hold tables, and to look something up in them is all that it does. Its program places eight queens on a board so that none attacks another. The LEDs are its memory: red are the queens, green are squares that are still free.",
      short: "39 memory chips place eight queens: red are queens, green are free squares.",
      of: ".front",
      begin: () => showView("panel"),
      tries: [{ label: "Search from the beginning", action: () => void isolated(async () => undefined) }],
    },
    {
      title: "The program",
      text: "This is its source, with its own explanation at the top. You can change it: the machine takes it over when you press Run. The numbers beside the lines are cycles; a click to the left of them sets a breakpoint.",
      short: "The source. Change it: Run takes it over.",
      of: "#source",
      begin: () => showView("source"),
    },
    {
      title: "The chips",
      text: "Every block is a memory chip, every line a cable. Blue has moved just now, faint does not matter at the moment. Choose a chip to see its table, and the cell that it looks up. With ‹ and › the machine goes on and back, by a quarter of a cycle if you want.",
      short: "Every block is a memory chip. Choose one to see its table.",
      of: "#inside",
      begin: () => {
        showView("inside");
        chooseTab("board");
      },
    },
    {
      title: "Why?",
      text: "Whatever you see has a reason. Ask why an LED is lit or dark: the answer is the chain of instructions, chips and cells that made it so.",
      short: "Ask why an LED is lit: the answer is a chain of chips and cells.",
      of: "#ask",
      begin: () => showView("panel"),
      tries: [
        {
          label: "Why is the first LED as it is?",
          action: () => {
            pause();
            explain("red 0,0");
          },
        },
      ],
    },
    {
      title: "Break something",
      text: "One cell of the chip ALUL holds what NOT (0 OR 0) is: 1111. Make it 1110, and watch the search: it takes 13582417 for a solution, with two queens in the first column. Ask why, and the answer leads to the cell. Then mend it.",
      short: "Make one cell wrong, watch the search fail, ask why, mend it.",
      of: "#changes",
      begin: () => showView("panel"),
      tries: [
        { label: "Make the cell wrong", action: () => void isolated(() => burn(CELL)) },
        {
          label: "Why is that square not free?",
          action: () => {
            pause();
            explain(LED);
          },
        },
        { label: "Mend it", action: () => void isolated(mend) },
      ],
    },
  ];
}
