//! Contracts: which routine or macro call each of their statements belongs to. They make no difference to the program,
//! so whatever looks at the statement before or after another looks past them.

use super::expander::{Expander, FrameKind};
use super::words::{PlacedPromise, Promiser};
use crate::codes::ErrorCode;
use crate::syntax::{Clause, StatementKind};

impl Expander<'_, '_> {
    /// A statement of a contract.
    pub fn promise(&mut self, statement: u32) {
        let promiser = self.promiser();
        self.promises.push(PlacedPromise { statement, promiser, context: self.context });
    }

    /// The innermost routine or macro call here.
    fn promiser(&self) -> Promiser {
        let is_call = |kind: &FrameKind| matches!(kind, FrameKind::Macro);
        let call = self.frames.iter().rposition(|frame| is_call(&frame.kind));
        match (self.routines.current, call) {
            (Some(routine), call) if call.is_none_or(|call| call < self.routines.depth) => {
                Promiser::Routine(routine)
            }
            (_, Some(call)) => Promiser::Call(self.frames[call].expansion),
            _ => Promiser::Program,
        }
    }

    /// The first statement from this one on that makes a difference to the program.
    pub fn past_promises(&self, statement: u32) -> u32 {
        let statements = self.syntax().statements[statement as usize..].iter();
        statement + statements.take_while(|statement| statement.kind.is_promise()).count() as u32
    }

    /// The contracts in a `.when` that is assembled as one conditional jump.
    pub fn promises_in_jump(&mut self, first: u32, end: u32) {
        for statement in first..end {
            match self.syntax().statements[statement as usize].kind {
                StatementKind::Promise(Clause::Invariant | Clause::Check | Clause::Variant, _) => {
                    let span = self.syntax().statements[statement as usize].span;
                    let message = "there is no word here that this could be about";
                    let label = "this `.when` becomes one conditional jump; expected it before the `.when`";
                    self.error(ErrorCode::MisplacedInvariant, span, message, label);
                }
                kind if kind.is_promise() => self.promise(statement),
                _ => {}
            }
        }
    }
}
