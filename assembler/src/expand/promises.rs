//! Contracts: assigns each of their statements to a routine or a macro call. They do not change the program, so code that
//! inspects the neighbours of a statement skips them.

use super::expander::{Expander, FrameKind};
use super::words::{ContractOwner, PlacedPromise};
use crate::codes::ErrorCode;
use crate::syntax::{Clause, StatementKind};

impl Expander<'_, '_> {
    /// Records a statement of a contract.
    pub fn promise(&mut self, statement: u32) {
        let owner = self.owner();
        self.promises.push(PlacedPromise { statement, owner, context: self.context });
    }

    /// The innermost routine or macro call here.
    fn owner(&self) -> ContractOwner {
        let is_call = |kind: &FrameKind| matches!(kind, FrameKind::Macro);
        let call = self.frames.iter().rposition(|frame| is_call(&frame.kind));
        match (self.routines.current, call) {
            (Some(routine), call) if call.is_none_or(|call| call < self.routines.depth) => {
                ContractOwner::Routine(routine)
            }
            (_, Some(call)) => ContractOwner::Call(self.frames[call].expansion),
            _ => ContractOwner::Program,
        }
    }

    /// The first statement from this one on that is not part of a contract.
    pub fn past_promises(&self, statement: u32) -> u32 {
        let statements = self.syntax().statements[statement as usize..].iter();
        statement + statements.take_while(|statement| statement.kind.is_promise()).count() as u32
    }

    /// Records the contracts in a `.when` that is assembled as one conditional jump.
    pub fn promises_in_jump(&mut self, first: u32, end: u32) {
        for statement in first..end {
            match self.syntax().statements[statement as usize].kind {
                StatementKind::Promise(Clause::Invariant | Clause::Check | Clause::Variant, _) => {
                    let span = self.syntax().statements[statement as usize].span;
                    let message = "there is no word here to which this applies";
                    let label = "this `.when` becomes one conditional jump; expected it before the `.when`";
                    self.error(ErrorCode::MisplacedInvariant, span, message, label);
                }
                kind if kind.is_promise() => self.promise(statement),
                _ => {}
            }
        }
    }
}
