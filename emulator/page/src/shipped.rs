//! The programs that come with the page.

use crate::protocol::Shipped;
use gray1_assembler::head_comment;

/// The programs in a good order for reading, each with a speed at which there is something to see; 0 is as fast as it goes.
const PROGRAMS: [(&str, &str, u64); 26] = [
    ("first.g1", include_str!("../../../programs/first.g1"), 8_000),
    ("counter.g1", include_str!("../../../programs/counter.g1"), 8_000),
    ("primes.g1", include_str!("../../../programs/primes.g1"), 0),
    ("fibonacci.g1", include_str!("../../../programs/fibonacci.g1"), 0),
    ("sort.g1", include_str!("../../../programs/sort.g1"), 8_000),
    ("ant.g1", include_str!("../../../programs/ant.g1"), 800),
    ("muldiv.g1", include_str!("../../../programs/muldiv.g1"), 0),
    ("queens.g1", include_str!("../../../programs/queens.g1"), 8_000),
    ("queens-bits.g1", include_str!("../../../programs/queens-bits.g1"), 8_000),
    ("queens-array.g1", include_str!("../../../programs/queens-array.g1"), 8_000),
    ("queens-permute.g1", include_str!("../../../programs/queens-permute.g1"), 8_000),
    ("queens-masks.g1", include_str!("../../../programs/queens-masks.g1"), 8_000),
    ("queens-brute.g1", include_str!("../../../programs/queens-brute.g1"), 8_000),
    ("nqueens.g1", include_str!("../../../programs/nqueens.g1"), 0),
    ("rings.g1", include_str!("../../../programs/rings.g1"), 8_000),
    ("scroll.g1", include_str!("../../../programs/scroll.g1"), 8_000),
    ("sudoku.g1", include_str!("../../../programs/sudoku.g1"), 0),
    ("calculator.g1", include_str!("../../../programs/calculator.g1"), 20_000),
    ("brainf.g1", include_str!("../../../programs/brainf.g1"), 8_000),
    ("life.g1", include_str!("../../../programs/life.g1"), 8_000),
    ("draw.g1", include_str!("../../../programs/draw.g1"), 8_000),
    ("snake.g1", include_str!("../../../programs/snake.g1"), 8_000),
    ("lights.g1", include_str!("../../../programs/lights.g1"), 8_000),
    ("simon.g1", include_str!("../../../programs/simon.g1"), 8_000),
    ("selftest.g1", include_str!("../../../programs/selftest.g1"), 8_000),
    ("board.g1", include_str!("../../../programs/board.g1"), 8_000),
];

/// All programs.
pub fn programs() -> Vec<Shipped> {
    let shipped = |(name, text, hz): (&'static str, &'static str, u64)| {
        let about = head_comment(text);
        let title = about.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let title = title.split_once(". ").map_or(title.as_str(), |(first, _)| first);
        Shipped { name, title: title.trim_end_matches('.').to_owned(), about, hz }
    };
    PROGRAMS.into_iter().map(shipped).collect()
}

/// The names and texts of all programs.
pub fn texts<'a>() -> impl Iterator<Item = (&'a str, &'a str)> {
    PROGRAMS.into_iter().map(|(name, text, _)| (name, text))
}

/// The text of a program.
pub fn text(name: &str) -> Result<&'static str, String> {
    let program = texts().find(|(known, _)| *known == name);
    program.map(|(_, text)| text).ok_or_else(|| format!("no program {name} is shipped"))
}
