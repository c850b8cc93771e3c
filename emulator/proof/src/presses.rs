//! Searches for a press of the button that does harm: a simulation in which every line reaches every chip in its own
//! time, with programs of random words, and the button pressed and let go at random moments.
//!
//! A press does not count if it causes a pulse on a line of the clock that holds itself: an edge is assumed to be decided
//! once.

use crate::claim::HOLD_CYCLES;
use crate::runs::{number_on, outlet_address, random_program, shown};
use crate::simulation::DelayedBoard;
use gray1_isa::memory_map::OUT;
use gray1_isa::{Image, Opcode, Word, from_gray};
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::{ChipsEngine, Engine, Noise, PHASES, Random};
use std::sync::atomic::{AtomicBool, Ordering};

/// The programs, and the presses in each.
const PROGRAMS: u64 = 8;
const PRESSES: u64 = 60;
/// Every program begins with this many words that count in the accumulator; in every other program, the first sends it.
const COUNTED: u16 = 16;
/// A phase is abandoned after this many changes of lines.
const MAX_CHANGES: u32 = 20_000;

/// Describes a press that does harm, if one is found.
pub(crate) fn harm(board: &Board, clock: &[ChipId], stop: &AtomicBool) -> Option<String> {
    for seed in 1..=PROGRAMS {
        let mut image = random_program(seed);
        (0..COUNTED).for_each(|place| image.set_word(place, Word::constant(Opcode::Add, 1)));
        if seed % 2 == 0 {
            image.set_word(0, Word::ram(Opcode::Sta, OUT));
        }
        let Ok(mut engine) = ChipsEngine::power_up(board, &image, Noise::Random(seed)) else { continue };
        let Some(starts) = starts(board, &image) else { continue };
        let mut random = Random::new(seed, 0xB0);
        for _ in 0..PRESSES {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if engine.halted() || engine.run(random.between(1, 5), &mut ()).is_err() {
                break;
            }
            let before = engine.snapshot();
            let press = Press::new(board, clock, &image, &mut engine, &mut random);
            let found = press.and_then(|press| press.run(&starts, usize::from(seed % 2 == 0)));
            engine.restore(&before);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The counter, the accumulator and the carry, as the panel has them.
type Registers = [u32; 3];

fn registers(netlist: &Netlist, level: impl Fn(NetId) -> bool) -> Registers {
    let panel = &netlist.panel;
    [&panel.counter, &panel.accumulator, &panel.carry].map(|nets| number_on(nets, &level))
}

/// Returns the registers after each of the first cycles.
fn starts(board: &Board, image: &Image) -> Option<Vec<Registers>> {
    let mut engine = ChipsEngine::power_up(board, image, Noise::Zeros).ok()?;
    let after = |_| {
        engine.run(1, &mut ()).ok()?;
        Some(registers(board.netlist(), |net| engine.level(net)))
    };
    (1..=4).map(after).collect()
}

/// Returns the delays of a machine: one for each net, and a little more on each line that reads it.
fn delays(netlist: &Netlist, random: &mut Random) -> Vec<Vec<u64>> {
    let mut slow = || random.between(10, 400) * if random.between(0, 7) == 0 { 10 } else { 1 };
    let outputs: Vec<u64> = netlist.nets.iter().map(|_| slow()).collect();
    // Chips that synchronise the button may see its edge at very different times.
    let skew = |net| if net == netlist.panel.reset[0] { 2_000 } else { 100 };
    let mut line = |&net: &NetId| outputs[net] + random.between(0, skew(net));
    netlist.chips.iter().map(|chip| chip.reads.iter().map(&mut line).collect()).collect()
}

/// Runs a phase: an edge of the oscillator and all that follows, with the button moving this long after it.
fn phase(board: &mut DelayedBoard, button: Option<u64>) {
    let panel = &board.netlist.panel;
    board.changes.fill(0);
    board.flip(panel.oscillator[0]);
    let mut button = button.map(|after| board.now + after);
    for _ in 0..MAX_CHANGES {
        let next = board.next_at();
        if let Some(at) = button.take_if(|at| next.is_none_or(|next| *at <= next)) {
            board.now = at;
            board.flip(panel.reset[0]);
        } else if !board.step() {
            return;
        }
    }
    board.abandon();
}

/// One press, on a machine at the beginning of a cycle.
struct Press<'a, 'r> {
    board: DelayedBoard<'a>,
    random: &'r mut Random,
    /// The chips of the clock.
    clock: &'a [ChipId],
    /// The instruction in whose cycle the button is pressed.
    pressed_at: String,
    /// The addresses that stores in this cycle and the next may change.
    stored: Vec<u16>,
}

impl<'a, 'r> Press<'a, 'r> {
    /// Runs a cycle before the press; `None` if it ends in another state than on the engine even so.
    fn new(
        board: &'a Board,
        clock: &'a [ChipId],
        image: &Image,
        engine: &mut ChipsEngine,
        random: &'r mut Random,
    ) -> Option<Press<'a, 'r>> {
        let netlist = &**board.netlist();
        let delays = delays(netlist, random);
        let mut board = DelayedBoard::at_rest(netlist, image, engine, delays, true);
        (0..PHASES).for_each(|_| phase(&mut board, None));
        engine.run(1, &mut ()).ok()?;
        if (0..netlist.nets.len()).any(|net| engine.level(net) != board.levels[net]) {
            return None;
        }
        board.opened.clear();
        let pressed_at = format!("the cycle of {} at {:03X}", engine.word(), engine.registers().pc);
        let mut stored = Vec::new();
        for _ in 0..2 {
            let word = engine.word();
            stored.extend((word.opcode() == Opcode::Sta).then(|| word.x()));
            engine.run(1, &mut ()).ok()?;
        }
        Some(Press { board, random, clock, pressed_at, stored })
    }

    fn run(mut self, starts: &[Registers], sends: usize) -> Option<String> {
        let (ram, shown) = (self.board.ram(), self.shown());
        let before = self.random.between(0, PHASES as u64 - 1) as usize;
        self.still(before);
        self.moved()?;
        let held = HOLD_CYCLES * PHASES - 1 + self.random.between(0, 2 * PHASES as u64) as usize;
        self.still(held);
        let opened = self.board.opened.len();
        self.moved()?;
        let since = before + held + 2;
        let [pressed, let_go] = [before + 1, since].map(|phases| phases % PHASES);
        let when = format!(
            "pressed in phase {pressed} of {}, and let go in phase {let_go} after {} phases",
            self.pressed_at,
            held + 1
        );
        self.still((PHASES - let_go) % PHASES + 3 * PHASES);
        let sent = self.board.opened[opened..].iter().filter(|outlet| **outlet == 0).count();
        self.stored.extend((sends > 0).then_some(OUT));
        let unsent = || (sent != sends).then(|| format!("the start sends {sent} times instead of {sends}"));
        let what = self.loss(&ram, &shown).or_else(|| self.astray(starts)).or_else(unsent)?;
        Some(format!("{when}, the button does harm: {what}"))
    }

    fn shown(&self) -> Vec<u8> {
        shown(self.board.netlist, |net| self.board.levels[net])
    }

    fn still(&mut self, phases: usize) {
        (0..phases).for_each(|_| phase(&mut self.board, None));
    }

    /// Runs a phase in which the button moves; `None` if its edge is not decided once.
    fn moved(&mut self) -> Option<()> {
        let first = self.board.levels.clone();
        phase(&mut self.board, Some(self.random.between(0, 4_000)));
        let DelayedBoard { netlist, levels, changes, .. } = &self.board;
        let held = self.clock.iter().flat_map(|&chip| {
            let chip = &netlist.chips[chip];
            chip.own.iter().map(|(line, _)| chip.reads[*line])
        });
        let pulse = |net: NetId| changes[net] > u32::from(levels[net] != first[net]);
        (!held.into_iter().any(pulse)).then_some(())
    }

    /// Describes a byte stored, shown or sent that the program did not store.
    fn loss(&self, ram: &[u8], shown: &[u8]) -> Option<String> {
        let may_change = |address: u16| self.stored.contains(&address);
        let now = self.board.ram();
        let mut cells = (0..).zip(ram.iter().zip(&now)).filter(|(address, _)| !may_change(*address));
        if let Some((address, (was, is))) = cells.find(|(_, (was, is))| was != is) {
            return Some(format!("RAM at {address:03X} was {was:02X} and is {is:02X}"));
        }
        if let Some(&outlet) = self.board.opened.iter().find(|outlet| !may_change(outlet_address(**outlet))) {
            return Some(format!("a byte was sent or shown at {:03X}", outlet_address(outlet)));
        }
        let now = self.shown();
        let mut rows = (0..shown.len()).filter(|&outlet| !may_change(outlet_address(outlet)));
        let outlet = rows.find(|&outlet| now[outlet] != shown[outlet])?;
        Some(format!(
            "what is shown at {:03X} was {:02X} and is {:02X}",
            outlet_address(outlet),
            shown[outlet],
            now[outlet]
        ))
    }

    /// Describes the state of a machine that has not started as after power-up: the accumulator counts the first
    /// instructions.
    fn astray(&self, starts: &[Registers]) -> Option<String> {
        let now @ [counter, a, c] = registers(self.board.netlist, |net| self.board.levels[net]);
        let pc = from_gray(counter as u16);
        (!starts.contains(&now)).then(|| {
            format!(
                "three cycles later, in a program that counts with ADD #1, PC is {pc:03X}, A {a:02X}, C {c}"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::limits::Limits;

    #[test]
    fn on_the_built_in_boards_no_press_does_harm() {
        for board in [Board::gray1(), Board::built()] {
            let clock = Clock::find(board.netlist(), &Limits::default()).expect("it has a clock");
            assert_eq!(harm(&board, &clock.chips, &AtomicBool::new(false)), None);
        }
    }
}
