// Saves files: the source, and files that the machine makes. No data leaves the computer.

import { element, grouped } from "./dom.js";
import type { Machine } from "./machine.js";
import { Menu, type Item } from "./menu.js";
import type { File as Wanted, Moment } from "./protocol.js";
import type { Open } from "./session.js";

/** Number of cycles before the present one in a GIF, and in a waveform. */
const GIF_CYCLES = 80_000;
const WAVE_CYCLES = 1_000;
const PICTURE = 640;
/** Cycles that an animation shows in a second. */
const GIF_SPEED = 8000;

interface Sources {
  program(): Open;
  moment(): Moment | null;
  shapes(): boolean;
  stretch(chosen: (from: number, to: number) => void): void;
  /** Carries out an action that the machine may refuse. */
  careful(action: () => Promise<unknown>): Promise<boolean>;
}

export function saveMenu(opener: HTMLButtonElement, menu: HTMLElement, machine: Machine, sources: Sources): void {
  const make = async (wanted: (moment: Moment) => Wanted) => {
    const moment = sources.moment();
    if (!moment) return;
    await sources.careful(async () => {
      const { answer, bytes } = await machine.take({ ask: "save", file: wanted(moment) }, "file");
      save(answer.name, new Blob([bytes], { type: answer.media }));
    });
  };
  const file = (label: string, about: string, wanted: (moment: Moment) => Wanted): Item => ({ label, about, action: () => void make(wanted) });
  const gif = (from: number, to: number): Wanted => ({ kind: "gif", from, cycles: Math.max(1, to - from), hz: GIF_SPEED });
  new Menu(opener, menu, [
    { label: "Source", about: "the program as it is in the editor", action: () => saveSource(sources.program()) },
    file("Picture", "the LEDs as they are, PNG", () => ({ kind: "picture", size: PICTURE, shapes: sources.shapes() })),
    file("Animation", `the last ${grouped(GIF_CYCLES)} cycles, GIF`, ({ cycle, start }) => gif(Math.max(start, cycle - GIF_CYCLES), cycle)),
    { label: "Stretch as an animation…", about: "from one cycle to another, GIF", action: () => sources.stretch((from, to) => void make(() => gif(from, to))) },
    file("State", "the whole machine, to go on later", () => ({ kind: "state" })),
    file("Image", "the program as it is burned", () => ({ kind: "image" })),
    file("Listing", "source, words and costs", () => ({ kind: "listing" })),
    file("Waveform", `every net in the last ${grouped(WAVE_CYCLES)} cycles, for GTKWave or Surfer`, ({ cycle, start }) => {
      const from = Math.max(start, cycle - WAVE_CYCLES);
      return { kind: "wave", from, cycles: Math.max(1, cycle - from) };
    }),
  ]);
}

function saveSource({ name, text }: Open): void {
  save(name, new Blob([text], { type: "text/plain" }));
}

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
