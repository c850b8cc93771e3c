//! Every case there is, on the chips engine: what each instruction does with all operands, every step of the
//! counter, every jump from everywhere to everywhere, and reset from whatever power-up can leave.

use crate::say::say;
use crate::support::chips;
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word, gray};
use gray1_machine::{ChipsEngine, Engine, Noise, Registers, State};
use std::ops::Range;
use std::thread;

/// Runs parts of a range on all cores and adds up what they count.
fn on_all_cores(range: Range<u16>, work: impl Fn(Range<u16>) -> u64 + Sync) -> u64 {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get()) as u16;
    let share = range.len().div_ceil(cores.into()) as u16;
    thread::scope(|scope| {
        let parts = (0..cores).map(|core| {
            let start = (range.start + core * share).min(range.end);
            let part = start..(start + share).min(range.end);
            let work = &work;
            scope.spawn(move || work(part))
        });
        parts.collect::<Vec<_>>().into_iter().map(|part| part.join().expect("a case failed, see above")).sum()
    })
}

/// What an instruction makes of A, C and its operand, from the definition of the instruction set.
fn expected(opcode: Opcode, a: u8, operand: u8, c: bool) -> (u8, bool) {
    let (wide_a, wide_operand) = (u16::from(a), u16::from(operand));
    match opcode {
        Opcode::Lda => (operand, c),
        Opcode::Add => ((wide_a + wide_operand) as u8, wide_a + wide_operand > 0xFF),
        Opcode::Nor => (0xFF - (a | operand), c),
        Opcode::Shr => (operand / 2, operand % 2 == 1),
        _ => (a, c),
    }
}

/// Every data instruction with every A, operand and C, from RAM and as a constant.
#[test]
fn every_data_instruction() {
    const ADDRESS: u16 = 0xA53;
    let count = on_all_cores(0..256, |operands| {
        let mut count = 0;
        for opcode in [Opcode::Lda, Opcode::Sta, Opcode::Add, Opcode::Nor, Opcode::Shr] {
            // The word of sequence number n has the constant n; the one of number 256 takes its operand from RAM.
            let mut image = Image::blank();
            for value in 0..=255 {
                let word = Word::constant(opcode, value);
                // M is ignored by STA, which then stores at the constant.
                image.set_word(u16::from(value), word);
            }
            image.set_word(256, Word::ram(opcode, ADDRESS));
            let mut engine = chips(&image, Noise::Random(9));
            let start = engine.state();
            for operand in operands.clone().map(|operand| operand as u8) {
                for (a, c, constant) in (0..=255)
                    .flat_map(|a| [(a, false, false), (a, false, true), (a, true, false), (a, true, true)])
                {
                    let mut state = State { a, c, ..start.clone() };
                    state.pc = if constant { u16::from(operand) } else { 256 };
                    state.ram[usize::from(ADDRESS)] = operand;
                    engine.set_state(&state).expect("the board settles");
                    engine.run(1, &mut ()).expect("the board settles");
                    let (a_after, c_after) = expected(opcode, a, operand, c);
                    if opcode == Opcode::Sta {
                        let address = if constant { usize::from(operand) } else { usize::from(ADDRESS) };
                        state.ram[address] = a;
                    }
                    let after = engine.state();
                    let case = format!("{opcode:?}, constant {constant}, A {a}, operand {operand}, C {c}");
                    assert_eq!((after.a, after.c), (a_after, c_after), "{case}");
                    assert_eq!(after.pc, state.pc + 1, "{case}");
                    assert!(after.ram == state.ram, "RAM after {case}");
                    count += 1;
                }
            }
        }
        count
    });
    say(&format!("{count} data instructions"));
    assert_eq!(count, 5 * 2 * 256 * 256 * 2);
}

/// Every branch decision: each jump with every A and C, with the right and the wrong parity.
#[test]
fn every_branch_decision() {
    let target = 0x155;
    let mut image = Image::blank();
    let jumps = [Opcode::Jmp, Opcode::Jc, Opcode::Jz];
    for (place, opcode) in (0..).zip(jumps) {
        image.set_word(place, Word::jump(opcode, target));
        image.set_word(8 + place, Word(Word::jump(opcode, target).0 ^ 0x1000));
    }
    let mut engine = chips(&image, Noise::Zeros);
    let start = engine.state();
    let mut count = 0;
    for (place, opcode) in (0..).zip(jumps) {
        for (a, c, wrong) in
            (0..=255).flat_map(|a| [(a, false, 0), (a, false, 1), (a, true, 0), (a, true, 1)])
        {
            let pc = 8 * wrong + place;
            engine.set_state(&State { a, c, pc, ..start.clone() }).expect("the board settles");
            engine.run(1, &mut ()).expect("the board settles");
            let taken = match opcode {
                Opcode::Jc => c,
                Opcode::Jz => a == 0,
                _ => true,
            };
            let pc = if taken { target + wrong } else { pc + 1 };
            let case = format!("{opcode:?}, A {a}, C {c}, wrong parity {wrong}");
            assert_eq!(engine.registers(), Registers { pc, a, c }, "{case}");
            count += 1;
        }
    }
    say(&format!("{count} branch decisions"));
    assert_eq!(count, 3 * 256 * 2 * 2);
}

/// All 4,096 counting steps.
#[test]
fn every_counting_step() {
    let image = Image::from_words([Word::constant(Opcode::Lda, 0); PROGRAM_WORDS]);
    let mut engine = chips(&image, Noise::Zeros);
    for step in 0..PROGRAM_WORDS as u16 {
        assert_eq!(engine.net("PC"), Some(gray(step)));
        engine.run(1, &mut ()).expect("the board settles");
    }
    assert_eq!((engine.registers().pc, engine.halted()), (0, false));
    say(&format!("{PROGRAM_WORDS} counting steps"));
}

/// All jumps from everywhere to everywhere, with both parities.
///
/// In the program of distance d every word jumps d places on, so one lap visits 4,096 cases; where a lap closes
/// early the machine is put on the next one.
#[test]
fn every_jump() {
    let words = PROGRAM_WORDS as u16;
    let count = on_all_cores(0..words, |distances| {
        let mut engine = chips(&Image::blank(), Noise::Zeros);
        let start = engine.state();
        let mut count = 0;
        for distance in distances {
            for wrong in [0, 1] {
                count += laps(&mut engine, &start, distance, wrong);
            }
        }
        count
    });
    say(&format!("{count} jumps"));
    assert_eq!(count, 4096 * 4096 * 2);
}

fn laps(engine: &mut ChipsEngine, start: &State, distance: u16, wrong: u16) -> u64 {
    let words = PROGRAM_WORDS as u16;
    let mut image = Image::blank();
    for place in 0..words {
        // A jump of wrong parity lands one further than its target.
        let target = (place + distance + words - wrong) % words;
        image.set_word(place, Word(Word::jump(Opcode::Jmp, target).0 ^ wrong << 12));
    }
    engine.change_program(&image);
    let mut visited = vec![false; PROGRAM_WORDS];
    let mut count = 0;
    for first in 0..words {
        if visited[usize::from(first)] {
            continue;
        }
        engine.set_state(&State { pc: first, ..start.clone() }).expect("the board settles");
        let mut place = first;
        while !std::mem::replace(&mut visited[usize::from(place)], true) {
            assert_eq!(engine.word(), image.word(place));
            engine.run(1, &mut ()).expect("the board settles");
            let landing = (place + distance) % words;
            assert_eq!(engine.net("PC"), Some(gray(landing)), "from {place}, wrong parity {wrong}");
            assert_eq!(engine.halted(), distance == 0, "from {place} to {landing}");
            place = landing;
            count += 1;
        }
    }
    count
}

/// Reset from every state of the nets that hold the control of the machine: the sequencer, the flags and their
/// masters, the counter, and the lines between its halves, which need not agree at power-up.
#[test]
fn every_reset() {
    let count = on_all_cores(0..4096, |counters| {
        let mut engine = chips(&Image::blank(), Noise::Random(4));
        let mut count = 0;
        for counter in counters {
            for control in 0..4 << 5 << 2 {
                for (bus, value) in [("PC", counter), ("S", control & 3), ("PARH", control >> 2 & 1)] {
                    engine.force(bus, value);
                }
                engine.force("TICKH", control >> 3 & 1);
                for (bit, flag) in ["MC", "MJ", "MT", "C", "TICK"].into_iter().enumerate() {
                    engine.force(flag, control >> (4 + bit) & 1);
                }
                engine.reset().expect("the board settles");
                let nets = ["PC", "A", "C", "TICK", "S", "MT", "TG", "WE", "LOAD"].map(|net| engine.net(net));
                assert_eq!(nets, [Some(0); 9], "counter {counter:03X}, control {control:b}");
                assert_eq!((engine.cycle(), engine.phase_number(), engine.halted()), (0, 0, false));
                count += 1;
            }
        }
        count
    });
    say(&format!("{count} resets"));
    assert_eq!(count, 4096 * 4 * 32 * 4);
}
