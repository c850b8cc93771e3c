//! What was handed in: files and folders become attempts, each at one exercise.

use crate::support::files::{FileError, read_text, shown};
use crate::support::interrupt::Interrupt;
use gray1_lessons::{Answers, Course, Exercise, Student, Verdict};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The word for all exercises.
pub const ALL: &str = "all";
/// The largest file that anybody hands in.
const LARGEST: u64 = 2_000_000;
/// How deep folders may lie in folders.
const DEEPEST: usize = 16;

/// An attempt at an exercise, or why there is none.
pub struct Attempt {
    /// The file that it was in, as messages show it.
    pub file: String,
    pub student: Student,
    /// The number of the exercise; empty if nothing says it.
    pub id: String,
    /// The exercise and the text, or what is wrong with the file.
    pub read: Result<(Exercise, String), String>,
}

impl Attempt {
    /// The verdict; a file that cannot be judged has not passed.
    pub fn judge(&self) -> Verdict {
        match &self.read {
            Ok((exercise, text)) => exercise.check(text),
            Err(text) => Verdict { text: text.clone(), ..Verdict::default() },
        }
    }
}

/// The exercises, read once for all files.
#[derive(Clone, Copy)]
struct Known<'a> {
    course: &'a Course,
    exercises: &'a [Exercise],
}

/// All attempts in these files and folders, in this order; in a folder, by their names.
pub fn collect(
    paths: &[PathBuf],
    exercise: &str,
    course: &Course,
    interrupt: &Interrupt,
) -> Result<Vec<Attempt>, Box<dyn Error>> {
    let exercises: Vec<Exercise> = course.exercises().collect();
    let known = Known { course, exercises: &exercises };
    let mut attempts = Vec::new();
    for path in paths {
        if !path.is_dir() {
            if path != Path::new("-") {
                fs::metadata(path).map_err(|error| FileError::Read { path: path.clone(), error })?;
            }
            attempts.extend(of_file(path, exercise, known));
            continue;
        }
        let before = attempts.len();
        for file in files(path, 0)? {
            interrupt.check()?;
            attempts.extend(of_file(&file, exercise, known));
        }
        if attempts.len() == before {
            return Err(format!("{}: there is nothing in this folder to judge", shown(path)).into());
        }
    }
    Ok(attempts)
}

/// The files of a folder and of those in it, without hidden ones. Links to folders are not followed.
fn files(folder: &Path, depth: usize) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: cannot read this folder: {error}", shown(folder));
    let entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        match path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            true if depth == DEEPEST => {
                return Err(format!("{}: too many folders in folders", shown(folder)));
            }
            true => files.extend(self::files(&path, depth + 1)?),
            false => files.push(path),
        }
    }
    Ok(files)
}

/// The attempts in a file. One that cannot be read is an attempt that fails, so that the others are judged.
fn of_file(path: &Path, exercise: &str, known: Known) -> Vec<Attempt> {
    let attempt = |id: &str, read| {
        vec![Attempt { file: shown(path), student: Student::default(), id: id.to_owned(), read }]
    };
    let named = if exercise == ALL { "" } else { exercise };
    let text = match text(path) {
        Ok(text) => text,
        Err(error) => return attempt(named, Err(error)),
    };
    if Answers::is_likely(&text) {
        return match Answers::read(&text) {
            Ok(answers) => of_answers(&shown(path), answers, exercise, known),
            Err(error) => attempt(named, Err(format!("These are {error}."))),
        };
    }
    let is_asked =
        |known: &&Exercise| if exercise == ALL { is_named(path, &known.id) } else { known.id == exercise };
    match known.exercises.iter().find(is_asked) {
        Some(found) => attempt(&found.id, Ok((found.clone(), text))),
        None => {
            let unknown = "The name of this file has no number of an exercise, as exercise-5.1.g1: rename it, or name \
                           the exercise instead of `all`.";
            attempt("", Err(unknown.to_owned()))
        }
    }
}

/// The text of a file; or what is wrong with it, as a sentence.
fn text(path: &Path) -> Result<String, String> {
    if path != Path::new("-") {
        let metadata = fs::metadata(path).map_err(|error| format!("This file cannot be read: {error}."))?;
        if !metadata.is_file() {
            return Err("This is not a file.".to_owned());
        }
        if metadata.len() > LARGEST {
            return Err(format!("This file has {} bytes: nobody has typed it.", metadata.len()));
        }
    }
    // The message of the error begins with the path, which stands in a column of its own.
    let said = |error: String| error.split_once(": ").map_or(error.clone(), |(_, said)| said.to_owned());
    let text =
        read_text(path).map_err(|error| format!("This is no attempt: {}.", said(error.to_string())))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The attempts in a file of answers: at one exercise, or at all.
fn of_answers(file: &str, answers: Answers, exercise: &str, known: Known) -> Vec<Attempt> {
    let Answers { student, mut answers, .. } = answers;
    let mut attempts = Vec::new();
    let mut attempt = |id: &str, read| {
        attempts.push(Attempt { file: file.to_owned(), student: student.clone(), id: id.to_owned(), read });
    };
    for asked in known.exercises {
        if exercise == ALL || exercise == asked.id {
            let answer = answers.remove(&asked.id).filter(|answer| !answer.trim().is_empty());
            if answer.is_none() && exercise == ALL && known.course.is_optional(&asked.id) {
                continue;
            }
            attempt(
                &asked.id,
                answer.map(|text| (asked.clone(), text)).ok_or_else(|| "There is no answer.".to_owned()),
            );
        }
    }
    let unknown: BTreeMap<String, String> = if exercise == ALL { answers } else { BTreeMap::new() };
    for id in unknown.keys() {
        attempt(id, Err("There is no such exercise here; its lesson can be given with --lesson.".to_owned()));
    }
    attempts
}

/// Whether the name of a file has the number of an exercise in it: `exercise-5.1.g1`, `5.1 Ada.txt`, `level-3.ron`.
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
    fn the_number_of_an_exercise_is_found_in_a_name() {
        for (name, is) in [
            ("exercise-5.1.g1", true),
            ("5.1.txt", true),
            ("Ada 5.1 (2).g1", true),
            ("a/5.1/x.g1", false),
            ("5.11.g1", false),
            ("15.1.g1", false),
            ("51.g1", false),
        ] {
            assert_eq!(is_named(Path::new(name), "5.1"), is, "{name}");
        }
        for (name, is) in
            [("level-3.ron", true), ("Ada Level-3 (2).ron", true), ("level-31.ron", false), ("3.ron", false)]
        {
            assert_eq!(is_named(Path::new(name), "level-3"), is, "{name}");
        }
    }
}
