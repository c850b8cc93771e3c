// Watched expressions, in the language of the debugger's `print`: their values at each moment.

import { button, element, field, form, setText } from "./dom.js";
import type { Machine } from "./machine.js";
import { keepManner, keptManner } from "./store.js";

export class Watch {
  readonly at = element("section", { class: "watch", "aria-label": "Watched expressions" });
  private readonly list = element("ul");
  private expressions: readonly string[] = keptManner().watch ?? [];
  private isShown = false;

  constructor(private readonly machine: Machine) {
    const input = field("Expression to watch", { placeholder: "n + 1   list[2]   A3" });
    const add = () => {
      const text = input.value.trim();
      if (text && !this.expressions.includes(text)) this.change([...this.expressions, text]);
      input.value = "";
    };
    this.at.append(form("Watch", add, input), this.list);
  }

  shown(isShown: boolean): void {
    this.isShown = isShown;
    this.draw();
  }

  private change(expressions: readonly string[]): void {
    for (const text of this.expressions) this.machine.keepAsking(`watch ${text}`, null);
    this.expressions = expressions;
    keepManner({ watch: [...expressions] });
    this.draw();
  }

  private draw(): void {
    this.list.replaceChildren(...this.expressions.map((text) => this.row(text)));
  }

  private row(text: string): HTMLElement {
    const value = element("output", {}, "…");
    this.machine.keepAsking(`watch ${text}`, this.isShown ? { ask: "value", text } : null, (answer) => {
      value.classList.toggle("wrong", answer.answer === "error");
      if (answer.answer === "value" || answer.answer === "error") setText(value, answer.text);
    });
    const removes = button("×", { class: "quiet", "aria-label": `Stop watching ${text}` }, () => this.change(this.expressions.filter((other) => other !== text)));
    return element("li", {}, element("code", {}, text), value, removes);
  }
}
