//! The counter: each step, and each jump from everywhere to everywhere.

use super::{Mismatch, machine};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, State};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

const WORDS: u16 = PROGRAM_WORDS as u16;

/// All steps, once around.
pub(super) fn steps(board: &Board, stop: &AtomicBool) -> Option<Result<u64, Mismatch>> {
    let image = Image::from_words([Word::constant(Opcode::Lda, 0); PROGRAM_WORDS]);
    let mut engine = match machine(board, &image, Noise::Zeros) {
        Ok(engine) => engine,
        Err(mismatch) => return Some(Err(mismatch)),
    };
    for step in 0..WORDS {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Err(mismatch) =
            moves(&mut engine, step, (step + 1) % WORDS, || format!("the step from {step:03X}"))
        {
            return Some(Err(mismatch));
        }
    }
    Some(Ok(u64::from(WORDS)))
}

/// All jumps by these distances, with both parities.
///
/// In the program of distance d every word jumps d places on, so one lap visits 4,096 cases; where a lap closes
/// early the machine is put on the next one.
pub(super) fn jumps(
    board: &Board,
    distances: Range<u16>,
    stop: &AtomicBool,
) -> Option<Result<u64, Mismatch>> {
    let mut engine = match machine(board, &Image::blank(), Noise::Zeros) {
        Ok(engine) => engine,
        Err(mismatch) => return Some(Err(mismatch)),
    };
    let start = engine.state();
    let mut count = 0;
    for distance in distances {
        for wrong in [0, 1] {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            match laps(&mut engine, &start, distance, wrong) {
                Ok(cases) => count += cases,
                Err(mismatch) => return Some(Err(mismatch)),
            }
        }
    }
    Some(Ok(count))
}

fn laps(engine: &mut ChipsEngine, start: &State, distance: u16, wrong: u16) -> Result<u64, Mismatch> {
    let mut image = Image::blank();
    for place in 0..WORDS {
        // A jump of wrong parity lands one further than its target.
        let target = (place + distance + WORDS - wrong) % WORDS;
        image.set_word(place, Word(Word::jump(Opcode::Jmp, target).0 ^ wrong << 12));
    }
    engine.change_program(&image);
    let mut visited = vec![false; PROGRAM_WORDS];
    let mut count = 0;
    for first in 0..WORDS {
        if visited[usize::from(first)] {
            continue;
        }
        let set = engine.set_state(&State { pc: first, ..start.clone() });
        set.map_err(|unsettled| {
            Mismatch::at(format!("the start of {} at {first:03X}", image.word(first)), unsettled)
        })?;
        let mut place = first;
        while !std::mem::replace(&mut visited[usize::from(place)], true) {
            let word = image.word(place);
            let case = || format!("{word} at {place:03X}");
            if engine.word() != word {
                return Err(Mismatch::new(
                    case(),
                    format!("word {:04X}", word.0),
                    format!("word {:04X}", engine.word().0),
                ));
            }
            let landing = (place + distance) % WORDS;
            moves(engine, place, landing, case)?;
            place = landing;
            count += 1;
        }
    }
    Ok(count)
}

/// Runs one instruction, which must lead from one place to another.
fn moves(engine: &mut ChipsEngine, from: u16, to: u16, case: impl Fn() -> String) -> Result<(), Mismatch> {
    let at = |pc: u16, halted| format!("PC = {pc:03X}{}", if halted { ", halted" } else { "" });
    if engine.registers().pc != from {
        return Err(Mismatch::new(case(), at(from, false), at(engine.registers().pc, engine.halted())));
    }
    engine.run(1, &mut ()).map_err(|unsettled| Mismatch::at(case(), unsettled))?;
    let (pc, halted) = (engine.registers().pc, engine.halted());
    if (pc, halted) != (to, from == to) {
        return Err(Mismatch::new(case(), at(to, from == to), at(pc, halted)));
    }
    Ok(())
}
