//! Files of answers, and added lessons.

use gray1_lessons::{Answers, Course, Student};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn a_lesson_gets_the_next_number_that_is_free() {
    let mut course = Course::shipped();
    for (path, text) in [("times.md", "# Times"), ("folder\\20-late.md", "# Late"), ("8-again.md", "# Again")]
    {
        course.add(path, text).expect("a lesson");
    }
    let own = course.lessons_or_reports().split_off(9);
    let own: Vec<(u32, &str)> = own.iter().map(|lesson| (lesson.number, &*lesson.title)).collect();
    assert_eq!(own, [(10, "Times"), (20, "Late"), (21, "Again")]);
}

#[test]
fn oversized_attempts_are_rejected() {
    let verdict = Course::shipped().judge("5.1", &";".repeat(100_001)).expect("the exercise exists");
    assert_eq!(verdict.text, "This has 100,001 bytes, but at most 100000 are read.");
}

#[test]
fn invalid_files_of_answers_are_rejected() {
    for (text, expected) in [
        ("{", "not a file of answers saved by the page: EOF"),
        ("[]", "not a file of answers saved by the page"),
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
    fn saved_answers_round_trip(name: String, class: String, answers: BTreeMap<String, String>) {
        let answers = Answers::new(Student { name, class }, answers);
        prop_assert!(Answers::is_likely(&answers.text()));
        prop_assert_eq!(Answers::read(&answers.text()).expect("it was saved"), answers);
    }
}
