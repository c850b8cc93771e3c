//! Runs of a board with a delay for each line, to see whether a fault that follows from the tables can happen.
//!
//! What the claims examine is more than a machine does: they assume every movement that the tables allow. So a fault
//! that they find is held against a board only if there is a run in which it makes a difference: one whose phase ends in
//! another state than the same phase of the chips engine, or does not end at all. A strobe is held against a board only
//! if it is seen to violate the claim in a run. Each address line has a delay of its own, drawn once for each run, and
//! all data lines of a chip see the same address.

use crate::reach::random_program;
use gray1_isa::Image;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::board::Board;
use gray1_machine::netlist::{Chip, ChipId, Holds, NetId, Netlist};
use gray1_machine::{ChipsEngine, Engine, Noise, Random};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs that are tried, and the cycles of each.
pub(crate) const RUNS: u64 = 128;
const CYCLES: u64 = 120;
/// The phase at whose end the strobes of RAM and of everything that leaves the machine may be 1.
pub(crate) const OPEN: usize = 1;
/// Events in one phase, after which a run ends: the board does not settle, if this took many times the longest delay.
const EVENTS: usize = 50_000;
const MANY: u64 = 100;
/// Events in a phase after which the button is pressed, at most.
const MAX_EVENTS_BEFORE_PRESS: u64 = 400;

/// Lines of a chip that should be fast, and lines that should be slow, for a fault to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub chip: ChipId,
    pub early: u32,
    pub late: u32,
}

/// A line that opens something, or a register with, by its address, whether it takes a new value.
pub(crate) enum Strobe {
    Line(NetId),
    Register(ChipId, Vec<u8>),
}

/// The runs of a board.
pub(crate) struct Trial<'a> {
    pub board: &'a Board,
    pub targets: &'a [Target],
    /// The strobes to be watched. If there are any, a run counts only if one of them violates the claim.
    pub strobes: &'a [Strobe],
    /// The button's line, if its edges reach more than the clock: it moves once in each phase, to watch the strobes.
    pub button: Option<NetId>,
    pub stop: &'a AtomicBool,
}

impl Trial<'_> {
    /// Whether there is a run in which delays make a difference, or a strobe violates the claim.
    pub fn shows(&self) -> bool {
        let unsettled = self.strobes.is_empty();
        let first = random_program(1);
        let Ok(mut engine) = ChipsEngine::power_up(self.board, &first, Noise::Zeros) else {
            return unsettled;
        };
        let begin = engine.snapshot();
        (0..RUNS).take_while(|_| !self.stop.load(Ordering::Relaxed)).any(|seed| {
            // Each program is run with several delays.
            let image = random_program(1 + seed / 4);
            engine.restore(&begin);
            engine.change_program(&image);
            match engine.reset() {
                Ok(()) => self.run(seed, &image, &mut engine),
                Err(_) => unsettled,
            }
        })
    }

    fn run(&self, seed: u64, image: &Image, engine: &mut ChipsEngine) -> bool {
        let netlist = Arc::clone(engine.netlist());
        let mut delayed = Delayed::of(&netlist, image, engine);
        delayed.draw(seed, self.targets);
        let counts = self.strobes.is_empty();
        let mut random = Random::new(seed, 0xB0);
        let mut moved_in = vec![0u8; self.strobes.len()];
        for phase in (0..CYCLES).flat_map(|_| [1, 2, 3, 0]) {
            if let Some(button) = self.button {
                let press = Some((button, random.between(0, MAX_EVENTS_BEFORE_PRESS) as usize));
                let pressed = delayed.clone().phase(self.strobes, press);
                if matches!(pressed, End::Rest(moves) if moves.iter().any(|moves| *moves > 1)) {
                    return true;
                }
            }
            let moves = match engine.phase(&mut ()).map(|()| delayed.phase(self.strobes, None)) {
                Ok(End::Rest(moves)) => moves,
                Ok(End::Pulses) => return false,
                _ => return counts,
            };
            for ((strobe, moves), moved_in) in self.strobes.iter().zip(moves).zip(&mut moved_in) {
                *moved_in |= u8::from(moves > 0) << phase;
                let stays_open = matches!(strobe, Strobe::Line(_)) && phase != OPEN && delayed.opens(strobe);
                if moves > 1 || stays_open || moved_in.count_ones() > 2 {
                    return true;
                }
            }
            if delayed.differs(engine) {
                return counts;
            }
        }
        counts && delayed.bytes()[..] != engine.state().ram[..]
    }
}

/// When a line of a chip gets which level: the time, a number for those at the same time, the chip, its line.
type Event = (u64, u64, ChipId, usize, bool);

/// How a phase ends.
enum End {
    /// At rest; each strobe has moved so often.
    Rest(Vec<u32>),
    Endless,
    /// Not yet: short pulses go round in a fast loop while slow lines move.
    Pulses,
}

/// The board, with events on their way.
#[derive(Clone)]
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

    /// An edge of the oscillator, and all that follows. The button's line moves after a number of events, if at all.
    fn phase(&mut self, strobes: &[Strobe], mut press: Option<(NetId, usize)>) -> End {
        let oscillator = self.netlist.panel.oscillator[0];
        let mut moves = vec![0u32; strobes.len()];
        let mut open: Vec<bool> = strobes.iter().map(|strobe| self.opens(strobe)).collect();
        self.set(0, oscillator, !self.levels[oscillator]);
        let (mut left, mut now) = (EVENTS, 0);
        loop {
            let is_due = |after| EVENTS - left >= after || self.events.is_empty();
            if let Some((button, _)) = press.take_if(|(_, after)| is_due(*after)) {
                self.set(now, button, !self.levels[button]);
            }
            let Some(Reverse((time, _, chip, line, level))) = self.events.pop() else { break };
            now = time;
            if left == 0 {
                let longest = self.delays.iter().flatten().max().copied().unwrap_or(1);
                return if time / MANY > longest { End::Endless } else { End::Pulses };
            }
            left -= 1;
            self.sees[chip] = self.sees[chip] & !(1 << line) | u32::from(level) << line;
            let data = self.gives(chip);
            for (bit, &net) in self.netlist.chips[chip].data.iter().enumerate() {
                self.set(time, net, data >> bit & 1 == 1);
            }
            for (strobe, (moves, open)) in strobes.iter().zip(moves.iter_mut().zip(&mut open)) {
                *moves += u32::from(std::mem::replace(open, self.opens(strobe)) != *open);
            }
        }
        End::Rest(moves)
    }

    /// Whether a strobe is 1.
    fn opens(&self, strobe: &Strobe) -> bool {
        match strobe {
            Strobe::Line(net) => self.levels[*net],
            Strobe::Register(chip, open) => open[self.sees[*chip] as usize] == 1,
        }
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

    /// Whether a net has another level than on the chips engine.
    fn differs(&self, engine: &ChipsEngine) -> bool {
        (0..self.levels.len()).any(|net| self.levels[net] != engine.level(net))
    }

    /// Sets the level of a net.
    fn set(&mut self, time: u64, net: NetId, level: bool) {
        if std::mem::replace(&mut self.levels[net], level) == level {
            return;
        }
        for pin in &self.netlist.nets[net].readers {
            self.count += 1;
            let at = time + self.delays[pin.chip][pin.line];
            self.events.push(Reverse((at, self.count, pin.chip, pin.line, level)));
        }
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
            let strobes: Vec<Strobe> = panel.outlets().map(|outlet| Strobe::Line(outlet.enable[0])).collect();
            let stop = AtomicBool::new(false);
            for strobes in [&[][..], &strobes] {
                assert!(!Trial { board: &board, targets: &[], strobes, button: None, stop: &stop }.shows());
            }
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
            let trial = Trial { board: &board, targets: &[], strobes: &[], button: None, stop: &stop };
            assert!(trial.shows(), "{to}");
        }
    }
}
