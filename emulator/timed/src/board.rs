//! A board with a program, prepared once and then run under many conditions.

use crate::circuit::Circuit;
use crate::conditions::{Conditions, ConditionsError, Delays, LineTiming, line_timings, path_delay, timings};
use crate::paths::Paths;
use crate::views::Views;
use gray1_isa::Image;
use gray1_machine::board::{Board, Timing, is_built_in};
use gray1_machine::netlist::{ChipId, Netlist};
use gray1_machine::tables::Tables;
use gray1_machine::{ChipsEngine, Noise};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A board with a program, ready to be run under many conditions, on several threads.
pub struct TimedBoard {
    pub(crate) circuit: Circuit,
    /// The machine without delays, at power-up.
    pub(crate) reference: ChipsEngine,
    /// Chips with the data lines of their storage loops, which are compared in the gap. All other nets follow from
    /// them.
    pub(crate) loops: Vec<(ChipId, u8)>,
    /// Chips with the data lines of registers and of other nets in a state file, which are compared at the end of a
    /// cycle.
    pub(crate) registers: Vec<(ChipId, u8)>,
    /// The RAM chips that together hold a byte at each address.
    pub(crate) memory: Vec<RamBits>,
    board: Board,
    timings: Vec<Timing>,
    /// Whether the board is one of the built-in ones, for which the way in which its levels settle is proved to make no
    /// difference.
    is_built_in: bool,
    /// The speed that the parts allow, computed on first use.
    paths: OnceLock<Paths>,
    /// The half periods that are long enough with a capacitor, for any delays or for these.
    half_periods: Mutex<HashMap<(u64, Option<Delays>), u64>>,
    /// For each chip and each line that it reads, the data lines that depend on it, computed on first use.
    moves: OnceLock<Vec<Vec<u8>>>,
}

/// The bits of a byte that one RAM chip holds.
pub(crate) struct RamBits {
    pub chip: ChipId,
    /// The position of the lowest of them.
    pub shift: usize,
    /// The mask of the bits in a cell of the chip.
    pub mask: u8,
}

impl TimedBoard {
    /// Burns the chips and powers the board up.
    pub fn new(board: &Board, image: &Image, noise: Noise) -> Result<TimedBoard, ConditionsError> {
        let netlist = board.netlist();
        let timings = timings(board)?;
        let reference = ChipsEngine::power_up(board, image, noise)?;
        let panel = &netlist.panel;
        let mut registers = vec![0; netlist.chips.len()];
        for nets in [&panel.counter, &panel.accumulator, &panel.target, &panel.carry, &panel.jump_master] {
            for pin in nets.iter().filter_map(|&net| netlist.nets[net].driver) {
                registers[pin.chip] |= 1 << pin.line;
            }
        }
        let loops = netlist
            .chips
            .iter()
            .map(|chip| chip.own.iter().fold(0, |mask, (_, bit)| mask | 1 << bit))
            .collect();
        let compared =
            |lines: Vec<u8>| lines.into_iter().enumerate().filter(|(_, lines)| *lines != 0).collect();
        let mut shift = 0;
        let memory = panel.memory.iter().map(|&chip| {
            let bits = netlist.chips[chip].data.len();
            shift += bits;
            RamBits { chip, shift: shift - bits, mask: ((1u16 << bits) - 1) as u8 }
        });
        Ok(TimedBoard {
            memory: memory.collect(),
            circuit: Circuit::new(netlist, &timings, image),
            reference,
            loops: compared(loops),
            registers: compared(registers),
            board: board.clone(),
            timings,
            is_built_in: is_built_in(netlist),
            paths: OnceLock::new(),
            half_periods: Mutex::default(),
            moves: OnceLock::new(),
        })
    }

    /// The nets and chips of the board.
    pub fn netlist(&self) -> &Netlist {
        self.board.netlist()
    }

    pub(crate) fn line_timings(&self, conditions: &Conditions) -> Vec<LineTiming> {
        let fast = match conditions.delays {
            Delays::Worst => self.paths().fast_lines(conditions.capacitor),
            Delays::Random(_) | Delays::Best | Delays::Paths(_) | Delays::LatePath { .. } => HashSet::new(),
        };
        line_timings(self.netlist(), &self.timings, conditions, &fast)
    }

    pub(crate) fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::new(&self.board, self.timings.clone(), false))
    }

    /// Whether a machine whose lines have these timings does the same as one without delays, and is at rest at the end
    /// of each gap, until there is a transient. If each path has its own delay, that cannot be said.
    pub(crate) fn meets_deadlines(&self, conditions: &Conditions, lines: &[LineTiming]) -> bool {
        let Conditions { half_period, delays, capacitor, .. } = *conditions;
        if delays.are_by_path() || !self.is_built_in {
            return false;
        }
        let span = |line: &LineTiming| (line.rise.min(line.fall), line.rise.max(line.fall));
        half_period >= self.needed((capacitor, None), || self.paths().all_spans(capacitor))
            || half_period >= self.needed((capacitor, Some(delays)), || lines.iter().map(span).collect())
    }

    /// The half period that is long enough for lines with these delays, which is computed once for each key.
    fn needed(&self, key: (u64, Option<Delays>), spans: impl FnOnce() -> Vec<(u64, u64)>) -> u64 {
        let known = || self.half_periods.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&key).copied();
        found.unwrap_or_else(|| {
            let needed = self.paths().half_period_to_rest(&spans());
            known().insert(key, needed);
            needed
        })
    }

    /// The address that each data line sees, if it can differ between the data lines of a chip under these conditions.
    pub(crate) fn views(&self, conditions: &Conditions) -> Option<Views> {
        let (netlist, delays) = (self.netlist(), conditions.delays);
        if !delays.are_by_path() {
            return None;
        }
        let moves = self.moves.get_or_init(|| {
            let (mut tables, nothing) = (Tables::new(netlist), vec![None; netlist.nets.len()]);
            (0..netlist.chips.len()).map(|chip| tables.facts(chip, &nothing).moves.clone()).collect()
        });
        Some(Views::new(netlist, moves, |chip, path| path_delay(&self.timings[chip], delays, path)))
    }
}
