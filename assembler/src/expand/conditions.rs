//! Conditional jumps for conditions that are evaluated at run time.
//!
//! A flag needs one jump, or two if it has to be 0, because there are only `JC` and `JZ`:
//!
//! ```text
//!   if carry:  jc target          if !carry:  jc no
//!                                             jmp target
//!                                       no:
//! ```
//!
//! A comparison loads a byte, unless it compares A, and changes A and C; `sequences` has its code.

use super::branch::{Branch, Step, Target};
use super::expander::Expander;
use super::words::{ComparisonEnd, Content};
use crate::kind::SymbolKind;
use crate::source::Span;
use crate::syntax::Condition;
use gray1_isa::Opcode;

/// The work of a condition, or of part of one.
const CONDITION_WORK: u64 = 16;

impl Expander<'_, '_> {
    /// Makes code that jumps if a condition has this value; `None` if there is an error, which has been reported.
    pub fn branch_if(&mut self, condition: u32, wanted: bool) -> Option<Branch> {
        let mut branch = Branch::default();
        self.add_branch(&mut branch, condition, wanted, None)?;
        Some(branch)
    }

    /// Emits the code of a branch here.
    pub fn put_branch(&mut self, branch: &Branch, target: Target, span: Span) {
        self.build.work += branch.steps.len() as u64;
        let own: Vec<usize> = (0..branch.labels).map(|_| self.new_label()).collect();
        for step in &branch.steps {
            match *step {
                Step::Word(content) => self.put_word(content, span),
                Step::Jump(opcode, Some(label)) => self.put_jump(opcode, own[label], span),
                Step::Jump(opcode, None) => match target {
                    Target::Hidden(label) => self.put_jump(opcode, label, span),
                    Target::Written(operand) => self.put_word(Content::Instruction(opcode, operand), span),
                },
                Step::Label(label) => self.bind_label(own[label]),
                Step::ComparisonEnd => {
                    let (here, context) = (self.code.here, self.context);
                    self.code.compared.push(ComparisonEnd { span, context, here });
                    if let Target::Hidden(label) = target {
                        self.code.compared_labels.push((self.code.compared.len() - 1, label));
                    }
                }
            }
        }
    }

    fn add_branch(
        &mut self,
        branch: &mut Branch,
        condition: u32,
        wanted: bool,
        target: Option<usize>,
    ) -> Option<()> {
        self.build.work += CONDITION_WORK;
        if let Some(value) = self.decided(condition) {
            if value == wanted {
                branch.jump_if(Opcode::Jmp, true, target);
            }
            return Some(());
        }
        let condition = self.syntax().conditions[condition as usize];
        match (condition, wanted) {
            (Condition::Carry, _) => branch.jump_if(Opcode::Jc, wanted, target),
            (Condition::Zero, _) => branch.jump_if(Opcode::Jz, wanted, target),
            (Condition::Not(inner), _) => self.add_branch(branch, inner, !wanted, target)?,
            (Condition::Both(one, other), false) | (Condition::Either(one, other), true) => {
                self.add_branch(branch, one, wanted, target)?;
                self.add_branch(branch, other, wanted, target)?;
            }
            (Condition::Both(one, other), true) | (Condition::Either(one, other), false) => {
                let no = branch.new_label();
                self.add_branch(branch, one, !wanted, Some(no))?;
                self.add_branch(branch, other, wanted, target)?;
                branch.steps.push(Step::Label(no));
            }
            (Condition::Compare(reading, left, comparison, right), _) => {
                let comparison = if wanted { comparison } else { comparison.negated() };
                self.add_comparison(branch, (reading, left, comparison, right), target)?;
            }
            (Condition::Has(left, right), _) => self.add_test(branch, (left, right), wanted, target)?,
        }
        Some(())
    }

    /// Whether a condition holds, if its constants decide that. Outside macros and loops, that is an error.
    pub fn decided(&mut self, condition: u32) -> Option<bool> {
        if self.context.expansion == 0 {
            return None;
        }
        match self.syntax().conditions[condition as usize] {
            Condition::Carry | Condition::Zero => None,
            Condition::Compare(reading, left, comparison, right) => {
                self.compared_now((reading, left, comparison, right))
            }
            Condition::Has(left, right) => self.tested_now(left, right),
            Condition::Not(inner) => self.decided(inner).map(|value| !value),
            condition @ (Condition::Both(one, other) | Condition::Either(one, other)) => {
                let decides = matches!(condition, Condition::Either(..));
                match (self.decided(one), self.decided(other)) {
                    (Some(side), _) | (_, Some(side)) if side == decides => Some(decides),
                    (Some(_), Some(_)) => Some(!decides),
                    _ => None,
                }
            }
        }
    }

    /// The byte of RAM that keeps A while the other side is loaded, or while the lowest bit is tested.
    pub fn compared_byte(&mut self) -> u16 {
        if let Some(byte) = self.ram.compared_byte {
            return byte;
        }
        let value = self.allocate(1);
        let name = self.build.library.names.intern("compared.byte");
        self.define(name, SymbolKind::Ram, value, 1, false);
        *self.ram.compared_byte.insert(value.number as u16)
    }
}
