// Saves files: the source, and files that the machine makes. No data leaves the computer.

import { element } from "./dom.js";
import type { Machine } from "./machine.js";
import type { File as Wanted, Moment } from "./protocol.js";
import type { Open } from "./session.js";

/** Number of cycles before the present one in a GIF, and in a waveform. */
const GIF_CYCLES = 80_000;
const WAVE_CYCLES = 1_000;
const PICTURE = 640;

interface Sources {
  program(): Open;
  moment(): Moment | null;
  shapes(): boolean;
  /** Carries out an action that the machine may refuse. */
  careful(action: () => Promise<unknown>): Promise<boolean>;
}

export class SaveMenu {
  private readonly items: HTMLButtonElement[];

  constructor(
    private readonly opener: HTMLButtonElement,
    private readonly menu: HTMLElement,
    private readonly machine: Machine,
    private readonly sources: Sources,
  ) {
    const item = (label: string, about: string, action: () => void) => {
      const made = element("button", { type: "button", role: "menuitem", tabindex: -1 }, label, element("small", {}, about));
      made.addEventListener("click", () => {
        this.close(true);
        action();
      });
      return made;
    };
    const file = (label: string, about: string, wanted: (moment: Moment) => Wanted) => item(label, about, () => void this.make(wanted));
    this.items = [
      item("Source", "the program as it is in the editor", () => this.saveSource()),
      file("Picture", "the LEDs as they are, PNG", () => ({ kind: "picture", size: PICTURE, shapes: this.sources.shapes() })),
      file("Animation", `the last ${GIF_CYCLES.toLocaleString("en-US")} cycles, GIF`, ({ cycle, start }) => {
        const from = Math.max(start, cycle - GIF_CYCLES);
        return { kind: "gif", from, cycles: Math.max(1, cycle - from), hz: 8000 };
      }),
      file("State", "the whole machine, to go on later", () => ({ kind: "state" })),
      file("Image", "the program as it is burned", () => ({ kind: "image" })),
      file("Listing", "source, words and costs", () => ({ kind: "listing" })),
      file("Waveform", `every net in the last ${WAVE_CYCLES.toLocaleString("en-US")} cycles, for GTKWave or Surfer`, ({ cycle, start }) => {
        const from = Math.max(start, cycle - WAVE_CYCLES);
        return { kind: "wave", from, cycles: Math.max(1, cycle - from) };
      }),
    ];
    menu.append(...this.items);
    opener.addEventListener("click", () => (menu.hidden ? this.open() : this.close(true)));
    menu.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!menu.contains(event.target as Node) && event.target !== opener) this.close(false);
    });
  }

  private open(): void {
    this.menu.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.items[0]!.focus();
  }

  private close(isFocused: boolean): void {
    if (this.menu.hidden) return;
    this.menu.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    if (isFocused) this.opener.focus();
  }

  private key(event: KeyboardEvent): void {
    const at = this.items.findIndex((item) => item === document.activeElement);
    const count = this.items.length;
    const to: Record<string, number> = { ArrowDown: (at + 1) % count, ArrowUp: (at + count - 1) % count, Home: 0, End: count - 1 };
    if (event.key === "Escape" || event.key === "Tab") this.close(true);
    else if (to[event.key] !== undefined) this.items[to[event.key]!]!.focus();
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== " " && event.key !== "Tab") event.preventDefault();
  }

  private saveSource(): void {
    const { name, text } = this.sources.program();
    save(name, new Blob([text], { type: "text/plain" }));
  }

  private async make(wanted: (moment: Moment) => Wanted): Promise<void> {
    const moment = this.sources.moment();
    if (!moment) return;
    await this.sources.careful(async () => {
      const { answer, bytes } = await this.machine.take({ ask: "save", file: wanted(moment) }, "file");
      save(answer.name, new Blob([bytes], { type: answer.media }));
    });
  }
}

/** Offers a file for download. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
