//! A clocked core for FPGAs: each chip of the board is its function followed by a register, so that its access time is
//! one clock. Program and RAM are block RAM, which has a register inside.
//!
//! The function of a chip is derived from its table, so a modified board gets a different core: this code does not
//! know the purpose of any chip. `parts.v`, `top.v` and the test benches beside this file are templates, in which
//! names in braces are replaced.

mod diagram;

use crate::kit::file::File;
use crate::kit::sockets::Socket;
use crate::kit::template::filled;
use crate::kit::verilog::{bus, identifier, inputs, memory, wires, with_panel};
use diagram::Diagram;
use gray1_machine::board::{Board, Chip, Outlet};
use std::fmt::Write;
use thiserror::Error;

/// Files that are the same for every board.
const COPIED: [(&str, &str); 4] = [
    ("top.v", include_str!("top.v")),
    ("top_testbench.v", include_str!("top_testbench.v")),
    ("hx8k.pcf", include_str!("hx8k.pcf")),
    ("Makefile", include_str!("Makefile")),
];

/// Why there is no core for a board.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum FpgaError {
    /// It would take more logic than an FPGA of this kind has.
    #[error("the table of {0} is too irregular to become logic")]
    Irregular(String),
}

/// The files of the core. If there is none, a single file says why and replaces the core of an earlier pack.
pub fn files(board: &Board, sockets: &[Socket]) -> (Vec<File>, Option<FpgaError>) {
    let file = |name: &str, text: String| File { name: format!("fpga/{name}"), bytes: text.into_bytes() };
    let core = match core(board, sockets) {
        Ok(core) => core,
        Err(error) => {
            return (
                vec![file("core.v", format!("// There is no core of this board: {error}.\n"))],
                Some(error),
            );
        }
    };
    let program = sockets.iter().filter(|socket| socket.is_program);
    let program =
        program.map(|socket| file(&format!("{}.mem", socket.name), memory(&socket.image[..socket.cells()])));
    let own = [
        file("core.v", core),
        file("testbench.v", with_panel(include_str!("testbench.v"), board)),
        file("cells.v", cells(sockets)),
    ];
    let copied = COPIED.iter().map(|(name, text)| file(name, (*text).to_owned()));
    (own.into_iter().chain(copied).chain(program).collect(), None)
}

/// The ROM sockets whose cells become logic, each with the number of its table: equal tables have the same.
fn tables(sockets: &[Socket]) -> Vec<(&Socket, usize)> {
    let mut tables: Vec<(usize, usize, &[u8])> = Vec::new();
    let logic = sockets.iter().filter(|socket| !socket.is_program);
    logic
        .map(|socket| {
            let table = (socket.cells(), socket.data.len(), &socket.image[..socket.cells()]);
            let number = tables.iter().position(|other| *other == table).unwrap_or_else(|| {
                tables.push(table);
                tables.len() - 1
            });
            (socket, number)
        })
        .collect()
}

/// The parts, a module for each table, and the board.
fn core(board: &Board, sockets: &[Socket]) -> Result<String, FpgaError> {
    let tables = tables(sockets);
    let panel = &board.panel;
    let mut text = include_str!("parts.v").to_owned() + "\n" + &functions(&tables)? + include_str!("ports.v");
    let roles = [
        ("oscillator", &panel.oscillator),
        ("reset", &panel.reset),
        ("pad_column", &panel.pad_column),
        ("pad_row", &panel.pad_row),
        ("keys", &panel.keys),
    ];
    for net in inputs(board) {
        let _ = writeln!(text, "    wire {};", identifier(net));
        if !roles.iter().any(|(_, lines)| lines.names().contains(net)) {
            let _ = writeln!(text, "    assign {} = 1'b0; // nothing drives it", identifier(net));
        }
    }
    text.extend(board.chips.iter().map(|chip| wires(chip.data().names())));
    for (port, lines) in roles {
        let _ = writeln!(text, "    assign {} = {port};", bus(lines));
    }
    let (green, red) = panel.display.split_at(panel.display.len() / 2);
    for (name, levels) in [
        ("sequence_state", bus(&panel.sequence)),
        ("strobe", bus(&panel.port.enable)),
        ("sent", shown(&panel.port)),
        ("green", display(green)),
        ("red", display(red)),
    ] {
        let _ = writeln!(text, "    assign {name} = {levels};");
    }
    let chips = board.chips.iter().enumerate();
    text.extend(chips.map(|(number, chip)| instance(chip, number, &tables)));
    Ok(text + "endmodule\n")
}

/// A module for each table.
fn functions(tables: &[(&Socket, usize)]) -> Result<String, FpgaError> {
    let mut text = String::new();
    let mut next = 0;
    for &(socket, number) in tables {
        if number == next {
            let irregular = || FpgaError::Irregular(socket.name.clone());
            let cells = &socket.image[..socket.cells()];
            let diagram = Diagram::new(cells, socket.data.len()).ok_or_else(irregular)?;
            let same = tables.iter().filter(|(_, other)| *other == number);
            let same: Vec<&str> = same.map(|(socket, _)| socket.name.as_str()).collect();
            let _ = writeln!(text, "// What is burned into {}: {}", same.join(" "), socket.holds);
            text += &diagram.module(&format!("table{number}"), socket.address.len());
            next += 1;
        }
    }
    Ok(text)
}

/// The levels that an outlet shows.
fn shown(outlet: &Outlet) -> String {
    format!("{}{}", if outlet.inverted { "~" } else { "" }, bus(&outlet.latch))
}

/// The LEDs of these rows.
fn display(rows: &[Outlet]) -> String {
    format!("{{{}}}", rows.iter().rev().map(shown).collect::<Vec<_>>().join(",\n        "))
}

/// A chip of the core.
fn instance(chip: &Chip, number: usize, tables: &[(&Socket, usize)]) -> String {
    let name = chip.name();
    let (address, data) = (bus(chip.address()), bus(chip.data()));
    let (lines, width) = (chip.address().len(), chip.data().len());
    let sizes = format!(".LINES({lines}), .WIDTH({width})");
    match (chip, tables.iter().find(|(socket, _)| socket.name == name)) {
        (Chip::Ram { input, write, .. }, _) => format!(
            "\n    memory #({sizes}, .NUMBER({number})) chip${name}\n        (.clock(clock), .address({address}),\n         \
             .in({}), .write({}), .data({data}));\n",
            bus(input),
            bus(write),
        ),
        (Chip::Rom { .. }, Some((_, table))) => format!(
            "\n    wire [{}:0] next${name};\n    table{table} table${name} (.address({address}), .data(next${name}));\n    \
             register #(.WIDTH({width}), .NUMBER({number})) chip${name}\n        \
             (.clock(clock), .next(next${name}), .now({data}));\n",
            width - 1,
        ),
        (Chip::Rom { .. }, None) => format!(
            "\n    program_memory #(.IMAGE(\"{name}.mem\"), {sizes}) chip${name}\n        \
             (.clock(clock), .address({address}), .data({data}));\n"
        ),
    }
}

/// The test bench that compares each function with the burned image, cell by cell.
fn cells(sockets: &[Socket]) -> String {
    let (mut instances, mut loops) = (String::new(), String::new());
    for (socket, number) in tables(sockets) {
        let (name, line, bit) = (&socket.name, socket.address.len() - 1, socket.data.len() - 1);
        let _ = writeln!(
            instances,
            "    reg [{line}:0] at${name} = 0;\n    wire [{bit}:0] gives${name};\n    \
             table{number} table${name} (.address(at${name}), .data(gives${name}));",
        );
        let fields = [("cells", socket.cells()), ("line", line), ("bit", bit)]
            .map(|(key, number)| (key, number.to_string()));
        let mut fields: Vec<(&str, &str)> =
            fields.iter().map(|(key, number)| (*key, number.as_str())).collect();
        fields.push(("name", name));
        loops += &filled(include_str!("cell.v"), &fields);
    }
    filled(include_str!("cells.v"), &[("instances", instances.trim_end()), ("loops", loops.trim_end())])
}
