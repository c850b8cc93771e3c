// The caption of the LEDs: the meaning of red and green, from the section "The display" of the program's comment.

import { element } from "./dom.js";

/** A colour, perhaps limited to some rows, and its meaning. */
type Meaning = [colour: string, where: string, shows: string];

/** Shows the meanings of the colours; nothing if the program's comment has none. */
export function showCaption(at: HTMLElement, source: string): void {
  const meanings = read(source);
  at.hidden = meanings.length === 0;
  at.replaceChildren(...meanings.map(([colour, where, shows]) => element("span", {}, element("b", { class: colour }, colour), `${where.trimEnd()}: ${shows}`)));
}

/** The meanings that the comment of a program gives. */
export function read(source: string): Meaning[] {
  const lines = source.split("\n");
  const found: Meaning[] = [];
  const first = lines.findIndex((line) => /^;\s*The display\s*$/.test(line)) + 1;
  if (first === 0) return found;
  for (const line of lines.slice(first)) {
    if (!/^;\s+\S/.test(line)) break;
    const [, colour = "", where = "", shows = ""] = /^;\s+(red|green|amber)(,? ?\S*(?: \S+)*?)\s{2,}(\S.*)$/.exec(line) ?? [];
    if (colour) found.push([colour, where, shows]);
  }
  return found;
}
