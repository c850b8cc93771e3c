// Shows a file that the program includes, from the library or its own, beside the source. It opens when a step or a cause
// leads into the file.

import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";

import { button, element, setText } from "./dom.js";
import { language } from "./highlight.js";
import { countMargin, pointMargin, pointsOf, setCounts, setPoints, type CountedLines, type LinePoint } from "./margin.js";
import { running, setRunning } from "./running.js";

/** The prefix of the names of library files. */
const BUILT_IN = "gray1:";

/** The name of a file for display. */
export function fileName(file: string): string {
  return file.startsWith(BUILT_IN) ? file.slice(BUILT_IN.length) : file;
}

/** The breakpoints of all files, which the editor has. */
interface AllPoints {
  points(): LinePoint[];
  setPointsOf(file: string, points: readonly LinePoint[]): void;
}

export class Included {
  private view: EditorView | null = null;
  private readonly body = element("div", { class: "editor" });
  private readonly name = element("strong", { class: "file-name" });
  private readonly where = element("span", { class: "size" });
  private file = "";
  /** The file that the user has closed: it is not opened again until the machine leads into another file. */
  private closed: string | null = null;
  /** How often the lines of each file were run. */
  private counts: ReadonlyMap<string, CountedLines> | null = null;

  /** `textOf` gives the text of a file by its name; `counted` is called if the count of a line was clicked that was run first in this cycle. */
  constructor(private readonly at: HTMLElement, private readonly textOf: (name: string) => string | null, private readonly counted: (cycle: number) => void, private readonly all: AllPoints) {
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

  /** Marks no line: the machine is somewhere else by now. */
  unmark(): void {
    this.view?.dispatch({ effects: setRunning.of([]) });
  }

  /** Shows a line; returns whether the file is known. */
  show(file: string, line: number): boolean {
    const name = fileName(file);
    const text = this.textOf(name);
    if (text === null) return false;
    this.view ??= new EditorView({ parent: this.body });
    if (this.file !== file || this.view.state.doc.toString() !== text) {
      const label = `${name}, which the program includes`;
      const pointed = () => this.all.setPointsOf(file, pointsOf(this.view!.state));
      const extensions = [pointMargin(pointed), lineNumbers(), countMargin(this.counted), language(), running, EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" })];
      this.view.setState(EditorState.create({ doc: text, extensions }));
      this.markCounts(file);
      this.showPoints(file);
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

  /** Shows how often each line was run; `null` if lines are not counted. */
  showCounts(counts: ReadonlyMap<string, CountedLines> | null): void {
    this.counts = counts;
    this.markCounts(this.file);
  }

  /** Shows the breakpoints of the file, which may have been changed elsewhere. */
  showPoints(file = this.file): void {
    const points = this.all.points().filter((point) => point.file === file).map((point) => ({ ...point, error: null }));
    this.view?.dispatch({ effects: setPoints.of(points) });
  }

  private markCounts(file: string): void {
    this.view?.dispatch({ effects: setCounts.of(this.counts?.get(file) ?? null) });
  }

  private hide(): void {
    this.at.hidden = true;
    this.view?.destroy();
    this.view = null;
    this.closed = null;
  }
}
