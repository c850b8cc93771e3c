//! Tests of the lessons.
//!
//! ```text
//!   attempts   the verdicts on wrong attempts
//!   authors    errors in the source of a lesson
//!   answers    files of answers
//!   levels     the verdicts on boards; cells: mutants of right boards; naive: a second judge
//! ```
//!
//! This file checks that every exercise accepts the answer in `answers.md` and rejects the initial text.

mod answers;
mod attempts;
mod authors;
mod cells;
mod levels;
mod naive;

use gray1_assembler::format;
use gray1_lessons::{Course, Exercise, Lesson, LessonPart};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Reads the answers for teachers, by the number of the exercise.
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

fn lessons() -> Vec<Lesson> {
    let lessons = Course::shipped().lessons().collect::<Result<_, _>>();
    lessons.unwrap_or_else(|fault| panic!("{fault}"))
}

fn exercises() -> Vec<Exercise> {
    lessons().iter().flat_map(|lesson| lesson.exercises().cloned().collect::<Vec<_>>()).collect()
}

#[test]
fn every_exercise_accepts_its_answer_and_rejects_its_initial_text() {
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

#[test]
fn there_are_nine_lessons_with_two_exercises_each() {
    let lessons = lessons();
    let numbers: Vec<u32> = lessons.iter().map(|lesson| lesson.number).collect();
    assert_eq!(numbers, (1..=lessons.len() as u32).collect::<Vec<_>>());
    assert!(lessons.len() >= 8);
    for lesson in &lessons {
        let exercises = lesson.exercises().map(|exercise| &*exercise.id);
        let expected = [1, 2].map(|number| format!("{}.{number}", lesson.number));
        assert!(exercises.eq(expected.iter()), "{}", lesson.title);
    }
}

#[test]
fn program_names_are_unique() {
    let mut names = BTreeMap::new();
    for Lesson { number, parts, .. } in lessons() {
        for part in parts {
            let LessonPart::Program { name, source } = part else { continue };
            if let Some(other) = names.insert(name.clone(), number) {
                panic!("{name} is in lessons {other} and {number}: {source}");
            }
        }
    }
    assert!(names.len() > 5, "{names:?}");
}

#[test]
fn initial_programs_have_the_standard_layout() {
    let answers = answers();
    for exercise in exercises().iter().filter(|exercise| exercise.kind == "program") {
        for source in [&exercise.start, &answers[&exercise.id]] {
            assert_eq!(
                &format("x.g1", source.as_bytes()).expect("it is a program"),
                source,
                "{}",
                exercise.id
            );
        }
    }
}

/// Removes, inserts or replaces some characters of a text.
fn mutate(text: &str, mutations: &[(usize, u8, char)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for &(place, what, character) in mutations {
        let place = place % (characters.len() + 1);
        match what % 3 {
            0 if place < characters.len() => drop(characters.remove(place)),
            1 if place < characters.len() => characters[place] = character,
            _ => characters.insert(place, character),
        }
    }
    characters.into_iter().collect()
}
