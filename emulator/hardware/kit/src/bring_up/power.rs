//! The first stage: the supply. The voltages on the pins of empty sockets, and the current of each board.

use crate::assembly::{Assembly, Item, RAILS};
use crate::tables::markdown;
use crate::template::filled;
use gray1_machine::board::Component;
use std::collections::BTreeMap;

/// Volts of the supply.
const VOLTS: f64 = 5.0;

/// The section.
pub fn section(assembly: &Assembly) -> String {
    let (currents, [usual, most]) = currents(assembly);
    let total = |milliamperes: u32| {
        format!("{:.2} A, {:.1} W", f64::from(milliamperes) / 1_000.0, watts(milliamperes))
    };
    let heat = assembly.hardware.parts.values().map(|part| watts(part.current.1)).fold(0.0, f64::max);
    let fields = [
        ("pins", supply_pins(assembly)),
        ("currents", currents),
        ("usual", total(usual)),
        ("most", total(most)),
        ("heat", format!("{heat:.2}")),
    ];
    filled(include_str!("power.md"), &fields.each_ref().map(|(name, value)| (*name, value.as_str())))
}

fn watts(milliamperes: u32) -> f64 {
    f64::from(milliamperes) * VOLTS / 1_000.0
}

/// The supply pins of each memory chip.
fn supply_pins(assembly: &Assembly) -> String {
    let mut chips: Vec<&Item> = Vec::new();
    for item in assembly.items.iter().filter(|item| is_chip(assembly.part(item))) {
        if chips.iter().all(|chip| chip.part != item.part) {
            chips.push(item);
        }
    }
    let rows = chips.into_iter().map(|item| {
        let part = assembly.part(item);
        let [high, low] = RAILS.map(|rail| {
            // Address pins that one socket ties low are lines of another.
            let pins = item.pins.iter().filter(|pin| part.tied.get(&pin.name).is_some_and(|net| net == rail));
            pins.map(|pin| format!("{} ({})", pin.number, pin.name)).collect::<Vec<_>>().join(", ")
        });
        [part.package.clone(), item.part.clone(), high, low]
    });
    markdown(["package", "part", "5 V on", "ground on"], rows)
}

/// The usual and the maximum current of each part of each board, in milliamperes, and their sums.
fn currents(assembly: &Assembly) -> (String, [u32; 2]) {
    let (mut rows, mut all) = (Vec::new(), [0; 2]);
    for (number, board) in assembly.boards.iter().enumerate() {
        let mut parts: BTreeMap<&str, u32> = BTreeMap::new();
        for item in assembly.items.iter().filter(|item| item.board == Some(number)) {
            *parts.entry(&item.part).or_default() += 1;
        }
        let mut sum = [0; 2];
        for (part, count) in parts {
            let (usual, most) = assembly.hardware.parts[part].current;
            if most > 0 {
                let [usual, most] = [count * usual, count * most];
                sum = [sum[0] + usual, sum[1] + most];
                rows.push([
                    board.clone(),
                    part.to_owned(),
                    count.to_string(),
                    usual.to_string(),
                    most.to_string(),
                ]);
            }
        }
        let [usual, most] = sum.map(|sum| format!("**{sum}**"));
        rows.push([format!("**{board}**"), String::new(), String::new(), usual, most]);
        all = [all[0] + sum[0], all[1] + sum[1]];
    }
    (markdown(["board", "part", "number", "usually, mA", "at most, mA"], rows), all)
}

/// Whether a part is a memory chip: it has data pins, and pins tied to both rails.
fn is_chip(part: &Component) -> bool {
    RAILS.iter().all(|rail| part.tied.values().any(|tied| tied == rail))
        && part.pins.iter().any(|(_, name)| name.is_some_and(|name| name.starts_with("D0")))
}
