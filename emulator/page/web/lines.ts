// A line-by-line diff of two layouts of a source. The cursor, breakpoints and other marks stay with their lines, also when
// the change is undone.

export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The changes from `before` to `after`, and the line of `after` for each line of `before`, both counted from 1. */
export function lineChanges(before: string, after: string): { changes: Change[]; moved: (line: number) => number } {
  const [old, wanted] = [before.split("\n"), after.split("\n")];
  const changes: Change[] = [];
  const places: number[] = [];
  let [at, next] = [0, 0];
  for (const [index, line] of old.entries()) {
    const end = at + line.length;
    const isTooMany = next >= wanted.length || (line.trim() === "" && wanted[next]!.trim() !== "" && index + 1 < old.length);
    places.push(Math.min(next, wanted.length - 1) + 1);
    if (!isTooMany) {
      const insert = wanted[next++]!;
      if (insert !== line) changes.push({ from: at, to: end, insert });
    } else if (next > 0) {
      changes.push({ from: at - 1, to: end, insert: "" });
    } else {
      changes.push({ from: at, to: end + 1, insert: "" });
    }
    at = end + 1;
  }
  if (next < wanted.length) changes.push({ from: before.length, to: before.length, insert: `\n${wanted.slice(next).join("\n")}` });
  return { changes, moved: (line) => places[line - 1] ?? line };
}
