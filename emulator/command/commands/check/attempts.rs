//! Collects attempts from files and folders.

use crate::support::files::{Fault, files_in, read_text, shown};
use crate::support::interrupt::Interrupt;
use gray1_lessons::{Answers, Course, Exercise, Student, Verdict};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The argument that selects all exercises.
pub const ALL: &str = "all";
/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 2_000_000;
/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 16;

/// An attempt at an exercise, or a file that is not an attempt.
pub struct Attempt {
    /// The file, as shown in messages.
    pub file: String,
    pub student: Student,
    /// The number of the exercise; empty if unknown.
    pub id: String,
    /// The exercise and the text, or the error of the file.
    pub content: Result<(Exercise, String), String>,
}

impl Attempt {
    /// Judges the attempt. A file with an error has failed.
    pub fn judge(&self) -> Verdict {
        match &self.content {
            Ok((exercise, text)) => exercise.check(text),
            Err(text) => Verdict { text: text.clone(), ..Verdict::default() },
        }
    }
}

/// The course and its exercises, which are parsed once for all files.
#[derive(Clone, Copy)]
struct Exercises<'a> {
    course: &'a Course,
    all: &'a [Exercise],
}

/// Collects the attempts in files and folders, in this order. The files of a folder are sorted by name.
pub fn collect(
    paths: &[PathBuf],
    exercise: &str,
    course: &Course,
    interrupt: &Interrupt,
) -> Result<Vec<Attempt>, Box<dyn Error>> {
    let exercises: Vec<Exercise> = course.exercises().collect();
    let exercises = Exercises { course, all: &exercises };
    let mut attempts = Vec::new();
    for path in paths {
        if !path.is_dir() {
            if path != Path::new("-") {
                fs::metadata(path).map_err(|error| Fault::Read(error).at(path))?;
            }
            attempts.extend(read_file(path, exercise, exercises));
            continue;
        }
        let before = attempts.len();
        for file in files_in(path, MAX_DEPTH)? {
            interrupt.check()?;
            attempts.extend(read_file(&file, exercise, exercises));
        }
        if attempts.len() == before {
            return Err(format!("{}: this folder has no files to judge", shown(path)).into());
        }
    }
    Ok(attempts)
}

/// Reads the attempts in a file. A file that cannot be read becomes a failed attempt, so that the others are judged.
fn read_file(path: &Path, exercise: &str, exercises: Exercises) -> Vec<Attempt> {
    let attempt = |id: &str, content| {
        vec![Attempt { file: shown(path), student: Student::default(), id: id.to_owned(), content }]
    };
    let selected = if exercise == ALL { "" } else { exercise };
    let text = match read_attempt(path) {
        Ok(text) => text,
        Err(error) => return attempt(selected, Err(error)),
    };
    if Answers::is_likely(&text) {
        return match Answers::read(&text) {
            Ok(answers) => split_answers(&shown(path), answers, exercise, exercises),
            Err(error) => attempt(selected, Err(format!("This is {error}."))),
        };
    }
    let is_selected =
        |other: &&Exercise| if exercise == ALL { is_named(path, &other.id) } else { other.id == exercise };
    match exercises.all.iter().find(is_selected) {
        Some(found) => attempt(&found.id, Ok((found.clone(), text))),
        None => {
            let message = "The name of this file contains no exercise number, such as exercise-5.1.g1: rename the file, or \
                           give the exercise instead of `all`.";
            attempt("", Err(message.to_owned()))
        }
    }
}

/// Reads the text of a file. An error is a sentence.
fn read_attempt(path: &Path) -> Result<String, String> {
    if path != Path::new("-") {
        let metadata = fs::metadata(path).map_err(|error| format!("This file cannot be read: {error}."))?;
        if !metadata.is_file() {
            return Err("This is not a file.".to_owned());
        }
        if metadata.len() > MAX_BYTES {
            return Err(format!("This file has {} bytes, expected at most {MAX_BYTES}.", metadata.len()));
        }
    }
    let text = read_text(path).map_err(|error| format!("This is no attempt: {}.", error.fault))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Lists the attempts in a file of answers, at one exercise or at all.
fn split_answers(file: &str, answers: Answers, exercise: &str, exercises: Exercises) -> Vec<Attempt> {
    let Answers { student, mut answers, .. } = answers;
    let mut attempts = Vec::new();
    let mut attempt = |id: &str, content| {
        attempts.push(Attempt {
            file: file.to_owned(),
            student: student.clone(),
            id: id.to_owned(),
            content,
        });
    };
    for other in exercises.all {
        if exercise == ALL || exercise == other.id {
            let answer = answers.remove(&other.id).filter(|answer| !answer.trim().is_empty());
            if answer.is_none() && exercise == ALL && exercises.course.is_optional(&other.id) {
                continue;
            }
            attempt(
                &other.id,
                answer.map(|text| (other.clone(), text)).ok_or_else(|| "There is no answer.".to_owned()),
            );
        }
    }
    let unknown: BTreeMap<String, String> = if exercise == ALL { answers } else { BTreeMap::new() };
    for id in unknown.keys() {
        attempt(id, Err("There is no such exercise; add its lesson with --lesson.".to_owned()));
    }
    attempts
}

/// Whether a file name contains the number of an exercise: `exercise-5.1.g1`, `5.1 Ada.txt`, `level-3.ron`.
fn is_named(path: &Path, id: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    if id.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let is_digit = |c: char| c.is_ascii_digit();
        return name.match_indices(id).any(|(at, _)| !name[at + id.len()..].starts_with(is_digit));
    }
    let mut numbers =
        name.split(|c: char| !c.is_ascii_digit() && c != '.').map(|number| number.trim_matches('.'));
    numbers.any(|number| number == id || number.strip_prefix(id).is_some_and(|rest| rest.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exercise_numbers_are_found_in_file_names() {
        for (name, expected) in [
            ("exercise-5.1.g1", true),
            ("5.1.txt", true),
            ("Ada 5.1 (2).g1", true),
            ("a/5.1/x.g1", false),
            ("5.11.g1", false),
            ("15.1.g1", false),
            ("51.g1", false),
        ] {
            assert_eq!(is_named(Path::new(name), "5.1"), expected, "{name}");
        }
        for (name, expected) in
            [("level-3.ron", true), ("Ada Level-3 (2).ron", true), ("level-31.ron", false), ("3.ron", false)]
        {
            assert_eq!(is_named(Path::new(name), "level-3"), expected, "{name}");
        }
    }
}
