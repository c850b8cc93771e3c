//! Exercises with numbers that differ, and lessons that are added.

use gray1_lessons::{Answers, Course, Lesson, Student};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const LESSON: &str = "# Times\n\n## Times k\n\n```exercise 9.1 program\nvary k from 2 to 9 by name\nvary n from 100 to 199 by \
                      seed 2027\n\nalways: sends {n} {n + k}\n```\n\n```g1 start\n; k is {k}\nhalt: jmp  halt\n```\n";

fn course() -> Course {
    let mut course = Course::shipped();
    course.add("times.md", LESSON).expect("it is a lesson");
    course
}

fn of(name: &str) -> Student {
    Student { name: name.to_owned(), class: "7b".to_owned() }
}

/// The two numbers that are to be sent.
fn numbers(name: &str) -> (u32, u32) {
    let exercise = course().exercise("9.1", &of(name)).expect("it was added");
    let sent =
        exercise.statement.trim().strip_prefix("always: sends ").expect("the lines that vary are not shown");
    let (n, sum) = sent.split_once(' ').expect("two numbers");
    (n.parse().expect("a number"), sum.parse().expect("a number"))
}

#[test]
fn a_lesson_gets_the_next_number_that_is_free() {
    let mut course = course();
    course.add("folder\\20-late.md", "# Late").expect("a lesson");
    course.add("8-again.md", "# Again").expect("a lesson");
    let all = course.shown(&of("Ada"));
    let own: Vec<(u32, &str)> = all[8..].iter().map(|lesson| (lesson.number, &*lesson.title)).collect();
    assert_eq!(own, [(9, "Times"), (20, "Late"), (21, "Again")]);
}

#[test]
fn each_name_has_numbers_of_its_own_and_capitals_do_not_matter() {
    assert_eq!(numbers("Ada Lovelace"), numbers("  ada   LOVELACE "));
    let names = ["Ada", "Bob", "Cem", "Dora", "Eve", "Finn", "Gina", "Hai", "Ida", "Jan", "Kim", "Lea"];
    let factors: BTreeSet<u32> = names.map(numbers).map(|(n, sum)| sum - n).into();
    assert!(factors.len() > 3 && factors.iter().all(|k| (2..=9).contains(k)), "{factors:?}");
    let seeded: BTreeSet<u32> = names.map(|name| numbers(name).0).into();
    assert_eq!(seeded.len(), 1, "the seed is the same for everybody");
    // Answers that were handed in depend on these numbers.
    assert_eq!((numbers("Ada"), numbers("")), ((120, 123), (120, 125)));
}

#[test]
fn an_answer_is_judged_by_the_numbers_of_its_student() {
    let answer = |name| {
        let (n, sum) = numbers(name);
        format!("      lda  #{n}\n      sta  OUT\n      lda  #{sum}\n      sta  OUT\nhalt: jmp  halt\n")
    };
    let judged = |whose, name| course().judge("9.1", &answer(whose), &of(name)).expect("the exercise exists");
    assert!(judged("Ada", "Ada").passed);
    let other =
        ["Bob", "Cem", "Dora"].into_iter().find(|name| numbers(name) != numbers("Ada")).expect("another");
    assert!(!judged("Ada", other).passed);
    let verdict = judged("Ada", "Ada");
    assert_eq!((verdict.words, verdict.cycles), (Some(5), Some(5)));
    let exercise = course().exercise("9.1", &of("Ada")).expect("the exercise exists");
    assert_eq!(exercise.varies, ["name"]);
    assert!(exercise.start.starts_with("; k is ") && !exercise.start.contains('{'), "{}", exercise.start);
}

#[test]
fn an_attempt_that_nobody_has_typed_is_not_read() {
    let verdict = course().judge("5.1", &";".repeat(100_001), &of("")).expect("the exercise exists");
    assert_eq!(verdict.text, "This has 100,001 bytes, but at most 100000 are read.");
}

#[test]
fn what_is_no_file_of_answers_is_refused() {
    for (text, expected) in [
        ("{", "not answers that the page has saved: EOF"),
        ("[]", "not answers that the page has saved"),
        ("{\"gray1\":\"state\",\"answers\":{}}", "`gray1` is \"state\", expected \"answers\""),
        ("{\"gray1\":\"answers\",\"answers\":{\"1.1\":5}}", "invalid type: integer `5`, expected a string"),
    ] {
        let error = Answers::read(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let unnamed =
        Answers::read("\u{feff} {\"gray1\":\"answers\",\"answers\":{}}").expect("a name may be left out");
    assert_eq!(unnamed.student, Student::default());
}

proptest! {
    #[test]
    fn answers_that_are_saved_are_read_again(name: String, class: String, answers: BTreeMap<String, String>) {
        let answers = Answers::new(Student { name, class }, answers);
        prop_assert!(Answers::is_likely(&answers.text()));
        prop_assert_eq!(Answers::read(&answers.text()).expect("it was saved"), answers);
    }

    #[test]
    fn every_name_has_a_lesson_without_a_fault(name: String) {
        let lesson = Lesson::read("times.md", 9, LESSON, &Student { name, class: String::new() });
        prop_assert!(lesson.is_ok());
    }
}
