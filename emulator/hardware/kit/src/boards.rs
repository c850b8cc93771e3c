//! The section of the pack's page about the boards: the components on each, and the cables between them.

use crate::assembly::Assembly;
use crate::template::filled;
use std::fmt::Write;

/// The section.
pub fn section(assembly: &Assembly) -> String {
    let (mut boards, mut cables) = (String::new(), String::new());
    for (number, board) in assembly.boards.iter().enumerate() {
        let here = assembly.items.iter().filter(|item| item.board == Some(number));
        let references: Vec<&str> = here.map(|item| item.reference.as_str()).collect();
        let _ = writeln!(boards, "| {board} | {} |", ranges(&references));
    }
    for cable in assembly.items.windows(3).filter(|items| items[2].board.is_none()) {
        let [one, other, cable] = [0, 1, 2].map(|item| &cable[item].reference);
        let _ = writeln!(cables, "- Cable {cable} joins {one} and {other}, pin by pin.");
    }
    filled(include_str!("boards.md"), &[("boards", &boards), ("cables", &cables)])
}

/// References as a list in which neighbours are ranges: `C1-C15`.
fn ranges(references: &[&str]) -> String {
    let split = |reference: &str| {
        let letters = reference.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (reference[..letters].to_owned(), reference[letters..].parse::<usize>().ok())
    };
    let mut sorted: Vec<(String, Option<usize>)> =
        references.iter().map(|reference| split(reference)).collect();
    sorted.sort();
    let mut words: Vec<String> = Vec::new();
    let mut from = 0;
    for at in 1..=sorted.len() {
        let follows = sorted.get(at).is_some_and(|(letters, number)| {
            let (before, last) = &sorted[at - 1];
            letters == before && number.is_some() && *number == last.map(|last| last + 1)
        });
        if !follows {
            let name = |(letters, number): &(String, Option<usize>)| match number {
                Some(number) => format!("{letters}{number}"),
                None => letters.clone(),
            };
            let (first, last) = (name(&sorted[from]), name(&sorted[at - 1]));
            words.push(if from == at - 1 { first } else { format!("{first}-{last}") });
            from = at;
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_told_as_ranges() {
        assert_eq!(ranges(&["C1", "A", "C2", "C10", "C3", "D5", "C5"]), "A C1-C3 C5 C10 D5");
    }
}
