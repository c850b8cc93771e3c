// Language support of the editor: completion, the meaning of the word under the pointer, and going to a definition.

import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap } from "@codemirror/view";

import { element } from "./dom.js";
import type { Word, Words } from "./words.js";

const WORD = /\.?[A-Za-z_]\w*/;
const TYPES: Record<Word["kind"], string> = { instruction: "keyword", directive: "keyword", "built-in": "constant", macro: "function", function: "function", label: "class", ram: "variable", constant: "constant" };
/** Words with which a statement begins. */
const BEGINS = new Set<Word["kind"]>(["instruction", "directive", "macro"]);

/** `define` shows where a word is defined. */
export function assist(words: Words, define: (word: Word) => void): Extension {
  const atCursor = (view: EditorView): Word | undefined => wordAt(view, view.state.selection.main.head)?.word;
  const wordAt = (view: EditorView, offset: number) => {
    const line = view.state.doc.lineAt(offset);
    for (const match of line.text.matchAll(new RegExp(WORD, "g"))) {
      const [from, to] = [line.from + match.index, line.from + match.index + match[0].length];
      if (offset < from || offset > to) continue;
      const word = line.text.slice(0, match.index).includes(";") ? undefined : words.find(match[0]);
      return word && { word, from, to };
    }
    return undefined;
  };
  const goToDefinition = (view: EditorView): boolean => {
    const word = atCursor(view);
    if (word?.at) define(word);
    return Boolean(word?.at);
  };
  return [
    autocompletion({ override: [(context) => complete(words, context)], icons: false }),
    keymap.of([...completionKeymap, { key: "F12", run: goToDefinition }]),
    hoverTooltip((view, offset) => {
      const found = wordAt(view, offset);
      return found ? { pos: found.from, end: found.to, create: () => ({ dom: card(found.word) }) } : null;
    }),
    EditorView.domEventHandlers({
      click(event, view) {
        const offset = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
        const word = offset === null ? undefined : wordAt(view, offset)?.word;
        if (word?.at) define(word);
        return Boolean(word?.at);
      },
    }),
  ];
}

function complete(words: Words, context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const found = context.matchBefore(WORD);
  if (before.includes(";") || (!found && !context.explicit)) return null;
  const from = found?.from ?? context.pos;
  // A statement begins with an instruction, a directive or a macro, perhaps behind a label; all else is an operand.
  const isBegin = /^\s*(\w+:\s*)?$/.test(line.text.slice(0, from - line.from));
  const options = words.all().filter(({ kind }) => (BEGINS.has(kind) === isBegin));
  return { from, options: options.map(option), validFor: /^\.?\w*$/ };
}

function option(word: Word): Completion {
  return { label: word.name, type: TYPES[word.kind], detail: word.about.slice(0, 60), boost: word.at && word.at.file === null ? 1 : 0, ...(word.comment && { info: () => card(word) }) };
}

function card({ name, kind, about, comment, at }: Word): HTMLElement {
  const where = at ? ` (${at.file ?? "this program"}, line ${at.line})` : "";
  return element("div", { class: "word-card" }, element("b", {}, name), ` ${kind}${where}`, ...(about ? [element("p", {}, about)] : []), ...(comment ? [element("pre", {}, comment)] : []));
}
