//! The first stage: the supply. The voltages on the pins of empty sockets, and the current of each board.

use crate::assembly::{Assembly, RAILS};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Volts of the supply.
const VOLTS: f64 = 5.0;

/// The section.
pub fn section(assembly: &Assembly) -> String {
    let mut text = "## 1. The supply\n\n\
        With all sockets empty and all cables and wires off, look for a short between the rails of each board. Put 5 V, with a \
        limit of 100 mA, on the terminal `5V IN`: the yellow LED of this board lights. If the limit is reached, plus and minus \
        are swapped, or something is shorted. Switch off, join the wires for 5 V to the other boards, switch on: each has a \
        yellow LED. Switch off again, and plug the ribbon cables in.\n\n\
        | package | part | 5 V on | ground on |\n|---|---|---|---|\n"
        .to_owned();
    let mut seen = Vec::new();
    for item in assembly.items.iter().filter(|item| is_chip(assembly, &item.part)) {
        if seen.contains(&&item.part) {
            continue;
        }
        seen.push(&item.part);
        let on = RAILS.map(|rail| {
            // Address pins that one socket ties low are lines of another.
            let tied = &assembly.hardware.parts[&item.part].tied;
            let pins = item.pins.iter().filter(|pin| tied.get(&pin.name).is_some_and(|net| net == rail));
            pins.map(|pin| format!("{} ({})", pin.number, pin.name)).collect::<Vec<_>>().join(", ")
        });
        let part = &assembly.hardware.parts[&item.part];
        let _ = writeln!(text, "| {} | {} | {} | {} |", part.package, item.part, on[0], on[1]);
    }
    text += "\nWhat the boards take, once all chips are in. **The figures of parts are from memory: compare them with the data \
             sheets.** Those of LEDs follow from their resistors, with all of them lit.\n\n\
             | board | part | number | usually, mA | at most, mA |\n|---|---|---|---|---|\n";
    let mut all = (0, 0);
    for (number, board) in assembly.boards.iter().enumerate() {
        let mut parts: BTreeMap<&str, u32> = BTreeMap::new();
        for item in assembly.items.iter().filter(|item| item.board == Some(number)) {
            *parts.entry(&item.part).or_default() += 1;
        }
        let mut sum = (0, 0);
        for (part, count) in parts {
            let (usual, most) = assembly.hardware.parts[part].current;
            if most > 0 {
                sum = (sum.0 + count * usual, sum.1 + count * most);
                let _ =
                    writeln!(text, "| {board} | {part} | {count} | {} | {} |", count * usual, count * most);
            }
        }
        let _ = writeln!(text, "| **{board}** | | | **{}** | **{}** |", sum.0, sum.1);
        all = (all.0 + sum.0, all.1 + sum.1);
    }
    let watts = |milliamperes: u32| f64::from(milliamperes) * VOLTS / 1_000.0;
    let _ = writeln!(
        text,
        "\nTogether {:.2} A, {:.1} W, usually, and {:.2} A, {:.1} W, at most: choose a supply for that. Each chip turns its own \
         into heat, up to {:.2} W; none needs to be cooled in open air.",
        f64::from(all.0) / 1_000.0,
        watts(all.0),
        f64::from(all.1) / 1_000.0,
        watts(all.1),
        assembly.hardware.parts.values().map(|part| watts(part.current.1)).fold(0.0, f64::max),
    );
    text
}

/// Whether a part is a memory chip: it has data pins, and pins tied to both rails.
fn is_chip(assembly: &Assembly, part: &str) -> bool {
    let part = &assembly.hardware.parts[part];
    RAILS.iter().all(|rail| part.tied.values().any(|tied| tied == rail))
        && part.pins.iter().any(|(_, name)| name.is_some_and(|name| name.starts_with("D0")))
}
