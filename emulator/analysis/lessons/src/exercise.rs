//! An exercise: what is asked, and how an attempt is judged.

use crate::Refusal;
use crate::asked::Asked;
use crate::rows::Columns;
use crate::statement::{Fault, Statement};
use crate::verdict::Verdict;
use crate::{board, cells, program, table, timing};
use gray1_machine::board::Change;
use gray1_text::counted;
use serde::Serialize;

/// The greatest attempt: what is longer was not typed.
const MOST_BYTES: usize = 100_000;

/// The kinds of exercises, for messages.
const KINDS: &str = "there are `program`, `table`, `cells`, `timing` and `board`";

/// What is asked in an exercise, and how it is judged.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Program(program::Task),
    Table(table::Task),
    Cells(cells::Task),
    Timing(timing::Task),
    Board(board::Task),
}

/// An exercise of a lesson.
#[derive(Clone, Debug, Serialize)]
pub struct Exercise {
    /// Its number, as 5.1.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What kind of text an attempt is: `program`, `table`, `cells`, `timing` or `board`.
    pub kind: &'static str,
    /// The task, in lines of plain text. Drawings in it need a monospaced font.
    pub statement: String,
    /// The program that goes with it, if there is one.
    pub given: Option<String>,
    /// What is wrong with the board on which it runs: changes to cells, each in the syntax of `--cell`.
    pub broken: Vec<String>,
    /// The text with which an attempt starts.
    pub start: String,
    /// The names of the address lines and of the data lines, if it is a table.
    pub columns: Option<(Vec<String>, Vec<String>)>,
    /// What is known about the board, if it is one.
    pub board: Option<Asked>,
    /// What is asked, and how it is judged.
    #[serde(skip)]
    pub(crate) task: Task,
}

impl Exercise {
    /// Reads the lines of an exercise; `given` is the program that goes with it, if there is one.
    pub(crate) fn read(
        statement: &Statement,
        title: &str,
        start: &str,
        given: Option<&str>,
    ) -> Result<Exercise, Fault> {
        let (mut broken, mut columns, mut board) = (Vec::new(), None, None);
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
            "board" => {
                let task = board::Task::read(statement)?;
                board = Some(task.asked());
                ("board", Task::Board(task))
            }
            kind => return Err(statement.fault(format!("`{kind}` is not a kind of exercise: {KINDS}"))),
        };
        let [id, title, text, start] = [statement.id, title, statement.text, start].map(str::to_owned);
        let given = given.map(str::to_owned);
        Ok(Exercise { id, title, kind, statement: text, given, broken, start, columns, board, task })
    }

    /// Judges an attempt by running it. Each run has a limit of cycles.
    pub fn check(&self, attempt: &str) -> Verdict {
        self.check_changed(attempt, &[])
    }

    /// Judges an attempt. If it is a board, cells of its chips are changed first; files in the verdict are without the
    /// changes.
    pub fn check_changed(&self, attempt: &str, changes: &[Change]) -> Verdict {
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
            Task::Board(task) => task.check(attempt, changes, &mut verdict),
        };
        verdict.passed = judged.is_ok();
        verdict.text = judged.unwrap_or_else(|Refusal(text)| text);
        verdict
    }
}
