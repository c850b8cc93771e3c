//! The lessons of `docs/lessons`: texts with exercises, and the judging of attempts.
//!
//! A lesson is a Markdown file, and an exercise is data in it (`statement`). An attempt is always a text: a program,
//! the rows of a table, cells to burn, or values. It is judged by running it, and the verdict is given in words.
//!
//! ```text
//!   document    Markdown → text as HTML, programs, exercises
//!   statement   the lines of an exercise, word by word
//!   program     a program is run, for each case
//!   case        what is given, what is expected; picture: LEDs; run: one run
//!   table       a table is burned into a ROM beside some switches, and run like any board; rows: its text;
//!               bench: that board
//!   cells       a board with other cells runs a program
//!   timing      the timed engine runs with other values
//! ```

mod bench;
mod case;
mod cells;
mod document;
mod picture;
mod program;
mod rows;
mod run;
mod statement;
mod table;
mod timing;

pub use crate::protocol::{Exercise, Lesson, LessonPart};
pub use statement::Fault;

use crate::Refusal;
use statement::Statement;

/// The files of `docs/lessons` that begin with a number, as the build script has found them: name and text.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// All lessons, in order. A test reads them all, so only a lesson that has been changed since can have a fault.
pub fn all() -> Vec<Result<Lesson, Fault>> {
    FILES.iter().map(|(file, text)| Lesson::read(file, text)).collect()
}

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether everything is as asked.
    pub passed: bool,
    /// What was found, in words; if something is wrong, the first fault.
    pub text: String,
}

impl Exercise {
    /// Reads the lines of an exercise; `given` is the program that goes with it, if there is one.
    fn read(statement: &Statement, title: &str, start: &str, given: Option<&str>) -> Result<Exercise, Fault> {
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
        Ok(Exercise { id, title, kind, statement: text, given, broken, start, columns, task })
    }

    /// Judges an attempt by running it. Each run has a limit of cycles, so this ends soon, whatever the attempt is.
    pub fn check(&self, attempt: &str) -> Verdict {
        let judged = match &self.task {
            Task::Program(task) => task.check(attempt),
            Task::Table(task) => task.check(attempt),
            Task::Cells(task) => task.check(attempt),
            Task::Timing(task) => task.check(attempt),
        };
        match judged {
            Ok(text) => Verdict { passed: true, text },
            Err(Refusal(text)) => Verdict { passed: false, text },
        }
    }
}

/// The kinds of exercises, for messages.
const KINDS: &str = "there are `program`, `table`, `cells` and `timing`";

/// Judges an attempt at the exercise of this number.
pub fn judge(id: &str, attempt: &str) -> Result<Verdict, Refusal> {
    let parts = all().into_iter().flatten().flat_map(|lesson| lesson.parts);
    let exercise = parts.into_iter().find_map(|part| match part {
        LessonPart::Exercise(exercise) if exercise.id == id => Some(exercise),
        _ => None,
    });
    let exercise = exercise.ok_or_else(|| format!("there is no exercise {id}"))?;
    Ok(exercise.check(attempt))
}

/// All lessons for the page. A lesson with a fault says where it is.
pub fn shown() -> Vec<Lesson> {
    let lessons = FILES.iter().zip(1..).map(|((file, text), number)| {
        Lesson::read(file, text).unwrap_or_else(|fault| Lesson {
            number,
            title: (*file).to_owned(),
            parts: vec![LessonPart::Fault { text: fault.to_string() }],
        })
    });
    lessons.collect()
}

/// The result in words: right, or the first thing that is wrong.
type Judgement = Result<String, Refusal>;

/// A number of things: `1 word`, `5 words`.
fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// `a`, `a and b`, `a, b and c`.
fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
