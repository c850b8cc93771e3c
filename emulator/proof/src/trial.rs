//! Runs of a board with a delay for each line, to see whether a fault that follows from the tables can happen.
//!
//! The claims examine more than a machine does: they assume every movement that the tables allow. So a fault that they
//! find refutes a board only if it makes a difference in a run: a phase ends in another state than on the chips engine,
//! or does not end at all. A strobe refutes a board only if it violates the claim in a run. The delay of each address
//! line is drawn once for each run.

use crate::runs::random_program;
use crate::simulation::DelayedBoard;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist};
use gray1_machine::{ChipsEngine, Engine, Noise, Random};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of runs, and the cycles of each.
pub(crate) const RUNS: u64 = 128;
const CYCLES: u64 = 120;
/// The phase at whose end the strobes of RAM and of everything that leaves the machine may be 1.
pub(crate) const OPEN: usize = 1;
/// A run ends after this many events in one phase. If they took many times the longest delay, the board does not settle.
const MAX_EVENTS: usize = 50_000;
const ENDLESS_DELAYS: u64 = 100;
/// The button is pressed after at most this many events of a phase.
const MAX_EVENTS_BEFORE_PRESS: u64 = 400;

/// Lines of a chip that should be fast, and lines that should be slow, for a fault to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub chip: ChipId,
    pub early: u32,
    pub late: u32,
}

/// A line that opens something; or a register, with a 1 for each address at which it takes a new value.
pub(crate) enum Strobe {
    Line(NetId),
    Register(ChipId, Vec<u8>),
}

/// The runs of a board.
pub(crate) struct Trial<'a> {
    pub board: &'a Board,
    pub targets: &'a [Target],
    /// The observed strobes. If there are any, a run counts only if one of them violates the claim.
    pub strobes: &'a [Strobe],
    /// The button's line, if its edges reach more than the clock: it moves once in each phase.
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
        let netlist = &**self.board.netlist();
        let delays = delays(netlist, seed, self.targets);
        let mut delayed = DelayedBoard::at_rest(netlist, image, engine, delays, false);
        let counts = self.strobes.is_empty();
        let mut random = Random::new(seed, 0xB0);
        let mut moved_in = vec![0u8; self.strobes.len()];
        for phase in (0..CYCLES).flat_map(|_| [1, 2, 3, 0]) {
            if let Some(button) = self.button {
                let press = Some((button, random.between(0, MAX_EVENTS_BEFORE_PRESS) as usize));
                let pressed = self.phase(&mut delayed.clone(), press);
                if matches!(pressed, End::Rest(moves) if moves.iter().any(|moves| *moves > 1)) {
                    return true;
                }
            }
            let moves = match engine.phase(&mut ()).map(|()| self.phase(&mut delayed, None)) {
                Ok(End::Rest(moves)) => moves,
                Ok(End::Pulses) => return false,
                _ => return counts,
            };
            for ((strobe, moves), moved_in) in self.strobes.iter().zip(moves).zip(&mut moved_in) {
                *moved_in |= u8::from(moves > 0) << phase;
                let stays_open =
                    matches!(strobe, Strobe::Line(_)) && phase != OPEN && strobe.is_open(&delayed);
                if moves > 1 || stays_open || moved_in.count_ones() > 2 {
                    return true;
                }
            }
            if (0..netlist.nets.len()).any(|net| delayed.levels[net] != engine.level(net)) {
                return counts;
            }
        }
        counts && delayed.ram()[..] != engine.state().ram[..]
    }

    /// Runs a phase: an edge of the oscillator, and all that follows. The button's line moves after a number of
    /// events, if at all.
    fn phase(&self, board: &mut DelayedBoard, mut press: Option<(NetId, usize)>) -> End {
        let strobes = self.strobes;
        let mut moves = vec![0u32; strobes.len()];
        let mut open: Vec<bool> = strobes.iter().map(|strobe| strobe.is_open(board)).collect();
        let (begin, mut events) = (board.now, 0);
        board.flip(board.netlist.panel.oscillator[0]);
        loop {
            let is_due = |after| events >= after || board.next_at().is_none();
            if let Some((button, _)) = press.take_if(|(_, after)| is_due(*after)) {
                board.flip(button);
            }
            let Some(at) = board.next_at() else { return End::Rest(moves) };
            if events == MAX_EVENTS {
                let longest = board.delays.iter().flatten().max().copied().unwrap_or(1);
                return if (at - begin) / ENDLESS_DELAYS > longest { End::Endless } else { End::Pulses };
            }
            events += 1;
            board.step();
            for (strobe, (moves, open)) in strobes.iter().zip(moves.iter_mut().zip(&mut open)) {
                *moves += u32::from(std::mem::replace(open, strobe.is_open(board)) != *open);
            }
        }
    }
}

impl Strobe {
    /// Whether it is 1.
    fn is_open(&self, board: &DelayedBoard) -> bool {
        match self {
            Strobe::Line(net) => board.levels[*net],
            Strobe::Register(chip, open) => open[board.addresses[*chip] as usize] == 1,
        }
    }
}

/// The end of a phase.
enum End {
    /// At rest; the number of moves of each strobe.
    Rest(Vec<u32>),
    Endless,
    /// Not yet: short pulses go round in a fast loop while slow lines move.
    Pulses,
}

/// Draws a delay for each line of each chip. In some runs they differ a little, in others very much.
fn delays(netlist: &Netlist, seed: u64, targets: &[Target]) -> Vec<Vec<u64>> {
    let mut random = Random::new(seed, 0xDE1A);
    let of_chip = |chip: &Chip| {
        let power = random.draw() % 16;
        let delay = |drawn: u64| match seed % 4 {
            0 => 1 + drawn % 100,
            1 => 1 << (drawn % 20),
            2 if drawn.is_multiple_of(2) => 1,
            2 => 100_000,
            _ => (1 << power) + drawn % 50,
        };
        chip.reads.iter().map(|_| delay(random.draw())).collect()
    };
    let mut delays: Vec<Vec<u64>> = netlist.chips.iter().map(of_chip).collect();
    // Every other group of runs has no target.
    if targets.is_empty() || (seed / 4).is_multiple_of(2) {
        return delays;
    }
    let target = targets[(seed / 8) as usize % targets.len()];
    for (line, delay) in delays[target.chip].iter_mut().enumerate() {
        match (target.early >> line & 1, target.late >> line & 1) {
            (1, _) => *delay = 1,
            (_, 1) => *delay += 10_000_000,
            _ => {}
        }
    }
    delays
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
        let source = include_str!("../../machine/src/board/gray1.ron");
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
