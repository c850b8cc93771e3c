// Handing in: the student's name, and all answers as a file, a link or a QR code. The page sends nothing anywhere.

import { button, element } from "./dom.js";
import { fragment, LONG_LINK } from "./link.js";
import type { Machine } from "./machine.js";
import type { Exercise, Student } from "./protocol.js";
import { save } from "./save.js";
import { keepSetAside, keepStudent, keptAttempts, keptSetAside, keptStudent, ownPrograms, replaceAttempts, replaceOwn, type Attempts } from "./store.js";

interface Actions {
  exercises(): readonly Exercise[];
  /** Called when the name or the class was changed. */
  renamed(): void;
  /** Called when other answers have come; the verdicts on them are not known yet. */
  opened(): Promise<void>;
  /** Takes a lesson of one's own. */
  lesson(name: string, text: string): Promise<void>;
}

/** The program in which an exercise is solved. */
export const programOf = (id: string): string => `exercise-${id}.g1`;

export class HandIn {
  readonly at = element("details", { class: "hand-in" });
  private readonly status = element("p", { role: "status" });
  private readonly code = element("div");
  private readonly undo = button("Back to your own answers", { hidden: keptSetAside() === null }, () => void this.goBack());

  constructor(private readonly machine: Machine, private readonly actions: Actions) {
    const file = element("input", { type: "file", accept: ".json,.md", hidden: true });
    file.addEventListener("change", () => void this.choose(file));
    this.at.append(
      element("summary", {}, "Hand in, or open answers and lessons"),
      element("p", {}, "Your name and class stay on this computer, and stand in what you hand in. The class may be left empty."),
      element("div", { class: "toolbar" }, this.field("Name", "name"), this.field("Class", "class")),
      element(
        "div",
        { class: "toolbar" },
        button("Save all answers", { class: "primary" }, () => void this.careful(async () => this.save(await this.text()))),
        button("Copy as a link", {}, () => void this.careful(() => this.link())),
        button("Show as a QR code", {}, () => void this.careful(() => this.qr())),
        button("Open answers or a lesson…", {}, () => file.click()),
        this.undo,
        file,
      ),
      this.status,
      this.code,
    );
  }

  /** Takes answers from a file or a link. The user's own answers are set aside. Earlier answers of others are dropped. */
  async take(text: string): Promise<void> {
    const { student, answers } = await this.machine.ask({ ask: "handed-in", text }, "handed-in");
    const taken: Attempts = Object.fromEntries(Object.entries(answers).map(([id, text]) => [id, { text }]));
    const [now, aside] = [this.collected(), keptSetAside()];
    const isSeenOnly = aside !== null && isSame(now, aside.taken);
    const own = isSeenOnly ? aside : { student: keptStudent(), attempts: now };
    const isOwn = isSame(taken, own.attempts);
    this.replace(taken);
    keepSetAside(isOwn || Object.keys(own.attempts).length === 0 ? null : { ...own, taken });
    this.undo.hidden = keptSetAside() === null;
    this.rename({ name: "", class: "", ...student });
    const count = Object.keys(answers).length;
    this.at.open = true;
    this.status.className = "";
    this.status.textContent = `Opened: ${count} ${count === 1 ? "answer" : "answers"} of ${student.name || "an unnamed student"}.`;
    await this.actions.opened();
  }

  private async goBack(): Promise<void> {
    const aside = keptSetAside();
    if (!aside) return;
    this.replace(aside.attempts);
    keepSetAside(null);
    this.undo.hidden = true;
    this.rename(aside.student);
    this.status.textContent = "These are your answers again.";
    await this.actions.opened();
  }

  /** Replaces the present answers. */
  private replace(attempts: Attempts): void {
    const taken = keptSetAside()?.taken;
    for (const { id, kind } of this.actions.exercises()) {
      if (kind === "program") replaceOwn(programOf(id), attempts[id]?.text, taken?.[id]?.text);
    }
    replaceAttempts(attempts);
  }

  private field(label: string, key: keyof Student): HTMLElement {
    const input = element("input", { type: "text", maxlength: 80, autocomplete: "off", name: key, value: keptStudent()[key] });
    input.addEventListener("change", () => this.rename({ ...keptStudent(), [key]: input.value.trim() }));
    return element("label", {}, `${label} `, input);
  }

  private rename(student: Required<Student>): void {
    keepStudent(student);
    for (const key of ["name", "class"] as const) this.at.querySelector<HTMLInputElement>(`input[name=${key}]`)!.value = student[key];
    this.actions.renamed();
  }

  /** All answers: programs as they are in the editor, the others as they were typed; and what has passed. */
  private collected(): Attempts {
    const attempts = { ...keptAttempts() };
    for (const { id, kind, start } of this.actions.exercises()) {
      const text = kind === "program" ? ownPrograms()[programOf(id)]?.text : undefined;
      if (text !== undefined && text !== start) attempts[id] = { ...attempts[id], text };
    }
    return attempts;
  }

  private async text(): Promise<string> {
    const answers = Object.fromEntries(Object.entries(this.collected()).map(([id, { text, right }]) => [id, right ?? text]));
    if (Object.keys(answers).length === 0) throw new Error("There is no answer yet.");
    if (!keptStudent().name) {
      this.at.querySelector<HTMLInputElement>("input[name=name]")?.focus();
      throw new Error("Write your name first, so that your teacher knows whose answers these are.");
    }
    return (await this.machine.ask({ ask: "hand-in", student: keptStudent(), answers }, "text")).text;
  }

  private save(text: string): void {
    const { name, class: group } = keptStudent();
    const words = ["answers", group, name].flatMap((word) => word.match(/[\p{L}\p{N}]+/gu) ?? []);
    const file = `${words.join("-")}.json`;
    save(file, new Blob([text], { type: "application/json" }));
    this.status.textContent = `Saved as ${file}.`;
  }

  private async link(): Promise<void> {
    const address = location.href.replace(/#.*/, "") + (await this.fragment());
    await navigator.clipboard.writeText(address);
    const long = address.length > LONG_LINK ? " It is long: some programs cut it off, so a file is safer." : "";
    this.status.textContent = `The link is in the clipboard. Who opens it sees your answers.${long}`;
  }

  private async fragment(): Promise<string> {
    return fragment({ name: "queens.g1", answers: await this.text(), tab: "lesson" });
  }

  /** The address of this page for others; nothing if it is a file, which they have elsewhere. */
  private address(): string {
    return location.protocol === "file:" ? "" : location.href.replace(/#.*/s, "");
  }

  private async qr(): Promise<void> {
    const { size, path } = await this.machine.ask({ ask: "qr", text: this.address() + (await this.fragment()) }, "qr");
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", "QR code of all answers");
    picture.innerHTML = `<rect x="-4" y="-4" width="100%" height="100%" fill="#fff"/><path d="${path}" fill="#000"/>`;
    this.code.replaceChildren(picture);
    const use = this.address() ? "It is a link that opens them." : "Put the text that it gives behind the address of this page to open them.";
    this.status.textContent = `The code holds all answers. ${use}`;
  }

  private async choose(file: HTMLInputElement): Promise<void> {
    const chosen = file.files?.[0];
    if (!chosen) return;
    await this.careful(async () => {
      const text = await chosen.text();
      if (/\.md$/i.test(chosen.name)) await this.actions.lesson(chosen.name, text);
      else await this.take(text);
    });
    file.value = "";
  }

  /** Carries out an action, and says why it failed. */
  private async careful(action: () => unknown): Promise<void> {
    this.code.replaceChildren();
    this.status.className = "";
    try {
      await action();
    } catch (error) {
      this.status.className = "wrong";
      this.status.textContent = (error as Error).message;
    }
  }
}

/** Compares two sets of answers by their texts. */
function isSame(some: Attempts, others: Attempts): boolean {
  const texts = (of: Attempts) => JSON.stringify(Object.entries(of).map(([id, { text }]) => [id, text]).sort());
  return texts(some) === texts(others);
}
