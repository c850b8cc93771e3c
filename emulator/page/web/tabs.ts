// The panes that show the inside of the machine, as tabs. A hidden pane sends no requests to the machine.

import { element } from "./dom.js";
import { Roving } from "./roving.js";

export abstract class Pane {
  /** The element in which it draws. */
  readonly at: HTMLElement;
  protected isShown = false;

  constructor(readonly id: string, readonly title: string) {
    this.at = element("div", { class: `tab-panel ${id}`, id: `pane-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, tabindex: 0 });
  }

  /** Called when the pane is shown or hidden. */
  shown(isShown: boolean): void {
    this.isShown = isShown;
    this.ask();
  }

  /** Asks the machine for the pane's content while the pane is shown. */
  protected ask(): void {}
}

export class Tabs {
  private readonly buttons: HTMLButtonElement[];
  private readonly roving: Roving;
  private current: Pane | null = null;

  constructor(
    list: HTMLElement,
    panels: HTMLElement,
    private readonly panes: readonly Pane[],
    private readonly chosen: (id: string) => void,
  ) {
    this.buttons = panes.map(({ id, title }) => {
      const tab = element(
        "button",
        { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `pane-${id}`, "aria-selected": "false" },
        title,
      );
      tab.addEventListener("click", () => this.choose(id));
      return tab;
    });
    list.append(...this.buttons);
    this.roving = new Roving(list, "button", (tab) => this.choose(panes[this.buttons.findIndex((button) => button === tab)]!.id));
    for (const pane of panes) {
      pane.at.hidden = true;
      panels.append(pane.at);
    }
  }

  choose(id: string): void {
    const pane = this.panes.find((pane) => pane.id === id) ?? this.panes[0]!;
    if (pane === this.current) return;
    this.panes.forEach((other, index) => {
      const isChosen = other === pane;
      const button = this.buttons[index]!;
      button.setAttribute("aria-selected", String(isChosen));
      if (isChosen) this.roving.refresh(button);
      other.at.hidden = !isChosen;
      if (isChosen) button.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    this.current?.shown(false);
    this.current = pane;
    pane.shown(true);
    this.chosen(pane.id);
  }

  /** Shows another pane, if this one is shown. */
  leave(pane: Pane): void {
    const other = this.panes[this.panes.indexOf(pane) + 1] ?? this.panes[0];
    if (other && pane === this.current) this.choose(other.id);
  }

  chosenId(): string {
    return this.current?.id ?? "";
  }
}
