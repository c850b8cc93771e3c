//! The section of the pack's page about the boards: the components on each, and the cables between them.

use crate::assembly::{Assembly, Item};
use std::fmt::Write;

/// The section.
pub fn section(assembly: &Assembly) -> String {
    let mut text = "## Putting it together\n\n\
        `bom.csv` is what to buy, with a second source for each part; order numbers are from memory, so compare them with the\n\
        data sheets. `wires.csv` is every pin: rows with the same net are joined, and pins without a net stay open. Nothing\n\
        but the netlist of the board file and its `hardware` went into them.\n\n\
        | board | components |\n\
        |---|---|\n"
        .to_owned();
    for (number, board) in assembly.boards.iter().enumerate() {
        let here = assembly.items.iter().filter(|item| item.board == Some(number));
        let references: Vec<&str> = here.map(|item| item.reference.as_str()).collect();
        let _ = writeln!(text, "| {board} | {} |", ranges(&references));
    }
    text.push('\n');
    for cable in assembly.items.windows(3) {
        if let [
            Item { reference: one, .. },
            Item { reference: other, .. },
            Item { reference, board: None, .. },
        ] = cable
        {
            let _ = writeln!(text, "- Cable {reference} joins {one} and {other}, pin by pin.");
        }
    }
    text + "- Sockets `XS…` and capacitors of 100 nF are numbered as the chips are listed. A net with `_PIN` behind its name is on\n  \
            the pin of a chip with a storage loop; behind a resistor it is the net itself, with a capacitor to ground.\n\
            - A pad joins VCC through two diodes to the lines of its column and of its row.\n\
            - The write pin of the RAM chip is on the line that is always the opposite of the one in the netlist.\n\n"
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
