//! An exercise: what is asked, and the verdict on an attempt.

use crate::Refusal;
use crate::lesson::Exercise;
use crate::statement::{Fault, Statement};
use crate::{cells, program, table, timing};
use gray1_text::counted;

/// The greatest attempt: what is longer was not typed.
const MOST_BYTES: usize = 100_000;

/// The kinds of exercises, for messages.
const KINDS: &str = "there are `program`, `table`, `cells` and `timing`";

/// What is asked in an exercise, and how it is judged.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Program(program::Task),
    Table(table::Task),
    Cells(cells::Task),
    Timing(timing::Task),
}

/// The columns of a table that is to be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The names of the address lines.
    pub inputs: Vec<String>,
    /// The names of the data lines.
    pub outputs: Vec<String>,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether everything is as asked.
    pub passed: bool,
    /// What was found, in words; if something is wrong, the first fault.
    pub text: String,
    /// How many words the attempt has, if it is a program without errors.
    pub words: Option<usize>,
    /// How many cycles its longest run took, if it is a program that halts as asked.
    pub cycles: Option<u64>,
}

/// The result in words: right, or the first thing that is wrong.
pub type Judgement = Result<String, Refusal>;

impl Exercise {
    /// Reads the lines of an exercise; `given` is the program that goes with it, if there is one.
    pub(crate) fn read(
        statement: &Statement,
        title: &str,
        start: &str,
        given: Option<&str>,
    ) -> Result<Exercise, Fault> {
        let (mut broken, mut columns) = (Vec::new(), None);
        let (kind, task) = match statement.kind {
            "program" => ("program", Task::Program(program::Task::read(statement)?)),
            "table" => {
                let task = table::Task::read(statement)?;
                let Columns { inputs, outputs } = task.columns();
                columns = Some((inputs, outputs));
                ("table", Task::Table(task))
            }
            "cells" => {
                let task = cells::Task::read(statement, given)?;
                broken = task.broken().map(str::to_owned).collect();
                ("cells", Task::Cells(task))
            }
            "timing" => ("timing", Task::Timing(timing::Task::read(statement, given)?)),
            kind => return Err(statement.fault(format!("`{kind}` is not a kind of exercise: {KINDS}"))),
        };
        let [id, title, text, start] = [statement.id, title, statement.text, start].map(str::to_owned);
        let given = given.map(str::to_owned);
        Ok(Exercise {
            id,
            title,
            kind,
            statement: text,
            given,
            broken,
            start,
            columns,
            varies: Vec::new(),
            task,
        })
    }

    /// Judges an attempt by running it. Each run has a limit of cycles, so this ends soon, whatever the attempt is.
    pub fn check(&self, attempt: &str) -> Verdict {
        let mut verdict = Verdict::default();
        let judged = match &self.task {
            _ if attempt.len() > MOST_BYTES => Err(format!(
                "This has {}, but at most {MOST_BYTES} are read.",
                counted(attempt.len(), "byte")
            )
            .into()),
            Task::Program(task) => task.check(attempt, &mut verdict),
            Task::Table(task) => task.check(attempt),
            Task::Cells(task) => task.check(attempt),
            Task::Timing(task) => task.check(attempt),
        };
        verdict.passed = judged.is_ok();
        verdict.text = judged.unwrap_or_else(|Refusal(text)| text);
        verdict
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
