//! `gray1 chips --reach`: counts the cells of each ROM that the machine can look up.

use crate::ending::Ending;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::table::table;
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use gray1_proof::{CellReach, Prover};
use gray1_text::grouped;
use std::error::Error;

/// Prints the number of reachable cells of each ROM, or of one ROM.
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
            [CellReach::Rest, CellReach::Passed, CellReach::Never].map(|kind| reach.count(kind));
        let counts = [reach.cells.len(), rest, passed, never];
        sums = std::array::from_fn(|column| sums[column] + counts[column]);
        row(&reach.chip, counts);
    }
    if only.is_none() {
        row("all", sums);
    }
    let text = table(&rows, "  ", |column| column > 0).join("\n");
    let legend = "\n\nat rest: with some program, the chip can be at the cell at the end of a phase\n\
                  passed: the chip can only pass the cell within a phase\n\
                  never: the chip never looks up the cell, whatever the order in which lines move\n\
                  The program and RAM are not listed.\n";
    print((text + legend).as_bytes())?;
    Ok(Ending::Done)
}
