// A question to the user: a few fields to fill in, in a dialog.

import { button, element } from "./dom.js";

export interface Field {
  label: string;
  value: string;
  /** Whether it is a whole number. */
  isNumber?: boolean;
}

/** Asks; `answered` gets the values in the order of the fields, and returns what is wrong with them, if anything. */
export function question(dialog: HTMLDialogElement, title: string, fields: readonly Field[], answered: (values: string[]) => string | null): void {
  const wrong = element("p", { class: "wrong", role: "alert" });
  const inputs = fields.map(({ value, isNumber }) => element("input", { type: "text", size: 24, value, autocomplete: "off", spellcheck: false, inputmode: isNumber ? "numeric" : undefined }));
  const rows = fields.map(({ label }, index) => element("label", { class: "option" }, element("span", {}, label), inputs[index]));
  const buttons = element("div", { class: "toolbar" }, element("button", { type: "submit", class: "primary" }, "OK"), button("Cancel", {}, () => dialog.close()));
  const form = element("form", { method: "dialog", class: "question" }, element("h2", {}, title), ...rows, wrong, buttons);
  form.addEventListener("submit", (event) => {
    const fault = answered(inputs.map(({ value }) => value.trim()));
    if (fault === null) return;
    event.preventDefault();
    wrong.textContent = fault;
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  inputs[0]?.select();
}

/** A whole number that is not negative, as people write it: 12,345. `null` if it is none. */
export function wholeNumber(text: string): number | null {
  const number = Number(text.replace(/[,_ ]/g, ""));
  return text !== "" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
