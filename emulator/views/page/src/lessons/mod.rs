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

pub use document::{Lesson, Part};
pub use statement::Fault;

use crate::protocol;
use statement::Statement;

/// The files of `docs/lessons` that begin with a number, as the build script has found them: name and text.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// All lessons, in order. A test reads them all, so only a lesson that has been changed since can have a fault.
pub fn all() -> Vec<Result<Lesson, Fault>> {
    FILES.iter().map(|(file, text)| Lesson::read(file, text)).collect()
}

/// An exercise for a student.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// Its number, for instance `5.1`.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What is asked, in lines of plain text, as in the document.
    pub statement: String,
    /// The program that goes with it, if there is one.
    pub given: Option<String>,
    /// What an attempt begins with.
    pub start: String,
    task: Task,
}

/// What is asked in an exercise, and how it is judged.
#[derive(Clone, Debug)]
enum Task {
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
        let task = match statement.kind {
            "program" => Task::Program(program::Task::read(statement)?),
            "table" => Task::Table(table::Task::read(statement)?),
            "cells" => Task::Cells(cells::Task::read(statement, given)?),
            "timing" => Task::Timing(timing::Task::read(statement, given)?),
            kind => return Err(statement.fault(format!("`{kind}` is not a kind of exercise: {KINDS}"))),
        };
        Ok(Exercise {
            id: statement.id.to_owned(),
            title: title.to_owned(),
            statement: statement.text.to_owned(),
            given: given.map(str::to_owned),
            start: start.to_owned(),
            task,
        })
    }

    /// The exercise, as it is sent to the page.
    fn told(self) -> protocol::Exercise {
        let columns = self.columns().map(|columns| (columns.inputs, columns.outputs));
        let kind = self.kind();
        let broken = match &self.task {
            Task::Cells(task) => task.broken().map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let Exercise { id, title, statement, given, start, .. } = self;
        protocol::Exercise { id, title, kind, statement, given, broken, start, columns }
    }

    /// What kind of text an attempt is.
    pub fn kind(&self) -> &'static str {
        match self.task {
            Task::Program(_) => "program",
            Task::Table(_) => "table",
            Task::Cells(_) => "cells",
            Task::Timing(_) => "timing",
        }
    }

    /// The columns, if the attempt is a table.
    pub fn columns(&self) -> Option<Columns> {
        match &self.task {
            Task::Table(task) => Some(task.columns()),
            _ => None,
        }
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
            Err(text) => Verdict { passed: false, text },
        }
    }
}

/// The kinds of exercises, for messages.
const KINDS: &str = "there are `program`, `table`, `cells` and `timing`";

/// Judges an attempt at the exercise of this number.
pub fn judge(id: &str, attempt: &str) -> Result<Verdict, String> {
    let parts = all().into_iter().flatten().flat_map(|lesson| lesson.parts);
    let exercise = parts.into_iter().find_map(|part| match part {
        Part::Exercise(exercise) if exercise.id == id => Some(exercise),
        _ => None,
    });
    exercise.map(|exercise| exercise.check(attempt)).ok_or_else(|| format!("there is no exercise {id}"))
}

/// All lessons, as they are sent to the page. A lesson with a fault says where it is.
pub fn told() -> Vec<protocol::Lesson> {
    let lessons = FILES.iter().zip(1..).map(|((file, text), number)| match Lesson::read(file, text) {
        Ok(lesson) => lesson.told(),
        Err(fault) => protocol::Lesson {
            number,
            title: (*file).to_owned(),
            parts: vec![protocol::LessonPart::Fault { text: fault.to_string() }],
        },
    });
    lessons.collect()
}

/// The result in words: right, or the first thing that is wrong.
type Judgement = Result<String, String>;

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
