//! The longest paths that the analysis finds, compared with those worked out by hand from the wiring.

use crate::timing::support::{NANOFARAD, paths};
use gray1_machine::board::Board;
use gray1_timed::{Path, Paths, Requirement};

const GRAY1: &str = include_str!("../../../machine/src/board/gray1.ron");

fn named(paths: &Paths, path: &Path) -> String {
    path.nets.iter().map(|&net| &*paths.netlist().nets[net].name).collect::<Vec<_>>().join(" ")
}

fn hardest(paths: &Paths, phase: usize, capacitor: u64) -> Requirement {
    paths.hardest(capacitor).into_iter().find(|found| found.from == phase).unwrap()
}

/// A jump with a wrong parity makes the counter step when LOAD falls; the step goes through the upper half, the new
/// word selects another input byte, whose lowest bit is shifted into the carry.
#[test]
fn the_longest_way_is_the_one_found_by_hand() {
    let paths = paths();
    let requirement = hardest(paths, 0, 0);
    assert_eq!(named(paths, &requirement.longest), "OSC PH2 LOAD TICKH PC6 W0 ROWSEL P0 I0 D0 X0 C4 NC MC");
    assert_eq!(requirement.longest.time, 13 * 150_000);
    assert_eq!(
        (requirement.to, requirement.edges, named(paths, &requirement.shortest)),
        (2, 2, "OSC PH1".to_owned())
    );
    assert_eq!(requirement.half_period(), (13 * 150_000 - 60_000) / 2);
    assert_eq!(paths.half_period(0), requirement.half_period());
    // 1 nF at 100 ohms takes 69.3 ns; PH2, LOAD, TICKH, PC6 and MC are outputs of chips with storage loops.
    let requirement = hardest(paths, 0, NANOFARAD);
    assert_eq!(requirement.longest.time, 13 * 150_000 + 5 * 69_314);
    assert_eq!(requirement.shortest.time, 60_000 + 69_314);
}

/// Without wrong parities the counter does not change when LOAD falls; the longest path begins one phase before, and
/// has three phases of time.
#[test]
fn right_jumps_leave_more_time() {
    let right = Paths::find(&Board::gray1(), true).unwrap();
    assert_eq!(right.half_period(0), (13 * 150_000 - 60_000) / 3);
    assert!(right.half_period(NANOFARAD) < paths().half_period(NANOFARAD));
}

#[test]
fn a_slow_chip_is_found_on_the_longest_way_and_a_fast_one_leaves_it() {
    let slow = "\"27C010\":    (access: (60, 400)";
    let source = GRAY1.replace("\"27C010\":    (access: (60, 150)", slow);
    assert!(source.contains(slow));
    let slowed = Paths::find(&Board::parse(&source, "b.ron").unwrap(), false).unwrap();
    // PMUX, KMUX, DMUX and XMUX are such parts, and so is T, where the longest path now ends.
    assert_eq!(slowed.half_period(0), paths().half_period(0) + 5 * 250_000 / 2);
    assert!(named(&slowed, &hardest(&slowed, 0, 0).longest).contains(" D0 X0 C4 R"));

    let fast = GRAY1.replace("name: \"PCH\",   part: \"27C128\"", "name: \"PCH\",   part: \"27C256-45\"");
    let faster = Paths::find(&Board::parse(&fast, "b.ron").unwrap(), false).unwrap();
    assert_eq!(faster.half_period(0), paths().half_period(0) - (150_000 - 45_000) / 2);
}

#[test]
fn replacements_say_what_a_board_with_them_would_do() {
    let replacements = paths().replacements(NANOFARAD);
    assert!(replacements.len() >= 4, "{replacements:?}");
    assert!(replacements.is_sorted_by(|one, next| one.half_period > next.half_period));
    let mut source = GRAY1.to_owned();
    for replacement in &replacements[..3] {
        let place = source.find(&format!("name: \"{}\"", replacement.chip)).unwrap();
        let part = place + source[place..].find("part: \"").unwrap() + "part: \"".len();
        let end = part + source[part..].find('"').unwrap();
        source.replace_range(part..end, &replacement.part);
        let board = Board::parse(&source, "b.ron").unwrap();
        assert_eq!(Paths::find(&board, false).unwrap().half_period(NANOFARAD), replacement.half_period);
    }
}

#[test]
fn a_board_without_timing_says_which_part_lacks_it() {
    let start = GRAY1.find("    timing: {").unwrap();
    let end = start + GRAY1[start..].find("    },\n").unwrap() + "    },\n".len();
    let source = format!("{}{}", &GRAY1[..start], &GRAY1[end..]);
    let board = Board::parse(&source, "b.ron").unwrap();
    let error = Paths::find(&board, false).err().unwrap().to_string();
    assert!(error.contains("no timing data for its part 27C64"), "{error}");
}
