//! `gray1 chips --reach`: the cells of each ROM that the machine can look up.

use crate::ending::Ending;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::table::table;
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use gray1_proof::{CellReach, Prover};
use gray1_text::grouped;
use std::error::Error;

/// Prints how many cells of each ROM, or of one, the machine can look up.
pub fn reach(board: &Board, chip: Option<ChipId>) -> Result<Ending, Box<dyn Error>> {
    let only = chip.map(|id| board.chips[id].name());
    let interrupt = Interrupt::listen_twice()?;
    let reach = Prover::new(board).until(interrupt.flag()).cells()?;
    let reach = reach.ok_or(
        "--reach: the cells that this board can look up could not be computed; `gray1 verify` says why",
    )?;
    let mut rows = vec![["chip", "cells", "at rest", "passed", "never"].map(str::to_owned)];
    let mut row = |name: &str, counts: [usize; 4]| {
        let [all, rest, passed, never] = counts.map(|count| grouped(count as u64));
        rows.push([name.to_owned(), all, rest, passed, never]);
    };
    let mut sums = [0; 4];
    for reach in reach.iter().filter(|reach| only.is_none_or(|only| reach.chip == only)) {
        let [rest, passed, never] =
            [CellReach::Rest, CellReach::Passed, CellReach::Never].map(|way| reach.count(way));
        let counts = [reach.cells.len(), rest, passed, never];
        sums = std::array::from_fn(|column| sums[column] + counts[column]);
        row(&reach.chip, counts);
    }
    if only.is_none() {
        row("all", sums);
    }
    let text = table(&rows, "  ", |column| column > 0).join("\n");
    let legend = "\n\nThe chip may be at rest at a cell when a phase is over, with some program; or pass it on the way at most; or\n\
                  never gets there, in whatever order lines move. The program and RAM are not listed.\n";
    print((text + legend).as_bytes())?;
    Ok(Ending::Done)
}
