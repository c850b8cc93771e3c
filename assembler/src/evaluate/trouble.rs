//! Reports on expressions without a value: errors with the calls that led there, circular definitions, and excessive work.

use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::{Build, MAX_WORK};
use crate::table::{Context, NoValue};
use gray1_text::ArithmeticError;

impl Build<'_> {
    /// Reports an error of the current operation, whose expression then has no value.
    pub(super) fn fail<T>(
        &mut self,
        code: ErrorCode,
        message: impl Into<String>,
        label: &str,
    ) -> Result<T, NoValue> {
        self.report_at(Diagnostic::error(code, self.evaluation.at.span, message, label));
        Err(NoValue::Failed)
    }

    /// Reports a diagnostic, with the function calls that led there.
    pub(super) fn report_at(&mut self, diagnostic: Diagnostic) {
        let calls = self.evaluation.calls.get(self.evaluation.at.calls_from..).unwrap_or_default();
        let calls = calls.iter().rev().cloned().collect();
        self.report_within(diagnostic, calls, self.evaluation.at.context.expansion);
    }

    /// Reports, once, that values take too much work.
    pub(super) fn give_up(&mut self, context: Context) -> NoValue {
        if self.work > MAX_WORK && !std::mem::replace(&mut self.gave_up, true) {
            let span = self.evaluation.calls.first().map(|call| call.span);
            let message = "this program expands endlessly, or far too much";
            let diagnostic =
                Diagnostic::error(ErrorCode::TooMuchWork, span, message, "the assembler gave up here")
                    .help("look at the functions and constants that lead here");
            self.report(diagnostic, context.expansion);
            self.table.incomplete = true;
        }
        NoValue::Failed
    }

    /// Takes the result of an operator, or reports its error.
    pub(super) fn computed(&mut self, outcome: Result<i64, ArithmeticError>) -> Result<i64, NoValue> {
        let error = match outcome {
            Ok(number) => return Ok(number),
            Err(error) => error,
        };
        let label = match error {
            ArithmeticError::DivisionByZero => "the right side is 0 here",
            ArithmeticError::ShiftDistance(_) => "expected a distance of 0..63",
            ArithmeticError::Overflow => "expected a smaller value, signed 64-bit",
        };
        self.fail(ErrorCode::Arithmetic, error.to_string(), label)
    }

    /// Reports a circular definition of constants.
    pub(super) fn circle(&mut self, cell: u32) -> NoValue {
        let frames = &self.evaluation.frames;
        let first = frames.iter().position(|frame| frame.cell() == Some(cell)).unwrap_or(0);
        let circle = frames[first..].iter().filter_map(|frame| frame.cell()).take(8);
        let shown = circle.map(|cell| self.library.names.show(self.table.cells[cell as usize].name));
        let mut path: Vec<String> = shown.collect();
        if frames.len() - first > path.len() {
            path.push("…".to_owned());
        }
        path.push(path[0].clone());
        let content = self.table.cells[cell as usize];
        let span = content.expression.span(content.context.file);
        let message = format!("`{}` is defined by itself", path[0]);
        let label = format!("this is circular: {}", path.join(" → "));
        self.report(
            Diagnostic::error(ErrorCode::CircularDefinition, span, message, label),
            content.context.expansion,
        );
        NoValue::Failed
    }
}
