//! A program as an attempt: it is run on the chips engine, once for each case.
//!
//! ```text
//!   at most 8 words        a limit
//!   at most 200 cycles     another, for each run; 20,000 if nothing is said
//!   runs for 3000 cycles   for programs that do not halt: when to compare with what is expected
//!   when …: …              the cases
//! ```

use crate::Refusal;
use crate::case::Case;
use crate::run::{Assembled, MOST_CYCLES};
use crate::statement::{Fault, Statement, between};
use crate::verdict::{Judgement, Verdict};
use gray1_machine::board::Board;
use gray1_text::counted;

/// What a program is to do.
#[derive(Clone, Debug, Default)]
pub struct Task {
    most_words: Option<usize>,
    most_cycles: Option<u64>,
    /// Run for this many cycles, and not until it halts.
    runs_for: Option<u64>,
    cases: Vec<Case>,
}

impl Task {
    pub fn read(statement: &Statement) -> Result<Task, Fault> {
        let mut task = Task::default();
        let mut lines = statement.lines();
        while let Some(line) = lines.next() {
            if let Some(number) = between(line, "at most ", " words") {
                task.most_words = Some(statement.number(number)?);
            } else if let Some(number) = between(line, "at most ", " cycles") {
                task.most_cycles = Some(statement.number(number)?);
            } else if let Some(number) = between(line, "runs for ", " cycles") {
                task.runs_for = Some(statement.number(number)?);
            } else {
                task.cases.push(Case::read(statement, line, &mut lines)?);
            }
        }
        Case::some(statement, task.cases.len())?;
        Ok(task)
    }

    /// Judges an attempt; the verdict gets its words and cycles.
    pub fn check(&self, attempt: &str, verdict: &mut Verdict) -> Judgement {
        let program = Assembled::new(attempt)?;
        verdict.words = Some(program.words());
        let words = counted(program.words(), "word");
        if let Some(most) = self.most_words.filter(|&most| program.words() > most) {
            return Err(format!("Your program has {words}, but at most {most} are allowed.").into());
        }
        let board = Board::gray1();
        let limit = self.runs_for.or(self.most_cycles).unwrap_or(MOST_CYCLES);
        let mut longest = 0;
        for (seed, case) in (1..).zip(&self.cases) {
            let subject = case.subject("your program");
            let outcome = case
                .run(&program, &board, seed, limit)
                .map_err(|Refusal(fault)| format!("{subject}: {fault}"))?;
            if self.runs_for.is_none() {
                case.check_halt(&outcome, &subject, limit)?;
            }
            case.check(&outcome, &subject, &program)?;
            longest = longest.max(outcome.state.cycle);
        }
        verdict.cycles = self.runs_for.is_none().then_some(longest);
        let cycles = verdict
            .cycles
            .map_or(String::new(), |most| format!(", and it halts after at most {most} cycles"));
        Ok(format!("Right. Your program has {words}{cycles}."))
    }
}
