//! An exercise of a lesson, and the judging of an attempt.

use crate::Refusal;
use crate::board_data::BoardInfo;
use crate::rows::Columns;
use crate::statement::{Fault, Statement};
use crate::verdict::Verdict;
use crate::{board, cells, program, table, timing};
use gray1_text::counted;
use serde::Serialize;

/// The maximum length of an attempt. Nobody types a longer one.
const MAX_ATTEMPT_BYTES: usize = 100_000;

/// The kinds of exercises, for messages.
const KINDS: &str = "there are `program`, `table`, `cells`, `timing` and `board`";

/// The requirements of an exercise, by its kind.
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
    /// The number, such as 5.1.
    pub id: String,
    /// The title.
    pub title: String,
    /// The kind of attempt: `program`, `table`, `cells`, `timing` or `board`.
    pub kind: &'static str,
    /// The task as plain text. Drawings in it need a monospaced font.
    pub statement: String,
    /// The program that belongs to the exercise, if any.
    pub given: Option<String>,
    /// The faults of the board on which the program runs: changed cells, each in the syntax of `--cell`.
    pub broken: Vec<String>,
    /// The initial text of an attempt.
    pub start: String,
    /// The names of the address lines and of the data lines, for a table.
    pub columns: Option<(Vec<String>, Vec<String>)>,
    /// Further data about the exercise, for a board.
    pub board: Option<BoardInfo>,
    /// The requirements.
    #[serde(skip)]
    pub(crate) task: Task,
}

impl Exercise {
    /// Parses the lines of an exercise; `given` is the program that belongs to it, if any.
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
                board = Some(task.info());
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
        let mut verdict = Verdict::default();
        let judged = match &self.task {
            _ if attempt.len() > MAX_ATTEMPT_BYTES => Err(format!(
                "This has {}, but at most {MAX_ATTEMPT_BYTES} are read.",
                counted(attempt.len(), "byte")
            )
            .into()),
            Task::Program(task) => task.check(attempt, &mut verdict),
            Task::Table(task) => task.check(attempt),
            Task::Cells(task) => task.check(attempt),
            Task::Timing(task) => task.check(attempt),
            Task::Board(task) => task.check(attempt, &mut verdict),
        };
        verdict.passed = judged.is_ok();
        verdict.text = judged.unwrap_or_else(|Refusal(text)| text);
        verdict
    }
}
