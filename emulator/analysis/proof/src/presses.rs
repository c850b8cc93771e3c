//! Searches for a press of the button that does harm: a simulation in which every line reaches every chip in its own
//! time, with programs of random words, and the button pressed and let go at random moments.
//!
//! A trial in which a line of the clock that holds itself shows a pulse when the button moves does not count: an edge is
//! assumed to be decided once.

use crate::button::HOLD_CYCLES;
use crate::reach::random_program;
use gray1_isa::memory_map::{GREEN, OUT, RAM_BYTES};
use gray1_isa::{Image, Opcode, Word, from_gray};
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, Holds, NetId, Netlist, number};
use gray1_machine::{ChipsEngine, Engine, Noise, PHASES, Random};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::atomic::{AtomicBool, Ordering};

/// The programs, and the presses in each.
const PROGRAMS: u64 = 8;
const PRESSES: u64 = 60;
/// Every program begins with this many words that count in the accumulator; in every other program, the first sends it.
const COUNTED: u16 = 16;
/// A phase with more changes of a line is not waited for.
const MOST_CHANGES: u32 = 20_000;

/// A press that does harm, in words.
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
            let found = Trial::new(board, clock, &image, &mut engine, &mut random);
            let found = found.and_then(|trial| trial.run(&starts, usize::from(seed % 2 == 0)));
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
    let of = |nets: &[NetId]| nets.iter().rev().fold(0, |number, &net| number << 1 | u32::from(level(net)));
    [of(&panel.counter), of(&panel.accumulator), of(&panel.carry)]
}

/// The registers after each of the first cycles.
fn starts(board: &Board, image: &Image) -> Option<Vec<Registers>> {
    let mut engine = ChipsEngine::power_up(board, image, Noise::Zeros).ok()?;
    let after = |_| {
        engine.run(1, &mut ()).ok()?;
        Some(registers(board.netlist(), |net| engine.level(net)))
    };
    (1..=4).map(after).collect()
}

/// A machine in which a line reaches each chip in its own time.
struct Machine<'a> {
    netlist: &'a Netlist,
    proms: [Vec<u8>; 2],
    /// The levels of the nets at their drivers, and the address that each chip sees.
    levels: Vec<bool>,
    addresses: Vec<u32>,
    rams: BTreeMap<ChipId, Vec<u8>>,
    /// The time from a change of a net to each chip that reads it, by chip and line.
    delays: Vec<Vec<u64>>,
    now: u64,
    /// Arrivals: the time, the chip and its line.
    coming: BinaryHeap<Reverse<(u64, ChipId, usize)>>,
    /// How often each net has changed in this phase.
    changes: Vec<u32>,
    /// The outlets that have opened.
    opened: Vec<usize>,
}

impl<'a> Machine<'a> {
    fn new(netlist: &'a Netlist, image: &Image, engine: &ChipsEngine, random: &mut Random) -> Machine<'a> {
        let nets = netlist.nets.len();
        let levels: Vec<bool> = (0..nets).map(|net| engine.level(net)).collect();
        let (mut rams, mut shift) = (BTreeMap::new(), 0);
        for &ram in &netlist.panel.memory {
            let bits = netlist.chips[ram].data.len();
            let mask = ((1u16 << bits) - 1) as u8;
            let cells = (0..RAM_BYTES as u16).map(|address| engine.ram(address) >> shift & mask);
            rams.insert(ram, cells.collect());
            shift += bits;
        }
        let mut slow = || random.between(10, 400) * if random.between(0, 7) == 0 { 10 } else { 1 };
        let outputs: Vec<u64> = (0..nets).map(|_| slow()).collect();
        // Chips that synchronise the button may see its edge at very different times.
        let skew = |net| if net == netlist.panel.reset[0] { 2_000 } else { 100 };
        let delays = netlist.chips.iter().map(|chip| {
            chip.reads.iter().map(|&net| outputs[net] + random.between(0, skew(net))).collect::<Vec<u64>>()
        });
        let delays = delays.collect();
        Machine {
            netlist,
            proms: image.to_proms(),
            addresses: netlist.chips.iter().map(|chip| number(&levels, &chip.reads)).collect(),
            levels,
            rams,
            delays,
            now: 0,
            coming: BinaryHeap::new(),
            changes: vec![0; nets],
            opened: vec![],
        }
    }

    fn flip(&mut self, net: NetId) {
        self.levels[net] ^= true;
        self.changes[net] += 1;
        let opens = |enable: &Vec<NetId>| enable[0] == net;
        let opened = self.netlist.panel.outlets().position(|outlet| opens(&outlet.enable));
        self.opened.extend(opened.filter(|_| self.levels[net]));
        for pin in &self.netlist.nets[net].readers {
            let at = self.now + self.delays[pin.chip][pin.line];
            self.coming.push(Reverse((at, pin.chip, pin.line)));
        }
    }

    /// A chip sees the level that its line has now.
    fn arrive(&mut self, id: ChipId, line: usize) {
        let chip = &self.netlist.chips[id];
        let level = u32::from(self.levels[chip.reads[line]]) << line;
        if self.addresses[id] & 1 << line == level {
            return;
        }
        self.addresses[id] ^= 1 << line;
        let address = self.addresses[id] as usize;
        let data = match chip.holds {
            Holds::Table(table) => self.netlist.tables[table][address],
            Holds::Program { byte } => self.proms[byte][address],
            Holds::Ram { address: lines } => {
                let Some(cells) = self.rams.get_mut(&id) else { return };
                let cell = &mut cells[address & ((1 << lines) - 1)];
                if address >> (chip.reads.len() - 1) == 1 {
                    *cell = (address >> lines) as u8 & ((1u16 << chip.data.len()) - 1) as u8;
                }
                *cell
            }
        };
        for (bit, &net) in chip.data.iter().enumerate() {
            if self.levels[net] != (data >> bit & 1 == 1) {
                self.flip(net);
            }
        }
    }

    /// An edge of the oscillator and all that follows, with the button moving this long after it.
    fn phase(&mut self, button: Option<u64>) {
        self.changes.fill(0);
        let panel = &self.netlist.panel;
        self.flip(panel.oscillator[0]);
        let mut button = button.map(|after| self.now + after);
        for _ in 0..MOST_CHANGES {
            let next = self.coming.peek().map(|Reverse((at, ..))| *at);
            if let Some(at) = button.filter(|at| next.is_none_or(|next| *at <= next)) {
                (self.now, button) = (at, None);
                self.flip(panel.reset[0]);
            } else if let Some(Reverse((at, chip, line))) = self.coming.pop() {
                self.now = at;
                self.arrive(chip, line);
            } else {
                return;
            }
        }
        self.coming.clear();
    }

    fn byte(&self, address: u16) -> u8 {
        let (mut byte, mut shift) = (0, 0);
        for ram in &self.netlist.panel.memory {
            byte |= self.rams[ram][usize::from(address)] << shift;
            shift += self.netlist.chips[*ram].data.len();
        }
        byte
    }

    fn shown(&self) -> Vec<u8> {
        self.netlist
            .panel
            .outlets()
            .map(|outlet| outlet.shown(number(&self.levels, &outlet.latch) as u8))
            .collect()
    }
}

/// One press, on a machine at the beginning of a cycle.
struct Trial<'a, 'r> {
    machine: Machine<'a>,
    random: &'r mut Random,
    /// The chips of the clock.
    clock: &'a [ChipId],
    /// The instruction of the cycle in which the button is pressed, and what stores in this and the next may change.
    pressed_at: String,
    stored: Vec<u16>,
}

impl<'a, 'r> Trial<'a, 'r> {
    /// `None` if the machine does not go through a cycle as the engine does, in which it need not be pressed.
    fn new(
        board: &'a Board,
        clock: &'a [ChipId],
        image: &Image,
        engine: &mut ChipsEngine,
        random: &'r mut Random,
    ) -> Option<Trial<'a, 'r>> {
        let netlist = &**board.netlist();
        let mut machine = Machine::new(netlist, image, engine, random);
        (0..PHASES).for_each(|_| machine.phase(None));
        engine.run(1, &mut ()).ok()?;
        let agrees = |net: NetId| engine.level(net) == machine.levels[net];
        if !(0..netlist.nets.len()).all(agrees) {
            return None;
        }
        machine.opened.clear();
        let pressed_at = format!("the cycle of {} at {:03X}", engine.word(), engine.registers().pc);
        let mut stored = Vec::new();
        for _ in 0..2 {
            let word = engine.word();
            stored.extend((word.opcode() == Opcode::Sta).then(|| word.x()));
            engine.run(1, &mut ()).ok()?;
        }
        Some(Trial { machine, random, clock, pressed_at, stored })
    }

    fn run(mut self, starts: &[Registers], sends: usize) -> Option<String> {
        let ram: Vec<u8> = (0..RAM_BYTES as u16).map(|address| self.machine.byte(address)).collect();
        let shown = self.machine.shown();
        let before = self.random.between(0, PHASES as u64 - 1) as usize;
        self.still(before);
        self.moved()?;
        let held = HOLD_CYCLES * PHASES - 1 + self.random.between(0, 2 * PHASES as u64) as usize;
        self.still(held);
        let opened = self.machine.opened.len();
        self.moved()?;
        let since = before + held + 2;
        let [pressed, let_go] = [before + 1, since].map(|phases| phases % PHASES);
        let when = format!(
            "pressed in phase {pressed} of {}, and let go in phase {let_go} after {} phases",
            self.pressed_at,
            held + 1
        );
        self.still((PHASES - let_go) % PHASES + 3 * PHASES);
        let sent = self.machine.opened[opened..].iter().filter(|outlet| **outlet == 0).count();
        self.stored.extend((sends > 0).then_some(OUT));
        let unsent = || (sent != sends).then(|| format!("the start sends {sent} times instead of {sends}"));
        let what = self.loss(&ram, &shown).or_else(|| self.astray(starts)).or_else(unsent)?;
        Some(format!("{when}, the button does harm: {what}"))
    }

    fn still(&mut self, phases: usize) {
        (0..phases).for_each(|_| self.machine.phase(None));
    }

    /// A phase in which the button moves; `None` if that is not decided once.
    fn moved(&mut self) -> Option<()> {
        let first = self.machine.levels.clone();
        let after = self.random.between(0, 4_000);
        self.machine.phase(Some(after));
        let netlist = self.machine.netlist;
        let held = self.clock.iter().flat_map(|&chip| {
            let chip = &netlist.chips[chip];
            chip.own.iter().map(|(line, _)| chip.reads[*line])
        });
        let pulse =
            |net: NetId| self.machine.changes[net] > u32::from(self.machine.levels[net] != first[net]);
        (!held.into_iter().any(pulse)).then_some(())
    }

    /// What was stored, shown or sent that the program did not store.
    fn loss(&self, ram: &[u8], shown: &[u8]) -> Option<String> {
        let may_change = |address: u16| self.stored.contains(&address);
        let mut cells = (0..).zip(ram).filter(|(address, _)| !may_change(*address));
        if let Some((address, was)) = cells.find(|(address, was)| self.machine.byte(*address) != **was) {
            return Some(format!(
                "RAM at {address:03X} was {was:02X} and is {:02X}",
                self.machine.byte(address)
            ));
        }
        let address = |outlet: usize| if outlet == 0 { OUT } else { GREEN + outlet as u16 - 1 };
        if let Some(&outlet) = self.machine.opened.iter().find(|outlet| !may_change(address(**outlet))) {
            return Some(format!("a byte was sent or shown at {:03X}", address(outlet)));
        }
        let now = self.machine.shown();
        let mut rows = (0..shown.len()).filter(|&outlet| !may_change(address(outlet)));
        let outlet = rows.find(|&outlet| now[outlet] != shown[outlet])?;
        Some(format!(
            "what is shown at {:03X} was {:02X} and is {:02X}",
            address(outlet),
            shown[outlet],
            now[outlet]
        ))
    }

    /// Where the machine is if it has not started as after power-up: the accumulator counts the first instructions.
    fn astray(&self, starts: &[Registers]) -> Option<String> {
        let now @ [counter, a, c] = registers(self.machine.netlist, |net| self.machine.levels[net]);
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
