//! What instructions do with data, and how jumps decide.

use super::{Mismatch, machine};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Registers, State};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

const OPCODES: [Opcode; 5] = [Opcode::Lda, Opcode::Sta, Opcode::Add, Opcode::Nor, Opcode::Shr];
const JUMPS: [Opcode; 3] = [Opcode::Jmp, Opcode::Jc, Opcode::Jz];
/// Where an operand in RAM is.
const ADDRESS: u16 = 0xA53;
/// The place of the instruction that takes its operand from RAM; the one with the constant n is at n.
const FROM_RAM: u16 = 256;

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

/// Data instructions with every A and C; the range counts operands, 256 for each instruction.
pub(super) fn instructions(
    board: &Board,
    part: Range<u16>,
    stop: &AtomicBool,
) -> Option<Result<u64, Mismatch>> {
    let mut count = 0;
    for opcode in
        (0..).zip(OPCODES).filter(|(place, _)| part.start / 256 <= *place && *place <= (part.end - 1) / 256)
    {
        let (place, opcode) = opcode;
        let mut image = Image::blank();
        for value in 0..=255 {
            image.set_word(u16::from(value), Word::constant(opcode, value));
        }
        image.set_word(FROM_RAM, Word::ram(opcode, ADDRESS));
        let mut engine = match machine(board, &image, Noise::Random(9)) {
            Ok(engine) => engine,
            Err(mismatch) => return Some(Err(mismatch)),
        };
        let start = engine.state();
        for operand in part.clone().filter(|operand| operand / 256 == place).map(|operand| operand as u8) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for a in 0..=255 {
                for (c, constant) in [(false, false), (false, true), (true, false), (true, true)] {
                    let mut before = State { a, c, ..start.clone() };
                    before.pc = if constant { u16::from(operand) } else { FROM_RAM };
                    before.ram[usize::from(ADDRESS)] = operand;
                    if let Err(mismatch) = instruction(&mut engine, &image, opcode, operand, before) {
                        return Some(Err(mismatch));
                    }
                    count += 1;
                }
            }
        }
    }
    Some(Ok(count))
}

/// One instruction, from one state.
fn instruction(
    engine: &mut ChipsEngine,
    image: &Image,
    opcode: Opcode,
    operand: u8,
    before: State,
) -> Result<(), Mismatch> {
    let (pc, a, c) = (before.pc, before.a, before.c);
    let word = image.word(pc);
    let case = || {
        let operand = if word.m() { String::new() } else { format!(", RAM[{ADDRESS:03X}] = {operand:02X}") };
        format!("{word} with A = {a:02X}, C = {}{operand}", u8::from(c))
    };
    let run = engine.set_state(&before).and_then(|()| engine.run(1, &mut ()));
    run.map_err(|unsettled| Mismatch::at(case(), unsettled))?;
    let after = engine.state();
    let (a_after, c_after) = expected(opcode, a, operand, c);
    let wanted = Registers { pc: pc + 1, a: a_after, c: c_after };
    let got = Registers { pc: after.pc, a: after.a, c: after.c };
    if got != wanted {
        return Err(Mismatch::new(case(), shown(wanted), shown(got)));
    }
    let mut ram = before.ram;
    if opcode == Opcode::Sta {
        ram[usize::from(word.x())] = a;
    }
    match (0..).zip(ram.iter().zip(after.ram.iter())).find(|(_, (wanted, got))| wanted != got) {
        None => Ok(()),
        Some((address, (wanted, got))) => {
            let cell = |byte: &u8| format!("RAM[{address:03X}] = {byte:02X}");
            Err(Mismatch::new(case(), cell(wanted), cell(got)))
        }
    }
}

/// Each jump of the range with every A and C, with the right and the wrong parity.
pub(super) fn branches(board: &Board, part: Range<u16>, stop: &AtomicBool) -> Option<Result<u64, Mismatch>> {
    let target = 0x155;
    let mut image = Image::blank();
    for (place, opcode) in (0..).zip(JUMPS) {
        image.set_word(place, Word::jump(opcode, target));
        image.set_word(8 + place, Word(Word::jump(opcode, target).0 ^ 0x1000));
    }
    let mut engine = match machine(board, &image, Noise::Zeros) {
        Ok(engine) => engine,
        Err(mismatch) => return Some(Err(mismatch)),
    };
    let start = engine.state();
    let mut count = 0;
    for (place, opcode) in (0..).zip(JUMPS).filter(|(place, _)| part.contains(place)) {
        for (a, c, wrong) in
            (0..=255).flat_map(|a| [(a, false, 0), (a, false, 1), (a, true, 0), (a, true, 1)])
        {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let pc = 8 * wrong + place;
            let case = || format!("{} with A = {a:02X}, C = {}", image.word(pc), u8::from(c));
            let run = engine.set_state(&State { a, c, pc, ..start.clone() });
            if let Err(unsettled) = run.and_then(|()| engine.run(1, &mut ())) {
                return Some(Err(Mismatch::at(case(), unsettled)));
            }
            let taken = match opcode {
                Opcode::Jc => c,
                Opcode::Jz => a == 0,
                _ => true,
            };
            let wanted = Registers { pc: if taken { target + wrong } else { pc + 1 }, a, c };
            if engine.registers() != wanted {
                return Some(Err(Mismatch::new(case(), shown(wanted), shown(engine.registers()))));
            }
            count += 1;
        }
    }
    Some(Ok(count))
}

fn shown(registers: Registers) -> String {
    let Registers { pc, a, c } = registers;
    format!("PC = {pc:03X}, A = {a:02X}, C = {}", u8::from(c))
}
