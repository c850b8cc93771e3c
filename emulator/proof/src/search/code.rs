//! Instruction sequences: execution and printing.

use crate::search::expression::Inputs;
use gray1_isa::{Domain, Opcode, step};
use std::fmt::Write;

/// The cells that a sequence may use: two inputs and three temporaries.
pub(crate) const CELLS: [&str; 5] = ["x", "y", "t", "u", "v"];
/// The index of the first temporary.
pub(crate) const FIRST_OWN: usize = 2;
/// The instructions that compute a value for A.
pub(crate) const OPERATIONS: [Opcode; 4] = [Opcode::Lda, Opcode::Add, Opcode::Nor, Opcode::Shr];

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Instruction {
    Constant(Opcode, u8),
    Cell(Opcode, usize),
    Store(usize),
    Jump(Opcode, Label),
}

/// The target of a jump: a later instruction, the end of the sequence, or the target of the whole sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Label {
    At(usize),
    End,
    Target,
}

/// The state at the end of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndState {
    pub a: u8,
    pub carry: Option<bool>,
    pub cells: [Option<u8>; CELLS.len()],
    pub jumped: bool,
    pub cycles: u32,
}

impl Label {
    /// Returns whether a jump to the label takes the jump of the whole sequence; `None` if it does not leave the sequence.
    pub fn leaves(self) -> Option<bool> {
        match self {
            Label::At(_) => None,
            Label::End => Some(false),
            Label::Target => Some(true),
        }
    }
}

impl Instruction {
    fn opcode(self) -> Opcode {
        match self {
            Instruction::Constant(opcode, _)
            | Instruction::Cell(opcode, _)
            | Instruction::Jump(opcode, _) => opcode,
            Instruction::Store(_) => Opcode::Sta,
        }
    }
}

/// A concrete value is not known.
struct Unknown;

/// The memory as one instruction accesses it.
struct Access {
    operand: Option<u8>,
    stored: Option<u8>,
}

impl Domain for Access {
    type Byte = u8;
    /// `None` is a carry that is not known.
    type Bit = Option<bool>;
    type Error = Unknown;

    #[inline(always)]
    fn operand(&mut self) -> Result<u8, Unknown> {
        self.operand.ok_or(Unknown)
    }

    #[inline(always)]
    fn store(&mut self, byte: u8) -> Result<(), Unknown> {
        self.stored = Some(byte);
        Ok(())
    }

    #[inline(always)]
    fn add(&mut self, one: u8, other: u8) -> Result<(u8, Option<bool>), Unknown> {
        let (sum, carry) = one.overflowing_add(other);
        Ok((sum, Some(carry)))
    }

    #[inline(always)]
    fn nor(&mut self, one: u8, other: u8) -> Result<u8, Unknown> {
        Ok(!(one | other))
    }

    #[inline(always)]
    fn shift(&mut self, byte: u8) -> (u8, Option<bool>) {
        (byte >> 1, Some(byte & 1 == 1))
    }

    #[inline(always)]
    fn is_zero(&mut self, byte: u8) -> Result<Option<bool>, Unknown> {
        Ok(Some(byte == 0))
    }

    fn always(&self) -> Option<bool> {
        Some(true)
    }
}

/// Executes an operation on A and a value; returns the new A, and the carry if it is set.
#[inline(always)]
pub(crate) fn execute(opcode: Opcode, mut a: u8, value: u8) -> (u8, Option<bool>) {
    let mut carry = None;
    let _ = step(opcode, &mut a, &mut carry, &mut Access { operand: Some(value), stored: None });
    (a, carry)
}

/// Runs a sequence. Returns `None` if it reads a cell or a carry whose value is unknown. `carry_known` says whether the
/// initial carry is known.
pub(crate) fn run(steps: &[Instruction], inputs: &Inputs, carry_known: bool) -> Option<EndState> {
    let mut a = inputs.a;
    let mut carry = carry_known.then_some(inputs.c);
    let mut cells = [Some(inputs.x), Some(inputs.y), None, None, None];
    let (mut at, mut cycles) = (0, 0);
    let jumped = loop {
        let Some(&instruction) = steps.get(at) else { break false };
        at += 1;
        cycles += 1;
        let operand = match instruction {
            Instruction::Constant(_, value) => Some(value),
            Instruction::Cell(_, cell) => cells[cell],
            Instruction::Store(_) | Instruction::Jump(..) => None,
        };
        let mut access = Access { operand, stored: None };
        let condition = step(instruction.opcode(), &mut a, &mut carry, &mut access).ok()?;
        match instruction {
            Instruction::Store(cell) => cells[cell] = access.stored,
            Instruction::Jump(_, label) if condition?? => match label {
                Label::At(position) => at = position,
                Label::End => break false,
                Label::Target => break true,
            },
            _ => {}
        }
    };
    Some(EndState { a, carry, cells, jumped, cycles })
}

/// Formats a sequence in the syntax of the assembler, one instruction per line, with labels before them.
pub(crate) fn written(steps: &[Instruction]) -> Vec<String> {
    let leads_to = |position: usize| {
        steps.iter().any(|step| matches!(step, Instruction::Jump(_, Label::At(at)) if *at == position))
    };
    let labels: Vec<usize> = (0..steps.len()).filter(|position| leads_to(*position)).collect();
    let name =
        |position: usize| labels.iter().position(|label| *label == position).map_or(0, |index| index + 1);
    let lines = steps.iter().enumerate().map(|(position, step)| {
        let mut line = String::new();
        if name(position) > 0 {
            let _ = write!(line, "l{}: ", name(position));
        }
        let mnemonic = step.opcode().row().mnemonic.to_lowercase();
        let _ = match *step {
            Instruction::Constant(_, value) => write!(line, "{mnemonic} #{value}"),
            Instruction::Cell(_, cell) | Instruction::Store(cell) => {
                write!(line, "{mnemonic} {}", CELLS[cell])
            }
            Instruction::Jump(_, Label::At(position)) => write!(line, "{mnemonic} l{}", name(position)),
            Instruction::Jump(_, Label::End) => write!(line, "{mnemonic} end"),
            Instruction::Jump(_, Label::Target) => write!(line, "{mnemonic} target"),
        };
        line
    });
    lines.collect()
}
