//! Simulates several faults in one machine. Faults of chips that no other chip reads, such as the rows of the display,
//! do not affect the rest of the machine, so one machine can have one such fault in each of these chips.

use crate::circuit::{Circuit, End};
use crate::dictionary::Entry;
use crate::effect::Effect;
use crate::fault::Fault;
use crate::machine::{Event, Machine};
use crate::reference::{Hand, Reference, run_on};
use gray1_machine::netlist::{ChipId, NetId};

/// The numbers of faults that are simulated in one machine.
pub type Together = Vec<usize>;

impl Circuit {
    /// The chip of a fault that affects no other chip.
    fn alone_in(&self, fault: Fault) -> Option<ChipId> {
        let chip = match fault {
            Fault::Stuck { pin, .. } => self.pins[pin].chip,
            Fault::Bridge { pair } => {
                let driver = |net: NetId| Some(self.netlist.nets[net].driver?.chip);
                match self.neighbours[pair].ends {
                    [End::Net(one), End::Net(other)] if driver(one) == driver(other) => driver(one)?,
                    [End::Net(net), End::Rail(_)] | [End::Rail(_), End::Net(net)] => driver(net)?,
                    _ => return None,
                }
            }
            Fault::Open { open, .. } => self.netlist.nets[self.opens[open].net].driver?.chip,
            // Two exchanged lines of a row may never settle, and neither may a row with other contents.
            Fault::Cell { .. } | Fault::Contents { .. } | Fault::Exchanged { .. } | Fault::Swap { .. } => {
                return None;
            }
        };
        let nets = &self.netlist.chips[chip].data;
        let mut readers = nets.iter().flat_map(|&net| &self.netlist.nets[net].readers);
        let is_alone = readers.all(|reader| reader.chip == chip);
        let is_outlet = self
            .pack
            .panel
            .outlets()
            .any(|outlet| outlet.latch.bits().iter().all(|line| line.bank == self.bank_of(chip)));
        (is_alone && is_outlet).then_some(chip)
    }
}

impl Reference<'_> {
    /// Divides faults into groups, each of which can be simulated in one machine.
    pub fn groups(&self, faults: &[Fault]) -> Vec<Together> {
        let (mut groups, mut shared): (Vec<Together>, Vec<Together>) = (Vec::new(), Vec::new());
        let mut counts = vec![0; self.circuit.netlist.chips.len()];
        for (number, &fault) in faults.iter().enumerate() {
            let Some(chip) = self.circuit.alone_in(fault) else {
                groups.push(vec![number]);
                continue;
            };
            match shared.get_mut(counts[chip]) {
                Some(group) => group.push(number),
                None => shared.push(vec![number]),
            }
            counts[chip] += 1;
        }
        groups.extend(shared);
        groups
    }

    /// The entries of all faults of a group.
    pub fn entries(&self, faults: &[Fault], group: &Together) -> Vec<(usize, Entry)> {
        if let [number] = group[..] {
            return vec![(number, self.entry(faults[number]))];
        }
        let effects = group.iter().flat_map(|&number| Effect::all(self.circuit, faults[number]));
        let mut machine = Machine::new(self.circuit, effects.collect());
        machine.power_up(self.conditions.noise, &mut ());
        let mut events: Vec<Event> = Vec::new();
        let mut hand = Hand::Script(&self.conditions.script);
        run_on(&mut machine, &mut hand, self.cycles, self.stop, &mut (), &mut |event| events.push(event));
        if machine.unsettled.is_some() {
            // One of the faults keeps the board from settling, which affects the results of all others.
            return group.iter().map(|&number| (number, self.entry(faults[number]))).collect();
        }
        let leds = machine.leds();
        let entry = |&number: &usize| {
            let fault = faults[number];
            let own = self.own_leds(fault);
            // A machine with this fault alone has the correct LEDs on all other chips.
            let seen = |right: u128, wrong: u128| right & !own | wrong & own;
            let events = self.events.iter().zip(&events).map(|(right, wrong)| Event {
                byte: if own == 0 { wrong.byte } else { right.byte },
                cycle: right.cycle,
                leds: seen(right.leds, wrong.leds),
            });
            (
                number,
                self.entry_of(fault, &events.collect::<Vec<_>>(), seen(self.leds, leds), self.has_halted),
            )
        };
        group.iter().map(entry).collect()
    }

    /// The LEDs that the chip of a fault drives.
    fn own_leds(&self, fault: Fault) -> u128 {
        let bank = self.circuit.alone_in(fault).map(|chip| self.circuit.bank_of(chip));
        let rows = self.circuit.pack.panel.display.iter().take(16).enumerate();
        rows.filter(|(_, row)| row.latch.bits().iter().all(|line| Some(line.bank) == bank))
            .fold(0, |leds, (row, _)| leds | 0xFF << (8 * row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Conditions;
    use gray1_machine::{Noise, Script, board::Board};
    use std::sync::atomic::AtomicBool;
    use test_support::programs::assembled;

    /// A row that does not settle because of its fault shares a machine with another fault.
    #[test]
    fn what_does_not_settle_spoils_nothing_else() {
        let mut board = Board::built();
        let row = board.netlist().chip("GREEN0").unwrap();
        let cells = board.netlist().table(row).unwrap().to_vec();
        board.burn("GREEN0", |address| {
            let (held, cell) = ((address >> 8) as u8, cells[address as usize]);
            // The self-test lights all LEDs of a row, but never all but one.
            if [1, 3].contains(&held) { cell & !2 | !held & 2 } else { cell }
        });
        let (image, stop) = (assembled("selftest", &[]).image, AtomicBool::new(false));
        let circuit = Circuit::new(&board, &image).unwrap();
        let conditions =
            Conditions { noise: Noise::Random(1), script: Script::default(), most_cycles: 2_000 };
        let reference = Reference::run(&circuit, conditions, &stop).unwrap();
        let faults = ["GREEN0 pin 13 D0 (GREEN0_0) stuck at 1", "GREEN1 pin 13 D0 (GREEN1_0) stuck at 1"];
        let faults = faults.map(|place| {
            let all = circuit.stuck_pins();
            *all.iter().find(|fault| circuit.place(**fault).to_string() == place).unwrap()
        });
        assert!(reference.record(faults[0]).unsettled.is_some());
        let groups = reference.groups(&faults);
        assert_eq!(groups, [vec![0, 1]]);
        for (number, entry) in reference.entries(&faults, &groups[0]) {
            assert_eq!(entry, reference.entry(faults[number]), "{number}");
        }
    }
}
