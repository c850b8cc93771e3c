// The editor: the source with its colours, errors, the running line, and the margins. It uses CodeMirror, because undo,
// selections, touch, input methods and screen readers are more than this project would get right by itself.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";

import { assist } from "./assist.js";
import { language } from "./highlight.js";
import { lineChanges } from "./lines.js";
import { costMargin, countMargin, hasOtherPoints, pointMargin, pointsOf, setCosts, setCounts, setPoints, setProved, togglePoint, verdictLines, type CountedLines, type LinePoint, type CheckedPoint } from "./margin.js";
import type { Checked, PointStatus } from "./protocol.js";
import { running, setRunning } from "./running.js";
import type { Word, Words } from "./words.js";

/** Typing has paused when nothing has changed for this long, in milliseconds. */
const REST = 250;

interface Callbacks {
  /** The source has changed, and typing has paused. */
  changed(): void;
  /** Called immediately for each change. */
  typed(): void;
  pointed(): void;
  /** A count was clicked, of a line that was run first in this cycle. */
  counted(cycle: number): void;
  /** The breakpoints are now these. */
  points(points: readonly CheckedPoint[]): void;
  /** The definition of a word is to be shown. */
  define(word: Word): void;
}

export class Editor {
  private readonly view: EditorView;
  private timer = 0;
  private isSetting = false;
  private shownLine = 0;
  /** The breakpoints in included files. */
  private elsewhere: readonly CheckedPoint[] = [];

  constructor(private readonly at: HTMLElement, private readonly words: Words, private readonly callbacks: Callbacks) {
    this.view = new EditorView({ parent: at, state: this.state("") });
    // What appears below the editor, such as an error, must not hide the line that is being typed.
    new ResizeObserver(() => {
      if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { y: "nearest", yMargin: 20 }) });
    }).observe(at);
  }

  text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the program, and clears the undo history. */
  setText(text: string): void {
    this.at.querySelector(".first")?.remove();
    this.isSetting = true;
    this.view.setState(this.state(text));
    this.isSetting = false;
    this.elsewhere = [];
    this.callbacks.points([]);
    this.shownLine = 0;
  }

  /** Replaces the text by a formatted one: this can be undone, and breakpoints stay with their lines. */
  replaceText(text: string): void {
    const { changes, moved } = lineChanges(this.text(), text);
    if (changes.length === 0) return;
    const points = pointsOf(this.view.state).map((point) => ({ ...point, line: moved(point.line), error: null }));
    this.view.dispatch({ changes, effects: setPoints.of(points) });
  }

  /** Shows errors and warnings, and the costs of lines. */
  showChecked(checked: Checked): void {
    const { state } = this.view;
    const length = state.doc.length;
    const marks = checked.diagnostics.flatMap(({ place, is_error, code, message, label, help }): Mark[] => {
      if (!place?.is_root) return [];
      const from = Math.min(place.from, length);
      const lines = [`${message}`, label, ...help.map((line) => `help: ${line}`)].filter((line) => line !== "");
      return [
        {
          from,
          to: Math.max(from, Math.min(place.to, length)),
          severity: is_error ? "error" : "warning",
          source: code,
          message: lines.join("\n"),
        },
      ];
    });
    this.view.dispatch(setDiagnostics(state, marks));
    this.view.dispatch({ effects: [setCosts.of(checked.costs), setProved.of(checked.contracts)] });
  }

  /** Shows how often each line was run; `null` if lines are not counted. */
  showCounts(counted: CountedLines | null): void {
    this.view.dispatch({ effects: setCounts.of(counted) });
  }

  /** The breakpoints: those of the program itself come first. */
  points(): LinePoint[] {
    return this.checkedPoints().map(({ error: _, ...point }) => point);
  }

  /** Replaces the breakpoints of an included file, as its margin has them. */
  setPointsOf(file: string, points: readonly LinePoint[]): void {
    this.setPoints([...this.points().filter((point) => point.file !== file), ...points.map((point) => ({ ...point, file }))]);
    this.callbacks.pointed();
  }

  /** Sets these breakpoints; those that the machine has refused are marked. */
  setPoints(points: readonly LinePoint[], statuses: readonly PointStatus[] = []): void {
    const { lines } = this.view.state.doc;
    const all = points.map((point, index) => ({ ...point, error: statuses[index]?.error ?? null }));
    this.elsewhere = all.filter(({ file }) => file !== undefined);
    this.view.dispatch({ effects: setPoints.of(all.filter(({ line, file }) => file === undefined && line <= lines)) });
    this.callbacks.points(this.checkedPoints());
  }

  /** Sets or removes a breakpoint at the line of the cursor. */
  toggleHere(): void {
    togglePoint(this.view, this.view.state.selection.main.head);
    this.callbacks.pointed();
  }

  /** Shows the running lines, the innermost first; scrolls there if the machine is stopped. */
  showRunning(lines: readonly number[], isStanding: boolean): void {
    this.view.dispatch({ effects: setRunning.of(lines) });
    const first = lines[0];
    if (!isStanding || first === undefined || first === this.shownLine || first > this.view.state.doc.lines) return;
    this.shownLine = first;
    this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.doc.line(first).from, { y: "nearest", yMargin: 60 }) });
  }

  goToLine(line: number): void {
    const { doc } = this.view.state;
    this.goTo(doc.line(Math.max(1, Math.min(line, doc.lines))).from);
  }

  goTo(from: number): void {
    const anchor = Math.min(from, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  private checkedPoints(): CheckedPoint[] {
    return [...pointsOf(this.view.state), ...this.elsewhere];
  }

  private state(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        pointMargin(() => this.callbacks.pointed()),
        lineNumbers(),
        costMargin(),
        verdictLines(),
        countMargin((cycle) => this.callbacks.counted(cycle)),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        bracketMatching(),
        indentUnit.of("      "),
        EditorState.tabSize.of(8),
        running,
        language(),
        assist(this.words, (word) => this.callbacks.define(word)),
        keymap.of([
          { key: "F9", run: () => (this.toggleHere(), true) },
          // Escape leaves the editor, for users without a mouse; Tab does so too, as everywhere on the page.
          { key: "Escape", run: () => (this.view.contentDOM.blur(), true) },
          ...defaultKeymap.filter(({ key }) => key !== "Escape"),
          ...historyKeymap,
          ...searchKeymap,
        ]),
        EditorView.contentAttributes.of({ "aria-label": "Source of the program", spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (hasOtherPoints(update)) this.callbacks.points([...pointsOf(update.state), ...this.elsewhere]);
          if (!update.docChanged || this.isSetting) return;
          this.callbacks.typed();
          clearTimeout(this.timer);
          this.timer = window.setTimeout(() => this.callbacks.changed(), REST);
        }),
      ],
    });
  }
}
