//! The tables in `docs/machine.md` and in a lesson that show an instruction phase by phase, computed from a run of the
//! example program.

use crate::document::open;
use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_isa::{Image, Opcode, from_gray};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise};
use std::fmt::Write;

/// Tables show the phases from the beginning of a cycle to the beginning of the next.
const COLUMNS: usize = 5;

#[test]
fn an_addition_phase_by_phase() {
    let nets = [
        "OSC", "S", "PH1", "PH2", "PC", "W", "M", "D", "X", "A", "R", "T", "NC", "MC", "C", "TAKE", "MJ",
        "LOAD", "MT", "TICK", "WE",
    ];
    open("docs/machine.md").assert_section("phases of ADD", &table(Opcode::Add, &nets));
}

#[test]
fn a_jump_phase_by_phase() {
    let nets = [
        "OSC", "S", "PH1", "PH2", "PC", "W", "TG", "A", "C", "TAKE", "MJ", "LOAD", "MT", "TICK", "PARH",
        "TICKH",
    ];
    open("docs/machine.md").assert_section("phases of JC", &table(Opcode::Jc, &nets));
}

#[test]
fn a_step_of_the_counter_phase_by_phase() {
    let lesson = open("docs/lessons/4-the-counter-on-both-edges.md");
    lesson.assert_section("phases of TICK", &table(Opcode::Add, &["PH1", "PH2", "MT", "TICK", "PC"]));
}

/// The nets at the end of each phase of the first instruction with this opcode. Changed levels are bold.
fn table(opcode: Opcode, nets: &[&str]) -> String {
    let mut engine = engine();
    while engine.word().opcode() != opcode {
        assert_eq!(engine.run(1, &mut ()).ok(), Some(1), "the program halts before it comes to {opcode:?}");
    }
    let mut columns: Vec<Vec<String>> = Vec::new();
    for column in 0..COLUMNS {
        if column > 0 {
            engine.phase(&mut ()).expect("the board settles");
        }
        columns.push(nets.iter().map(|net| shown(&engine, net)).collect());
    }
    let mut table = String::from("| net | phase 0 | phase 1 | phase 2 | phase 3 | next phase 0 |\n");
    table += "|---|---|---|---|---|---|\n";
    for (row, net) in nets.iter().enumerate() {
        let label = if *net == "M" { "M0-7" } else { net }; // an instruction word also has a bit M
        let _ = write!(table, "| {label} |");
        for (column, values) in columns.iter().enumerate() {
            let has_changed = column > 0 && columns[column - 1][row] != values[row];
            let mark = if has_changed { "**" } else { "" };
            let _ = write!(table, " {mark}{}{mark} |", values[row]);
        }
        table.push('\n');
    }
    table
}

/// The level of a net or a bus in the notation of the document: a net as 0 or 1, a bus in hexadecimal.
fn shown(engine: &ChipsEngine, net: &str) -> String {
    let value = engine.net(net).unwrap_or_else(|| panic!("there is no net {net}"));
    match net {
        "S" => format!("{value:02b}"),
        "PC" => format!("{value:03X} = gray({})", from_gray(value)),
        "TG" => format!("{value:03X}"),
        "W" => format!("{value:04X}"),
        "M" | "D" | "X" | "A" | "R" | "T" => format!("{value:02X}"),
        _ => format!("{value}"),
    }
}

fn engine() -> ChipsEngine {
    ChipsEngine::power_up(&Board::gray1(), &program(), Noise::Random(1)).expect("the board settles")
}

/// The example program of the document.
fn program() -> Image {
    let document = open("docs/machine.md");
    let files = MemoryLoader::new([("sum.g1", document.file("sum.g1"))]);
    let assembly = assemble(&files, "sum.g1", &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false))).image
}
