//! The levels of the bench: right answers pass, in several variants, and wrong answers fail with an explanation.

use crate::mutate;
use gray1_lessons::{Course, Exercise, LEVELS};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::thread;

/// The minimum numbers of right and wrong answers to a level.
const MIN_RIGHT: usize = 2;
const MIN_WRONG: usize = 5;

/// An answer in the file of a level.
pub struct Answer {
    /// A part of the verdict's message; `None` for a right answer.
    pub wrong: Option<String>,
    pub board: String,
}

pub fn levels() -> Vec<Exercise> {
    let course = Course::with_levels();
    course.exercises().filter(|exercise| exercise.id.starts_with("level-")).collect()
}

/// Reads the answers to a level. Each has a header (`// right: …` or `// wrong: MESSAGE`), an optional list of buses,
/// and the chips, which replace the chips of the initial text.
pub fn answers(level: &Exercise, number: usize) -> Vec<Answer> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/levels/{number}.ron"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (before, rest) = level.start.split_once("    chips: [\n").expect("chips");
    let (_, after) = rest.split_once("\n    ],\n").expect("the end of the chips");
    let parts: Vec<&str> =
        text.split("// right: ").flat_map(|part| part.split("// wrong: ")).skip(1).collect();
    let heads =
        text.lines().filter_map(|line| line.strip_prefix("// ")).filter(|line| !line.starts_with("buses: "));
    let read = |(head, part): (&str, &str)| {
        let (kind, said) = head.split_once(": ").expect("a head");
        let buses = part.lines().find_map(|line| line.strip_prefix("// buses: "));
        let after = match (buses, after.split_once("    buses: {")) {
            (Some(buses), Some((start, end))) => {
                let (_, end) = end.split_once('}').expect("the end of the buses");
                format!("{start}    buses: {{{buses}}}{end}")
            }
            _ => after.to_owned(),
        };
        let chips: String = part.lines().skip(1).map(|line| format!("        {line}\n")).collect();
        Answer {
            wrong: (kind == "wrong").then(|| said.replace("\\n", "\n")),
            board: format!("{before}    chips: [\n{chips}    ],\n{after}"),
        }
    };
    assert_eq!(heads.clone().count(), parts.len());
    heads.zip(parts).map(read).collect()
}

#[test]
fn right_answers_pass_and_wrong_answers_are_explained() {
    let levels = levels();
    assert_eq!(levels.len(), LEVELS.len());
    let faults: Vec<String> = thread::scope(|scope| {
        let judges = (1..).zip(&levels).map(|(number, level)| scope.spawn(move || faults(number, level)));
        judges.collect::<Vec<_>>().into_iter().flat_map(|judge| judge.join().expect("a judge")).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lists the misjudged answers to a level.
fn faults(number: usize, level: &Exercise) -> Vec<String> {
    let mut faults = Vec::new();
    assert_eq!(level.id, format!("level-{number}"));
    let answers = answers(level, number);
    let wrong = answers.iter().filter(|answer| answer.wrong.is_some()).count();
    assert!(answers.len() - wrong >= MIN_RIGHT && wrong >= MIN_WRONG, "level {number} has too few answers");
    let mut is_best = false;
    for answer in &answers {
        let verdict = level.check(&answer.board);
        is_best |= verdict.text.contains("as few as are known to do it");
        let is_right = match &answer.wrong {
            None => verdict.passed && !verdict.text.contains("fewer than were known"),
            Some(message) => !verdict.passed && verdict.text.contains(message),
        };
        if !is_right {
            let expected = answer.wrong.as_deref().unwrap_or("right");
            faults.push(format!("{}: {}\n  expected: {expected}\n{}", level.id, verdict.text, answer.board));
        }
    }
    assert!(is_best || !faults.is_empty(), "no answer to {} is the best that is known", level.id);
    let verdict = level.check(&level.start);
    println!("{} at first: {}\n", level.id, verdict.text);
    if verdict.passed || verdict.text.starts_with("your board:") {
        faults.push(format!("{} at first: {}", level.id, verdict.text));
    }
    faults
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_attempt_is_judged(mutations in vec((any::<usize>(), any::<u8>(), any::<char>()), 0..4)) {
        for level in levels() {
            prop_assert!(!level.check(&mutate(&level.start, &mutations)).text.is_empty());
        }
    }

    #[test]
    fn any_contents_are_judged(cells in vec(any::<u8>(), 32)) {
        for (number, lines) in [(7, 3), (9, 4)] {
            let cells: Vec<String> = cells[..1 << lines].iter().map(|cell| (cell & 3).to_string()).collect();
            let level = &levels()[number - 1];
            let (before, _) = level.start.split_once("burn:").expect("a ROM");
            let (_, after) = level.start.split_once("\n    ],").expect("the end of the chips");
            let board = format!("{before}burn: Cells([{}])),\n    ],{after}", cells.join(", "));
            let verdict = level.check(&board);
            prop_assert!(!verdict.text.starts_with("your board:"), "{}", verdict.text);
        }
    }
}
