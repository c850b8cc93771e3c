//! `gray1 check`: judges attempts at exercises, in the same way as the page.
//!
//! ```text
//!   attempts   collects attempts from files and folders
//!   report     formats the verdicts
//! ```

mod attempts;
mod report;

use crate::ending::Ending;
use crate::support::completion;
use crate::support::cores::on_all_cores;
use crate::support::files::{print_until, read_text, shown};
use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::progress::Progress;
use gray1_lessons::{Course, Refusal};
use report::ReportFormat;
use std::error::Error;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The number of an exercise, such as `5.1`, a level, such as `level-3`, or `all`
    ///
    /// With `all`, every answer in a file of answers is judged. Any other file is judged as an attempt at the exercise
    /// or level whose number is in the file's name: `exercise-5.1.g1`, `level-3.ron`.
    #[arg(value_parser = completion::exercise(), hide_possible_values = true)]
    exercise: String,
    /// The hand-ins: attempts as text files, answers saved by the page, folders of these, or `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Add the exercises of this lesson; can be repeated
    #[arg(long, value_name = "FILE.md")]
    lesson: Vec<PathBuf>,
    /// The format of the verdicts
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

pub fn check(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let mut course = Course::with_levels();
    for path in &arguments.lesson {
        course.add(&shown(path), &read_text(path)?)?;
    }
    if arguments.exercise != attempts::ALL {
        course.exercise(&arguments.exercise).map_err(|Refusal(text)| text)?;
    }
    let interrupt = Interrupt::listen_twice()?;
    let attempts = attempts::collect(&arguments.files, &arguments.exercise, &course, &interrupt)?;
    let progress = Progress::new(attempts.len() as u64, "attempts");
    let verdicts = on_all_cores(&attempts, interrupt.flag(), |attempt| {
        let verdict = attempt.judge();
        progress.add(1);
        verdict
    });
    drop(progress);
    let verdicts = verdicts.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)?;
    let rows = report::rows(&attempts, verdicts);
    print_until(interrupt.flag(), report::text(&rows, arguments.format)?.as_bytes())?;
    Ok(if rows.iter().all(|row| row.passed) { Ending::Done } else { Ending::Refuted })
}
