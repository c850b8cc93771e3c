//! Programs that show where a board differs from the instruction set, run on the chips engine and compared.

use super::mismatch::Program;
use crate::phase::write_line;
use crate::reach::random_program;
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::{Board, Outlet};
use gray1_machine::netlist::NetId;
use gray1_machine::{ChipsEngine, Engine, Inputs, IsaEngine, Noise, Outside, PHASES, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of random programs to try, and the cycles of each. Every other one has no jumps and goes through the
/// whole program.
const PROGRAMS: u64 = 400;
const CYCLES: u64 = 4_096;

/// The steps of a program: the bytes that it stores first, the values of A and C then, and the instructions that
/// follow.
pub(crate) struct Way {
    pub stores: Vec<(u16, u8)>,
    pub a: u8,
    pub c: bool,
    pub words: Vec<(u16, Word)>,
}

impl Way {
    /// The program, if it shows the fault on the chips engine.
    pub fn program(&self, board: &Board, inputs: Inputs) -> Option<Program> {
        let mut words = Vec::new();
        for &(address, byte) in self.stores.iter().filter(|(_, byte)| *byte != 0) {
            words.extend([Word::constant(Opcode::Lda, byte), Word::ram(Opcode::Sta, address)]);
        }
        if self.c {
            words.extend([Word::constant(Opcode::Lda, 0xFF), Word::constant(Opcode::Add, 1)]);
        }
        words.push(Word::constant(Opcode::Lda, self.a));
        words.push(Word::jump(Opcode::Jmp, self.words.first()?.0));
        let leading = words.len();
        if self.words.iter().any(|(place, _)| usize::from(*place) < leading) {
            return None;
        }
        let words: Vec<(u16, Word)> = (0..).zip(words).chain(self.words.iter().copied()).collect();
        let mut found = (shown(board, &words, inputs)?, words);
        // The same words at consecutive addresses.
        let words = found.1.iter().map(|(_, word)| *word);
        let mut words: Vec<Word> =
            words.enumerate().filter(|(place, _)| *place != leading - 1).map(|(_, word)| word).collect();
        if let Some(seen) = shown(board, &in_sequence(&words), inputs) {
            found = (seen, in_sequence(&words));
            // Removes instructions as long as the program still shows the fault.
            let mut place = 0;
            while place < words.len() {
                let word = words.remove(place);
                match shown(board, &in_sequence(&words), inputs) {
                    Some(seen) => (found, place) = ((seen, in_sequence(&words)), 0),
                    None => {
                        words.insert(place, word);
                        place += 1;
                    }
                }
            }
        }
        let ((cycle, seen), words) = found;
        Some(Program::told(&words, inputs, cycle, seen))
    }
}

impl Program {
    /// A program that should show the fault at the last of these words, if it does so on the chips engine.
    pub fn of(board: &Board, words: &[(u16, Word)], inputs: Inputs) -> Option<Program> {
        let (cycle, seen) = shown(board, words, inputs)?;
        Some(Program::told(words, inputs, cycle, seen))
    }

    pub(super) fn told(words: &[(u16, Word)], inputs: Inputs, cycle: u64, seen: String) -> Program {
        let (placed, held) = (words.to_vec(), inputs);
        let inputs = (inputs != Inputs::default()).then(|| {
            let pad = inputs
                .pad
                .map_or("no pad".to_owned(), |(row, column)| format!("pad in row {row}, column {column}"));
            format!("{pad}, keys {:02X}", inputs.keys)
        });
        let words = words.iter().map(|(place, word)| match word.opcode() {
            // The assembly language has no syntax for a STA whose M is 1.
            Opcode::Sta if word.m() => format!("{place:03X} .word ${:04X}", word.0),
            _ => format!("{place:03X} {word}"),
        });
        let words = words.collect();
        Program { words, inputs, is_soonest: false, cycle, seen, observed: None, placed, held }
    }
}

/// Words at consecutive addresses, from the beginning of a program.
fn in_sequence(words: &[Word]) -> Vec<(u16, Word)> {
    (0..).zip(words.iter().copied()).collect()
}

/// The fault that a board shows when it runs a program of these words.
fn shown(board: &Board, words: &[(u16, Word)], inputs: Inputs) -> Option<(u64, String)> {
    let mut image = Image::blank();
    for &(place, word) in words {
        image.set_word(place, word);
    }
    difference(board, &image, inputs, words.len() as u64 + 4)
}

/// Runs random programs until a board runs an instruction wrongly: the instruction before it, and the instruction; the
/// values of A and C before it; and what was seen.
pub(crate) fn search(board: &Board, stop: &AtomicBool) -> Option<(Way, String)> {
    (1..=PROGRAMS).take_while(|_| !stop.load(Ordering::Relaxed)).find_map(|seed| {
        let mut image = random_program(seed);
        if seed % 2 == 0 {
            let words =
                image.words().map(|word| if word.landing().is_some() { Word(word.0 & 0x7FFF) } else { word });
            image = Image::from_words(words);
        }
        let mut machines = Machines::power_up(board, &image, Inputs::default()).ok()?;
        let mut last = [(0, image.word(0)); 2];
        for _ in 0..CYCLES {
            let registers = machines.fast.registers();
            last = [last[1], (registers.pc, image.word(registers.pc))];
            if let Some(seen) = machines.step() {
                let (a, c, words) = (registers.a, registers.c, last.to_vec());
                return Some((Way { stores: vec![], a, c, words }, seen));
            }
        }
        None
    })
}

/// The first cycle after which the state of a board is wrong, or after which it has sent something wrong.
fn difference(board: &Board, image: &Image, inputs: Inputs, cycles: u64) -> Option<(u64, String)> {
    let mut machines = match Machines::power_up(board, image, inputs) {
        Ok(machines) => machines,
        Err(unsettled) => return Some((0, unsettled)),
    };
    (0..cycles).find_map(|cycle| Some((cycle, machines.watch().or_else(|| machines.compare_states())?)))
}

/// A board, and the same program run according to the instruction set.
struct Machines {
    fast: IsaEngine,
    chips: ChipsEngine,
    /// What the port and the rows of the display should show.
    shown: Vec<u8>,
    image: Image,
}

impl Machines {
    fn power_up(board: &Board, image: &Image, inputs: Inputs) -> Result<Machines, String> {
        let chips =
            ChipsEngine::power_up(board, image, Noise::Zeros).map_err(|unsettled| unsettled.to_string())?;
        let mut fast = IsaEngine::power_up(image, Noise::Zeros);
        // The state after a reset is the subject of another claim, so the first instruction begins in the state of the
        // board.
        fast.set_state(&chips.state()).map_err(|failure| failure.to_string())?;
        let mut machines = Machines { image: image.clone(), shown: vec![], fast, chips };
        let outlets = board.netlist().panel.outlets();
        machines.shown = outlets.map(|outlet| machines.shows(outlet)).collect();
        machines.fast.press(inputs).map_err(|failure| failure.to_string())?;
        machines.chips.press(inputs).map_err(|failure| failure.to_string())?;
        Ok(machines)
    }

    /// Runs both for a cycle; returns the difference in the registers or in what leaves the board.
    fn step(&mut self) -> Option<String> {
        let (mut wanted, mut got) = (Events::default(), Events::default());
        if let Err(failure) = self.fast.run(1, &mut wanted) {
            return Some(failure.to_string());
        }
        if let Err(unsettled) = self.chips.run(1, &mut got) {
            return Some(unsettled.to_string());
        }
        let [one, other] = [self.fast.registers(), self.chips.registers()].map(|it| (it.pc, it.a, it.c));
        let words = |(pc, a, c)| format!("PC = {pc:03X}, A = {a:02X}, C = {}", u8::from(c));
        if wanted.0 != got.0 {
            Some(format!("{} instead of {}", got.in_words(), wanted.in_words()))
        } else if one != other {
            Some(format!("{} instead of {}", words(other), words(one)))
        } else {
            None
        }
    }

    /// The same, phase by phase. This also compares the enables of RAM, the port and the rows, and what these show.
    fn watch(&mut self) -> Option<String> {
        let before = self.chips.snapshot();
        let mut wanted = Events::default();
        self.fast.clone().run(1, &mut wanted).ok()?;
        let netlist = Arc::clone(self.chips.netlist());
        let stores = self.image.word(self.fast.registers().pc).opcode() == Opcode::Sta;
        let mut strobe = None;
        for phase in (1..=PHASES).map(|phase| phase % PHASES) {
            if let Err(unsettled) = self.chips.phase(&mut ()) {
                return Some(unsettled.to_string());
            }
            let outlets = netlist.panel.outlets().enumerate().map(|(index, outlet)| {
                (outlet.enable[0], wanted.0.iter().any(|(row, _)| row.map_or(0, |row| row + 1) == index))
            });
            let memory = netlist.panel.memory.iter().map(|&ram| (write_line(&netlist.chips[ram]), stores));
            for (net, is_due) in memory.chain(outlets) {
                let level = self.chips.level(net);
                if level != (is_due && phase == 1) {
                    let level = u8::from(level);
                    strobe.get_or_insert(format!("{} = {level} in phase {phase}", netlist.nets[net].name));
                }
            }
        }
        for (row, byte) in wanted.0 {
            self.shown[row.map_or(0, |row| row + 1)] = byte;
        }
        let outlets = netlist.panel.outlets().zip(&self.shown);
        let shows = outlets.map(|(outlet, byte)| (outlet, *byte, self.shows(outlet)));
        let otherwise = shows.filter(|(_, wanted, got)| wanted != got);
        let latch = otherwise.map(|(outlet, wanted, got)| {
            format!(
                "{} and its row show {got:02X} instead of {wanted:02X}",
                netlist.nets[outlet.latch[0]].name
            )
        });
        let latch = latch.reduce(|first, _| first);
        self.chips.restore(&before);
        self.step().or(strobe).or(latch)
    }

    fn shows(&self, outlet: &Outlet<Vec<NetId>>) -> u8 {
        let levels =
            outlet.latch.iter().rev().fold(0, |sum, &net| sum << 1 | u8::from(self.chips.level(net)));
        outlet.shown(levels)
    }

    /// The differences in RAM and in the masters.
    fn compare_states(&self) -> Option<String> {
        let (one, other): (State, State) = (self.fast.state(), self.chips.state());
        if let Some(address) = (0..one.ram.len()).find(|&address| one.ram[address] != other.ram[address]) {
            return Some(format!(
                "RAM[{address:03X}] = {:02X} instead of {:02X}",
                other.ram[address], one.ram[address]
            ));
        }
        let differs = (one.target, one.jumped) != (other.target, other.jumped);
        differs.then(|| "what the instruction leaves for a jump is wrong".to_owned())
    }
}

/// What leaves the machine in a cycle: bytes sent, and rows of the display.
#[derive(Default)]
struct Events(Vec<(Option<usize>, u8)>);

impl Outside for Events {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push((None, byte));
    }

    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        self.0.push((Some(row), leds));
    }
}

impl Events {
    fn in_words(&self) -> String {
        let word = |(row, byte): &(Option<usize>, u8)| match row {
            None => format!("{byte:02X} sent"),
            Some(row) => format!("row {row} shows {byte:02X}"),
        };
        let words: Vec<String> = self.0.iter().map(word).collect();
        if words.is_empty() { "nothing sent or shown".to_owned() } else { words.join(", ") }
    }
}
