//! Numbers in the lessons that no command there prints.

use crate::document::open;
use gray1_machine::board::Board;
use gray1_timed::Paths;

/// The capacitors of the table, in picofarads.
const CAPACITORS: [u64; 5] = [0, 100, 330, 680, 1_000];

#[test]
fn documented_frequencies_match_the_board() {
    let paths = Paths::find(&Board::gray1(), false).expect("the board can be timed");
    let kilohertz = |capacitor| 1e9 / (2 * paths.half_period(capacitor)) as f64;
    let (mut head, mut row) = ("| capacitor |".to_owned(), "| highest frequency |".to_owned());
    for capacitor in CAPACITORS {
        let unit = if capacitor == 0 { "" } else { " pF" };
        head += &format!(" {capacitor}{unit} |");
        row += &format!(" {:.1} kHz |", kilohertz(capacitor));
    }
    let rule = "|---".repeat(CAPACITORS.len() + 1) + "|";
    let lesson = open("docs/lessons/7-the-hazard-and-the-capacitor.md");
    lesson.assert_section("highest frequencies", &format!("{head}\n{rule}\n{row}"));
}
