//! Blocks whose conditions are decided when the program runs: `.while`, `.repeat_until`, `.when`.
//!
//! ```text
//!   .while c        jmp test           .repeat_until c   top:                  .when c   unless c, jump to else
//!                 top:                                                           …
//!     …             …                    …                 …                  .else     jmp end
//!                 test:                                                                 else:
//!   .endwhile       if c, jump to top  .endrepeat_until    unless c, jump to top  …
//!                                                                             .endwhen  end:
//! ```
//!
//! A `.while` whose test is shorter the other way round has it at the top, and a jump back to it at the end. There is no
//! jump where the program cannot get to, and a `.when` with nothing but a jump in it is one conditional jump.

use super::conditions::{Branch, Target};
use super::expander::Expander;
use crate::source::Span;
use crate::syntax::{Operand, OperandValue, StatementKind};
use crate::table::Context;
use gray1_isa::Opcode;

/// A block that is open.
pub(super) struct ControlBlock {
    /// How many frames there were when it was opened.
    pub frames: usize,
    /// Where in the list of open blocks the innermost loop is, maybe this one.
    innermost_loop: Option<usize>,
    span: Span,
    context: Context,
    end: usize,
    /// For a loop: where `.continue` goes, and what stands at the end, with where it jumps to.
    again: usize,
    closing: Option<(Branch, usize)>,
    /// For a `.when`: where it goes if its condition does not hold.
    otherwise: Option<usize>,
}

impl Expander<'_, '_> {
    pub fn open_loop_of_program(&mut self, kind: StatementKind) {
        let (end, again) = (self.new_label(), self.new_label());
        let closing = match kind {
            StatementKind::While(condition) => self.open_while(condition, end, again),
            StatementKind::RepeatUntil(condition) => {
                let top = self.new_label();
                self.bind_label(top);
                self.branch_if(condition, false, "`.repeat_until`").map(|branch| (branch, top))
            }
            _ => None,
        };
        let innermost_loop = Some(self.control.len());
        self.control.push(ControlBlock { closing, innermost_loop, ..self.control_block(end, again) });
    }

    fn open_while(&mut self, condition: u32, end: usize, again: usize) -> Option<(Branch, usize)> {
        let stay = self.branch_if(condition, true, "`.while`")?;
        let leave = self.branch_if(condition, false, "`.while`")?;
        if stay.words() <= leave.words() {
            let top = self.new_label();
            self.put_jump(Opcode::Jmp, again, self.span);
            self.bind_label(top);
            return Some((stay, top));
        }
        self.bind_label(again);
        self.put_branch(&leave, Target::Hidden(end), self.span);
        Some((Branch::jump(), again))
    }

    pub fn when(&mut self, condition: u32, next: u32) {
        let end = self.new_label();
        let mut block = self.control_block(end, end);
        let next_is = |expander: &Self, at: u32, kind: fn(StatementKind) -> bool| {
            kind(expander.syntax().statements[at as usize].kind)
        };
        let only_jump = self.jump_of(self.index + 1).filter(|_| self.index + 2 == next);
        let is_empty =
            self.index + 1 == next && next_is(self, next, |kind| matches!(kind, StatementKind::WhenElse));
        let target = if is_empty { Some(Target::Hidden(end)) } else { only_jump };
        if let Some(target) = target {
            if let Some(branch) = self.branch_if(condition, true, "`.when`") {
                self.put_branch(&branch, target, self.span);
            }
            self.jump(next);
        } else if let Some(branch) = self.branch_if(condition, false, "`.when`") {
            let otherwise = self.new_label();
            self.put_branch(&branch, Target::Hidden(otherwise), self.span);
            block.otherwise = Some(otherwise);
        }
        self.control.push(block);
    }

    pub fn when_else(&mut self) {
        let Some(ControlBlock { end, otherwise, .. }) = self.control.last_mut() else { return };
        let (end, otherwise) = (*end, otherwise.take());
        let Some(otherwise) = otherwise else { return };
        let next = self.syntax().statements[self.index as usize + 1].kind;
        if self.falls_through() && !matches!(next, StatementKind::EndControl) {
            self.put_jump(Opcode::Jmp, end, self.span);
        }
        self.bind_label(otherwise);
    }

    pub fn end_control(&mut self) {
        let Some(block) = self.control.pop() else { return };
        let ControlBlock { span, context, end, again, closing, otherwise, .. } = block;
        if let Some((branch, top)) = closing {
            let is_jump_back = top == again;
            if !is_jump_back {
                self.bind_label(again);
            }
            if !is_jump_back || self.falls_through() {
                // What is compared is what the names meant at the beginning.
                let here = std::mem::replace(&mut self.context, context);
                self.put_branch(&branch, Target::Hidden(top), span);
                self.context = here;
            }
        }
        if let Some(otherwise) = otherwise {
            self.bind_label(otherwise);
        }
        self.bind_label(end);
    }

    /// `.break` or `.continue`, of the innermost loop.
    pub fn jump_in_loop(&mut self, kind: StatementKind) {
        if let Some(label) = self.label_in_loop(kind) {
            self.put_jump(Opcode::Jmp, label, self.span);
        }
    }

    fn label_in_loop(&self, kind: StatementKind) -> Option<usize> {
        let block = &self.control[self.control.last()?.innermost_loop?];
        match kind {
            StatementKind::Break => Some(block.end),
            StatementKind::Continue => Some(block.again),
            _ => None,
        }
    }

    /// Where a statement jumps to, if it does nothing else.
    fn jump_of(&self, statement: u32) -> Option<Target> {
        match self.syntax().statements[statement as usize].kind {
            StatementKind::Instruction(Opcode::Jmp, operand) => Some(Target::Written(operand)),
            kind => self.label_in_loop(kind).map(Target::Hidden),
        }
    }

    /// Whether the program can get to the current statement from the one before it: not if that is a jump. (One to
    /// something like `here+1` tells nothing.)
    fn falls_through(&self) -> bool {
        let statements = &self.syntax().statements[..self.index as usize];
        let leads_elsewhere = |operand: Operand| match operand.value {
            OperandValue::Expression(value) => self.syntax().only_written_name(value).is_some(),
            OperandValue::Text(_) => false,
        };
        let [.., before, last] = statements else { return true };
        let is_jump = match last.kind {
            StatementKind::Break | StatementKind::Continue => true,
            StatementKind::Instruction(Opcode::Jmp, operand) => leads_elsewhere(operand),
            _ => false,
        };
        // What stands before may jump over it.
        let is_jumped_over = match before.kind {
            StatementKind::Call(..) => true,
            StatementKind::Instruction(Opcode::Jmp | Opcode::Jc | Opcode::Jz, operand) => {
                !leads_elsewhere(operand)
            }
            _ => false,
        };
        !is_jump || is_jumped_over
    }

    fn control_block(&self, end: usize, again: usize) -> ControlBlock {
        ControlBlock {
            frames: self.frames.len(),
            innermost_loop: self.control.last().and_then(|block| block.innermost_loop),
            span: self.span,
            context: self.context,
            end,
            again,
            closing: None,
            otherwise: None,
        }
    }
}
