//! The reset button, pressed in the middle of a run: on the true boards nothing is lost and the machine starts at 0,
//! whatever the delays; boards on which a press does harm are caught.

use crate::timing::support::NANOFARAD;
use gray1_isa::memory_map::{GREEN, OUT};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, OutputSink, PHASES, Random};
use gray1_proof::{APART_PHASES, HOLD_CYCLES};
use gray1_timed::{Conditions, Delays, NANOSECOND, Paths, TimedBoard, TimedEngine};
use std::sync::Arc;
use test_support::button::button_faults;

/// The words with which the program begins; each adds 1 to the accumulator.
const COUNTED: u16 = 16;
/// The longest delay of a line of the sequencer, in nanoseconds: 150 and the filter of 1 nF.
const DECISION: u64 = 220;

/// A program that keeps storing, showing and sending.
fn program() -> Image {
    let begin = (0..COUNTED).map(|_| Word::constant(Opcode::Add, 1));
    let row = |row: u16| Word::ram(Opcode::Sta, GREEN + row);
    let round = [
        Word::ram(Opcode::Lda, 0x100),
        Word::constant(Opcode::Add, 37),
        Word::ram(Opcode::Sta, 0x100),
        Word::ram(Opcode::Sta, OUT),
        Word::constant(Opcode::Nor, 0x0F),
        Word::ram(Opcode::Sta, 0x6AA),
        row(3),
        row(12),
        Word::jump(Opcode::Jc, COUNTED + 12),
        Word::ram(Opcode::Sta, 0x955),
        Word::ram(Opcode::Shr, 0x100),
        Word::ram(Opcode::Sta, 0xAAA),
        Word::ram(Opcode::Sta, 0x555),
        Word::jump(Opcode::Jmp, COUNTED),
    ];
    Image::from_words(begin.chain(round))
}

/// What leaves the machine: the addresses of the port and of rows, with the bytes.
#[derive(Default)]
struct Seen(Vec<(u16, u8)>);

impl OutputSink for Seen {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push((OUT, byte));
    }

    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        self.0.push((GREEN + row as u16, leds));
    }
}

/// A board and its program, with the longest half period that it needs.
struct Bench {
    timed: Arc<TimedBoard>,
    plain: ChipsEngine,
    half_period: u64,
}

impl Bench {
    fn new(board: &Board) -> Bench {
        let image = program();
        Bench {
            timed: Arc::new(TimedBoard::new(board, &image, Noise::Random(1)).unwrap()),
            plain: ChipsEngine::power_up(board, &image, Noise::Random(1)).unwrap(),
            half_period: Paths::find(&Board::gray1(), false).unwrap().half_period(NANOFARAD),
        }
    }

    /// Presses the button at random, with bounce before and after, its edges at least this many phases apart; returns
    /// what is wrong then. No edge comes close to the edge of the oscillator that ends state 10, unless that is wanted.
    fn press(&self, seed: u64, apart: u64, is_undecided: bool) -> Option<String> {
        let mut random = Random::new(seed, 0xB1);
        let half = self.half_period;
        let conditions = Conditions {
            half_period: half,
            delays: Delays::Random(seed),
            transients: None,
            capacitor: if seed.is_multiple_of(2) { NANOFARAD } else { 0 },
        };
        let mut engine = TimedEngine::on(&self.timed, &conditions);
        let before = random.between(20, 120);
        if let Err(failure) = engine.run(before, &mut ()) {
            return Some(format!("before the press: {failure}"));
        }
        let round = PHASES as u64 * half;
        let mut at = random.between(0, 2 * round);
        // The edge that begins phase 0 comes three half periods after the one that begins phase 1.
        let decided = |at: u64| {
            let after = (at + half) % round;
            after.min(round - after) > DECISION * NANOSECOND
        };
        let [short_before, short_after] = [(); 2].map(|()| random.between(0, 2));
        let mut flips = Vec::new();
        for press in 0..=short_before + short_after {
            let held =
                if press == short_before { (HOLD_CYCLES * PHASES) as u64 * half } else { apart * half / 10 };
            for least in [held, apart * half / 10] {
                while decided(at) == is_undecided {
                    at += 13 * NANOSECOND;
                }
                if is_undecided {
                    at += random.between(0, 2 * DECISION) * NANOSECOND;
                }
                flips.push(at);
                at += least + random.between(0, 3 * half);
            }
        }
        let cycles = flips.last().unwrap() / round + 4;
        let mut seen = Seen::default();
        engine.run_with_button(&flips, cycles, &mut seen).unwrap();
        self.wrong(before, flips[0] / round, &mut engine, &seen)
    }

    /// What is wrong after a press that many cycles after the first.
    fn wrong(&self, before: u64, until: u64, engine: &mut TimedEngine, seen: &Seen) -> Option<String> {
        // The plain machine goes on to the cycle of the press. In this and in the next the program may still store.
        let mut plain = self.plain.clone();
        let mut expected = Seen::default();
        plain.run(before, &mut ()).unwrap();
        plain.run(until, &mut expected).unwrap();
        let ram = plain.state().ram;
        let mut stored = Vec::new();
        for _ in 0..2 {
            let word = plain.word();
            stored.extend((word.opcode() == Opcode::Sta).then(|| word.x()));
            plain.run(1, &mut ()).unwrap();
        }
        let now = engine.state();
        let differs = |address: &u16| ram[usize::from(*address)] != now.ram[usize::from(*address)];
        if let Some(address) = (0..0x1000).filter(differs).find(|address| !stored.contains(address)) {
            return Some(format!("RAM at {address:03X}"));
        }
        let more = seen.0.strip_prefix(&expected.0[..]);
        if more.is_none_or(|more| more.iter().any(|(address, _)| !stored.contains(address))) {
            return Some(format!("{:02X?} was seen, {:02X?} was expected", seen.0, expected.0));
        }
        let registers = engine.registers();
        if !(1..=5).contains(&registers.pc) || registers.pc != u16::from(registers.a) || registers.c {
            return Some(format!("{registers:?}"));
        }
        engine.run(30, &mut ()).err().map(|failure| failure.to_string())
    }
}

/// Two edges at least as far apart as it is assumed, in tenths of a phase.
const APART: u64 = 10 * APART_PHASES as u64;

#[test]
fn a_press_at_any_moment_loses_nothing_and_starts_at_0() {
    for board in [Board::gray1(), Board::built()] {
        let bench = Bench::new(&board);
        for seed in 1..=400 {
            assert_eq!(bench.press(seed, APART, false), None, "seed {seed}");
        }
    }
}

#[test]
fn what_is_assumed_about_the_button_is_needed() {
    let bench = Bench::new(&Board::gray1());
    let harm = |apart, is_undecided| {
        (1..=400).filter(|&seed| bench.press(seed, apart, is_undecided).is_some()).count()
    };
    // Bounce that is faster than RST follows, and edges that come when state 10 ends.
    let [fast, undecided] = [harm(1, false), harm(APART, true)];
    test_support::say(&format!(
        "of 400 presses, harm did {fast} that bounce fast, {undecided} at the end of state 10"
    ));
    assert!(fast > 0 && undecided > 0, "{fast} {undecided}");
    let hazards = include_str!("../../../../docs/hazards.md").replace('\n', " ");
    assert!(hazards.contains(&format!("{DECISION} ns")), "the span is not the one of the document");
}

/// A press in the gap needs a PH1 that falls much later than PH2 rises, which the delays of these parts do not allow; the
/// proof's own simulation finds it.
const NOT_WITH_THESE_PARTS: &str = "a press in the gap opens the masters";

#[test]
fn a_press_that_does_harm_is_seen() {
    for (what, board) in button_faults(false) {
        let bench = Bench::new(&board);
        let harm: Vec<String> = (1..=200).filter_map(|seed| bench.press(seed, APART, false)).collect();
        test_support::say(&format!("{what}: {} of 200, such as {:?}", harm.len(), harm.first()));
        assert!(!harm.is_empty() || what == NOT_WITH_THESE_PARTS, "{what}");
    }
}
