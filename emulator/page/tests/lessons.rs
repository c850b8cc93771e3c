//! The lessons: every exercise is passed by the answer that teachers find in `answers.md`, and by nothing that is
//! wrong; what is wrong is told in words that help.

use gray1_page::lessons::{self, Part};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The answers for teachers, by the number of the exercise.
fn answers() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lessons/answers.md");
    let text = fs::read_to_string(path).expect("there are answers");
    let mut answers = BTreeMap::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.to_owned(), String::new())),
            (Some(_), Some(_)) => {
                let (info, text) = open.take().expect("a block is open");
                if let Some((_, id)) = info.split_once(' ') {
                    assert!(answers.insert(id.to_owned(), text).is_none(), "two answers to {id}");
                }
            }
            (Some((_, text)), None) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    answers
}

fn exercises() -> Vec<lessons::Exercise> {
    let parts = lessons::all().into_iter().flat_map(|lesson| match lesson {
        Ok(lesson) => lesson.parts,
        Err(fault) => panic!("{fault}"),
    });
    let exercises = parts.filter_map(|part| match part {
        Part::Exercise(exercise) => Some(*exercise),
        _ => None,
    });
    exercises.collect()
}

#[test]
fn every_exercise_is_passed_by_its_answer_and_not_by_what_it_begins_with() {
    let mut answers = answers();
    for exercise in exercises() {
        let id = &exercise.id;
        let answer = answers.remove(id).unwrap_or_else(|| panic!("answers.md has no answer to {id}"));
        let verdict = exercise.check(&answer);
        assert!(verdict.passed, "the answer to {id} fails: {}", verdict.text);
        let verdict = exercise.check(&exercise.start);
        assert!(!verdict.passed, "{id} is passed by what it begins with");
        println!("{id} at first: {}\n", verdict.text);
    }
    assert!(answers.is_empty(), "answers to no exercise: {answers:?}");
}
