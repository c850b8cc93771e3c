//! The page that describes the files: which chip goes where, how it is burned and checked, and what is not known.

use crate::assembly::Assembly;
use crate::boards;
use crate::fpga::FpgaError;
use crate::manifest::{Burned, groups};
use crate::sockets::{ADDRESS_LINES, PART, PROGRAMMER_PART, SIZE};
use crate::template::filled;
use gray1_text::grouped;

/// The files about parts and wires.
const TABLES: &str = "- `bom.csv`: what to buy: reference, value, part, package, quantity, note\n\
    - `wires.csv`: what to join: net, chip, pin number, pin name\n";
/// The files about the self-test.
const TEST: &str = "- `selftest/`: a program that tests the machine, what it sends, and which fault sends what; `gray1 faults --diagnose`\n";
/// The boards.
const KICAD: &str =
    "- `kicad/`: schematics and printed boards, as KiCad projects; `README.md` there says more\n";
/// The guide.
const GUIDE: &str = "- `bring-up.md`: how to bring the machine up, chip by chip: what to see on which pin, and what faults show\n\
    - `guide/index.html`: the same at the workbench, for a browser: parts, places, nets, measurements, with ticks\n";
/// The files about the core.
const CORE: &str = "- `fpga/`: the machine as a core for FPGAs, each chip its function and a register, with a top for the iCE40-HX8K\n  \
    breakout board and a smaller one for the iCEBreaker: `make` and `make icebreaker.bin` make the bitstreams, `make cells` compares\n  \
    every cell with the images\n\n";

/// What is said if there may be no program.
const BLANK: &str = "The program is in the sockets that hold ProgramLow and ProgramHigh. Made without `--program`, they hold a blank
one: every word is a jump to itself, and the machine stays at 0 after a reset.\n\n";

/// The page.
pub fn text(
    board: &str,
    burned: &[Burned],
    assembly: Option<&Assembly>,
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
            ("tables", &tables(assembly)),
            ("core", &core),
            ("programmer", PROGRAMMER_PART),
            ("blank", if has_program { BLANK } else { "" }),
            ("assembly", &assembly.map_or_else(String::new, boards::section)),
            ("highest", &(ADDRESS_LINES - 1).to_string()),
            ("rows", &rows(burned)),
        ],
    )
}

/// The files that there are if the board can be assembled.
fn tables(assembly: Option<&Assembly>) -> String {
    let Some(assembly) = assembly else { return String::new() };
    TABLES.to_owned() + if assembly.hardware.bring_up.is_empty() { "" } else { GUIDE } + TEST + KICAD
}

/// The table of the sockets.
fn rows(burned: &[Burned]) -> String {
    let row = |Burned { socket, crc32, sum16, group, .. }: &Burned<'_>| {
        let (name, holds, low) = (&socket.name, &socket.holds, socket.tied_low());
        let (address, data) = (socket.address.len(), socket.data.len());
        format!("| {name} | {holds} | {address} | {low} | {data} | {group} | {sum16} | {crc32} |\n")
    };
    burned.iter().map(row).collect()
}
