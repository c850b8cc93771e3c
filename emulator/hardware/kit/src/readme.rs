//! The page that describes the files: which chip goes where, how it is burned and checked, and what is not known.

use crate::assembly::Assembly;
use crate::boards;
use crate::fpga::FpgaError;
use crate::manifest::{Burned, groups};
use crate::sockets::{ADDRESS_LINES, PART, PROGRAMMER_PART, SIZE};
use gray1_text::grouped;
use std::fmt::Write;

/// The files about parts and wires.
const TABLES: &str = "- `bom.csv`: what to buy: reference, value, part, package, quantity, note\n\
    - `wires.csv`: what to join: net, chip, pin number, pin name\n";
/// The files about the self-test.
const TEST: &str = "- `selftest/`: a program that tests the machine, what it sends, and which fault sends what; `gray1 faults --diagnose`\n";
/// The boards.
const KICAD: &str =
    "- `kicad/`: schematics and printed boards, as KiCad projects; `README.md` there says more\n";
/// The guide.
const GUIDE: &str = "- `bring-up.md`: how to bring the machine up, chip by chip: what to see on which pin, and what faults show\n";
/// The files about the core.
const CORE: &str = "- `fpga/`: the machine as a core for FPGAs, each chip its function and a register, with a top for the iCE40-HX8K\n  \
    breakout board: `make` makes the bitstream, `make cells` compares every cell with the images\n\n";

/// The page.
pub fn text(board: &str, burned: &[Burned], assemblies: &[Assembly], no_core: Option<&FpgaError>) -> String {
    let (sockets, images) = (burned.len(), groups(burned).len());
    let size = grouped(SIZE as u64);
    let mut tables = if assemblies.is_empty() { "" } else { TABLES }.to_owned();
    for number in 2..=assemblies.len() {
        let _ = writeln!(
            tables,
            "- `ram-{number}/`: the same with another part for RAM, and the image of a ROM beside it if it needs one"
        );
    }
    if assemblies.first().is_some_and(|assembly| !assembly.hardware.bring_up.is_empty()) {
        tables += GUIDE;
    }
    if !assemblies.is_empty() {
        tables += TEST;
        tables += KICAD;
    }
    let mut text = format!(
        "# {board}\n\n\
         **This machine has been simulated. Nobody has built it from these files or powered anything up.** The images are\n\
         the very tables that the emulator runs on.\n\n\
         {sockets} ROM sockets, {images} different images. Every socket takes the same part, {PART} (flash, DIP-32,\n\
         {size} bytes). RAM chips are not burned.\n\n\
         - `burn/SOCKET.bin`, `burn/SOCKET.hex`: the image, as bytes and as Intel HEX\n\
         - `burn/manifest.json`: size, CRC-32, SHA-256 and 16-bit sum of each image\n\
         - `burn/labels.svg`: labels for the chips; print them at 100 %\n\
         - `burn/burn.sh`: burns one chip after the other\n\
         {tables}\
         - `verilog/`: the machine, chip by chip, for a simulator: in that folder,\n  \
         `iverilog -g2012 testbench.v gray1.v && vvp a.out +cycles=100` prints what `gray1 run --trace` does\n"
    );
    text += &match no_core {
        None => CORE.to_owned(),
        Some(error) => format!("- no core for FPGAs: {error}\n\n"),
    };
    let _ = write!(
        text,
        "## Burning\n\n\
         With a programmer that `minipro` knows, `sh burn/burn.sh` asks for one chip after the other. By hand, it is\n\n\
         \x20   minipro -p {PROGRAMMER_PART} -w burn/SEQ.bin\n\n\
         Programmers show a 16-bit sum. It is 0000 for many of these images, regular as they are, and proves little. To check\n\
         a chip, read it back and compare:\n\n\
         \x20   minipro -p {PROGRAMMER_PART} -r dump.bin\n\
         \x20   gray1 build --compare SEQ dump.bin\n\n\
         which says which cells differ, and names the fault if there is one that explains them all, such as two address\n\
         lines swapped. Add the `--program` and the `--board` that the images were made with.\n\n"
    );
    if burned.iter().any(|burned| burned.socket.is_program) {
        text += "The program is in the sockets that hold ProgramLow and ProgramHigh. Made without `--program`, they hold a blank\n\
                 one: every word is a jump to itself, and the machine stays at 0 after a reset.\n\n";
    }
    text += &assemblies.first().map_or_else(String::new, boards::section);
    let _ = write!(
        text,
        "## Sockets\n\n\
         The lines of a socket go to A0, A1, … and D0, D1, … of the chip, lowest first; `burn/manifest.json` lists their nets.\n\
         Address pins from there to A{} are tied low, and the image repeats the table until the chip is full. Data pins\n\
         that are not used stay open. CE# and OE# are tied low, WE# high: nothing is written in the machine.\n\
         `gray1 chips SOCKET` explains what a chip does. Sockets of the same group take the same image.\n\n\
         | socket | holds | address lines | tied low | data lines | group | sum | CRC-32 |\n\
         |---|---|---|---|---|---|---|---|\n",
        ADDRESS_LINES - 1
    );
    for Burned { socket, crc32, sum16, group, .. } in burned {
        let (address, data, low) = (socket.address.len(), socket.data.len(), socket.tied_low());
        let _ = writeln!(
            text,
            "| {} | {} | {address} | {low} | {data} | {group} | {sum16} | {crc32} |",
            socket.name, socket.holds
        );
    }
    text
}
