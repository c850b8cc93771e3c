// The options of a run: constants of the program, the contents of RAM at power-up, and the engine. A change
// begins a new run.

import { button, element } from "./dom.js";
import type { Options } from "./protocol.js";
import type { Session } from "./session.js";

const ENGINES = [
  { value: "chips", label: "every chip, looked up phase by phase" },
  { value: "isa", label: "instruction by instruction, while no net is shown" },
] as const;

interface Parts {
  dialog: HTMLDialogElement;
  session: Session;
  /** Begins a run with the options that were chosen. */
  chosen(constants: Record<string, number>, options: Options): void;
  refused(text: string): void;
}

/** Opens the dialog; `defaults` are the constants of the program that can be chosen. */
export function showOptions({ dialog, session, chosen, refused }: Parts, defaults: readonly string[]): void {
  const { constants = {}, options = {} } = session.program();
  const inputs = defaults.map((name) => ({
    name,
    input: element("input", { type: "text", inputmode: "numeric", size: 10, placeholder: "as in the source", value: constants[name]?.toString() ?? "" }),
  }));
  const ram = element("input", { type: "text", size: 16, value: options.ram ?? "", placeholder: "random:0, zero or ones" });
  const engine = element("select", {}, ...ENGINES.map(({ value, label }) => element("option", { value, selected: value === (options.engine ?? "chips") }, label)));
  const row = (name: string, control: HTMLElement) => element("label", { class: "option" }, element("span", {}, name), control);
  const form = element(
    "form",
    { method: "dialog", class: "options" },
    element("h2", {}, "Options of the run"),
    ...inputs.map(({ name, input }) => row(name, input)),
    ...(defaults.length === 0 ? [element("p", { class: "empty" }, "This program has no constants to choose: that would be lines such as `N ?= 8`.")] : []),
    row("RAM at power-up", ram),
    row("Engine", engine),
    element("p", { class: "toolbar" }, element("button", { type: "submit", class: "primary" }, "Begin anew with them"), button("Cancel", {}, () => dialog.close())),
  );
  form.addEventListener("submit", () => {
    const filled = inputs.filter(({ input }) => input.value.trim() !== "");
    const numbers = filled.map(({ name, input }): [string, number] => [name, Number(input.value)]);
    const wrong = numbers.find(([, value]) => !Number.isSafeInteger(value));
    if (wrong) return refused(`${wrong[0]} must be a whole number, such as 12 or 0x1F.`);
    const { ram: _, engine: __, ...others } = options;
    const wanted: Options = { ...others, ...(ram.value.trim() && { ram: ram.value.trim() }), ...(engine.value === "isa" && { engine: "isa" }) };
    chosen(Object.fromEntries(numbers), wanted);
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
