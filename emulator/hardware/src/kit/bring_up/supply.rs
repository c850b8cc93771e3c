//! The first stage: the supply. Also the current limit of each later stage.

use super::stage::BringUpStage;
use crate::kit::assembly::{Assembly, Item, RAILS};
use gray1_machine::board::Component;

/// Volts of the supply.
const VOLTS: f64 = 5.0;
/// Current limits are multiples of this, in milliamperes.
const LIMIT_STEP: u32 = 50;

/// The stage.
pub fn stage(assembly: &Assembly) -> BringUpStage {
    let currents = assembly.items.iter().map(|item| assembly.part(item).current);
    let (usual, most) = currents.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    let total = |milliamperes: u32| {
        let amperes = f64::from(milliamperes) / 1_000.0;
        format!("{amperes:.2} A ({:.1} W)", amperes * VOLTS)
    };
    let mut steps = vec![
        "With all sockets empty and all cables and wires off, look for a short between the rails of each board."
            .to_owned(),
        "Put 5 V on the terminal `5V IN`, with a limit of 100 mA: the yellow LED lights. If the limit is reached, plus and \
         minus are swapped, or something is shorted. Switch off, join the wires for 5 V to the other boards, switch on: each \
         has a yellow LED."
            .to_owned(),
    ];
    steps.extend(supply_pins(assembly));
    steps.push(
        "Switch off, and plug the ribbon cables in. From here on all boards are switched together."
            .to_owned(),
    );
    BringUpStage {
        number: 1,
        title: "The supply".to_owned(),
        about: format!(
            "Solder everything but the chips, which come into their sockets one stage after the other. Keep the cables \
             between the boards unplugged. The whole machine takes {} usually, and {} at most: choose a supply for that. \
             The figures of parts are from memory: compare them with the data sheets.",
            total(usual),
            total(most)
        ),
        insert: Vec::new(),
        steps,
        measurements: Vec::new(),
        symptoms: Vec::new(),
        tried: 0,
        unseen: 0,
    }
}

/// The supply pins of each memory chip, as a step.
fn supply_pins(assembly: &Assembly) -> Vec<String> {
    let mut chips: Vec<&Item> = Vec::new();
    for item in assembly.items.iter().filter(|item| is_chip(assembly.part(item))) {
        if chips.iter().all(|chip| chip.part != item.part) {
            chips.push(item);
        }
    }
    let step = |item: &Item| {
        let part = assembly.part(item);
        let [high, low] = RAILS.map(|rail| {
            // Address pins that one socket ties low are lines of another.
            let pins = item.pins.iter().filter(|pin| part.tied.get(&pin.name).is_some_and(|net| net == rail));
            pins.map(|pin| format!("{} ({})", pin.number, pin.name)).collect::<Vec<_>>().join(", ")
        });
        format!("Measure on each socket {} for {}: 5 V on {high}; ground on {low}.", part.package, item.part)
    };
    chips.into_iter().map(step).collect()
}

/// The current limit with these chips inserted, as a step: a fifth more than all that they and their boards take.
pub fn limit(assembly: &Assembly, inserted: &[String]) -> String {
    let is_in = |item: &&Item| inserted.contains(&item.reference);
    let boards: Vec<_> = assembly.items.iter().filter(is_in).map(|item| item.board).collect();
    let takes = |item: &&Item| match is_chip(assembly.part(item)) {
        true => is_in(item),
        false => boards.contains(&item.board),
    };
    let current: u32 = assembly.items.iter().filter(takes).map(|item| assembly.part(item).current.1).sum();
    let limit = (current + current / 5).next_multiple_of(LIMIT_STEP);
    format!("Set the limit of the supply to {limit} mA: a chip that is turned round takes more.")
}

/// Whether a part is a memory chip: it has data pins, and pins tied to both rails.
fn is_chip(part: &Component) -> bool {
    RAILS.iter().all(|rail| part.tied.values().any(|tied| tied == rail))
        && part.pins.iter().any(|(_, name)| name.is_some_and(|name| name.starts_with("D0")))
}
