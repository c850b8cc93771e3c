//! Instruction sequences: execution and printing.

use crate::expression::Inputs;
use gray1_isa::Opcode;
use std::fmt::Write;

/// The cells that a sequence may use: two inputs and three temporaries.
pub(crate) const CELLS: [&str; 5] = ["x", "y", "t", "u", "v"];
/// The index of the first temporary.
pub(crate) const FIRST_OWN: usize = 2;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Instruction {
    Constant(Verb, u8),
    Cell(Verb, usize),
    Store(usize),
    Jump(Condition, Label),
}

/// An operation on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Verb {
    Lda,
    Add,
    Nor,
    Shr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Condition {
    Always,
    Carry,
    Zero,
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

impl Verb {
    pub const ALL: [Verb; 4] = [Verb::Lda, Verb::Add, Verb::Nor, Verb::Shr];

    fn opcode(self) -> Opcode {
        match self {
            Verb::Lda => Opcode::Lda,
            Verb::Add => Opcode::Add,
            Verb::Nor => Opcode::Nor,
            Verb::Shr => Opcode::Shr,
        }
    }

    /// The new value of A.
    pub fn apply(self, a: u8, value: u8) -> u8 {
        match self {
            Verb::Lda => value,
            Verb::Add => a.wrapping_add(value),
            Verb::Nor => !(a | value),
            Verb::Shr => value >> 1,
        }
    }

    /// The new carry, if it changes.
    pub fn carry(self, a: u8, value: u8) -> Option<bool> {
        match self {
            Verb::Lda | Verb::Nor => None,
            Verb::Add => Some(a.checked_add(value).is_none()),
            Verb::Shr => Some(value & 1 == 1),
        }
    }
}

/// Runs a sequence. Returns `None` if it reads a cell or a carry whose value is unknown. `carry_known` says whether the
/// initial carry is known.
pub(crate) fn run(steps: &[Instruction], inputs: &Inputs, carry_known: bool) -> Option<EndState> {
    let mut a = inputs.a;
    let mut carry = carry_known.then_some(inputs.c);
    let mut cells = [Some(inputs.x), Some(inputs.y), None, None, None];
    let (mut at, mut cycles) = (0, 0);
    let jumped = loop {
        let Some(step) = steps.get(at) else { break false };
        at += 1;
        cycles += 1;
        match *step {
            Instruction::Constant(..) | Instruction::Cell(..) => {
                let (verb, value) = match *step {
                    Instruction::Constant(verb, value) => (verb, value),
                    Instruction::Cell(verb, cell) => (verb, cells[cell]?),
                    _ => continue,
                };
                carry = verb.carry(a, value).or(carry);
                a = verb.apply(a, value);
            }
            Instruction::Store(cell) => cells[cell] = Some(a),
            Instruction::Jump(condition, label) => {
                let taken = match condition {
                    Condition::Always => true,
                    Condition::Carry => carry?,
                    Condition::Zero => a == 0,
                };
                match label {
                    _ if !taken => {}
                    Label::At(position) => at = position,
                    Label::End => break false,
                    Label::Target => break true,
                }
            }
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
        let mnemonic = |opcode: Opcode| opcode.row().mnemonic.to_lowercase();
        let _ = match *step {
            Instruction::Constant(verb, value) => write!(line, "{} #{value}", mnemonic(verb.opcode())),
            Instruction::Cell(verb, cell) => write!(line, "{} {}", mnemonic(verb.opcode()), CELLS[cell]),
            Instruction::Store(cell) => write!(line, "{} {}", mnemonic(Opcode::Sta), CELLS[cell]),
            Instruction::Jump(condition, label) => {
                let opcode = match condition {
                    Condition::Always => Opcode::Jmp,
                    Condition::Carry => Opcode::Jc,
                    Condition::Zero => Opcode::Jz,
                };
                let label = match label {
                    Label::At(position) => format!("l{}", name(position)),
                    Label::End => "end".to_owned(),
                    Label::Target => "target".to_owned(),
                };
                write!(line, "{} {label}", mnemonic(opcode))
            }
        };
        line
    });
    lines.collect()
}
