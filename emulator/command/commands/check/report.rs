//! The verdicts as a table, as CSV, or as JSON.

use super::attempts::Attempt;
use crate::support::table::{csv, table};
use gray1_lessons::Verdict;
use gray1_text::visible;
use serde::Serialize;

/// A format for verdicts.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum ReportFormat {
    /// A table for people
    Text,
    /// For programs: each verdict with the whole message
    Json,
    /// For spreadsheets: the columns of `json`
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
    /// Of a program that assembles.
    words: Option<usize>,
    /// Of a program that halts as asked: the longest run.
    cycles: Option<u64>,
    /// Of a board: its chips, and their address lines together.
    chips: Option<usize>,
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

pub fn text(rows: &[Row], format: ReportFormat) -> Result<String, serde_json::Error> {
    Ok(match format {
        ReportFormat::Text => people(rows),
        ReportFormat::Json => serde_json::to_string_pretty(rows)? + "\n",
        ReportFormat::Csv => csv(COLUMNS, rows)?,
    })
}

/// A table, and how many have passed.
fn people(rows: &[Row]) -> String {
    let has_names = rows.iter().any(|row| !row.name.is_empty());
    let mut cells = vec![["file", "name", "exercise", "", "words", "cycles", "message"].map(str::to_owned)];
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    cells.extend(rows.iter().map(|row| {
        [
            row.file.clone(),
            visible(&row.name).into_owned(),
            visible(&row.exercise).into_owned(),
            if row.passed { "passed" } else { "failed" }.to_owned(),
            number(row.words.map(|words| words as u64)),
            number(row.cycles),
            first_sentence(&row.message),
        ]
    }));
    let shown: Vec<Vec<String>> = cells
        .into_iter()
        .map(|row| {
            row.into_iter()
                .enumerate()
                .filter(|(column, _)| *column != 1 || has_names)
                .map(|(_, cell)| cell)
                .collect()
        })
        .collect();
    let (words, cycles) = if has_names { (4, 5) } else { (3, 4) };
    let lines = table(&shown, "  ", |column| column == words || column == cycles);
    let passed = rows.iter().filter(|row| row.passed).count();
    format!("{}\n\n{passed} of {} attempts passed.\n", lines.join("\n"), rows.len())
}

/// What stands in a line: the text up to a report or a picture.
fn first_sentence(message: &str) -> String {
    let said = message.split("\n\n").next().unwrap_or_default();
    let line = said.lines().next().unwrap_or_default();
    // What the assembler has to say begins behind the first sentence.
    let detail = message.strip_prefix(said).unwrap_or_default().trim_start().lines().next();
    let detail = detail
        .filter(|detail| detail.starts_with("error"))
        .map_or(String::new(), |detail| format!(" {detail}"));
    visible(&format!("{line}{detail}")).into_owned()
}
