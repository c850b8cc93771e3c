//! The machine in Verilog: a module for each kind of part, an instance for each chip, and the burned images.
//!
//! The parts and the test bench are templates beside this file; words in capitals in the test bench are replaced.

use crate::assembly::{Assembly, Buffer};
use crate::file::File;
use crate::sockets::{ADDRESS_LINES, Socket};
use gray1_machine::board::{Board, Chip, Lines};
use std::fmt::Write;

/// Number of cells on a line of an image.
const CELLS: usize = 32;
/// Number of data pins of the part in a ROM socket.
const DATA_LINES: usize = 8;
/// The access time of a RAM in nanoseconds, if the board does not say it.
const RAM_ACCESS: u32 = 45;

/// The files of the machine in Verilog.
pub fn files(board: &Board, sockets: &[Socket], assembly: Option<&Assembly>) -> Vec<File> {
    let file = |name: &str, text: String| File { name: format!("verilog/{name}"), bytes: text.into_bytes() };
    let images =
        sockets.iter().map(|socket| file(&format!("images/{}.mem", socket.name), memory(&socket.image)));
    let buffers = assembly.map_or(&[][..], |assembly| &assembly.buffers);
    let own = [file("gray1.v", machine(board, buffers)), file("testbench.v", testbench(board))];
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
fn machine(board: &Board, buffers: &[Buffer]) -> String {
    let inputs: Vec<String> =
        board.inputs.iter().flat_map(|group| group.nets.names()).map(|net| identifier(net)).collect();
    let mut text = include_str!("parts.v").to_owned();
    let _ =
        writeln!(text, "\n// The board. Address pins that are not used are tied low, data pins are open.");
    let _ = writeln!(text, "module gray1 (input {});", inputs.join(", "));
    for chip in &board.chips {
        let nets: Vec<String> = chip.data().names().iter().map(|net| identifier(net)).collect();
        let _ = writeln!(text, "    wire {};", nets.join(", "));
    }
    text.push('\n');
    for (number, chip) in board.chips.iter().enumerate() {
        let name = chip.name();
        let (address, data) = (bus(chip.address()), bus(chip.data()));
        match chip {
            Chip::Rom { address: lines, data: outputs, .. } => {
                text += &rom(name, number, (&address, lines.len()), (&data, outputs.len()));
            }
            Chip::Ram { address: lines, input, write, data: outputs, .. } => {
                // Like the chips that are sold, it is written while the opposite line is low, if the board has one.
                let netlist = board.netlist();
                let low = netlist.net(&write.names()[0]).and_then(|net| netlist.opposite(net));
                let low = low.map(|net| format!("~{}", identifier(&netlist.nets[net].name)));
                let write = low.unwrap_or_else(|| bus(write));
                let access = board.timing_of(chip).map_or(RAM_ACCESS, |timing| timing.access.1);
                let input = match buffers.iter().find(|buffer| buffer.ram == *name) {
                    Some(Buffer { reference, nets: [written, driven], .. }) => {
                        let _ = writeln!(
                            text,
                            "    wire {};",
                            driven.iter().map(|net| identifier(net)).collect::<Vec<_>>().join(", ")
                        );
                        let number = board.chips.len() + number;
                        text += &rom(
                            reference,
                            number,
                            (&joined(written), written.len()),
                            (&joined(driven), driven.len()),
                        );
                        joined(driven)
                    }
                    None => bus(input),
                };
                let _ = writeln!(
                    text,
                    "    ram #(.LINES({}), .WIDTH({}), .NUMBER({number}), .ACCESS({access})) chip${name}\n        \
                     (.address({address}), .in({}), .write({write}), .data({data}));",
                    lines.len(),
                    outputs.len(),
                    input,
                );
            }
        }
    }
    text + "endmodule\n"
}

/// A ROM with these lines, which are so many, on its address and data pins.
fn rom(name: &str, number: usize, address: (&str, usize), data: (&str, usize)) -> String {
    let mut text = String::new();
    let (address, lines) = address;
    let address = match ADDRESS_LINES - lines {
        0 => address.to_owned(),
        low => format!("{{{low}'b0, {address}}}"),
    };
    let (data, lines) = data;
    let data = match DATA_LINES - lines {
        0 => data.to_owned(),
        open => {
            // A net cannot have a `$` in its name.
            let _ = writeln!(text, "    wire [{}:0] open${name};", open - 1);
            format!("{{open${name}, {data}}}")
        }
    };
    text + &format!(
        "    rom #(.IMAGE(\"images/{name}.mem\"), .NUMBER({number})) chip${name}\n        \
         (.address({address}), .data({data}));\n"
    )
}

/// The test bench, with the names of this board's nets filled in. No pad and no key is pressed.
fn testbench(board: &Board) -> String {
    let panel = &board.panel;
    let inputs = board.inputs.iter().flat_map(|group| group.nets.names()).map(|net| {
        let level = match net {
            net if panel.oscillator.names().contains(net) => "oscillator",
            net if panel.reset.names().contains(net) => "reset",
            _ => "1'b0",
        };
        format!(".{}({level})", identifier(net))
    });
    let text = include_str!("testbench.v").replace("INPUTS", &inputs.collect::<Vec<_>>().join(", "));
    let fields = [
        ("= SEQUENCE", &panel.sequence),
        ("= COUNTER", &panel.counter),
        ("= WORD", &panel.word),
        ("= ACCUMULATOR", &panel.accumulator),
        ("= CARRY", &panel.carry),
    ];
    fields.iter().fold(text, |text, (place, lines)| text.replace(place, &format!("= {}", inside(lines))))
}

/// Lines inside the machine as a number, as a test bench sees them.
pub(crate) fn inside(lines: &Lines) -> String {
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
