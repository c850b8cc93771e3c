// The options of a run: constants of the program, the contents of RAM at power-up, and the engine. A change begins a new run.

import type { Options } from "./protocol.js";
import { question } from "./question.js";
import type { Session } from "./session.js";

const ENGINES = [
  ["chips", "every chip, looked up phase by phase"],
  ["isa", "instruction by instruction, while no net is shown"],
] as const;

/** Asks for the options; `chosen` begins a run with them. */
export function askOptions(dialog: HTMLDialogElement, session: Session, chosen: (constants: Record<string, number>, options: Options) => void): void {
  const { constants = {}, options = {} } = session.program();
  const names = session.defaults();
  const fields = [
    ...names.map((name) => ({ label: name, value: constants[name]?.toString() ?? "", isNumber: true, placeholder: "as in the source" })),
    { label: "RAM at power-up", value: options.ram ?? "", placeholder: "random:0, zero or ones" },
    { label: "Engine", value: options.engine ?? "chips", choices: ENGINES },
  ];
  const answered = (values: string[]): string | null => {
    const numbers = names.flatMap((name, index): [string, number][] => (values[index] ? [[name, Number(values[index])]] : []));
    const wrong = numbers.find(([, value]) => !Number.isSafeInteger(value));
    if (wrong) return `${wrong[0]} must be a whole number, such as 12 or 0x1F.`;
    const [ram, engine] = values.slice(names.length);
    const { ram: _, engine: __, ...others } = options;
    chosen(Object.fromEntries(numbers), { ...others, ...(ram && { ram }), ...(engine === "isa" && { engine }) });
    return null;
  };
  const note = names.length > 0 ? "" : "This program has no constants to choose: those are lines such as `N ?= 8`.";
  question(dialog, "Options of the run", fields, answered, "Begin anew with them", note);
}
