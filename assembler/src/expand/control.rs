//! Blocks whose conditions are evaluated at run time: `.while`, `.repeat_until`, `.when`.
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
//! If a jump for the opposite condition is longer, a `.when` with an `.else` is shorter with its two parts swapped. Then
//! the else part comes first. That takes another pass, because the addresses in the other part depend on its length.
//!
//! A `.while` whose test is shorter for the opposite condition has the test at the top, and a jump back to it at the
//! end. Unreachable jumps are omitted, and a `.when` that contains only a jump is one conditional jump. In a macro or a
//! loop of the assembler, constants may decide a condition. Then there is no code for it, and no dead code.

use super::branch::{Branch, Target};
use super::expander::{ControlBlock, Expander, Order};
use super::words::ElsePart;
use crate::syntax::{Operand, OperandValue, StatementKind};
use gray1_isa::Opcode;

impl Expander<'_, '_> {
    pub fn open_loop_of_program(&mut self, kind: StatementKind, close: u32) {
        let (end, again) = (self.new_label(), self.new_label());
        let closing = match kind {
            StatementKind::While(condition) if self.decided(condition) == Some(false) => {
                self.jump(close);
                None
            }
            StatementKind::While(condition) => self.open_while(condition, end, again),
            StatementKind::RepeatUntil(condition) => {
                let top = self.new_label();
                self.bind_label(top);
                self.branch_if(condition, false).map(|branch| (branch, top))
            }
            _ => None,
        };
        let innermost_loop = Some(self.control.open.len());
        self.control.open.push(ControlBlock { closing, innermost_loop, ..self.control_block(end, again) });
    }

    fn open_while(&mut self, condition: u32, end: usize, again: usize) -> Option<(Branch, usize)> {
        let stay = self.branch_if(condition, true)?;
        let leave = self.branch_if(condition, false)?;
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
        let has_else = matches!(self.kind_at(next), StatementKind::WhenElse);
        if let Some(holds) = self.decided(condition) {
            if !holds {
                self.jump(next + u32::from(has_else));
            }
            return self.control.open.push(ControlBlock { is_decided: true, ..block });
        }
        let first = self.past_promises(self.index + 1);
        let only_jump = self.jump_of(first).filter(|_| self.past_promises(first + 1) == next);
        let is_empty = has_else && first == next;
        let target = if is_empty { Some(Target::Hidden(end)) } else { only_jump };
        if let Some(target) = target {
            if let Some(branch) = self.branch_if(condition, true) {
                self.put_branch(&branch, target, self.span);
            }
            self.promises_in_jump(self.index + 1, next);
            self.jump(next);
        } else if let Some(branch) = self.branch_if(condition, false) {
            let has_two_parts = has_else && !self.ends_at(next + 1);
            let reversed = if has_two_parts { self.branch_if(condition, true) } else { None };
            if let Some(reversed) = reversed.filter(|reversed| reversed.words() < branch.words()) {
                let saves = (branch.words() - reversed.words()) as i64;
                block.order = Some(self.order(saves));
                if self.put_reversed(&reversed, &mut block) {
                    return self.control.open.push(block);
                }
            }
            let otherwise = self.new_label();
            self.put_branch(&branch, Target::Hidden(otherwise), self.span);
            block.otherwise = Some(otherwise);
        }
        self.control.open.push(block);
    }

    /// Adds an entry to the plan, for a `.when` whose parts may be swapped.
    fn order(&mut self, saves: i64) -> Order {
        let number = self.control.otherwise.len();
        self.control.otherwise.push(None);
        let (orgs, saved_before) = (self.code.orgs, self.control.saved);
        Order { number, orgs, is_reversed: false, otherwise: 0, behind: 0, saves, saved_before }
    }

    /// If the previous pass has determined the length of the else part, leaves room for it, and continues after it.
    fn put_reversed(&mut self, branch: &Branch, block: &mut ControlBlock) -> bool {
        let Some(order) = &mut block.order else { return false };
        let planned = self.planned.otherwise.get(order.number).copied().flatten();
        let Some(ElsePart { words, falls_through }) = planned.filter(|_| !self.planned.keeps_order) else {
            return false;
        };
        let then = self.new_label();
        self.put_branch(branch, Target::Hidden(then), self.span);
        (order.is_reversed, order.otherwise) = (true, self.code.here);
        self.code.here += words + u32::from(falls_through);
        self.bind_label(then);
        true
    }

    pub fn when_else(&mut self, close: u32) {
        if self.control.open.last().is_some_and(|block| block.is_decided) {
            return self.jump(close);
        }
        let (here, saved) = (self.code.here, self.control.saved);
        let Some(ControlBlock { end, otherwise, order, .. }) = self.control.open.last_mut() else { return };
        let (end, otherwise) = (*end, otherwise.take());
        if let Some(order) = order {
            order.saved_before = saved;
        }
        if let Some(order) = order.as_mut().filter(|order| order.is_reversed) {
            (order.behind, self.code.here) = (here, order.otherwise);
            return;
        }
        let Some(otherwise) = otherwise else { return };
        let needs_jump = self.falls_through() && !self.ends_at(self.index + 1);
        if needs_jump {
            self.put_jump(Opcode::Jmp, end, self.span);
        }
        self.bind_label(otherwise);
        let here = self.code.here;
        if let Some(order) = self.control.open.last_mut().and_then(|block| block.order.as_mut()) {
            order.otherwise = here;
            order.saves += i64::from(needs_jump);
        }
    }

    /// Records the length of the else part. If it comes first, continues after the other part.
    fn end_order(&mut self, order: Order, end: usize) {
        let falls_through = self.falls_through();
        let words = i64::from(self.code.here)
            - i64::from(order.otherwise)
            - (self.control.saved - order.saved_before);
        let words = u32::try_from(words).ok().filter(|_| self.code.orgs == order.orgs);
        self.control.otherwise[order.number] = words.map(|words| ElsePart { words, falls_through });
        if !order.is_reversed && words.is_some() && !self.planned.keeps_order {
            self.control.saved += order.saves - i64::from(falls_through);
        }
        if order.is_reversed {
            if falls_through {
                self.put_jump(Opcode::Jmp, end, self.span);
            }
            self.code.here = order.behind;
        }
    }

    pub fn end_control(&mut self) {
        let Some(block) = self.control.open.pop() else { return };
        let ControlBlock { span, context, end, again, closing, otherwise, order, .. } = block;
        if let Some(order) = order {
            self.end_order(order, end);
        }
        if let Some((branch, top)) = closing {
            let is_jump_back = top == again;
            if !is_jump_back {
                self.bind_label(again);
            }
            if !is_jump_back || self.falls_through() {
                // The condition belongs to the beginning of the block: its names are looked up there, and its words
                // are those of that line.
                let span = if is_jump_back { self.span } else { span };
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

    /// Emits the jump of `.break` or `.continue` in the innermost loop.
    pub fn jump_in_loop(&mut self, kind: StatementKind) {
        if let Some(label) = self.label_in_loop(kind) {
            self.put_jump(Opcode::Jmp, label, self.span);
        }
    }

    fn label_in_loop(&self, kind: StatementKind) -> Option<usize> {
        let block = &self.control.open[self.control.open.last()?.innermost_loop?];
        match kind {
            StatementKind::Break => Some(block.end),
            StatementKind::Continue => Some(block.again),
            _ => None,
        }
    }

    /// Whether the block ends at a statement, possibly after contracts.
    fn ends_at(&self, statement: u32) -> bool {
        matches!(self.kind_at(self.past_promises(statement)), StatementKind::EndControl)
    }

    fn kind_at(&self, statement: u32) -> StatementKind {
        self.syntax().statements[statement as usize].kind
    }

    /// The target of a statement that is only a jump. (`jmp here` is excluded, because its target depends on its address.)
    fn jump_of(&self, statement: u32) -> Option<Target> {
        match self.kind_at(statement) {
            StatementKind::Instruction(Opcode::Jmp, operand) => {
                self.is_name(operand).then_some(Target::Written(operand))
            }
            kind => self.label_in_loop(kind).map(Target::Hidden),
        }
    }

    fn is_name(&self, operand: Operand) -> bool {
        match operand.value {
            OperandValue::Expression(value) => self.syntax().only_written_name(value).is_some(),
            OperandValue::Text(_) => false,
        }
    }

    /// Whether control can fall through to the current statement: the previous one is no jump. (A jump to an expression
    /// such as `here+1` does not count.)
    fn falls_through(&self) -> bool {
        let statements = self.syntax().statements[..self.index as usize].iter().rev();
        let mut statements = statements.filter(|statement| !statement.kind.is_promise());
        let (Some(last), Some(before)) = (statements.next(), statements.next()) else { return true };
        let is_jump = match last.kind {
            StatementKind::Break | StatementKind::Continue => true,
            StatementKind::Instruction(Opcode::Jmp, operand) => self.is_name(operand),
            _ => false,
        };
        // The code before it may jump over it.
        let is_jumped_over = match before.kind {
            StatementKind::Call(..) => true,
            StatementKind::Instruction(Opcode::Jmp | Opcode::Jc | Opcode::Jz, operand) => {
                !self.is_name(operand)
            }
            _ => false,
        };
        !is_jump || is_jumped_over
    }

    fn control_block(&self, end: usize, again: usize) -> ControlBlock {
        ControlBlock {
            frames: self.frames.len(),
            innermost_loop: self.control.open.last().and_then(|block| block.innermost_loop),
            span: self.span,
            context: self.context,
            end,
            again,
            closing: None,
            otherwise: None,
            order: None,
            is_decided: false,
        }
    }
}
