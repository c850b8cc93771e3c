//! The page that describes the files of the pack.

use crate::kit::assembly::{Assembly, Item};
use crate::kit::fpga::FpgaError;
use crate::kit::manifest::{ManifestEntry, groups};
use crate::kit::sockets::{ADDRESS_LINES, PART, PROGRAMMER_PART, SIZE};
use crate::kit::template::filled;
use gray1_machine::names::runs;
use gray1_text::grouped;

/// The guide.
const GUIDE: &str = "- `guide/index.html`: how to bring the machine up, chip by chip, for a browser: parts, places, what to see on which pin,\n  \
    and what faults show, with ticks\n";
/// The files of the core.
const CORE: &str = "- `fpga/`: the machine as a core for FPGAs, each chip its function and a register, with a top for the iCE40-HX8K\n  \
    breakout board: `make` makes the bitstream, `make cells` compares every cell with the images\n\n";

/// The section about the program, if the board has program chips.
const BLANK: &str = "The program is in the sockets that hold ProgramLow and ProgramHigh. Made without `--program`, they hold a blank
one: every word is a jump to itself, and the machine stays at 0 after a reset.\n\n";

/// The page.
pub fn text(
    board: &str,
    burned: &[ManifestEntry],
    assembly: &Assembly,
    no_core: Option<&FpgaError>,
) -> String {
    let core = no_core.map_or_else(|| CORE.to_owned(), |error| format!("- no core for FPGAs: {error}\n\n"));
    let has_program = burned.iter().any(|burned| burned.socket.is_program);
    filled(
        include_str!("readme.md"),
        &[
            ("board", board),
            ("sockets", &burned.len().to_string()),
            ("images", &groups(burned).len().to_string()),
            ("part", PART),
            ("size", &grouped(SIZE as u64)),
            ("guide", if assembly.hardware.bring_up.is_empty() { "" } else { GUIDE }),
            ("core", &core),
            ("programmer", PROGRAMMER_PART),
            ("blank", if has_program { BLANK } else { "" }),
            ("boards", &boards(assembly)),
            ("cables", &cables(assembly)),
            ("highest", &(ADDRESS_LINES - 1).to_string()),
            ("rows", &rows(burned)),
        ],
    )
}

/// The table of the boards, with the components on each.
fn boards(assembly: &Assembly) -> String {
    let row = |(number, board): (usize, &String)| {
        let here = assembly.items.iter().filter(|item| item.board == Some(number));
        let mut references: Vec<String> = here.map(|item| item.reference.clone()).collect();
        // By letters, then by number.
        references.sort_by_cached_key(|name| {
            let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
            (letters.to_owned(), name.len(), name.clone())
        });
        format!("| {board} | {} |\n", runs(&references).join(" "))
    };
    assembly.boards.iter().enumerate().map(row).collect()
}

/// The list of the cables between boards.
fn cables(assembly: &Assembly) -> String {
    let line = |[cable, one, other]: [&Item; 3]| {
        let [cable, one, other] = [cable, one, other].map(|item| item.reference.as_str());
        format!("- Cable {cable} joins {one} and {other}, pin by pin.\n")
    };
    assembly.cables().map(line).collect()
}

/// The table of the sockets.
fn rows(burned: &[ManifestEntry]) -> String {
    let row =
        |ManifestEntry { name, holds, address, data, crc32, sum16, group, socket, .. }: &ManifestEntry<
            '_,
        >| {
            let (address, data, low) = (address.len(), data.len(), socket.tied_low());
            format!("| {name} | {holds} | {address} | {low} | {data} | {group} | {sum16} | {crc32} |\n")
        };
    burned.iter().map(row).collect()
}
