//! Random programs, and recordings of their runs, phase by phase.

use gray1_debugger::why::{Levels, Moment, Past};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, Holds, Pin};
use gray1_machine::{ChipsEngine, Engine, Netlist, Noise};
use proptest::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;
use test_support::random::busy_word;

/// Generates a busy program that crosses a step of the counter's upper half.
pub fn image() -> impl Strategy<Value = Image> {
    (0..80).map(|place| busy_word(place, 0..90)).collect::<Vec<_>>().prop_map(|mut words| {
        words.push(Word::jump(Opcode::Jmp, 0));
        Image::from_words(words)
    })
}

/// The recording of a run.
pub struct Recording {
    netlist: Arc<Netlist>,
    levels: Vec<Levels>,
    ram: Vec<[u8; RAM_BYTES]>,
}

impl Recording {
    pub fn of(board: &Board, image: &Image, phases: usize) -> Recording {
        let mut machine = ChipsEngine::power_up(board, image, Noise::Random(7)).unwrap();
        let mut run = Recording { netlist: Arc::clone(board.netlist()), levels: Vec::new(), ram: Vec::new() };
        for _ in 0..=phases {
            run.levels.push(Levels::of(&machine));
            run.ram.push(std::array::from_fn(|address| machine.ram(address as u16)));
            if machine.halted() {
                break;
            }
            machine.phase(&mut ()).unwrap();
        }
        run
    }

    pub fn netlist(&self) -> &Arc<Netlist> {
        &self.netlist
    }

    /// The last moment.
    pub fn last(&self) -> Moment {
        self.levels.len() as Moment - 1
    }

    /// A bit of a cell.
    pub fn bit(&self, chip: ChipId, address: u32, line: usize, at: Moment) -> bool {
        let before = self.netlist.panel.memory.iter().take_while(|&&other| other != chip);
        let shift = before.map(|&chip| self.netlist.chips[chip].data.len()).sum::<usize>() + line;
        self.ram[at as usize][address as usize] >> shift & 1 == 1
    }
}

impl Past for Recording {
    type Error = Infallible;

    fn start(&self) -> Moment {
        0
    }

    fn levels(&mut self, at: Moment) -> Result<Levels, Infallible> {
        Ok(self.levels[at as usize])
    }

    fn ram(&mut self, at: Moment) -> Result<[u8; RAM_BYTES], Infallible> {
        Ok(self.ram[at as usize])
    }

    fn latest(
        &mut self,
        until: Moment,
        is_match: &mut dyn FnMut(&Levels, &Levels) -> bool,
    ) -> Result<Option<Moment>, Infallible> {
        let found = (1..=until as usize).rev().find(|&at| is_match(&self.levels[at - 1], &self.levels[at]));
        Ok(found.map(|at| at as Moment))
    }
}

/// Returns flags for a board without control nets.
pub fn no_control(netlist: &Netlist) -> Vec<bool> {
    vec![false; netlist.nets.len()]
}

/// A minimal simulator of the board, in which one pin can be held at a level, whatever the level of its net.
pub struct Bench<'a> {
    pub netlist: &'a Netlist,
    pub levels: Vec<bool>,
    ram: Vec<[u8; RAM_BYTES]>,
    program: [Vec<u8>; 2],
    held: Option<(Pin, bool)>,
}

impl<'a> Bench<'a> {
    /// The board as it was at a moment.
    pub fn at(run: &'a mut Recording, image: &Image, at: Moment) -> Bench<'a> {
        let levels = run.levels[at as usize];
        let netlist = &*run.netlist;
        // The bits of the bytes in each RAM chip; empty for ROMs.
        let cells = (0..netlist.chips.len()).map(|chip| {
            std::array::from_fn(|address| {
                let width = netlist.chips[chip].data.len();
                let is_memory = netlist.panel.memory.contains(&chip);
                (0..width * usize::from(is_memory))
                    .fold(0, |cell, line| cell | u8::from(run.bit(chip, address as u32, line, at)) << line)
            })
        });
        let ram = cells.collect();
        let levels = (0..netlist.nets.len()).map(|net| levels.level(net)).collect();
        Bench { netlist, levels, ram, program: image.to_proms(), held: None }
    }

    /// Runs a phase with a pin held at a level; returns whether it settles.
    pub fn phase(&mut self, pin: Pin, level: bool) -> bool {
        self.held = Some((pin, level));
        let oscillator = self.netlist.panel.oscillator[0];
        self.levels[oscillator] ^= true;
        (0..100).any(|_| {
            let changes = (0..self.netlist.chips.len()).map(|chip| self.look_up(chip));
            changes.fold(0, |count, changed| count + usize::from(changed)) == 0
        })
    }

    fn look_up(&mut self, id: ChipId) -> bool {
        let chip = &self.netlist.chips[id];
        let lines = chip.reads.iter().enumerate().fold(0usize, |lines, (line, &net)| {
            let held = self.held.filter(|(pin, _)| *pin == Pin { chip: id, line });
            lines | usize::from(held.map_or(self.levels[net], |(_, level)| level)) << line
        });
        let cell = match chip.holds {
            Holds::Table(table) => self.netlist.tables[table][lines],
            Holds::Program { byte } => self.program[byte][lines],
            Holds::Ram { address } => {
                let select = lines & ((1 << address) - 1);
                if lines >> (chip.reads.len() - 1) == 1 {
                    self.ram[id][select] = (lines >> address) as u8 & ((1u16 << chip.data.len()) - 1) as u8;
                }
                self.ram[id][select]
            }
        };
        let mut has_changed = false;
        for (line, &net) in chip.data.iter().enumerate() {
            let level = cell >> line & 1 == 1;
            has_changed |= std::mem::replace(&mut self.levels[net], level) != level;
        }
        has_changed
    }
}
