//! The scope of names in expressions: everywhere, and at an instruction, where parameters and counters have values.

use crate::breakpoint::{Breakpoint, HitCount};
use crate::debugger::Debugger;
use crate::error::{DebugError, require};
use crate::expression::{Expression, Parser};
use crate::scanner::Scanner;
use crate::template::Template;
use crate::trigger::Trigger;
use serde::Deserialize;
use std::ops::Range;

/// The options of a breakpoint as texts. An empty text counts as none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PointOptions {
    /// A hit counts only if this expression is not 0.
    pub condition: Option<String>,
    /// Which hits count, as [`HitCount::read`] reads it.
    pub hit_condition: Option<String>,
    /// The message to log instead of stopping.
    pub log_message: Option<String>,
}

impl Debugger {
    /// A parser for expressions with the names of the program and the board.
    pub fn parser(&self) -> Parser<'_> {
        Parser { source: self.source(), machine: self.machine(), locals: Vec::new(), around: Vec::new() }
    }

    /// The same, with the parameters and counters of a frame of the current instruction; if `frame` is `None`, of all
    /// its frames, the innermost first. Elsewhere these names mean something else, so the expression is valid only
    /// here.
    pub fn parser_here(&self, frame: Option<usize>) -> Parser<'_> {
        self.parser_at(self.machine().running(), frame)
    }

    /// The same, for any instruction.
    pub fn parser_at(&self, sequence: u16, frame: Option<usize>) -> Parser<'_> {
        let all = self.source().frames(sequence).len();
        let own = frame.map_or(0..all, |frame| frame..frame + 1);
        let locals = |frames: Range<usize>| {
            frames.rev().flat_map(|frame| self.source().locals(sequence, frame)).collect()
        };
        let around = locals(0..own.start.min(all));
        Parser { locals: locals(own), around, ..self.parser() }
    }

    /// Parses a text that is an expression and nothing else.
    pub fn expression(&self, text: &str) -> Result<Expression, DebugError> {
        self.parser().whole(text)
    }

    /// Restricts a breakpoint by the options that an editor or a page has for it.
    pub fn restrict(&self, breakpoint: &mut Breakpoint, options: &PointOptions) -> Result<(), DebugError> {
        let given = |text: &'_ Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        if let Some(text) = given(&options.condition) {
            Scanner::whole(&text, |scanner| self.read_condition(breakpoint, scanner))?;
        }
        if let Some(text) = given(&options.hit_condition) {
            let unknown = format!(
                "`{text}` is not a hit count: write `3`, `>= 3`, `> 3`, `<= 3`, `< 3`, `== 3` or `% 3`"
            );
            breakpoint.counts = require(HitCount::read(&text), 0, unknown)?;
        }
        if let Some(text) = given(&options.log_message) {
            breakpoint.log = Some(Template::read(&text, &self.parser())?);
        }
        Ok(())
    }

    /// Reads the condition of a breakpoint. At each of the instructions that trigger it, the names of the parameters and
    /// counters there can be used.
    pub fn read_condition(
        &self,
        breakpoint: &mut Breakpoint,
        scanner: &mut Scanner,
    ) -> Result<(), DebugError> {
        let ahead = scanner.clone();
        if let Trigger::Instructions(list) = &breakpoint.trigger {
            for &sequence in list {
                let parser = self.parser_at(sequence, None);
                if parser.locals.is_empty() {
                    continue;
                }
                *scanner = ahead.clone();
                let condition = parser.expression(scanner)?;
                breakpoint.local_conditions.insert(sequence, condition);
            }
            if !list.is_empty() && breakpoint.local_conditions.len() == list.len() {
                breakpoint.condition = breakpoint.local_conditions.values().next().cloned();
                return Ok(());
            }
        }
        *scanner = ahead;
        breakpoint.condition = Some(self.parser().expression(scanner)?);
        Ok(())
    }
}
