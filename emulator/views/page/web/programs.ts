// The choice of programs: shipped ones, and the user's own, from files that are opened or dropped.

import { element } from "./dom.js";
import type { Shipped } from "./protocol.js";

/** The prefix of the option values of the user's own programs. */
const OWN = "own:";
/** A larger file is not a program. */
const MOST_BYTES = 1 << 20;
/** A line that includes another file. */
const INCLUDE = /^[^;\n"']*\.include\s+"([^"\n]*)"/gim;

/** The contents of a file. */
export interface Opened {
  name: string;
  text: string;
}

/** Moves the program to the front: the file that no other includes. Systems sort files that are chosen together by name. */
export function programFirst(files: readonly Opened[]): Opened[] {
  const included = new Set(files.flatMap(({ name, text }) => [...text.matchAll(INCLUDE)].map(([, path]) => path).filter((path) => path !== name)));
  const program = files.find(({ name }) => !included.has(name)) ?? files[0];
  return program ? [program, ...files.filter((file) => file !== program)] : [];
}

interface Actions {
  /** A shipped program was chosen. */
  choose(name: string): void;
  /** One of the user's own programs was chosen. */
  chooseOwn(name: string): void;
  /** Files were opened: a program with those that it includes, or a state. */
  opened(files: Opened[]): void;
  refused(text: string): void;
}

export class Programs {
  private shipped: readonly Shipped[] = [];

  constructor(
    private readonly choice: HTMLSelectElement,
    file: HTMLInputElement,
    open: HTMLButtonElement,
    private readonly actions: Actions,
  ) {
    choice.addEventListener("change", () => {
      const { value } = choice;
      if (value.startsWith(OWN)) actions.chooseOwn(value.slice(OWN.length));
      else actions.choose(value);
    });
    open.addEventListener("click", () => file.click());
    file.multiple = true;
    file.addEventListener("change", () => {
      void this.read([...(file.files ?? [])]);
      file.value = "";
    });
    // Accepts a drop anywhere on the page; otherwise the browser would navigate to the file.
    const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    document.addEventListener("dragover", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => !event.relatedTarget && document.body.classList.remove("dropping"));
    document.addEventListener(
      "drop",
      (event) => {
        if (!isFile(event)) return;
        event.preventDefault();
        event.stopPropagation();
        document.body.classList.remove("dropping");
        void this.read([...(event.dataTransfer?.files ?? [])]);
      },
      true,
    );
  }

  list(shipped: readonly Shipped[]): void {
    this.shipped = shipped;
    this.choice.replaceChildren(
      element("optgroup", { label: "Yours", hidden: true }),
      element("optgroup", { label: "Programs" }, ...shipped.map(({ name, title }) => element("option", { value: name }, `${name}: ${title}`))),
    );
  }

  find(name: string): Shipped | undefined {
    return this.shipped.find((program) => program.name === name);
  }

  /** Shows which program is open; `isOwn` if it is not a shipped one, or was changed. `own` lists the user's own programs. */
  show(name: string, isOwn: boolean, own: readonly string[]): void {
    const group = this.choice.firstElementChild as HTMLOptGroupElement;
    const label = (name: string) => (this.find(name) ? `${name} (changed)` : name);
    group.replaceChildren(...[...own].reverse().map((name) => element("option", { value: OWN + name }, label(name))));
    group.hidden = own.length === 0;
    this.choice.value = isOwn ? OWN + name : name;
  }

  private async read(files: readonly File[]): Promise<void> {
    const large = files.find((file) => file.size > MOST_BYTES);
    if (large) return this.actions.refused(`${large.name} is too large for a program: ${large.size.toLocaleString("en-US")} bytes`);
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true });
      const opened = await Promise.all(files.map(async (file) => ({ name: file.name, text: decoder.decode(await file.arrayBuffer()) })));
      if (opened.length > 0) this.actions.opened(opened);
    } catch {
      this.actions.refused(`${files.map(({ name }) => name).join(", ")}: this is not a text file. A program is a text file whose name ends in .g1`);
    }
  }
}
