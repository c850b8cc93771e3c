//! Delays take exactly the given number of cycles.

use crate::support::Bench;
use gray1_isa::{Image, Opcode, Word};
use std::collections::BTreeSet;
use std::fmt::Write;
use test_support::library::{assembled, program};

const MAX_DELAY: u64 = 132_869;

/// The cycles from a word up to the next `jmp`, counted by a small interpreter. It takes the many rounds of a loop that
/// counts down in A in one step, since an engine would take too long for all delays.
fn counted(image: &Image, start: u16) -> u64 {
    let (mut pc, mut a, mut c, mut held, mut cycles) = (start, 0u8, false, 0u8, 0u64);
    loop {
        let word = image.word(pc);
        let is_countdown = image.word(pc) == Word::constant(Opcode::Add, 255)
            && image.word(pc + 1) == Word::jump(Opcode::Jc, pc);
        if is_countdown {
            cycles += 2 * (u64::from(a) + 1);
            (a, c, pc) = (255, false, pc + 2);
            continue;
        }
        let landing = word.landing();
        let value = if word.m() { word.x() as u8 } else { held };
        pc += 1;
        match word.opcode() {
            Opcode::Lda => a = value,
            Opcode::Sta => held = a,
            Opcode::Add => (a, c) = a.overflowing_add(value),
            Opcode::Jc if c => pc = landing.expect("a target"),
            Opcode::Jc => {}
            Opcode::Jmp => return cycles,
            other => panic!("{other:?} in a delay"),
        }
        cycles += 1;
    }
}

/// A long delay consists of rounds and a shorter delay. The test covers all short delays, all numbers of rounds, and
/// some combinations.
#[test]
fn every_delay_takes_its_number_of_cycles() {
    const ROUND: u64 = 517;
    let rounds =
        (1..=256).flat_map(|rounds| [0, 1, 2, 3, 4, ROUND - 1].map(|more| 1 + rounds * ROUND + more));
    let all: BTreeSet<u64> = (0..3_000).chain((3_000..=MAX_DELAY).step_by(13)).chain(rounds).collect();
    let all: Vec<u64> = all.into_iter().collect();
    assert!(all.len() > 14_000 && all.last() == Some(&MAX_DELAY), "{} delays", all.len());
    for some in all.chunks(270) {
        let mut source = String::new();
        for cycles in some {
            let _ = writeln!(source, "d{cycles}: delay {cycles}\n jmp halt");
        }
        let (program, _) = program(&source, "delay.g1");
        let symbols = program.symbols.iter().filter(|symbol| symbol.name.starts_with('d'));
        let mut delays = 0;
        for symbol in symbols {
            let Ok(cycles) = symbol.name[1..].parse::<u64>() else { continue };
            assert_eq!(counted(&program.image, symbol.value as u16), cycles, "delay {cycles}");
            delays += 1;
        }
        assert_eq!(delays, some.len());
    }
}

/// The engines agree with the count above.
#[test]
fn delays_run_as_counted() {
    let lengths = (0..40).chain(500..1100).chain((1100..10_000).step_by(61));
    for some in lengths.collect::<Vec<u64>>().chunks(200) {
        let source: String =
            some.iter().map(|cycles| format!("d{cycles}: delay {cycles}\n jmp halt\n")).collect();
        let mut bench = Bench::new(&source);
        let mut chips = bench.on_chips();
        for cycles in some {
            bench.state.pc = bench.address(&format!("d{cycles}"));
            // The jump to `halt` takes one more cycle.
            assert_eq!(bench.run().cycles, cycles + 1, "delay {cycles}");
            if cycles % 10 == 0 && *cycles < 1000 {
                assert_eq!(chips(&bench.state), bench.run(), "delay {cycles} on the chips");
            }
        }
    }
}

#[test]
fn invalid_delays_are_rejected() {
    for wrong in ["-1", "132870", "later\nlater = 3"] {
        assert!(assembled(&format!("delay {wrong}"), "delay.g1").has_errors(), "{wrong}");
    }
}
