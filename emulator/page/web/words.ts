// The vocabulary of a program: instructions, directives, built-in names, macros of the library, and the program's own names.
// The machine lists the names; their comments stand above the definitions.

import { hex } from "./dom.js";
import type { Checked, Hello } from "./protocol.js";

export interface Word {
  name: string;
  kind: "instruction" | "directive" | "built-in" | "macro" | "function" | "label" | "ram" | "constant";
  /** What it is, in a line. */
  about: string;
  comment: string;
  /** Where it is defined: the file, `null` for the program, and the line. */
  at: { file: string | null; line: number } | null;
}

const KINDS: Record<string, Word["kind"]> = { label: "label", ram: "ram", constant: "constant", macro: "macro" };
/** A definition of something in a library file, or a `.macro` of the program. */
const DEFINES = /^\.(macro|routine|function|table)\s+([A-Za-z_]\w*)(.*)$/;

export class Words {
  private fixed: Word[] = [];
  private own: Word[] = [];

  /** Takes what is the same for all programs. */
  begin({ instructions, directives, names, library }: Hello): void {
    const word = (kind: Word["kind"], name: string, about: string): Word => ({ name, kind, about, comment: "", at: null });
    this.fixed = [
      ...instructions.map(([name, about]) => word("instruction", name.toLowerCase(), `${about}; 1 word, 1 cycle`)),
      ...directives.map((name) => word("directive", name, "")),
      ...names.map(([name, address]) => word("built-in", name, `at $${hex(address, 3)}`)),
      ...library.flatMap(([file, text]) => defined(file, text).filter(({ name }) => !name.startsWith("_"))),
    ];
  }

  /** Takes the names of a program that was assembled. Those of one with errors stay as they were. */
  take({ errors, symbols }: Checked, text: string): void {
    if (errors > 0) return;
    const lines = text.split("\n");
    const heads = new Map(defined(null, text).map((word) => [word.name, word]));
    this.own = symbols.map(({ name, kind, value, size, line }) => ({
      name,
      kind: heads.get(name)?.kind ?? KINDS[kind] ?? "constant",
      about: heads.get(name)?.about ?? described(kind, value, size),
      comment: line === null ? "" : commentAbove(lines, line),
      at: line === null ? null : { file: null, line },
    }));
  }

  /** All words; a name of the program hides one of the library. */
  all(): Word[] {
    const own = new Set(this.own.filter(({ at }) => at).map(({ name }) => name));
    const fixed = new Set(this.fixed.map(({ name }) => name));
    return [...this.fixed.filter(({ name }) => !own.has(name)), ...this.own.filter(({ name, at }) => at || !fixed.has(name))];
  }

  find(name: string): Word | undefined {
    return this.all().find((word) => word.name === name || (word.kind === "instruction" && word.name === name.toLowerCase()));
  }
}

function described(kind: string, value: number, size: number): string {
  if (kind === "ram") return `${size} ${size === 1 ? "byte" : "bytes"} of RAM at $${hex(value, 3)}`;
  if (kind === "label") return `instruction $${hex(value, 3)}`;
  return value >= 0 ? `${value}, $${hex(value, 2)}` : String(value);
}

/** The macros and the like that a text defines. */
function defined(file: string | null, text: string): Word[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index): Word[] => {
    const [, directive, name, parameters = ""] = DEFINES.exec(line.trim()) ?? [];
    if (!name) return [];
    return [{ name, kind: directive === "macro" ? "macro" : "function", about: `${name}${parameters.replace(/\s*;.*/, "")}${file ? `, of ${file}` : ""}`, comment: commentAbove(lines, index + 1), at: { file, line: index + 1 } }];
  });
}

/** The comment in the lines above a line, or else behind its code. */
function commentAbove(lines: readonly string[], line: number): string {
  const found: string[] = [];
  for (let at = line - 2; at >= 0 && lines[at]!.startsWith(";"); at--) found.unshift(lines[at]!.replace(/^; ?/, ""));
  return found.join("\n").trim() || (/;\s*(.*)$/.exec(lines[line - 1] ?? "")?.[1] ?? "");
}
