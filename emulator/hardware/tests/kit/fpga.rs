//! The core for FPGAs: Icarus compares all cells of all chips; modified boards get a separate core, or none.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_hardware::kit::{Assembly, File, Socket, pack, sockets};
use gray1_isa::Image;
use gray1_machine::board::Board;
use std::fs;
use std::process::Command;
use test_support::folder::Folder;
use test_support::process;
use test_support::tools::installed;

const ALL_RIGHT: &str = "3164224 cells compared, 0 wrong\n";

fn core(board: &Board) -> (Vec<Socket>, Vec<File>, String) {
    let sockets = sockets(board, &Image::blank()).unwrap();
    let mut assembly = Assembly::new(board).unwrap();
    assembly.hardware.bring_up.clear();
    let files = pack(board, &sockets, &[], &assembly);
    let core = files.iter().find(|file| file.name == "fpga/core.v").unwrap();
    let text = String::from_utf8(core.bytes.clone()).unwrap();
    (sockets, files, text)
}

/// Lets Icarus compare every cell of every chip that is not the program; returns what it says.
fn compared(board: &Board) -> String {
    let folder = Folder::create();
    for file in core(board).1 {
        let path = folder.path().join(&file.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.bytes).unwrap();
    }
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let output = process::output(command.args(arguments).current_dir(folder.path().join("fpga")));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run("iverilog", &["-g2012", "-o", "cells.vvp", "cells.v", "core.v"]);
    run("vvp", &["-n", "cells.vvp"])
}

#[test]
fn the_functions_are_the_tables_cell_by_cell() {
    if installed(&["iverilog", "vvp"]) {
        assert_eq!(compared(&Board::built()), ALL_RIGHT);
        assert_eq!(compared(&Board::gray1()), ALL_RIGHT);
    }
}

/// A core is that of its board: a cell that differs is in it.
#[test]
fn a_changed_cell_changes_the_core() {
    let mut board = Board::built();
    let table = |board: &Board, name: &str| {
        let netlist = board.netlist();
        netlist.table(netlist.chip(name).unwrap()).unwrap().to_vec()
    };
    let (alu, row) = (table(&board, "ALUL"), table(&board, "RED5"));
    board.burn("ALUL", |address| alu[address as usize] ^ u8::from(address == 0x3E2));
    board.burn("RED5", |address| row[address as usize] ^ if address == 0x1_5AC3 { 0x80 } else { 0 });
    board.burn("TGL", |address| address.count_ones() as u8);
    assert_ne!(core(&board).2, core(&Board::built()).2);
    if installed(&["iverilog", "vvp"]) {
        assert_eq!(compared(&board), ALL_RIGHT);
    }
}

/// A random table would need too much logic, which is reported.
#[test]
fn an_irregular_table_has_no_core() {
    let mut board = Board::built();
    board.burn("XMUX", |address| (address.wrapping_mul(address).wrapping_mul(0x9E37_79B1) >> 11) as u8);
    let (_, files, core) = core(&board);
    assert_eq!(
        core,
        "// There is no core of this board: the table of XMUX is too irregular to become logic.\n"
    );
    let fpga: Vec<&str> =
        files.iter().map(|file| file.name.as_str()).filter(|name| name.starts_with("fpga/")).collect();
    assert_eq!(fpga, ["fpga/core.v"]);
    let readme = files.iter().find(|file| file.name == "README.md").unwrap();
    assert!(
        String::from_utf8_lossy(&readme.bytes)
            .contains("no core for FPGAs: the table of XMUX is too irregular")
    );
}
