// The choice of programs: shipped ones, and the user's own, from files that are opened or dropped.

import { element } from "./dom.js";
import type { Shipped } from "./protocol.js";

/** The prefix of the option values of the user's own programs. */
const OWN = "own:";
/** Maximum size of a program's file. */
const MAX_BYTES = 1 << 20;
const INCLUDE = /^[^;\n"']*\.include\s+"([^"\n]*)"/gim;

/** Delay in milliseconds before a program that arrow keys have chosen is opened. */
const REST = 900;

const TOPICS: [string, RegExp][] = [
  ["Eight queens", /queens|^board/],
  ["Numbers", /^(first|counter|primes|fibonacci|sort|muldiv|calculator)\./],
  ["Pictures that move", /^(ant|rings|scroll|life)\./],
  ["Games", /^(draw|snake|lights|simon)\./],
  ["Puzzles and machines", /^(sudoku|brainf|selftest)\./],
];
const OTHERS = "More programs";

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
  choose(name: string): void;
  chooseOwn(name: string): void;
  /** Files were opened: a program with those that it includes, or a state. */
  opened(files: Opened[]): void;
  refused(text: string): void;
}

export class Programs {
  private shipped: readonly Shipped[] = [];
  /** Whether a program was chosen that is not open yet, and the timer that opens it. */
  private isChosen = false;
  private timer = 0;

  constructor(
    private readonly choice: HTMLSelectElement,
    file: HTMLInputElement,
    open: HTMLButtonElement,
    private readonly actions: Actions,
  ) {
    // Arrow keys in the closed list pass programs by: only one that is rested on, or chosen by Enter, is opened.
    let isByKey = false;
    choice.addEventListener("pointerdown", () => (isByKey = false));
    choice.addEventListener("keydown", ({ key }) => {
      isByKey = key !== "Enter";
      if (!isByKey) this.take();
    });
    choice.addEventListener("blur", () => this.take());
    choice.addEventListener("change", () => {
      this.isChosen = true;
      clearTimeout(this.timer);
      if (isByKey) this.timer = window.setTimeout(() => this.take(), REST);
      else this.take();
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
      ...topics(shipped).map(([label, programs]) =>
        element("optgroup", { label }, ...programs.map(({ name, title }) => element("option", { value: name }, `${name}: ${title}`))),
      ),
    );
  }

  names(): string[] {
    return this.shipped.map(({ name }) => name);
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

  private take(): void {
    clearTimeout(this.timer);
    if (!this.isChosen) return;
    this.isChosen = false;
    const { value } = this.choice;
    if (value.startsWith(OWN)) this.actions.chooseOwn(value.slice(OWN.length));
    else this.actions.choose(value);
  }

  private async read(files: readonly File[]): Promise<void> {
    const large = files.find((file) => file.size > MAX_BYTES);
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

/** The shipped programs by topic; programs without a topic come last. */
function topics(shipped: readonly Shipped[]): [string, Shipped[]][] {
  const topicOf = ({ name }: Shipped) => TOPICS.find(([, names]) => names.test(name))?.[0] ?? OTHERS;
  const all = [...TOPICS.map(([topic]) => topic), OTHERS];
  return all.map((topic): [string, Shipped[]] => [topic, shipped.filter((program) => topicOf(program) === topic)]).filter(([, programs]) => programs.length > 0);
}
