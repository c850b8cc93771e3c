// Marks at lines of a source, which move with their lines during editing. An effect replaces all marks of its kind.

import { RangeSet, StateField, type RangeValue, type StateEffectType } from "@codemirror/state";

/** The field of the marks that `read` makes of an effect's value: the number of a line, and its mark. */
export function markers<Value, Marker extends RangeValue>(effect: StateEffectType<Value>, read: (value: Value) => (readonly [number, Marker])[]) {
  return StateField.define<RangeSet<Marker>>({
    create: () => RangeSet.empty,
    update(set, transaction) {
      let mapped = set.map(transaction.changes);
      for (const given of transaction.effects) {
        if (!given.is(effect)) continue;
        const { doc } = transaction.state;
        const known = read(given.value).filter(([line]) => line >= 1 && line <= doc.lines);
        mapped = RangeSet.of(known.map(([line, marker]) => marker.range(doc.line(line).from)), true) as RangeSet<Marker>;
      }
      return mapped;
    },
  });
}
