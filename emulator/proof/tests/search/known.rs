//! Known shortest sequences are found, and no shorter ones.

use gray1_proof::search::{Constants, Goal, Search, Sequence};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

fn of_length(goal: &Goal, words: usize, constants: Constants) -> BTreeSet<Sequence> {
    let stop = AtomicBool::new(false);
    let search = Search::new(goal, 2, constants);
    let mut sequences = BTreeSet::new();
    for found in search.jobs(words).iter().map(|job| search.work(job, &stop)) {
        assert!(!found.is_undecided);
        sequences.extend(found.sequences);
    }
    sequences
}

/// Returns the shortest sequences with likely constants.
fn shortest(goal: &Goal) -> (usize, BTreeSet<Sequence>) {
    let lengths = (0..=7).map(|words| (words, of_length(goal, words, Constants::Few)));
    let mut found = lengths.filter(|(_, sequences)| !sequences.is_empty());
    found.next().expect("there is one")
}

#[test]
fn known_sequences_are_found() {
    for (goal, words, code) in [
        ("a = a & x", 4, "nor #0; sta t; nor x; nor t"),
        ("a = a & 15", 2, "nor #0; nor #240"),
        ("a = a & 0", 1, "lda #0"),
        ("a = a & $FF", 0, ""),
        ("a = a ^ $80", 1, "add #128"),
        ("a = a ^ $7F", 2, "add #128; nor #0"),
        ("a = a ^ $FF", 1, "nor #0"),
        ("a = abs(a)", 5, "add #127; jc l1; add #129; jc end; l1: nor #128"),
        ("a = max(a, x)", 6, "sta t; nor #0; add x; lda x; jc end; lda t"),
        ("a = asr(a)", 4, "add #128; sta t; shr t; add #192"),
        ("x = x - y", 5, "lda x; nor #0; add y; nor #0; sta x"),
        ("jump if a == 0", 1, "jz target"),
        ("jump if a != 0", 2, "jz end; jmp target"),
        ("jump if a < 5", 3, "add #251; jc end; jmp target"),
        ("jump if a < 1", 1, "jz target"),
        ("jump if a & 4 != 0", 2, "nor #251; jz target"),
        ("jump if a & x != 0", 5, "sta t; nor x; add t; add x; jc target"),
        ("jump if a <= x", 5, "nor #0; add x; jc target; nor #0; jz target"),
        ("jump if x | y == 0", 4, "lda x; add y; jc end; jz target"),
        ("jump if c", 1, "jc target"),
        // True in one of 256 states, and false in one.
        ("jump if a == x", 4, "nor #0; add x; add #1; jz target"),
        ("jump if a != x", 5, "add #255; nor #0; add x; add #255; jc target"),
    ] {
        let parsed = Goal::parse(goal, None).expect(goal);
        let (found, sequences) = shortest(&parsed);
        assert_eq!(found, words, "{goal}: {sequences:#?}");
        // No shorter sequence exists, for any constants; checked where this takes little time.
        for words in 0..words.min(4) {
            assert_eq!(of_length(&parsed, words, Constants::All), BTreeSet::new(), "{goal}");
        }
        let expected: Vec<&str> = code.split("; ").filter(|line| !line.is_empty()).collect();
        let is_there = sequences.iter().any(|sequence| sequence.code() == expected);
        assert!(is_there, "{goal}: {sequences:#?}");
    }
}

#[test]
fn an_exclusive_or_takes_seven_words() {
    let (words, sequences) = shortest(&Goal::parse("a = a ^ x", None).expect("a goal"));
    assert_eq!(words, 7);
    let code = ["sta t", "nor #0", "nor x", "sta u", "nor x", "nor t", "add u"];
    assert!(sequences.iter().any(|sequence| sequence.code() == code), "{sequences:#?}");
}
