//! The machine in Verilog: a module for each kind of part, an instance for each chip, and the burned images.
//!
//! The parts and the test bench are templates beside this file; names in braces are replaced.

use crate::kit::assembly::{Assembly, Buffer};
use crate::kit::file::File;
use crate::kit::sockets::{ADDRESS_LINES, Socket};
use crate::kit::template::filled;
use gray1_machine::board::{Board, Chip, Lines};
use std::fmt::Write;

/// Number of cells on a line of an image.
const CELLS: usize = 32;
/// Number of data pins of the part in a ROM socket.
const DATA_LINES: usize = 8;
/// The access time of a RAM in nanoseconds, for a board without timing.
const RAM_ACCESS: u32 = 45;

/// The files of the machine in Verilog.
pub fn files(board: &Board, sockets: &[Socket], assembly: &Assembly) -> Vec<File> {
    let file = |name: &str, text: String| File { name: format!("verilog/{name}"), bytes: text.into_bytes() };
    let images =
        sockets.iter().map(|socket| file(&format!("images/{}.mem", socket.name), memory(&socket.image)));
    let own = [file("gray1.v", machine(board, assembly)), file("testbench.v", testbench(board))];
    own.into_iter().chain(images).collect()
}

/// An image for `$readmemh`.
pub(crate) fn memory(image: &[u8]) -> String {
    let mut text = String::new();
    for cells in image.chunks(CELLS) {
        for cell in cells {
            let _ = write!(text, "{cell:02x} ");
        }
        text.pop();
        text.push('\n');
    }
    text
}

/// The parts, and the board: its chips and the nets between them.
fn machine(board: &Board, assembly: &Assembly) -> String {
    let inputs: Vec<String> = inputs(board).map(|net| identifier(net)).collect();
    let mut text = include_str!("parts.v").to_owned();
    text += "\n// The board. Address pins that are not used are tied low, data pins are open.\n";
    let _ = writeln!(text, "module gray1 (input {});", inputs.join(", "));
    text.extend(board.chips.iter().map(|chip| wires(chip.data().names())));
    text.push('\n');
    for (number, chip) in board.chips.iter().enumerate() {
        match chip {
            Chip::Rom { address, data, .. } => {
                text += &rom(chip.name(), number, address.names(), data.names());
            }
            Chip::Ram { .. } => text += &ram(board, assembly, chip, number),
        }
    }
    text + "endmodule\n"
}

/// A ROM with these lines on its address and data pins.
fn rom(name: &str, number: usize, address: &[String], data: &[String]) -> String {
    let mut text = String::new();
    let address = match ADDRESS_LINES - address.len() {
        0 => joined(address),
        low => format!("{{{low}'b0, {}}}", joined(address)),
    };
    let data = match DATA_LINES - data.len() {
        0 => joined(data),
        open => {
            // A net cannot have a `$` in its name.
            let _ = writeln!(text, "    wire [{}:0] open${name};", open - 1);
            format!("{{open${name}, {}}}", joined(data))
        }
    };
    text + &format!(
        "    rom #(.IMAGE(\"images/{name}.mem\"), .NUMBER({number})) chip${name}\n        \
         (.address({address}), .data({data}));\n"
    )
}

/// A RAM, and the buffer beside it. Like real RAM chips, it is written while the opposite of its write line is low.
fn ram(board: &Board, assembly: &Assembly, chip: &Chip, number: usize) -> String {
    let Chip::Ram { address, write, data, .. } = chip else { return String::new() };
    let (name, netlist) = (chip.name(), board.netlist());
    // The assembly has both.
    let buffer = assembly.buffers.iter().find(|buffer| buffer.ram == *name);
    let low = netlist.net(&write.names()[0]).and_then(|net| netlist.opposite(net));
    let (Some(Buffer { reference, nets: [written, driven], .. }), Some(low)) = (buffer, low) else {
        return String::new();
    };
    let access = board.timing_of(chip).map_or(RAM_ACCESS, |timing| timing.access.1);
    let (lines, width) = (address.len(), data.len());
    format!(
        "{}{}    ram #(.LINES({lines}), .WIDTH({width}), .NUMBER({number}), .ACCESS({access})) chip${name}\n        \
         (.address({}), .in({}), .write(~{}), .data({}));\n",
        wires(driven),
        rom(reference, board.chips.len() + number, written, driven),
        bus(address),
        joined(driven),
        identifier(&netlist.nets[low].name),
        bus(data),
    )
}

/// The test bench, with the names of this board's nets filled in. No pad and no key is pressed.
fn testbench(board: &Board) -> String {
    let panel = &board.panel;
    let inputs = inputs(board).map(|net| {
        let level = match net {
            net if panel.oscillator.names().contains(net) => "oscillator",
            net if panel.reset.names().contains(net) => "reset",
            _ => "1'b0",
        };
        format!(".{}({level})", identifier(net))
    });
    let text = with_panel(include_str!("testbench.v"), board);
    filled(&text, &[("inputs", &inputs.collect::<Vec<_>>().join(", "))])
}

/// A test bench with the names of the nets of a board's panel filled in.
pub(crate) fn with_panel(testbench: &str, board: &Board) -> String {
    let panel = &board.panel;
    let lines = [&panel.sequence, &panel.counter, &panel.word, &panel.accumulator, &panel.carry].map(inside);
    let names = ["sequence", "counter", "word", "accumulator", "carry"];
    let fields: Vec<(&str, &str)> = names.into_iter().zip(lines.iter().map(String::as_str)).collect();
    filled(testbench, &fields)
}

/// The nets that come from outside.
pub(crate) fn inputs(board: &Board) -> impl Iterator<Item = &String> {
    board.inputs.iter().flat_map(|group| group.nets.names())
}

/// The declaration of nets.
pub(crate) fn wires(nets: &[String]) -> String {
    let nets: Vec<String> = nets.iter().map(|net| identifier(net)).collect();
    format!("    wire {};\n", nets.join(", "))
}

/// Lines inside the machine as a number, as a test bench sees them.
fn inside(lines: &Lines) -> String {
    let nets = lines.names().iter().rev().map(|net| format!("machine.{}", identifier(net)));
    format!("{{{}}}", nets.collect::<Vec<_>>().join(", "))
}

/// Lines as a number, the highest first.
pub(crate) fn bus(lines: &Lines) -> String {
    joined(lines.names())
}

/// Nets as a number, the highest first.
fn joined(nets: &[String]) -> String {
    let nets: Vec<String> = nets.iter().rev().map(|net| identifier(net)).collect();
    format!("{{{}}}", nets.join(", "))
}

/// The Verilog name of a net. All keywords, and all names that are not nets, are in small letters, so a net without a
/// capital gets a suffix that no other name has.
pub(crate) fn identifier(net: &str) -> String {
    if net.chars().any(|c| c.is_ascii_uppercase()) { net.to_owned() } else { format!("{net}$") }
}
