// A question to the user: a few fields to fill in, in a dialog.

import { button, element } from "./dom.js";

export interface Field {
  label: string;
  value: string;
  isNumber?: boolean;
  placeholder?: string;
  /** The values to choose from, each with its label. */
  choices?: readonly (readonly [string, string])[];
}

/** Asks. `answered` gets the values in the order of the fields, and returns the fault in them, if any. */
export function question(dialog: HTMLDialogElement, title: string, fields: readonly Field[], answered: (values: string[]) => string | null, submit = "OK", note = ""): void {
  const wrong = element("p", { class: "wrong", role: "alert" });
  const inputs = fields.map(({ value, isNumber, placeholder, choices }) =>
    choices
      ? element("select", {}, ...choices.map(([choice, label]) => element("option", { value: choice, selected: choice === value }, label)))
      : element("input", { type: "text", size: 24, value, placeholder, autocomplete: "off", spellcheck: "false", inputmode: isNumber ? "numeric" : undefined }),
  );
  const rows = fields.map(({ label }, index) => element("label", { class: "option" }, element("span", {}, label), inputs[index]));
  const buttons = element("div", { class: "toolbar" }, element("button", { type: "submit", class: "primary" }, submit), button("Cancel", {}, () => dialog.close()));
  const notes = note ? [element("p", { class: "empty" }, note)] : [];
  const form = element("form", { method: "dialog", class: "question" }, element("h2", {}, title), ...notes, ...rows, wrong, buttons);
  form.addEventListener("submit", (event) => {
    const fault = answered(inputs.map(({ value }) => value.trim()));
    if (fault === null) return;
    event.preventDefault();
    wrong.textContent = fault;
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  if (inputs[0] instanceof HTMLInputElement) inputs[0].select();
}

/** A whole number that is not negative, with or without separators: 12,345. `null` if it is none. */
export function wholeNumber(text: string): number | null {
  const number = Number(text.replace(/[,_ ]/g, ""));
  return text !== "" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
