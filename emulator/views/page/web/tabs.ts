// The panes that show the inside of the machine, as tabs. A hidden pane sends no requests to the machine.

import { element } from "./dom.js";

/** A pane in a tab. */
export interface Pane {
  readonly id: string;
  readonly title: string;
  /** The element in which it draws. */
  readonly at: HTMLElement;
  /** Called when the pane is shown or hidden. */
  shown(isShown: boolean): void;
}

/** An element for a pane to draw in. */
export function paneElement(id: string): HTMLElement {
  return element("div", { class: `tab-panel ${id}`, id: `pane-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, tabindex: 0 });
}

export class Tabs {
  private readonly buttons: HTMLButtonElement[];
  private current: Pane | null = null;

  /** `chosen` is called for each choice. */
  constructor(
    list: HTMLElement,
    panels: HTMLElement,
    private readonly panes: readonly Pane[],
    private readonly chosen: (id: string) => void,
  ) {
    this.buttons = panes.map(({ id, title }) => {
      const tab = element(
        "button",
        { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `pane-${id}`, "aria-selected": "false", tabindex: -1 },
        title,
      );
      tab.addEventListener("click", () => this.choose(id));
      tab.addEventListener("keydown", (event) => this.key(event));
      return tab;
    });
    list.append(...this.buttons);
    for (const pane of panes) {
      pane.at.hidden = true;
      panels.append(pane.at);
    }
  }

  /** Shows a pane. */
  choose(id: string): void {
    const pane = this.panes.find((pane) => pane.id === id) ?? this.panes[0]!;
    if (pane === this.current) return;
    this.panes.forEach((other, index) => {
      const isChosen = other === pane;
      const button = this.buttons[index]!;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
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

  private key(event: KeyboardEvent): void {
    const at = this.buttons.findIndex((button) => button === event.currentTarget);
    const last = this.buttons.length - 1;
    const to: Record<string, number> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.panes[wanted]!.id);
    this.buttons[wanted]!.focus();
  }
}
