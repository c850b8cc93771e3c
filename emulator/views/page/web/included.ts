// Shows a file that the program includes, from the library or its own, beside the source. It opens when a step or a cause
// leads into the file.

import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";

import { button, element, setText } from "./dom.js";
import { language } from "./highlight.js";
import { running, setRunning } from "./running.js";

/** The prefix of the names of library files. */
const BUILT_IN = "gray1:";

/** The name of a file for display. */
export function fileName(file: string): string {
  return file.startsWith(BUILT_IN) ? file.slice(BUILT_IN.length) : file;
}

export class Included {
  private view: EditorView | null = null;
  private readonly body = element("div", { class: "editor" });
  private readonly name = element("strong", { class: "file-name" });
  private readonly where = element("span", { class: "size" });
  private file = "";
  /** The file that the user has closed: it is not opened again until the machine leads into another file. */
  private closed: string | null = null;

  /** `textOf` gives the text of a file by its name. */
  constructor(private readonly at: HTMLElement, private readonly textOf: (name: string) => string | null) {
    const close = button("Close", { class: "quiet", "aria-label": "Close the included file" }, () => {
      this.hide();
      this.closed = this.file;
    });
    at.append(element("div", { class: "source-head" }, this.name, element("span", { class: "edited" }, "included, to be read"), this.where, close), this.body);
  }

  /** Follows the machine to this line; `null` if it is not in an included file. */
  follow(file: string | null, line: number): void {
    if (file === null) {
      this.hide();
    } else if (file !== this.closed) {
      this.show(file, line);
    }
  }

  /** Shows a line; returns whether the file is known. */
  show(file: string, line: number): boolean {
    const name = fileName(file);
    const text = this.textOf(name);
    if (text === null) return false;
    this.view ??= new EditorView({ parent: this.body });
    if (this.file !== file || this.view.state.doc.toString() !== text) {
      const label = `${name}, which the program includes`;
      const extensions = [lineNumbers(), language(), running, EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" })];
      this.view.setState(EditorState.create({ doc: text, extensions }));
    }
    [this.file, this.closed] = [file, null];
    this.at.hidden = false;
    setText(this.name, name);
    setText(this.where, `line ${line}`);
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return true;
    this.view.dispatch({ effects: [setRunning.of([line]), EditorView.scrollIntoView(doc.line(line).from, { y: "center" })] });
    return true;
  }

  private hide(): void {
    this.at.hidden = true;
    this.view?.destroy();
    this.view = null;
    this.closed = null;
  }
}
