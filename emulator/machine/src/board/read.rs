//! Board files: reading and checking one, and the two that are built in.

use super::netlist::Netlist;
use super::place::Fault;
use super::{Board, BoardError, bench, check, formulas};
use crate::ron_text::read;
use ron::extensions::Extensions;
use std::sync::OnceLock;

/// The error of a board without a CPU on which a program is to run.
const NO_CPU: &str = "this board has a `bench` and no CPU, so no program can run on it; `gray1 chips`, `verify` and `check` take it";

impl Board {
    /// The file of the reference machine.
    pub const GRAY1: &str = include_str!("gray1.ron");

    /// The reference machine.
    pub fn gray1() -> Board {
        Board::built_in(Board::GRAY1, "gray1.ron")
    }

    /// The machine with parts that can be bought today.
    pub fn built() -> Board {
        Board::built_in(include_str!("built.ron"), "built.ron")
    }

    /// The machine without the board of the display, which can be added later.
    pub fn small() -> Board {
        let mut board = Board::built();
        "Gray-1, built without its display".clone_into(&mut board.name);
        if let Some(hardware) = &mut board.hardware {
            hardware.leave_out_last();
        }
        board
    }

    fn built_in(source: &str, file: &str) -> Board {
        match Board::parse(source, file) {
            Ok(board) => board,
            Err(error) => panic!("the built-in board is faulty: {error}"), // a test parses it
        }
    }

    /// Parses and checks the file of a board with a CPU; `file` is its name in error messages.
    pub fn parse(source: &str, file: &str) -> Result<Board, BoardError> {
        let board = Board::parse_any(source, file)?;
        let fault = || Fault::new(["bench"], NO_CPU.to_owned()).at(source, file);
        if board.bench.is_some() { Err(fault()) } else { Ok(board) }
    }

    /// Parses and checks the file of a board with or without a CPU. No engine runs a board without one; a [`crate::BenchRun`] does.
    pub fn parse_any(source: &str, file: &str) -> Result<Board, BoardError> {
        let mut board: Board =
            read(source, 32, Extensions::empty()).map_err(|error| BoardError::syntax(file, error))?;
        if board.bench.is_some() {
            bench::declare(&board.inputs, &mut board.nets, &board.chips);
        }
        check::check(&board)
            .and_then(|()| formulas::work_out(&mut board.chips, &board.buses))
            .map_err(|fault| fault.at(source, file))?;
        Ok(board)
    }
}

/// Whether this is the netlist of one of the built-in boards, which are proved to be confluent by a test.
pub fn is_built_in(netlist: &Netlist) -> bool {
    static BUILT_IN: OnceLock<[Board; 2]> = OnceLock::new();
    let boards = BUILT_IN.get_or_init(|| [Board::gray1(), Board::built()]);
    boards.iter().any(|board| **board.netlist() == *netlist)
}
