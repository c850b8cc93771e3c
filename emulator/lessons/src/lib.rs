//! Lessons with exercises, and the judging of attempts. The shipped lessons are in `docs/lessons`; a teacher can add
//! more.
//!
//! A lesson is a Markdown file that contains exercises as fenced blocks (`statement`). An attempt is always a text: a
//! program, the rows of a table, cells to burn, values, or a board. It is judged by running it.
//!
//! ```
//! use gray1_lessons::Course;
//!
//! let course = Course::shipped();
//! // Exercise 1.1 asks for the table of a full adder.
//! let rows = ["0 0 0 | 0 0", "0 0 1 | 0 1", "0 1 0 | 0 1", "0 1 1 | 1 0", "1 0 0 | 0 1", "1 0 1 | 1 0", "1 1 0 | 1 0"];
//! let table = |last: &str| format!("a b c | carry sum\n{}\n{last}\n", rows.join("\n"));
//! assert!(course.judge("1.1", &table("1 1 1 | 1 1"))?.passed);
//! let verdict = course.judge("1.1", &table("1 1 1 | 1 0"))?;
//! assert!(!verdict.passed);
//! println!("{}", verdict.text); // the first row that is wrong
//! # Ok::<(), gray1_lessons::Refusal>(())
//! ```
//!
//! ```text
//!   course      the available lessons; lesson: the parts of a lesson
//!   document    parses Markdown into HTML, programs and exercises
//!   statement   parses the lines of an exercise
//!   exercise    judges an attempt; verdict: the result
//!   program     attempts that are programs, run once for each case
//!   case        the inputs and the expected results of a run; picture: LEDs; run: a single run
//!   table       attempts that are truth tables, burned into the ROM of a bench; rows: their text; bench: the board with
//!               that ROM
//!   cells       attempts that change cells of the board on which a program runs
//!   lockstep    a program on a board, compared with the Gray-1
//!   board       attempts that are boards without a CPU, judged in every order of events; board_data: the data for the page
//!   timing      attempts that are a capacitor or a frequency for the timed engine
//!   answers     a student's answers as a file
//! ```

mod answers;
mod bench;
mod board;
mod board_data;
mod case;
mod cells;
mod course;
mod document;
mod exercise;
mod lesson;
mod lockstep;
mod picture;
mod program;
mod refusal;
mod rows;
mod run;
mod statement;
mod table;
mod timing;
mod verdict;

pub use answers::{Answers, AnswersError};
pub use board_data::{Arrival, BoardInfo, FailingMove, FullBoard, Memory};
pub use course::{Course, LEVELS, SHIPPED};
pub use exercise::Exercise;
pub use lesson::{Lesson, LessonPart, Student};
pub use refusal::Refusal;
pub use statement::Fault;
pub use verdict::Verdict;
