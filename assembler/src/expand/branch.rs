//! Relocatable code that jumps or falls through.

use super::words::Content;
use crate::syntax::Operand;
use gray1_isa::{Opcode, Word};

/// A step of such code.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Word(Content),
    /// A jump to one of its own labels, or to the target.
    Jump(Opcode, Option<usize>),
    /// The position of one of its own labels.
    Label(usize),
    /// The end of a comparison that has changed A.
    ComparisonEnd,
}

pub(super) const fn constant(opcode: Opcode, byte: u8) -> Content {
    Content::Fixed(Word::constant(opcode, byte))
}

/// Code that jumps to a target, or falls through after its last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub steps: Vec<Step>,
    pub labels: usize,
}

/// The target of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Hidden(usize),
    /// The target of an instruction of the program.
    Written(Operand),
}

impl Branch {
    /// Makes an unconditional jump to the target.
    pub fn jump() -> Branch {
        Branch { steps: vec![Step::Jump(Opcode::Jmp, None)], labels: 0 }
    }

    /// Counts its words.
    pub fn words(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Word(_) | Step::Jump(..))).count()
    }

    pub fn put(&mut self, contents: impl IntoIterator<Item = Content>) {
        self.steps.extend(contents.into_iter().map(Step::Word));
    }

    /// Adds a jump that is taken if the flag that `opcode` tests has this value.
    pub fn jump_if(&mut self, opcode: Opcode, wanted: bool, target: Option<usize>) {
        if wanted {
            return self.steps.push(Step::Jump(opcode, target));
        }
        let no = self.new_label();
        self.steps.extend([Step::Jump(opcode, Some(no)), Step::Jump(Opcode::Jmp, target), Step::Label(no)]);
    }

    /// Adds an unconditional jump, or nothing.
    pub fn decide(&mut self, always: bool, target: Option<usize>) {
        if always {
            self.jump_if(Opcode::Jmp, true, target);
        }
    }

    pub fn new_label(&mut self) -> usize {
        self.labels += 1;
        self.labels - 1
    }
}
