//! Formats the verdicts as a table, CSV or JSON.

use super::attempts::Attempt;
use crate::support::csv::csv;
use crate::support::json;
use gray1_lessons::Verdict;
use gray1_text::{table, visible};
use serde::Serialize;

/// An output format.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum ReportFormat {
    /// A table
    Text,
    /// Each verdict with the complete message, as JSON
    Json,
    /// The fields of `json`, for spreadsheets
    Csv,
}

/// The verdict on an attempt.
#[derive(Serialize)]
pub struct Row {
    file: String,
    name: String,
    class: String,
    exercise: String,
    pub passed: bool,
    message: String,
    /// The number of words, for a program that assembles.
    words: Option<usize>,
    /// The cycles of the longest run, for a program that halts.
    cycles: Option<u64>,
    /// The number of chips, for a board.
    chips: Option<usize>,
    /// The number of address lines of all chips together, for a board.
    address_bits: Option<usize>,
}

const COLUMNS: &str = "file,name,class,exercise,passed,message,words,cycles,chips,address_bits";

pub fn rows(attempts: &[Attempt], verdicts: Vec<Verdict>) -> Vec<Row> {
    let row = |(attempt, verdict): (&Attempt, Verdict)| Row {
        file: attempt.file.clone(),
        name: attempt.student.name.clone(),
        class: attempt.student.class.clone(),
        exercise: attempt.id.clone(),
        passed: verdict.passed,
        message: verdict.text,
        words: verdict.words,
        cycles: verdict.cycles,
        chips: verdict.chips,
        address_bits: verdict.address_bits,
    };
    attempts.iter().zip(verdicts).map(row).collect()
}

/// The rows as JSON.
#[derive(Serialize)]
struct Attempts<'a> {
    attempts: &'a [Row],
}

pub fn text(rows: &[Row], format: ReportFormat) -> Result<String, serde_json::Error> {
    Ok(match format {
        ReportFormat::Text => table_text(rows),
        ReportFormat::Json => json::answer("check", Attempts { attempts: rows })?,
        ReportFormat::Csv => csv(COLUMNS, rows)?,
    })
}

/// Formats a table and the number of passed attempts.
fn table_text(rows: &[Row]) -> String {
    let has_names = rows.iter().any(|row| !row.name.is_empty());
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let mut cells =
        vec![["file", "name", "exercise", "", "words", "cycles", "message"].map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(|row| {
        vec![
            row.file.clone(),
            visible(&row.name).into_owned(),
            visible(&row.exercise).into_owned(),
            if row.passed { "passed" } else { "failed" }.to_owned(),
            number(row.words.map(|words| words as u64)),
            number(row.cycles),
            summary(&row.message),
        ]
    }));
    if !has_names {
        cells.iter_mut().for_each(|row| drop(row.remove(1)));
    }
    let words = if has_names { 4 } else { 3 };
    let lines = table(&cells, "  ", |column| column == words || column == words + 1);
    let passed = rows.iter().filter(|row| row.passed).count();
    format!("{}\n\n{passed} of {} attempts passed.\n", lines.join("\n"), rows.len())
}

/// Shortens a message to one line: its first line, and the assembler's first error, if any.
fn summary(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or_default();
    let line = paragraph.lines().next().unwrap_or_default();
    // The assembler's report is in the second paragraph.
    let detail = message.strip_prefix(paragraph).unwrap_or_default().trim_start().lines().next();
    let detail = detail
        .filter(|detail| detail.starts_with("error"))
        .map_or(String::new(), |detail| format!(" {detail}"));
    visible(&format!("{line}{detail}")).into_owned()
}
