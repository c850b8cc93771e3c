//! `gray1 chips --reach`: the cells of each ROM that the machine can look up, and those that the run of a program did.

use crate::ending::Ending;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::output::{Output, put_beside};
use crate::support::progress::SearchProgress;
use gray1_chart::{Cells, Heading, Table};
use gray1_debugger::{Debugger, Position, Source};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use gray1_machine::{ChipsEngine, Noise, Script};
use gray1_proof::{CellReach, Prover, Reach};
use gray1_text::grouped;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// Later than the end of any run.
const END: u64 = 1 << 48;

/// The cells of a ROM, and whether the run has looked up each.
struct Cell {
    reach: Reach,
    read: Option<Vec<bool>>,
}

/// A kind of cell, as [`Cells`] draws it: the machine never gets there, may pass it, can be at rest there, or has been.
fn kind(way: CellReach, is_read: bool) -> u8 {
    match way {
        _ if is_read => 3,
        CellReach::Never => 0,
        CellReach::Passed => 1,
        CellReach::Rest => 2,
    }
}

/// Prints how many cells of each ROM, or of one, the machine can look up, and draws them. With a program, these are
/// compared with the cells that its run up to its halt, or to a cycle, looked up.
pub fn reach(
    board: &Board,
    chip: Option<ChipId>,
    program: Option<(Image, Option<u64>)>,
    plot: Option<&Path>,
) -> Result<Ending, Box<dyn Error>> {
    let only = chip.map(|id| board.chips[id].name());
    let interrupt = Interrupt::listen_twice()?;
    let output = plot.map(Output::create).transpose()?;
    let read = program.map(|(image, cycle)| cells_read(board, image, cycle, &interrupt)).transpose()?;
    let reach = Prover::new(board).until(interrupt.flag()).cells()?;
    let reach = reach.ok_or(
        "--reach: the cells that this board can look up could not be computed; `gray1 verify` says why",
    )?;
    let cells: Vec<Cell> = reach
        .into_iter()
        .filter(|reach| only.is_none_or(|only| reach.chip == only))
        .map(|reach| {
            let id = board.chips.iter().position(|chip| chip.name() == reach.chip);
            let read = read.as_ref().zip(id).map(|(read, id)| read[id].clone());
            Cell { reach, read }
        })
        .collect();
    if let Some(output) = output {
        output.complete(picture(board, &cells, read.is_some()).as_bytes())?;
        put_beside(plot, &text(&cells, only.is_none(), read.is_some()))?;
    } else {
        print(text(&cells, only.is_none(), read.is_some()).as_bytes())?;
    }
    Ok(Ending::Done)
}

/// For each chip, which of its cells a program looks up at the end of a phase.
fn cells_read(
    board: &Board,
    image: Image,
    cycle: Option<u64>,
    interrupt: &Interrupt,
) -> Result<Vec<Vec<bool>>, Box<dyn Error>> {
    let machine = ChipsEngine::power_up(board, &image, Noise::Random(1))?;
    let mut debugger = Debugger::new(machine, board.clone(), Source::of_image(image), Script::default())?;
    SearchProgress::observe(&mut debugger);
    debugger.history_mut().go(Position::start_of(cycle.unwrap_or(END)), interrupt.flag())?;
    Ok(debugger.cells_read(interrupt.flag())?)
}

impl Cell {
    /// The number of cells; those at rest, passed and never reached; those read, and those that could be but were not.
    fn counts(&self) -> [usize; 6] {
        let ways = [CellReach::Rest, CellReach::Passed, CellReach::Never].map(|way| self.reach.count(way));
        let of_kind = |wanted: u8| self.kinds().filter(|&kind| kind == wanted).count();
        [self.reach.cells.len(), ways[0], ways[1], ways[2], of_kind(3), of_kind(2)]
    }

    fn kinds(&self) -> impl Iterator<Item = u8> {
        let is_read = |at: usize| self.read.as_ref().is_some_and(|read| read[at]);
        self.reach.cells.iter().enumerate().map(move |(at, &way)| kind(way, is_read(at)))
    }
}

fn text(cells: &[Cell], has_sum: bool, is_run: bool) -> String {
    let columns = if is_run { 6 } else { 4 };
    let heads = ["cells", "at rest", "passed", "never", "read", "unread"];
    let line = |name: &str, columns: &[String]| {
        let columns: String = columns.iter().map(|column| format!("{column:>11}")).collect();
        format!("{name:<8}{columns}\n")
    };
    let shown = |counts: [usize; 6]| counts.map(|count| grouped(count as u64));
    let mut text = line("chip", &heads.map(str::to_owned)[..columns]);
    let mut sums = [0; 6];
    for cell in cells {
        let counts = cell.counts();
        sums = std::array::from_fn(|column| sums[column] + counts[column]);
        text += &line(&cell.reach.chip, &shown(counts)[..columns]);
    }
    if has_sum {
        text += &line("all", &shown(sums)[..columns]);
    }
    let _ = write!(
        text,
        "\nThe chip can be at rest at a cell when a phase is over, whatever the program; or pass it on the way at most; or\n\
         never gets there, in whatever order lines move. The program and RAM are not listed.\n"
    );
    if is_run {
        text += "The run was at rest at the cells that are read; at those unread another program could be.\n";
    }
    text
}

fn picture(board: &Board, cells: &[Cell], is_run: bool) -> String {
    let heading = Heading {
        title: match is_run {
            true => format!("{}: the cells that the program reads", board.name),
            false => format!("{}: the cells that the machine can look up", board.name),
        },
        subtitle: "Each square is a cell of a ROM, row by row from address 0; every row is as long as the lower half of \
                   the address lines makes it."
            .to_owned(),
        footnote: "By `gray1 chips --reach`.".to_owned(),
    };
    let rest = if is_run { "could be looked up, but never is" } else { "can be looked up" };
    let names = ["never reached", "passed at most", rest, if is_run { "looked up" } else { "" }];
    let tables = cells.iter().map(|cell| {
        let [all, _, _, never, read, unread] = cell.counts().map(|count| grouped(count as u64));
        let note = match is_run {
            true => format!("{read} of {all} cells looked up, {unread} not, though they could be"),
            false => format!("{never} of {all} cells are never reached"),
        };
        Table { name: cell.reach.chip.clone(), note, kinds: cell.kinds().collect() }
    });
    Cells { heading, tables: tables.collect(), names: names.map(str::to_owned) }.svg()
}
