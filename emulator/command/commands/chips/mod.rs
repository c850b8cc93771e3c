//! `gray1 chips`: prints the board as a table, or a chip with its pinout, wires and contents.

mod between;
mod formulas;

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::files::{print, print_text};
use crate::support::json;
use crate::support::machine::BoardArguments;
use crate::support::numbers::number;
use crate::support::source::AssemblerArguments;
use gray1_isa::Image;
use gray1_machine::board::{Board, Chip, Part};
use gray1_machine::burn::{Field, split};
use gray1_machine::netlist::{ChipId, Netlist};
use gray1_text::{counted, table};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The chip to show; without a chip, list all
    #[arg(value_parser = completion::chip(), hide_possible_values = true)]
    chip: Option<String>,
    /// Show the cell at this address: `26`, `0x1A`, `$1A`, `0b11010` or `%11010`
    #[arg(long, value_name = "ADDRESS", requires = "chip", value_parser = number::<u32>(0..=u64::MAX))]
    at: Option<u32>,
    /// Show all addresses that the chip may see while its lines change from --at to this address
    #[arg(long = "moving-to", value_name = "ADDRESS", requires = "at", value_parser = number::<u32>(0..=u64::MAX))]
    to: Option<u32>,
    /// The format of the output; JSON contains the chips, their nets and their cells
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text")]
    format: Format,
    /// Print contents with short formulas in the syntax of a board file
    #[arg(long, conflicts_with_all = ["at", "format", "program"])]
    formulas: bool,
    /// The program in the program chips, for --at
    #[arg(long, value_name = "FILE", requires = "at", value_parser = completion::program(), hide_possible_values = true)]
    program: Option<PathBuf>,
    #[command(flatten)]
    assembler: AssemblerArguments,
    #[command(flatten)]
    board: BoardArguments,
}

pub fn chips(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    // Only a board with a CPU can run a program.
    let board =
        if arguments.program.is_some() { arguments.board.board()? } else { arguments.board.any_board()? };
    let chip = arguments.chip.as_deref().map(|name| find(&board, name)).transpose()?;
    if arguments.format == Format::Json {
        let all = serde_json::to_value(board.wiring())?;
        print(json::line("chips", chip.map_or_else(|| all.clone(), |id| chip_json(&all, id)))?.as_bytes())?;
        return Ok(Ending::Done);
    }
    let text = match chip {
        _ if arguments.formulas => formulas::text(&board, chip)?,
        None => all_chips(&board),
        Some(id) => {
            let program = arguments.program.as_deref();
            let program =
                program.map_or_else(|| Ok(Image::blank()), |path| arguments.assembler.read_image(path))?;
            match (arguments.at, arguments.to) {
                (None, _) => chip_text(&board, id),
                (Some(address), None) => cell_text(&board.chips[id], address, &program)?,
                (Some(from), Some(to)) => {
                    let cells = cells_of(&board.chips[id], [from, to], &program)?;
                    between::text(board.netlist(), id, [from, to], &cells)
                }
            }
        }
    };
    print_text(&text)?;
    Ok(Ending::Done)
}

/// Selects a chip from the description of the board, with its table if it has one.
fn chip_json(board: &Value, id: ChipId) -> Value {
    let chip = &board["chips"][id];
    let cells = chip["table"].as_u64().map(|table| &board["tables"][table as usize]);
    json!({ "board": board["board"], "chip": chip, "cells": cells })
}

fn find(board: &Board, name: &str) -> Result<ChipId, String> {
    board.chips.iter().position(|chip| chip.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = board.chips.iter().map(Chip::name).collect();
        format!("there is no chip {name} on this board; its chips are {}", names.join(" "))
    })
}

/// Lists all chips, one per line.
fn all_chips(board: &Board) -> String {
    let mut text = format!("{}: {}\n\n", board.name, counted(board.chips.len(), "memory chip"));
    let mut rows = vec![["chip", "part", "burned", "address lines", "data lines"].map(str::to_owned)];
    for chip in &board.chips {
        let mut address = chip.address().as_written().to_owned();
        if let Chip::Ram { input, write, .. } = chip {
            let _ = write!(address, " | {} | {}", input.as_written(), write.as_written());
        }
        let data = chip.data().as_written().to_owned();
        rows.push([chip.name().to_owned(), chip.part().to_owned(), chip.burned(), address, data]);
    }
    let heads = rows[0].iter_mut().zip([7, 7, 13, 45, 0]);
    heads.for_each(|(head, width)| *head = format!("{head:width$}"));
    text += &table(&rows, " ", |_| false).join("\n");
    text += "\n\nA RAM's lines are: address | data in | write. `gray1 chips NAME` shows one chip.\n";
    text
}

/// Describes a chip: its pinout with the connected chips, its nets, and its contents.
fn chip_text(board: &Board, id: ChipId) -> String {
    let (netlist, chip) = (board.netlist(), &board.chips[id]);
    let (about, address_lines, data_lines) = board.parts.get(chip.part()).map_or(("", 0, 0), Part::about);
    let mut text = format!("{}: {} ({about}), {}\n\n", chip.name(), chip.part(), chip.burned());
    text += &pinout(netlist, id);
    for (name, lines, used, spare) in [
        ("address", address_lines, chip.address().len(), "not needed and tied low"),
        ("data", data_lines, chip.data().len(), "left open"),
    ] {
        if let count @ 1.. = lines.saturating_sub(used) {
            let are = if count == 1 { "is" } else { "are" };
            let _ = writeln!(text, "Of the part's {lines} {name} lines, {count} {are} {spare}.");
        }
    }
    let loops: Vec<&str> = netlist.chips[id]
        .data
        .iter()
        .filter(|net| netlist.chips[id].reads.contains(net))
        .map(|&net| &*netlist.nets[net].name)
        .collect();
    if !loops.is_empty() {
        let _ = writeln!(text, "It holds itself through {}.", loops.join(" "));
    }
    if let Some(timing) = board.timing_of(chip) {
        let (shortest, longest) = timing.access;
        let _ = writeln!(text, "It answers after {shortest} to {longest} ns.");
    }
    text += "\n";
    text += &chip.about();
    text += "\nIts nets:\n";
    let groups = board.inputs.iter().chain(&board.nets);
    for group in groups.filter(|group| {
        group.nets.names().iter().any(|net| chip.reads().chain(chip.data().names()).any(|mine| mine == net))
    }) {
        let _ = writeln!(text, "  {:<11} {}", group.nets.as_written(), group.about);
    }
    text
}

/// Draws a chip, with the drivers of its address lines on the left and the readers of its data lines on the right.
fn pinout(netlist: &Netlist, id: ChipId) -> String {
    let chip = &netlist.chips[id];
    let name = |chip: ChipId| netlist.chips[chip].name.as_str();
    let left = chip.reads.iter().zip(chip.pins()).map(|(&net, pin)| {
        let net = &netlist.nets[net];
        (format!("{} {}", net.driver.map_or("outside", |driver| name(driver.chip)), net.name), pin)
    });
    let right = chip.data.iter().enumerate().map(|(line, &net)| {
        let net = &netlist.nets[net];
        let mut readers: Vec<&str> = net.readers.iter().map(|reader| name(reader.chip)).collect();
        readers.dedup();
        let to = if readers.is_empty() { "" } else { " → " };
        (format!("D{line}"), format!("{}{to}{}", net.name, readers.join(" ")))
    });
    let [left, right]: [Vec<(String, String)>; 2] = [left.collect(), right.collect()];
    let width = left.iter().map(|(wire, _)| wire.chars().count()).max().unwrap_or(0);
    let mut text = format!("  {:width$}   ┌────────────┐\n", "");
    for row in 0..left.len().max(right.len()) {
        let (wire, pin) = left.get(row).map_or(("", ""), |(wire, pin)| (wire, pin));
        let line = if wire.is_empty() { "  │" } else { "──┤" };
        let _ = write!(text, "  {wire:>width$} {line} {pin:<5}");
        match right.get(row) {
            Some((pin, wire)) => {
                let _ = writeln!(text, "{pin:>5} ├── {wire}");
            }
            None => {
                let _ = writeln!(text, "      │");
            }
        }
    }
    let _ = writeln!(text, "  {:width$}   └────────────┘", "");
    text
}

/// Returns the cells of a ROM. Fails if one of these addresses is beyond the end.
fn cells_of(chip: &Chip, addresses: impl IntoIterator<Item = u32>, image: &Image) -> Result<Vec<u8>, String> {
    let Chip::Rom { name, burn, address: lines, data, .. } = chip else {
        return Err(format!(
            "{} is a RAM, whose contents depend on the run; see the field `ram` of a file written by \
             `gray1 run --state-out`",
            chip.name()
        ));
    };
    let cells = burn.wired(lines.len(), data.len(), image);
    match addresses.into_iter().find(|&address| address as usize >= cells.len()) {
        None => Ok(cells),
        Some(_) => {
            let (count, last) = (lines.len(), cells.len() - 1);
            Err(format!("{name} has {count} address lines: the last address is {last:#x}"))
        }
    }
}

/// Describes a cell, with the fields of its address and data.
fn cell_text(chip: &Chip, address: u32, image: &Image) -> Result<String, String> {
    let cell = cells_of(chip, [address], image)?[address as usize];
    let (name, lines) = (chip.name(), chip.address());
    let digits = lines.len().div_ceil(4);
    let mut text = format!("{name} at {address:#0width$x}: {cell:#04x}\n\n", width = digits + 2);
    if let Some(contents) = chip.contents() {
        text += &fields("address", contents.address, address);
        text += &fields("data", contents.data, u32::from(cell));
    }
    Ok(text)
}

/// Formats fields below their names, the highest on the left.
fn fields(title: &str, fields: &[Field], lines: u32) -> String {
    let (mut names, mut values) = (format!("  {title:<9}"), " ".repeat(11));
    for ((name, width), value) in fields.iter().zip(split(fields, lines)).rev() {
        let binary = format!("{value:0width$b}", width = *width as usize);
        let column = name.len().max(binary.len()) + 2;
        let _ = write!(names, "{name:<column$}");
        let _ = write!(values, "{binary:<column$}");
    }
    format!("{}\n{}\n", names.trim_end(), values.trim_end())
}
