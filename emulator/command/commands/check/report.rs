//! The verdicts as a table, as CSV, as JUnit's XML, or as JSON.

use super::attempts::Attempt;
use crate::support::table::{csv, table};
use gray1_lessons::Verdict;
use gray1_text::visible;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A format for verdicts.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum ReportFormat {
    /// A table for people
    Text,
    /// For programs: each verdict with the whole message
    Json,
    /// For spreadsheets: the columns of `json`
    Csv,
    /// For systems that collect results of tests: JUnit's XML
    Junit,
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
    /// Other files with the same program.
    same_as: Vec<String>,
    /// Of a board: its chips, and their address lines together.
    chips: Option<usize>,
    address_bits: Option<usize>,
}

/// How many files with the same program are named in a line; `json` and `csv` have them all.
const MOST_NAMED: usize = 6;

const COLUMNS: &str = "file,name,class,exercise,passed,message,words,cycles,same_as,chips,address_bits";

pub fn rows(attempts: &[Attempt], verdicts: Vec<Verdict>, same: &[Vec<String>]) -> Vec<Row> {
    let row = |((attempt, verdict), same): ((&Attempt, Verdict), &Vec<String>)| Row {
        file: attempt.file.clone(),
        name: attempt.student.name.clone(),
        class: attempt.student.class.clone(),
        exercise: attempt.id.clone(),
        passed: verdict.passed,
        message: verdict.text,
        words: verdict.words,
        cycles: verdict.cycles,
        same_as: same.clone(),
        chips: verdict.chips,
        address_bits: verdict.address_bits,
    };
    attempts.iter().zip(verdicts).zip(same).map(row).collect()
}

pub fn text(rows: &[Row], format: ReportFormat) -> Result<String, serde_json::Error> {
    Ok(match format {
        ReportFormat::Text => people(rows),
        ReportFormat::Json => serde_json::to_string_pretty(rows)? + "\n",
        ReportFormat::Csv => csv(COLUMNS, rows)?,
        ReportFormat::Junit => junit(rows),
    })
}

/// A table, how many have passed, and which programs are the same.
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
    let mut text = lines.join("\n");
    let _ = writeln!(text, "\n\n{passed} of {} attempts passed.", rows.len());
    let mut told = BTreeSet::new();
    for row in rows.iter().filter(|row| !row.same_as.is_empty()) {
        let mut files: Vec<&str> = row.same_as.iter().map(String::as_str).chain([&*row.file]).collect();
        files.sort_unstable();
        if told.insert((&row.exercise, files.clone())) {
            let more = files.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            files.truncate(MOST_NAMED);
            let _ = writeln!(text, "The same program for {}: {}{more}", row.exercise, files.join(", "));
        }
    }
    text
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

fn junit(rows: &[Row]) -> String {
    let failed = rows.iter().filter(|row| !row.passed).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"gray1 check\" tests=\"{}\" failures=\"{failed}\">\n",
        rows.len()
    );
    for row in rows {
        let who = if row.name.is_empty() { &row.file } else { &row.name };
        let _ = write!(
            text,
            "  <testcase classname=\"{}\" name=\"exercise {}\" file=\"{}\"",
            escaped(who),
            escaped(&row.exercise),
            escaped(&row.file)
        );
        text += &match row.passed {
            true => "/>\n".to_owned(),
            false => {
                let (line, all) = (escaped(&first_sentence(&row.message)), escaped(&row.message));
                format!(">\n    <failure message=\"{line}\">{all}</failure>\n  </testcase>\n")
            }
        };
    }
    text + "</testsuite>\n"
}

/// A text in XML, which has no room for control characters.
fn escaped(text: &str) -> String {
    let text = gray1_text::visible_lines(text).replace(['\u{fffe}', '\u{ffff}'], "?");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
