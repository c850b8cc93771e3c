//! Programs that show where a board differs from the instruction set, run on the chips engine and compared.

use crate::mismatch::Program;
use crate::phase::write_line;
use crate::runs::{self, Outlets, random_program, without_jumps};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Failure, Inputs, IsaEngine, Noise, PHASES, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of random programs to try, and the cycles of each. Every other one has no jumps and goes through the
/// whole program.
const PROGRAMS: u64 = 400;
const CYCLES: u64 = 4_096;

/// The steps of a program: the bytes that it stores first, the values of A and C then, and the instructions that
/// follow.
pub(crate) struct Path {
    pub stores: Vec<(u16, u8)>,
    pub a: u8,
    pub c: bool,
    pub words: Vec<(u16, Word)>,
}

impl Path {
    /// Returns the program, if it shows the fault on the chips engine.
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
        Some(Program::new(&words, inputs, cycle, seen))
    }
}

impl Program {
    /// Creates a program that should show the fault at the last of these words, if it does so on the chips engine.
    pub fn of(board: &Board, words: &[(u16, Word)], inputs: Inputs) -> Option<Program> {
        let (cycle, seen) = shown(board, words, inputs)?;
        Some(Program::new(words, inputs, cycle, seen))
    }
}

/// Returns words at consecutive addresses, from the beginning of a program.
fn in_sequence(words: &[Word]) -> Vec<(u16, Word)> {
    (0..).zip(words.iter().copied()).collect()
}

/// Returns the fault that a board shows when it runs a program of these words.
fn shown(board: &Board, words: &[(u16, Word)], inputs: Inputs) -> Option<(u64, String)> {
    let mut image = Image::blank();
    for &(place, word) in words {
        image.set_word(place, word);
    }
    difference(board, &image, inputs, words.len() as u64 + 4)
}

/// Runs random programs until a board runs an instruction wrongly: the instruction before it, and the instruction; the
/// values of A and C before it; and what was seen.
pub(crate) fn search(board: &Board, stop: &AtomicBool) -> Option<(Path, String)> {
    (1..=PROGRAMS).take_while(|_| !stop.load(Ordering::Relaxed)).find_map(|seed| {
        let mut image = random_program(seed);
        if seed % 2 == 0 {
            image = without_jumps(&image);
        }
        let mut machines = Machines::power_up(board, &image, Inputs::default()).ok()?;
        let mut last = [(0, image.word(0)); 2];
        for _ in 0..CYCLES {
            let registers = machines.fast.registers();
            last = [last[1], (registers.pc, image.word(registers.pc))];
            if let Some(seen) = machines.cycle(false) {
                let (a, c, words) = (registers.a, registers.c, last.to_vec());
                return Some((Path { stores: vec![], a, c, words }, seen));
            }
        }
        None
    })
}

/// Returns the first cycle after which the state of a board is wrong, or after which it has sent something wrong.
fn difference(board: &Board, image: &Image, inputs: Inputs, cycles: u64) -> Option<(u64, String)> {
    let mut machines = match Machines::power_up(board, image, inputs) {
        Ok(machines) => machines,
        Err(unsettled) => return Some((0, unsettled)),
    };
    (0..cycles).find_map(|cycle| Some((cycle, machines.cycle(true).or_else(|| machines.compare_states())?)))
}

/// A board, and the same program run according to the instruction set.
struct Machines {
    fast: IsaEngine,
    chips: ChipsEngine,
    /// The bytes that the port and the rows of the display should show.
    shown: Vec<u8>,
}

impl Machines {
    fn power_up(board: &Board, image: &Image, inputs: Inputs) -> Result<Machines, String> {
        let chips =
            ChipsEngine::power_up(board, image, Noise::Zeros).map_err(|unsettled| unsettled.to_string())?;
        let mut fast = IsaEngine::power_up(image, Noise::Zeros);
        // The state after a reset is the subject of another claim, so the first instruction begins in the state of the
        // board.
        fast.set_state(&chips.state()).map_err(|failure| failure.to_string())?;
        let shown = runs::shown(board.netlist(), |net| chips.level(net));
        let mut machines = Machines { shown, fast, chips };
        machines.fast.press(inputs).map_err(|failure| failure.to_string())?;
        machines.chips.press(inputs).map_err(|failure| failure.to_string())?;
        Ok(machines)
    }

    /// Runs both for a cycle; returns the difference in the registers or in what leaves the board. A cycle that is
    /// watched runs phase by phase, and the enables of RAM, the port and the rows are compared, and what these show.
    fn cycle(&mut self, is_watched: bool) -> Option<String> {
        let stores = self.fast.word().opcode() == Opcode::Sta;
        let (mut wanted, mut got) = (Outlets::default(), Outlets::default());
        if let Err(failure) = self.fast.run(1, &mut wanted) {
            return Some(failure.to_string());
        }
        let seen = match is_watched {
            true => self.phases(stores, &wanted, &mut got),
            false => self.chips.run(1, &mut got).map(|_| None),
        };
        let strobe = match seen {
            Ok(strobe) => strobe,
            Err(unsettled) => return Some(unsettled.to_string()),
        };
        let [one, other] = [self.fast.registers(), self.chips.registers()].map(|it| (it.pc, it.a, it.c));
        let words = |(pc, a, c)| format!("PC = {pc:03X}, A = {a:02X}, C = {}", u8::from(c));
        if wanted.0 != got.0 {
            return Some(format!("{} instead of {}", in_words(&got), in_words(&wanted)));
        }
        if one != other {
            return Some(format!("{} instead of {}", words(other), words(one)));
        }
        strobe.or_else(|| if is_watched { self.latch(&wanted) } else { None })
    }

    /// Runs the phases of a cycle; returns the first enable with a wrong level.
    fn phases(
        &mut self,
        stores: bool,
        wanted: &Outlets,
        got: &mut Outlets,
    ) -> Result<Option<String>, Failure> {
        let netlist = Arc::clone(self.chips.netlist());
        let is_taken = |index: usize| wanted.0.iter().any(|(taken, _)| *taken == index);
        let outlets = netlist.panel.outlets().enumerate();
        let outlets = outlets.map(|(index, outlet)| (outlet.enable[0], is_taken(index)));
        let memory = netlist.panel.memory.iter().map(|&ram| (write_line(&netlist.chips[ram]), stores));
        let strobes: Vec<_> = memory.chain(outlets).collect();
        let mut strobe = None;
        for phase in (1..=PHASES).map(|phase| phase % PHASES) {
            self.chips.phase(got)?;
            for &(net, is_due) in &strobes {
                let level = self.chips.level(net);
                if level != (is_due && phase == 1) {
                    let (name, level) = (&netlist.nets[net].name, u8::from(level));
                    strobe.get_or_insert_with(|| format!("{name} = {level} in phase {phase}"));
                }
            }
        }
        Ok(strobe)
    }

    /// Returns the first latch that shows something wrong after these bytes have left.
    fn latch(&mut self, wanted: &Outlets) -> Option<String> {
        wanted.0.iter().for_each(|&(outlet, byte)| self.shown[outlet] = byte);
        let netlist = self.chips.netlist();
        let shows = runs::shown(netlist, |net| self.chips.level(net));
        let mut outlets = netlist.panel.outlets().zip(self.shown.iter().zip(shows));
        let (outlet, (wanted, got)) = outlets.find(|(_, (wanted, got))| *wanted != got)?;
        let name = &netlist.nets[outlet.latch[0]].name;
        Some(format!("{name} and its row show {got:02X} instead of {wanted:02X}"))
    }

    /// Returns the differences in RAM and in the masters.
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

/// Returns the bytes that leave the machine, in words.
fn in_words(outlets: &Outlets) -> String {
    let word = |&(outlet, byte): &(usize, u8)| match outlet {
        0 => format!("{byte:02X} sent"),
        _ => format!("row {} shows {byte:02X}", outlet - 1),
    };
    let words: Vec<String> = outlets.0.iter().map(word).collect();
    if words.is_empty() { "nothing sent or shown".to_owned() } else { words.join(", ") }
}
