// Syntax colours, from the same grammar that editors use, which tests compare with the assembler. No string or comment
// continues past the end of a line, so each line can be parsed alone.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags, type Tag } from "@lezer/highlight";

import grammar from "../../../docs/editors/vscode/syntaxes/gray1.tmLanguage.json";
import { element } from "./dom.js";

/** A range of a line with its kind: the prefix of a scope of the grammar. */
interface Span {
  from: number;
  to: number;
  kind: Kind;
}

type Kind = keyof typeof KINDS;

/** The prefixes of scopes, the most specific first, and the editor's tokens for them. */
const KINDS = {
  "comment": tags.comment,
  "string": tags.string,
  "constant.character.escape": tags.escape,
  "constant.numeric": tags.number,
  "entity.name.function.label": tags.labelName,
  "keyword.control.directive": tags.controlKeyword,
  "keyword.mnemonic": tags.keyword,
  "keyword.control.routine": tags.keyword,
  "support": tags.standard(tags.name),
  "variable.other": tags.definition(tags.variableName),
  "keyword.operator": tags.operator,
} satisfies Record<string, Tag>;

interface Rule {
  match: RegExp;
  /** The kind of the whole match, or of its groups. */
  kind: Kind | undefined;
  groups: [number, Kind][];
  /** The end of the range, and the rules inside it. */
  end: RegExp | undefined;
  inner: Rule[];
}

interface Pattern {
  name?: string;
  match?: string;
  begin?: string;
  end?: string;
  captures?: Record<string, { name: string }>;
  patterns?: Pattern[];
}

const rules = (grammar.patterns as Pattern[]).map(rule);

/** The coloured ranges of a line; the rest is plain. */
export function spans(line: string): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < line.length; ) at = next(line, at, rules, found);
  return found;
}

/** Coloured source for use outside the editor. */
export function highlighted(source: string): HTMLElement {
  const code = element("code");
  for (const line of source.split("\n")) {
    let at = 0;
    for (const { from, to, kind } of spans(line)) {
      code.append(line.slice(at, from), element("span", { class: className(kind) }, line.slice(from, to)));
      at = to;
    }
    code.append(`${line.slice(at)}\n`);
  }
  return code;
}

export function language() {
  let cached = { line: "", spans: [] as Span[] };
  const reader = StreamLanguage.define<null>({
    name: "gray1",
    token(stream) {
      if (cached.line !== stream.string) cached = { line: stream.string, spans: spans(stream.string) };
      const span = cached.spans.find((span) => span.to > stream.pos);
      if (!span || span.from > stream.pos) {
        stream.pos = span?.from ?? stream.string.length;
        return null;
      }
      stream.pos = span.to;
      return plain(span.kind);
    },
    tokenTable: Object.fromEntries(Object.entries(KINDS).map(([kind, tag]) => [plain(kind), tag])),
    languageData: { commentTokens: { line: ";" }, closeBrackets: { brackets: ["(", "{", '"'] } },
  });
  const style = Object.entries(KINDS).map(([kind, tag]) => ({ tag, class: className(kind) }));
  return [reader, syntaxHighlighting(HighlightStyle.define(style))];
}

const className = (kind: string): string => `g1-${kind.split(".").pop()}`;

/** The kind without dots, which have another meaning for the editor. */
function plain(kind: string): string {
  return kind.replaceAll(".", "-");
}

/** Parses from `at` on, and returns the end of the match. */
function next(line: string, at: number, among: Rule[], found: Span[]): number {
  for (const { match, kind, groups, end, inner } of among) {
    match.lastIndex = at;
    const hit = match.exec(line);
    if (!hit || hit[0].length === 0) continue;
    if (end) return upTo(line, at, at + hit[0].length, { kind, end, inner }, found);
    if (kind) found.push({ from: at, to: at + hit[0].length, kind });
    let from = at;
    for (const [group, kind] of groups) {
      const text = hit[group] ?? "";
      from = line.indexOf(text, from);
      found.push({ from, to: from + text.length, kind });
      from += text.length;
    }
    return at + hit[0].length;
  }
  // A word that does not match is skipped as a whole, so that no part of it is taken for a keyword.
  const word = /[A-Za-z_.][A-Za-z0-9_.]*|\s+|./uy;
  word.lastIndex = at;
  return at + Math.max(1, word.exec(line)?.[0].length ?? 1);
}

function upTo(
  line: string,
  start: number,
  from: number,
  { kind, end, inner }: Pick<Rule, "kind" | "end" | "inner">,
  found: Span[],
): number {
  let [begin, at] = [start, from];
  const close = (to: number) => {
    if (kind && to > begin) found.push({ from: begin, to, kind });
  };
  while (at < line.length) {
    end!.lastIndex = at;
    const last = end!.exec(line);
    if (last) {
      close(at + last[0].length);
      return Math.max(at + last[0].length, start + 1);
    }
    const within: Span[] = [];
    const after = next(line, at, inner, within);
    if (within.length > 0) {
      close(at);
      found.push(...within);
      [begin, at] = [after, after];
    } else {
      at += 1;
    }
  }
  close(line.length);
  return line.length;
}

function rule(pattern: Pattern): Rule {
  const text = pattern.match ?? pattern.begin ?? "";
  const isCaseless = text.startsWith("(?i)");
  return {
    match: new RegExp(isCaseless ? text.slice(4) : text, isCaseless ? "iy" : "y"),
    kind: kindOf(pattern.name),
    groups: Object.entries(pattern.captures ?? {}).flatMap(([group, { name }]): [number, Kind][] => {
      const kind = kindOf(name);
      return kind ? [[Number(group), kind]] : [];
    }),
    end: pattern.end === undefined ? undefined : new RegExp(pattern.end, "y"),
    inner: (pattern.patterns ?? []).map(rule),
  };
}

function kindOf(scope: string | undefined): Kind | undefined {
  return (Object.keys(KINDS) as Kind[]).find((kind) => scope?.startsWith(kind));
}
