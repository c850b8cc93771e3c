//! Why a fault is not found, as far as that follows from the run and from the tables.

use crate::circuit::{Circuit, Contents, Role};
use crate::fault::{Effect, Fault};
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::reference::Reference;
use std::collections::BTreeSet;

/// So many nets are named.
const NAMED: usize = 4;

impl Reference<'_> {
    /// The reason for a fault that has been looked for in vain.
    pub(crate) fn reason(&self, fault: Fault, outcome: &Outcome) -> String {
        match fault {
            Fault::Stuck { pin, level } if !outcome.acts => {
                let (is_at, circuit) = (u8::from(level), self.circuit);
                if !self.pin_is_at(pin, !level) {
                    format!("it is always at {is_at} in this run")
                } else if circuit.is_ignored(pin) {
                    "the chip gives the same whatever it is".to_owned()
                } else {
                    format!(
                        "whenever it is at {}, the chip would give the same with it at {is_at}",
                        1 - is_at
                    )
                }
            }
            Fault::Bridge { .. } if !outcome.acts => {
                "both are always at the same level in this run".to_owned()
            }
            // There are too many to look closely; most of these are only read while lines move.
            Fault::Cell { .. } => "nothing that is watched depends on it in this run".to_owned(),
            _ => self.unseen(fault),
        }
    }

    /// What is otherwise than it should be, of a fault that makes a difference which does not show.
    fn unseen(&self, fault: Fault) -> String {
        let circuit = self.circuit;
        let [mut right, mut wrong] = [Effect::NONE, Effect::of(circuit, fault)].map(|effect| {
            let mut machine = Machine::new(circuit, effect);
            machine.power_up(self.conditions.noise, &mut ());
            machine
        });
        let (mut nets, mut has_other_ram) = (BTreeSet::new(), false);
        while right.cycle < self.cycles && !self.is_stopped() {
            let inputs = self.conditions.script.inputs_at(right.cycle);
            for machine in [&mut right, &mut wrong] {
                machine.press(inputs, &mut ());
                machine.cycle(&mut (), &mut |_| ());
            }
            let levels = circuit.nets.iter().enumerate();
            nets.extend(levels.filter_map(|(net, line)| {
                let differs = right.state.levels[line.bank] ^ wrong.state.levels[line.bank];
                (differs >> line.bit & 1 == 1).then_some(net)
            }));
            has_other_ram |= right.state.ram != wrong.state.ram;
        }
        let names: Vec<&str> =
            nets.iter().take(NAMED).map(|&net| circuit.netlist.nets[net].name.as_str()).collect();
        let more = if nets.len() > NAMED { " and others" } else { "" };
        match (names.as_slice(), has_other_ram) {
            ([], false) => "it only matters during a reset, or within a cycle".to_owned(),
            ([], true) => "only cells of RAM are otherwise, and nothing reads them".to_owned(),
            (names, _) => format!("only {}{more} is ever otherwise, and nobody sees that", names.join(" ")),
        }
    }
}

impl Circuit {
    /// Whether the table of a chip does not depend on a pin.
    fn is_ignored(&self, pin: usize) -> bool {
        let pin = &self.pins[pin];
        let (Role::Line { line, .. }, Contents::Rom { table }) =
            (pin.role, self.banks[self.bank_of(pin.chip)].holds)
        else {
            return false;
        };
        let cells = &self.tables[table];
        (0..cells.len()).all(|address| cells[address] == cells[address ^ 1 << line])
    }
}
