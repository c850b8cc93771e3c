//! Boards with a fault built in on purpose, and what is proved of them.

use gray1_machine::board::Board;
use gray1_proof::report::ClaimReport;
use gray1_proof::{Claim, Limits, Report};
use std::sync::atomic::AtomicBool;

const GRAY1: &str = include_str!("../../../machine/src/board/gray1.ron");

/// The Gray-1's board with texts put in the place of others.
pub fn board(changes: &[(&str, &str)]) -> Board {
    let mut source = GRAY1.to_owned();
    for (from, to) in changes {
        assert_eq!(source.matches(from).count(), 1, "`{from}` must stand in the board file once");
        source = source.replace(from, to);
    }
    Board::parse(&source, "sabotaged.ron").expect("a board that is wired well")
}

/// The Gray-1's board with more nets and chips, as a board file writes them.
pub fn extended(nets: &str, chips: &str) -> Board {
    board(&[
        ("nets: \"ZL\", ", &format!("nets: \"ZL {nets}\", ")),
        ("    chips: [\n", &format!("    chips: [\n{chips}")),
    ])
}

/// The contents of a ROM as a board file writes them.
pub fn cells(lines: u32, cell: impl Fn(u32) -> u32) -> String {
    let cells: Vec<String> = (0..1 << lines).map(|address| cell(address).to_string()).collect();
    format!("burn: Cells([{}])", cells.join(","))
}

/// A ROM as a board file writes it.
pub fn rom(name: &str, burn: &str, address: &str, data: &str) -> String {
    format!("Rom(name: \"{name}\", part: \"27C010\", {burn}, address: \"{address}\", data: \"{data}\"),\n")
}

#[allow(dead_code)] // not every file of tests uses it
pub fn prove(board: &Board, claim: Claim) -> ClaimReport {
    prove_within(board, claim, &Limits::default())
}

pub fn prove_within(board: &Board, claim: Claim, limits: &Limits) -> ClaimReport {
    let report = Report::prove(board, &[claim], limits, &AtomicBool::new(false)).expect("nobody stops it");
    let [claim] = <[ClaimReport; 1]>::try_from(report.claims).expect("one claim was asked for");
    claim
}
