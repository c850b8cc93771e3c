//! Where in the run without a fault a fault would act: the stretches in which it may change a lookup or an LED.
//!
//! A stretch too many costs time; one too few would give wrong results.

use crate::circuit::End;
use crate::fault::{Fault, Float};
use crate::opens::Opened;
use crate::reference::Reference;
use crate::seen::Stretches;
use gray1_kit::Role;
use gray1_machine::netlist::ChipId;
use gray1_machine::wires::Bit;

impl Reference<'_> {
    /// The stretches in which a fault may change a lookup or an LED.
    pub(crate) fn acts(&self, fault: Fault) -> Stretches {
        let circuit = self.circuit;
        match fault {
            Fault::Stuck { pin, level } => {
                let pin = &circuit.pins[pin];
                match pin.role {
                    Role::Data(_) => self.seen.at(circuit.pack.nets[pin.net], !level),
                    Role::Line(line) => self.reads(pin.chip, line, !level),
                }
            }
            Fault::Bridge { pair } => match circuit.neighbours[pair].ends {
                [End::Net(net), End::Rail(level)] | [End::Rail(level), End::Net(net)] => {
                    self.seen.at(circuit.pack.nets[net], !level)
                }
                _ => self.seen.differ(pair),
            },
            Fault::Cell { chip, address, .. } => {
                self.seen.looked_at(circuit.bank_of(chip), |other| other == address)
            }
            Fault::Contents { chip, contents } => self.reads_other(chip, Some(contents)),
            Fault::Exchanged { chips: [one, other] } => {
                self.reads_other(one, circuit.burned(other)) | self.reads_other(other, circuit.burned(one))
            }
            Fault::Swap { pins } => {
                let [one, other] = pins.map(|pin| &circuit.pins[pin]);
                match (one.role, other.role) {
                    (Role::Line(first), Role::Line(second)) => self.reads_apart(one.chip, [first, second]),
                    _ => {
                        // They differ only where one of them is at 1 and the other at 0.
                        let [one, other] = [one, other].map(|pin| circuit.pack.nets[pin.net]);
                        let apart =
                            |one: Bit, other: Bit| self.seen.at(one, true) & self.seen.at(other, false);
                        apart(one, other) | apart(other, one)
                    }
                }
            }
            Fault::Open { open, floats } => {
                let open = &circuit.opens[open];
                let net = circuit.pack.nets[open.net];
                match (&open.what, floats) {
                    (Opened::Light(led), _) => {
                        let row = &circuit.pack.panel.display[led / 8];
                        self.seen.at(net, !row.inverted)
                    }
                    // It has to have risen before it can fail to fall.
                    (_, Float::Kept) => self.seen.at(net, true),
                    (Opened::Line, Float::At(level)) => self.seen.at(net, !level),
                    (Opened::Readers(readers), Float::At(level)) => {
                        let lines =
                            readers.iter().flat_map(|(chip, lines)| lines.iter().map(|line| (*chip, *line)));
                        lines.fold(0, |set, (chip, line)| set | self.reads(chip, line, !level))
                    }
                }
            }
        }
    }

    /// The stretches in which a chip is looked up with this level on a line, and would give something else, or take
    /// something else, with the other one.
    fn reads(&self, chip: ChipId, line: usize, level: bool) -> Stretches {
        let bank = self.circuit.bank_of(chip);
        match self.circuit.rom(bank) {
            Some(cells) => self.seen.looked_at(bank, |address| {
                let other = address & !(1 << line) | u32::from(!level) << line;
                cells[address as usize] != cells[other as usize]
            }),
            None => self.seen.looked_with(bank, line, level),
        }
    }

    /// The stretches in which a chip is looked up with different levels on two lines, and may give something else with
    /// the two exchanged.
    fn reads_apart(&self, chip: ChipId, [one, other]: [usize; 2]) -> Stretches {
        let bank = self.circuit.bank_of(chip);
        match self.circuit.rom(bank) {
            Some(cells) => self.seen.looked_at(bank, |address| {
                let differ = (address >> one ^ address >> other) & 1;
                let exchanged = address ^ differ << one ^ differ << other;
                cells[address as usize] != cells[exchanged as usize]
            }),
            None => {
                let with = |line, level| self.seen.looked_with(bank, line, level);
                with(one, true) & with(other, false) | with(one, false) & with(other, true)
            }
        }
    }

    /// The stretches in which a chip with these contents would give something else.
    fn reads_other(&self, chip: ChipId, contents: Option<usize>) -> Stretches {
        let (circuit, bank) = (self.circuit, self.circuit.bank_of(chip));
        let (Some(cells), Some(contents)) = (circuit.rom(bank), contents) else { return 0 };
        self.seen.looked_at(bank, |address| {
            cells[address as usize] != circuit.cell_of(chip, contents, address as usize)
        })
    }
}
