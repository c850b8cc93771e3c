//! Runs of a board with a delay for each line, to see whether a fault that follows from the tables can happen.
//!
//! What the claims examine is more than a machine does: they assume every movement that the tables allow. So a fault
//! that they find is held against a board only if there is a run in which it makes a difference: one whose phase ends in
//! another state than the same phase of the chips engine, or does not end at all. Each address line has a delay of its
//! own, drawn once for each run, and all data lines of a chip see the same address.

use crate::reach::random_program;
use gray1_isa::Image;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::board::Board;
use gray1_machine::netlist::{Chip, ChipId, Holds, NetId, Netlist};
use gray1_machine::{ChipsEngine, Engine, Noise, Random};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs that are tried, and the cycles of each.
pub(crate) const RUNS: u64 = 128;
const CYCLES: u64 = 120;
/// Events in one phase, after which a run ends: the board does not settle, if this took many times the longest delay.
const EVENTS: usize = 50_000;
const MANY: u64 = 100;

/// Lines of a chip that should be fast, and lines that should be slow, for a fault to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub chip: ChipId,
    pub early: u32,
    pub late: u32,
}

/// A run in which delays make a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// When.
    pub cycle: u64,
    #[allow(missing_docs)]
    pub phase: usize,
    /// The nets that are different when the phase has ended, or that have moved twice; none if it does not end.
    pub nets: Vec<String>,
}

/// What is looked for.
pub(crate) struct Trial<'a> {
    pub board: &'a Board,
    pub targets: &'a [Target],
    /// Nets that may move only once in a phase, and may be 1 only at the end of phase 1.
    pub strobes: &'a [NetId],
    pub stop: &'a AtomicBool,
}

impl Trial<'_> {
    /// Looks for a run in which delays make a difference.
    pub fn difference(&self) -> Option<Difference> {
        let unsettled = Some(Difference { cycle: 0, phase: 0, nets: vec![] });
        let first = random_program(1);
        let Ok(mut engine) = ChipsEngine::power_up(self.board, &first, Noise::Zeros) else {
            return unsettled;
        };
        let begin = engine.snapshot();
        (0..RUNS).take_while(|_| !self.stop.load(Ordering::Relaxed)).find_map(|seed| {
            // Each program is run with several delays.
            let image = random_program(1 + seed / 4);
            engine.restore(&begin);
            engine.change_program(&image);
            match engine.reset() {
                Ok(()) => self.run(seed, &image, &mut engine),
                Err(_) => unsettled.clone(),
            }
        })
    }

    fn run(&self, seed: u64, image: &Image, engine: &mut ChipsEngine) -> Option<Difference> {
        let netlist = Arc::clone(engine.netlist());
        let mut delayed = Delayed::of(&netlist, image, engine);
        delayed.draw(seed, self.targets);
        for cycle in 0..CYCLES {
            for phase in [1, 2, 3, 0] {
                let different = |nets: Vec<NetId>| {
                    let names = nets.iter().map(|&net| netlist.nets[net].name.clone());
                    Some(Difference { cycle, phase, nets: names.collect() })
                };
                let pulses = match engine.phase(&mut ()).map(|()| delayed.phase(self.strobes)) {
                    Ok(End::Rest(pulses)) => pulses,
                    Ok(End::Pulses) => return None,
                    _ => return different(vec![]),
                };
                let open = |net: &NetId| pulses.contains(net) || phase != 1 && delayed.levels[*net];
                let strobes: Vec<NetId> = self.strobes.iter().copied().filter(open).collect();
                let nets = delayed.different(engine);
                if !nets.is_empty() || !strobes.is_empty() {
                    return different(if nets.is_empty() { strobes } else { nets });
                }
            }
        }
        (delayed.bytes()[..] != engine.state().ram[..]).then(|| Difference {
            cycle: CYCLES,
            phase: 0,
            nets: netlist.panel.memory.iter().map(|&ram| netlist.chips[ram].name.clone()).collect(),
        })
    }
}

/// When a line of a chip gets which level: the time, a number for those at the same time, the chip, its line.
type Event = (u64, u64, ChipId, usize, bool);

/// How a phase ends.
enum End {
    /// At rest; these of the strobes have moved more than once.
    Rest(Vec<NetId>),
    Endless,
    /// Not yet: short pulses go round in a fast loop while slow lines move.
    Pulses,
}

/// The board, with events on their way.
struct Delayed<'a> {
    netlist: &'a Netlist,
    proms: [Vec<u8>; 2],
    ram: Vec<Vec<u8>>,
    levels: Vec<bool>,
    /// By chip: the address that it sees, and the delay of each of its lines.
    sees: Vec<u32>,
    delays: Vec<Vec<u64>>,
    events: BinaryHeap<Reverse<Event>>,
    count: u64,
}

impl Delayed<'_> {
    /// The board in the state of the chips engine, with RAM at 0.
    fn of<'a>(netlist: &'a Netlist, image: &Image, engine: &ChipsEngine) -> Delayed<'a> {
        let levels: Vec<bool> = (0..netlist.nets.len()).map(|net| engine.level(net)).collect();
        let seen = |chip: &Chip| {
            (0..).zip(&chip.reads).fold(0, |address, (line, &net)| address | u32::from(levels[net]) << line)
        };
        let cells = |chip: &Chip| match chip.holds {
            Holds::Ram { address } => vec![0; 1 << address],
            _ => vec![],
        };
        Delayed {
            proms: image.to_proms(),
            ram: netlist.chips.iter().map(cells).collect(),
            sees: netlist.chips.iter().map(seen).collect(),
            delays: netlist.chips.iter().map(|chip| vec![1; chip.reads.len()]).collect(),
            events: BinaryHeap::new(),
            count: 0,
            levels,
            netlist,
        }
    }

    /// Draws all delays: sometimes they differ a little, sometimes very much.
    fn draw(&mut self, seed: u64, targets: &[Target]) {
        let mut random = Random::new(seed, 0xDE1A);
        for delays in &mut self.delays {
            let chip = random.draw() % 16;
            for delay in delays {
                let drawn = random.draw();
                *delay = match seed % 4 {
                    0 => 1 + drawn % 100,
                    1 => 1 << (drawn % 20),
                    2 => {
                        if drawn.is_multiple_of(2) {
                            1
                        } else {
                            100_000
                        }
                    }
                    _ => (1 << chip) + drawn % 50,
                };
            }
        }
        // Every other run is one as any.
        if targets.is_empty() || (seed / 4).is_multiple_of(2) {
            return;
        }
        let target = targets[(seed / 8) as usize % targets.len()];
        for (line, delay) in self.delays[target.chip].iter_mut().enumerate() {
            match (target.early >> line & 1, target.late >> line & 1) {
                (1, _) => *delay = 1,
                (_, 1) => *delay += 10_000_000,
                _ => {}
            }
        }
    }

    /// An edge of the oscillator, and all that follows.
    fn phase(&mut self, strobes: &[NetId]) -> End {
        let oscillator = self.netlist.panel.oscillator[0];
        self.set(0, oscillator, !self.levels[oscillator]);
        let mut moved = vec![0u32; strobes.len()];
        let mut left = EVENTS;
        while let Some(Reverse((time, _, chip, line, level))) = self.events.pop() {
            if left == 0 {
                let longest = self.delays.iter().flatten().max().copied().unwrap_or(1);
                return if time / MANY > longest { End::Endless } else { End::Pulses };
            }
            left -= 1;
            self.sees[chip] = self.sees[chip] & !(1 << line) | u32::from(level) << line;
            let data = self.gives(chip);
            for (bit, &net) in self.netlist.chips[chip].data.iter().enumerate() {
                if self.set(time, net, data >> bit & 1 == 1) {
                    let strobes = strobes.iter().zip(&mut moved).filter(|(strobe, _)| **strobe == net);
                    strobes.for_each(|(_, moved)| *moved += 1);
                }
            }
        }
        let twice = strobes.iter().zip(&moved).filter(|(_, moved)| **moved > 1);
        End::Rest(twice.map(|(&net, _)| net).collect())
    }

    /// RAM as a state has it.
    fn bytes(&self) -> Vec<u8> {
        let memory = &self.netlist.panel.memory;
        let byte = |address: usize| {
            let mut bits = 0;
            memory.iter().fold(0, |byte, &ram| {
                bits += self.netlist.chips[ram].data.len();
                byte | self.ram[ram][address] << (bits - self.netlist.chips[ram].data.len())
            })
        };
        (0..RAM_BYTES).map(byte).collect()
    }

    /// The nets that have another level than on the chips engine.
    fn different(&self, engine: &ChipsEngine) -> Vec<NetId> {
        let netlist = self.netlist;
        netlist.listing.iter().copied().filter(|&net| self.levels[net] != engine.level(net)).collect()
    }

    /// Sets the level of a net; whether it has moved.
    fn set(&mut self, time: u64, net: NetId, level: bool) -> bool {
        if std::mem::replace(&mut self.levels[net], level) == level {
            return false;
        }
        for pin in &self.netlist.nets[net].readers {
            self.count += 1;
            let at = time + self.delays[pin.chip][pin.line];
            self.events.push(Reverse((at, self.count, pin.chip, pin.line, level)));
        }
        true
    }

    /// The output of a chip at the address that it sees; a RAM whose write line is 1 takes its input.
    fn gives(&mut self, id: ChipId) -> u8 {
        let (chip, sees) = (&self.netlist.chips[id], self.sees[id]);
        match chip.holds {
            Holds::Table(table) => self.netlist.tables[table][sees as usize],
            Holds::Program { byte } => self.proms[byte][sees as usize],
            Holds::Ram { address } => {
                let cell = &mut self.ram[id][(sees & ((1 << address) - 1)) as usize];
                if sees >> (chip.reads.len() - 1) & 1 == 1 {
                    *cell = (sees >> address) as u8 & ((1 << chip.data.len()) - 1) as u8;
                }
                *cell
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the delays, the true board does the same in all of these runs.
    #[test]
    fn delays_make_no_difference_to_the_true_board() {
        for board in [Board::gray1(), Board::built()] {
            let panel = &board.netlist().panel;
            let strobes: Vec<NetId> = panel.outlets().map(|outlet| outlet.enable[0]).collect();
            let stop = AtomicBool::new(false);
            let trial = Trial { board: &board, targets: &[], strobes: &strobes, stop: &stop };
            assert_eq!(trial.difference(), None);
        }
    }

    /// A master that closes one phase too late, and a line of the counter that opens too early.
    #[test]
    fn a_race_is_found_in_a_run() {
        let source = include_str!("../../../core/machine/src/board/gray1.ron");
        for (from, to) in [
            ("address: \"R0-7 T0-7 PH1\"", "address: \"R0-7 T0-7 S0\""),
            ("address: \"W0-5 TG0-5 PH1 RST\"", "address: \"W0-5 TG0-5 S0 RST\""),
        ] {
            assert_eq!(source.matches(from).count(), 1);
            let board = Board::parse(&source.replace(from, to), "race.ron").unwrap();
            let stop = AtomicBool::new(false);
            let trial = Trial { board: &board, targets: &[], strobes: &[], stop: &stop };
            assert!(trial.difference().is_some(), "{to}");
        }
    }
}
