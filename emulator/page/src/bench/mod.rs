//! The bench: a board without a CPU is read from its text, and run.
//!
//! ```text
//!   bench    what is shown of a board, and of its run
//!   rework   changes to it; rom: changes to a chip
//! ```

mod rework;
mod rom;

pub use rework::rework;

use crate::protocol::{Bench, BenchChip};
use gray1_lessons::Memory;
use gray1_machine::board::{Board, Chip, Sketch};
use gray1_machine::burn::Burn;
use gray1_machine::netlist::{NetId, number};
use gray1_machine::{BenchRun, Noise, Unstable};

/// The name of the board in messages.
const FILE: &str = "board.ron";
/// The most cells of a chip that are shown.
const MAX_CELLS: usize = 256;
/// The most switches for which all that they can do is shown.
const MAX_TRUTH: usize = 8;

/// Levels of nets.
type Set = Vec<(String, bool)>;

/// A board that was read: its sketch, and the checked board if it has no error.
struct ParsedBoard {
    sketch: Sketch,
    board: Option<Board>,
}

impl ParsedBoard {
    /// The cells of a chip, if they are known.
    fn cells(&self, chip: usize) -> Option<Vec<u8>> {
        let netlist = self.board.as_ref().map(Board::netlist);
        match (netlist.and_then(|netlist| netlist.table(chip)), &self.sketch.chips[chip]) {
            (Some(table), _) => Some(table.to_vec()),
            (None, Chip::Rom { burn: Burn::Cells(cells), .. }) => Some(cells.clone()),
            _ => None,
        }
    }

    /// The switches, and the lamps.
    fn panel(&self) -> [Vec<String>; 2] {
        let inputs = self.sketch.inputs.iter().flat_map(|group| group.nets.names()).cloned().collect();
        let bench = self.sketch.bench.as_ref();
        [inputs, bench.map_or(Vec::new(), |bench| bench.lamps.names().to_vec())]
    }
}

/// Reads a board, puts it into a state or switches it on, and moves switches.
pub fn bench(text: &str, levels: &[(String, bool)], moves: &[Set], memory: Option<&Memory>) -> Bench {
    let mut bench = Bench::default();
    let sketch = match Sketch::read(text, FILE) {
        Ok(sketch) => sketch,
        Err(error) => {
            (bench.fault, bench.line) = (Some(error.message), error.line);
            return bench;
        }
    };
    let board = match Board::parse_any(text, FILE) {
        Ok(board) if board.bench.is_some() => Some(board),
        Ok(_) => {
            bench.fault = Some("this board has a CPU; the bench takes boards without one".to_owned());
            None
        }
        Err(error) => {
            (bench.fault, bench.line) = (Some(error.message), error.line);
            None
        }
    };
    let parsed = ParsedBoard { sketch, board };
    [bench.switches, bench.lamps] = parsed.panel();
    let run = parsed.board.as_ref().map(|board| Run::new(board, levels));
    let mut addresses = vec![None; parsed.sketch.chips.len()];
    match (run, &parsed.board) {
        (Some(Ok(mut run)), Some(board)) => {
            let moved = run.moves(moves, memory);
            bench.restless = moved.err().map(|restless| restless.to_string());
            let (levels, netlist) = (run.run.levels(), board.netlist());
            for (at, chip) in addresses.iter_mut().zip(&netlist.chips) {
                *at = Some(number(&levels, chip.address()) as usize);
            }
            bench.levels = netlist.nets.iter().map(|net| net.name.clone()).zip(levels).collect();
            if bench.restless.is_none() {
                bench.truth = run.truth(&bench.switches, &bench.lamps);
            }
        }
        (Some(Err(restless)), _) => bench.restless = Some(restless.to_string()),
        _ => {}
    }
    let chips = (0..).zip(&parsed.sketch.chips).zip(addresses);
    bench.chips = chips.map(|((number, chip), at)| shown(chip, at, parsed.cells(number))).collect();
    bench
}

fn shown(chip: &Chip, at: Option<usize>, cells: Option<Vec<u8>>) -> BenchChip {
    let cells = cells.unwrap_or_default();
    let first = match at {
        Some(at) if cells.len() > MAX_CELLS => at / MAX_CELLS * MAX_CELLS,
        _ => 0,
    };
    BenchChip {
        name: chip.name().to_owned(),
        part: chip.part().to_owned(),
        address: chip.address().names().to_vec(),
        data: chip.data().names().to_vec(),
        written: (chip.address().as_written().to_owned(), chip.data().as_written().to_owned()),
        formulas: formulas(chip, &cells),
        at,
        first,
        cells: cells.into_iter().skip(first).take(MAX_CELLS).collect(),
    }
}

/// The formulas of a chip: as they are written, or, if they are short, such that give its cells.
fn formulas(chip: &Chip, cells: &[u8]) -> Vec<String> {
    match chip {
        Chip::Rom { burn: Burn::Formula(formulas), .. } => formulas.texts().to_vec(),
        _ if cells.len() == 1 << chip.address().len() => chip.formulas().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// A board that runs.
struct Run<'a> {
    board: &'a Board,
    run: BenchRun,
}

impl Run<'_> {
    /// In a state of rest, or switched on.
    fn new<'a>(board: &'a Board, levels: &[(String, bool)]) -> Result<Run<'a>, Unstable> {
        let mut run = BenchRun::switch_on(board, Noise::Zeros);
        if !levels.is_empty()
            && let Ok(run) = &mut run
        {
            let level = |name: &String| levels.iter().any(|(other, level)| *level && other == name);
            run.resume(&board.netlist().nets.iter().map(|net| level(&net.name)).collect::<Vec<_>>());
        }
        Ok(Run { board, run: run? })
    }

    fn nets(&self, names: &[String]) -> Vec<NetId> {
        names.iter().filter_map(|name| self.board.netlist().net(name)).collect()
    }

    /// Makes moves, each of several switches at once. A memory follows each of them.
    fn moves(&mut self, moves: &[Set], memory: Option<&Memory>) -> Result<(), Unstable> {
        let netlist = self.board.netlist();
        self.follow(memory)?;
        for set in moves {
            // Only what comes from outside can be set.
            let inputs = set.iter().filter_map(|(name, level)| {
                let net = netlist.net(name)?;
                netlist.nets[net].driver.is_none().then_some((net, *level))
            });
            self.run.set(&inputs.collect::<Vec<_>>())?;
            self.follow(memory)?;
        }
        Ok(())
    }

    fn follow(&mut self, memory: Option<&Memory>) -> Result<(), Unstable> {
        let Some(memory) = memory else { return Ok(()) };
        let address = number(&self.run.levels(), &self.nets(&memory.lamps));
        let value = memory.numbers.get(address as usize).copied().unwrap_or_default();
        let netlist = self.board.netlist();
        let nets = self.nets(&memory.switches).into_iter().filter(|&net| netlist.nets[net].driver.is_none());
        let set: Vec<(NetId, bool)> = nets.zip(0..).map(|(net, bit)| (net, value >> bit & 1 == 1)).collect();
        self.run.set(&set)
    }

    /// The truth table: the lamps for each number that the switches form.
    fn truth(&self, switches: &[String], lamps: &[String]) -> Vec<String> {
        let (switches, lamps, levels) = (self.nets(switches), self.nets(lamps), self.run.levels());
        if switches.len() > MAX_TRUTH {
            return Vec::new();
        }
        let mut run = self.run.clone();
        let row = |row: usize| {
            run.resume(&levels);
            let set = switches.iter().zip(0..).map(|(&net, bit)| (net, row >> bit & 1 == 1));
            let rests = run.set(&set.collect::<Vec<_>>()).is_ok();
            lamps.iter().filter(|_| rests).map(|&net| if run.level(net) { '1' } else { '0' }).collect()
        };
        (0..1 << switches.len()).map(row).collect()
    }
}
