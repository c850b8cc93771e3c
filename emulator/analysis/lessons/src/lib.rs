//! The lessons of `docs/lessons`, and those of anybody: texts with exercises, and the judging of attempts.
//!
//! A lesson is a Markdown file, and an exercise is data in it (`statement`). An attempt is always a text: a program,
//! the rows of a table, cells to burn, or values. It is judged by running it, and the verdict is given in words.
//!
//! ```text
//!   course      the lessons that there are; lesson: what they consist of
//!   document    Markdown → text as HTML, programs, exercises
//!   statement   the lines of an exercise, word by word
//!   exercise    an attempt is judged: verdict
//!   program     a program is run, for each case
//!   case        what is given, what is expected; picture: LEDs; run: one run
//!   table       a table is burned into a ROM beside some switches, and run like any board; rows: its text;
//!               bench: that board; formula: what it is to hold
//!   cells       a board with other cells runs a program
//!   board       a board without a CPU, in every order of lines; asked: what the page gets about it
//!   timing      the timed engine runs with other values
//!   answers     the answers of a student, as a file
//! ```

mod answers;
mod asked;
mod bench;
mod board;
mod case;
mod cells;
mod course;
mod document;
mod exercise;
mod formula;
mod lesson;
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
pub use asked::{Asked, Memory, Reached, Tried, WholeBoard};
pub use course::{Course, LEVELS, SHIPPED};
pub use exercise::Exercise;
pub use lesson::{Lesson, LessonPart, Student};
pub use refusal::Refusal;
pub use statement::Fault;
pub use verdict::Verdict;
