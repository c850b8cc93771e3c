//! Faults that can be seen from outside: in the bytes that a board sends and that its port and its rows show.
//!
//! A correct machine may have other levels on its nets than the panel suggests: it may hold the accumulator in another
//! form, or in two chips. So a fault counts only if a program shows it from outside, on a board that is powered up, reset
//! and run. Nothing here reads a register of the board.

use super::probes::probes;
use crate::mismatch::{Observed, Program};
use crate::runs::{self, Outlets, reads, without_jumps};
use gray1_isa::memory_map::{GREEN, INPUTS, OUT};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, IsaEngine, Noise, PHASES, Random, Snapshot};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The contexts that are tried for one program, and the cycles that each runs on.
const CONTEXTS: u64 = 48;
const CYCLES_BEYOND: u64 = 40;
/// Programs without given words that are tried, and the cycles of each.
const PROGRAMS: u64 = 60;
const PROGRAM_CYCLES: u64 = 2_000;

/// A board that runs programs, to be compared with the instruction set.
pub(crate) struct Observer {
    chips: ChipsEngine,
    /// After power-up, with RAM at 0.
    begin: Snapshot,
    /// Addresses at which RAM then reads 0. A board may hold bytes in another form than the program sees,
    /// and the contents of RAM at power-up are unknown; elsewhere a program has to store a byte before it reads it.
    zeros: Vec<u16>,
}

/// A program that shows a fault: its image, the places where it ran, and what was seen.
pub(crate) struct Sight {
    pub image: Image,
    pub ran: Vec<u16>,
    pub cycle: u64,
    pub seen: String,
}

impl Sight {
    /// Returns the words that ran, and what was seen.
    pub fn program(&self) -> Program {
        let mut words: Vec<_> = self.ran.iter().map(|&place| (place, self.image.word(place))).collect();
        words.sort_unstable_by_key(|(place, _)| *place);
        words.dedup();
        Program::new(&words, Inputs::default(), self.cycle, self.seen.clone())
    }
}

impl Observer {
    /// Powers up a board with this noise; `None` if it cannot be reset.
    pub fn power_up(board: &Board, noise: Noise) -> Option<Observer> {
        let chips = ChipsEngine::power_up(board, &Image::blank(), noise).ok()?;
        Some(Observer { begin: chips.snapshot(), chips, zeros: vec![] })
    }

    /// Whether a program of these words shows a fault when others follow it. The others send what the registers, the
    /// counter and RAM have become.
    pub fn observes(&mut self, words: &[(u16, Word)], inputs: Inputs) -> Option<Observed> {
        let addresses = self.read_zero(addresses(words));
        let cycles = words.len() as u64 + CYCLES_BEYOND;
        (0..CONTEXTS).find_map(|seed| {
            let mut image = talkative(seed, &addresses);
            for &(place, word) in words {
                image.set_word(place, word);
            }
            let sight = self.difference(&image, inputs, cycles)?;
            let is_new = |place: &&u16| !words.iter().any(|(known, _)| known == *place);
            let then =
                sight.ran.iter().filter(is_new).map(|&place| format!("{place:03X} {}", image.word(place)));
            Some(Observed { then: then.collect(), cycle: sight.cycle, seen: sight.seen })
        })
    }

    /// Returns a program that shows any fault at all, among many; some begin with a jump to a place.
    pub fn any(&mut self, place: Option<u16>, stop: &AtomicBool) -> Option<Sight> {
        let mut probes = probes().into_iter();
        let probed = probes.find_map(|(image, cycles)| self.difference(&image, Inputs::default(), cycles));
        if probed.is_some() {
            return probed;
        }
        let addresses = self.read_zero((0x010..0x018).collect());
        (0..PROGRAMS).take_while(|_| !stop.load(Ordering::Relaxed)).find_map(|seed| {
            let mut image = talkative(seed, &addresses);
            if let Some(place) = place.filter(|_| seed % 2 == 0) {
                image.set_word(0, Word::jump(Opcode::Jmp, place));
            }
            // Every other program goes through all its words.
            if seed % 4 >= 2 {
                image = without_jumps(&image);
            }
            let cycles = if place.is_some() { PROGRAM_CYCLES / 10 } else { PROGRAM_CYCLES };
            self.difference(&image, Inputs::default(), cycles)
        })
    }

    /// Whether a program shows a fault in which registers of eight bits go from one of these bytes to the other.
    pub fn passes(&mut self, bytes: [u8; 2]) -> bool {
        let [one, other] = bytes;
        let mut words = Vec::new();
        for (from, to) in [(one, other), (other, one)] {
            let load = Word::constant(Opcode::Lda, from);
            words.extend([load, Word::constant(Opcode::Lda, to), Word::ram(Opcode::Sta, OUT), load]);
            words.extend([Word::constant(Opcode::Add, to.wrapping_sub(from)), Word::ram(Opcode::Sta, OUT)]);
            for address in GREEN..=OUT {
                words.extend([load, Word::ram(Opcode::Sta, address), Word::constant(Opcode::Lda, to)]);
            }
        }
        let cycles = words.len() as u64;
        self.difference(&Image::from_words(words), Inputs::default(), cycles).is_some()
    }

    /// Returns those of these addresses at which RAM whose cells are 0 reads 0.
    fn read_zero(&mut self, mut addresses: Vec<u16>) -> Vec<u16> {
        let mut reads = |&address: &u16| {
            let words = [Word::ram(Opcode::Lda, address), Word::ram(Opcode::Sta, OUT)];
            self.zeros = vec![address];
            self.difference(&Image::from_words(words), Inputs::default(), 2).is_none()
        };
        addresses.retain(&mut reads);
        self.zeros.clone_from(&addresses);
        addresses
    }

    /// Runs an image, until something can be seen that should not be.
    pub fn difference(&mut self, image: &Image, inputs: Inputs, cycles: u64) -> Option<Sight> {
        self.chips.restore(&self.begin);
        self.chips.change_program(image);
        let (mut ran, mut known) = (Vec::new(), self.zeros.clone());
        let sight = |ran, cycle, seen| Some(Sight { image: image.clone(), ran, cycle, seen });
        if let Err(unsettled) = self.chips.reset().and_then(|()| self.chips.press(inputs)) {
            return sight(ran, 0, unsettled.to_string());
        }
        let mut fast = IsaEngine::power_up(image, Noise::Zeros);
        fast.press(inputs).ok()?;
        let mut shown: Vec<Option<u8>> = vec![None; 1 + usize::from(OUT - GREEN)];
        for cycle in 0..cycles {
            let pc = fast.registers().pc;
            let word = image.word(pc);
            if !fast.halted() {
                ran.push(pc);
            }
            let is_unknown = reads(word) && word.x() < INPUTS && !known.contains(&word.x());
            if word.opcode() == Opcode::Sta {
                known.push(word.x());
            }
            let (mut wanted, mut sent) = (Outlets::default(), Outlets::default());
            fast.run(1, &mut wanted).ok()?;
            for _ in 0..PHASES {
                if let Err(unsettled) = self.chips.phase(&mut sent) {
                    return sight(ran, cycle, unsettled.to_string());
                }
            }
            for &(outlet, byte) in &wanted.0 {
                shown[outlet] = Some(byte);
            }
            if let Some(seen) = self.seen(&wanted, &sent, &shown) {
                return sight(ran, cycle, seen);
            }
            // From here on the registers may be anything.
            if is_unknown {
                break;
            }
        }
        None
    }

    /// Describes the first difference that can be seen after a cycle.
    fn seen(&self, wanted: &Outlets, sent: &Outlets, shown: &[Option<u8>]) -> Option<String> {
        let netlist = Arc::clone(self.chips.netlist());
        let bytes = runs::shown(&netlist, |net| self.chips.level(net));
        let is_sent = |taken: &Outlets| taken.0.iter().any(|(outlet, _)| *outlet == 0);
        match (is_sent(wanted), is_sent(sent)) {
            (false, true) => return Some(format!("{:02X} sent instead of nothing", bytes[0])),
            (true, false) => return Some("nothing sent".to_owned()),
            _ => {}
        }
        let wrong = shown.iter().zip(&bytes).enumerate();
        let mut wrong = wrong.filter_map(|(outlet, (wanted, got))| Some((outlet, (*wanted)?, *got)));
        wrong.find(|(_, wanted, got)| wanted != got).map(|(outlet, wanted, got)| match outlet {
            0 => format!("{got:02X} sent instead of {wanted:02X}"),
            row => format!("row {} shows {got:02X} instead of {wanted:02X}", row - 1),
        })
    }
}

/// Returns the addresses of RAM that these words name.
fn addresses(words: &[(u16, Word)]) -> Vec<u16> {
    let mut addresses: Vec<u16> = words.iter().map(|(_, word)| word.x()).filter(|&x| x < INPUTS).collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

/// Returns random words, most of which tell something: they send A, decide by C or by A, or read one of these
/// addresses.
fn talkative(seed: u64, addresses: &[u16]) -> Image {
    let mut random = Random::new(seed, 0x7A1C);
    let mut below = |count: usize| random.draw() as usize % count;
    let words = (0..PROGRAM_WORDS).map(|place| {
        let constant = below(256) as u8;
        let address = addresses.get(below(addresses.len().max(1))).copied().unwrap_or(0x010);
        let ahead = ((place + 2 + below(12)) % PROGRAM_WORDS) as u16;
        let value = |opcode: Opcode, chosen: usize| match chosen % 2 {
            0 if !addresses.is_empty() => Word::ram(opcode, address),
            _ => Word::constant(opcode, constant),
        };
        let row = GREEN + below(usize::from(OUT - GREEN)) as u16;
        match below(20) {
            0..7 => Word::ram(Opcode::Sta, OUT),
            7 => Word::ram(Opcode::Sta, row),
            8 => Word::ram(Opcode::Sta, address),
            9..11 => Word::jump(Opcode::Jc, ahead),
            11..13 => Word::jump(Opcode::Jz, ahead),
            13 => Word::jump(Opcode::Jmp, ahead),
            14 => value(Opcode::Lda, 0),
            15 => value(Opcode::Lda, 1),
            16 => value(Opcode::Add, below(2)),
            17 => value(Opcode::Nor, below(2)),
            18 => value(Opcode::Shr, below(2)),
            _ => value(Opcode::Add, 1),
        }
    });
    Image::from_words(words.collect::<Vec<_>>())
}
