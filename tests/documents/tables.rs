//! Tables of the documents that must agree with the code: instructions, chips, memory map, keys, warnings.

use crate::document::open;
use gray1_isa::memory_map::{BUILT_IN_NAMES, KEY_NAMES, KEYS, OUT, RAM_BYTES, WORKING_RAM_END};
use gray1_isa::{INSTRUCTIONS, Operand};
use gray1_machine::board::{Board, Chip};
use std::fmt::Write;
use std::process::Command;
use test_support::process::output;

#[test]
fn the_instruction_table_matches_the_code() {
    let mut table = String::from("| code | name | operand | effect | in words |\n|---|---|---|---|---|\n");
    for (code, row) in INSTRUCTIONS.iter().enumerate() {
        let operand = match row.operand {
            Operand::Value => "value",
            Operand::Address => "address",
            Operand::Target => "target",
        };
        let _ = writeln!(
            table,
            "| {code} `{code:03b}` | `{}` | {operand} | {} | {} |",
            row.mnemonic, row.effect, row.meaning
        );
    }
    open("docs/instruction-set.md").assert_section("instructions", &table);
}

/// Addresses and names are compared. The descriptions are written by hand.
#[test]
fn the_memory_map_matches_the_code() {
    let end = RAM_BYTES as u16;
    let mut starts: Vec<u16> = vec![0, OUT + 1, KEYS + 1, end];
    starts.extend(BUILT_IN_NAMES.map(|(_, address)| address));
    starts.sort_unstable();
    assert!(starts.contains(&WORKING_RAM_END), "the display begins where working RAM ends");
    let right: Vec<[String; 2]> = starts
        .windows(2)
        .map(|pair| {
            let (first, last) = (pair[0], pair[1] - 1);
            let range =
                if first == last { format!("{first:03X}") } else { format!("{first:03X}-{last:03X}") };
            let name = BUILT_IN_NAMES.iter().find(|(_, address)| *address == first);
            [format!("`{range}`"), name.map_or(String::new(), |(name, _)| format!("`{name}`"))]
        })
        .collect();
    let document = open("docs/instruction-set.md");
    let rows = document.table("memory map");
    let written: Vec<[String; 2]> = rows.iter().map(|row| [row[0], row[1]].map(str::to_owned)).collect();
    assert_eq!(written, right);
    let keys: Vec<String> =
        KEY_NAMES.iter().enumerate().map(|(bit, key)| format!("bit {bit} {key}")).collect();
    let row = rows.iter().find(|row| row[1] == "`KEYS`").expect("a row of the keys");
    assert!(row[2].contains(&keys.join(", ")), "the keys are: {}", keys.join(", "));
}

/// Names, parts and lines are compared. The descriptions are written by hand. Chips that differ only in a number, such
/// as those of the rows of the display, share a row.
#[test]
fn the_chip_table_matches_the_board() {
    let board = Board::gray1();
    let mut right: Vec<[String; 4]> = Vec::new();
    for chip in &board.chips {
        let row = row(chip);
        if right.last() != Some(&row) {
            right.push(row);
        }
    }
    let document = open("docs/machine.md");
    let rows = document.table("chips");
    let written: Vec<[String; 4]> =
        rows.iter().map(|row| [row[0], row[1], row[2], row[3]].map(str::to_owned)).collect();
    if written != right {
        let lines: Vec<String> = right.iter().map(|row| format!("| {} | … |", row.join(" | "))).collect();
        panic!(
            "docs/machine.md: section `chips` is not true any more. Paste this:\n\n{}\n",
            lines.join("\n")
        );
    }
    let count = format!("{} memory chips", board.chips.len());
    assert!(document.text.contains(&count), "docs/machine.md does not say `{count}`");
    println!("{} chips", board.chips.len());
}

fn row(chip: &Chip) -> [String; 4] {
    let stem = chip.name().trim_end_matches(|c: char| c.is_ascii_digit());
    let digit = &chip.name()[stem.len()..];
    let name = if digit.is_empty() { stem.to_owned() } else { format!("{stem}n") };
    // `GREEN3_0-7` becomes `GREENn_0-7` and `GE3` becomes `GEn`; ranges such as `A0-7` stay.
    let general = |lines: String| {
        let words = lines.split(' ').map(|word| match word.strip_suffix(digit) {
            _ if digit.is_empty() => word.to_owned(),
            Some(start) if start.chars().all(|c| c.is_ascii_alphabetic()) => format!("{start}n"),
            _ => word.replace(&format!("{}_", chip.name()), &format!("{name}_")),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let mut address = chip.address().as_written().to_owned();
    if let Chip::Ram { input, write, .. } = chip {
        let _ = write!(address, "; in {}; write {}", input.as_written(), write.as_written());
    }
    [
        format!("`{name}`"),
        chip.part().to_owned(),
        general(address),
        general(chip.data().as_written().to_owned()),
    ]
}

#[test]
fn the_keys_match_the_display() {
    open("docs/command-line.md").assert_section("keys", &gray1_display::controls::markdown());
}

#[test]
fn the_screen_keys_match_the_debugger() {
    open("docs/debugging.md").assert_section("screen keys", &gray1_workbench::keys::markdown());
}

#[test]
fn the_screen_matches_the_debugger() {
    let screen = open("emulator/workbench/tests/screens/stepped.txt").text;
    open("docs/debugging.md").assert_section("screen", &format!("```text\n{screen}```"));
}

/// The document shows some rows of the table of the board.
#[test]
fn the_board_rows_match_the_debugger() {
    let screen = open("emulator/workbench/tests/screens/board.txt").text;
    let document = open("docs/debugging.md");
    let rows: Vec<&str> =
        document.section("screen board").lines().filter(|line| !line.starts_with("```")).collect();
    assert!(rows.len() > 1 && rows.iter().all(|row| screen.contains(row)), "{rows:#?}\n{screen}");
}

/// Whatever else an option needs beyond its help is in the section of its command.
#[test]
fn every_command_has_a_section() {
    let output = output(Command::new(env!("CARGO_BIN_EXE_gray1")).arg("--help"));
    let help = String::from_utf8(output.stdout).expect("help is text");
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage:"));
    let lines = lines.take_while(|line| *line != "Options:").filter(|line| line.starts_with("  "));
    let commands: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() >= 5, "only {commands:?} found");
    let text = open("docs/command-line.md").text;
    for command in commands {
        assert!(text.contains(&format!("\n## gray1 {command}\n")), "`gray1 {command}` has no heading");
    }
}
