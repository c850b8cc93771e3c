//! The cells of each ROM that a machine can look up, and those that it never looks up, whatever the program.
//!
//! The cells at which a chip can come to rest are computed by running the board for all states at once (see
//! [`crate::cycle`]): from the functions on its address lines at the end of a phase follows the set of addresses that
//! they can form together. On the way, the chip passes through other cells: a line that moves in a phase is assumed to
//! have any level at any time. So the remaining cells are not reached in any order of events or with any delays.

use crate::cycle::{self, Start, unless_stopped};
use crate::limits::Limits;
use crate::phase::Phase;
use gray1_machine::logic::{Diagrams, FALSE, Function, TRUE};
use gray1_machine::netlist::{ChipId, Netlist};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// The reachability of each cell of one ROM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// The chip.
    pub chip: String,
    /// The cells, by address.
    pub cells: Vec<CellReach>,
}

/// The reachability of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellReach {
    /// Never.
    Never,
    /// Only on the way to another cell.
    Passed,
    /// The chip can be at rest there when a phase is over.
    Rest,
}

impl Reach {
    /// Returns the number of its cells that are reached in this way.
    pub fn count(&self, reach: CellReach) -> usize {
        self.cells.iter().filter(|cell| **cell == reach).count()
    }
}

/// The four phases of a cycle, and phases that can replace one of them, by number.
pub(crate) type CyclePhases<'a> = (&'a [Phase], Vec<(usize, &'a Phase)>);

/// Returns the cells of each ROM whose table is known, over cycles of these phases.
pub(crate) fn reach(
    netlist: &Netlist,
    cycles: &[CyclePhases],
    limits: &Limits,
    stop: &AtomicBool,
) -> cycle::Result<Vec<Reach>> {
    let mut sets: Vec<(ChipId, AddressSets)> = (0..netlist.chips.len())
        .filter(|&chip| netlist.table(chip).is_some())
        .map(|chip| (chip, AddressSets::new(limits)))
        .collect();
    let everything = vec![true; netlist.nets.len()];
    for (phases, others) in cycles {
        let Start { mut board, rests, .. } = Start::find(netlist, &phases[1].start, limits, None)?;
        // Lines that do not move in phase 0 have the levels with which phase 1 begins. At the end of phase 2 all is
        // known.
        for (number, next) in [(0, 1), (1, 2), (2, 3)] {
            if number > 0 {
                board.flip(&netlist.panel.oscillator, &everything)?;
            }
            let then = phases.iter().enumerate().chain(others.iter().copied());
            let then: Vec<&Phase> = then
                .filter(|(of, _)| *of == next || number == 0 && *of == 0)
                .map(|(_, phase)| phase)
                .collect();
            for (chip, sets) in &mut sets {
                unless_stopped(stop)?;
                let levels = board.on(&netlist.chips[*chip].reads);
                let at_rest: Vec<Line> = levels.iter().copied().map(Some).collect();
                sets.rest = sets.with(sets.rest, &mut board.diagrams, &at_rest, rests)?;
                for phase in &then {
                    let lines = netlist.chips[*chip].reads.iter().zip(&levels);
                    let lines: Vec<Line> =
                        lines.map(|(&net, &level)| (!phase.moves(net)).then_some(level)).collect();
                    sets.passed = sets.with(sets.passed, &mut board.diagrams, &lines, rests)?;
                }
            }
        }
    }
    let reach = sets.into_iter().map(|(chip, sets)| Reach {
        chip: netlist.chips[chip].name.clone(),
        cells: sets.cells(netlist.chips[chip].reads.len()),
    });
    Ok(reach.collect())
}

/// The function on an address line, if the line does not move.
type Line = Option<Function>;

fn constrained(board: &mut Diagrams, lines: &[Line], states: Function) -> cycle::Result<Vec<Line>> {
    let lines = lines.iter().map(|line| line.map(|line| board.constrain(line, states)).transpose());
    Ok(lines.collect::<Result<_, _>>()?)
}

/// Sets of addresses, as functions of the address lines.
struct AddressSets {
    diagrams: Diagrams,
    rest: Function,
    passed: Function,
}

impl AddressSets {
    fn new(limits: &Limits) -> AddressSets {
        AddressSets { diagrams: Diagrams::new(limits.nodes), rest: FALSE, passed: FALSE }
    }

    /// Returns the union of a set with the addresses that lines can form in these states.
    fn with(
        &mut self,
        set: Function,
        board: &mut Diagrams,
        lines: &[Line],
        states: Function,
    ) -> cycle::Result<Function> {
        let lines = constrained(board, lines, states)?;
        // There are no more of them than with all unknown lines free; often the set contains all those already.
        let known: Vec<Line> = lines.iter().map(|line| line.filter(|level| level.is_constant())).collect();
        let most = self.image(board, &known, &mut HashMap::new())?;
        if self.diagrams.or(set, most)? == set {
            return Ok(set);
        }
        let image = self.image(board, &lines, &mut HashMap::new())?;
        Ok(self.diagrams.or(set, image)?)
    }

    /// Returns the addresses that lines can form together: those where the highest is 0, with the possible levels of
    /// the others, and those where it is 1.
    fn image(
        &mut self,
        board: &mut Diagrams,
        lines: &[Line],
        known: &mut HashMap<Vec<Line>, Function>,
    ) -> cycle::Result<Function> {
        let Some((&line, others)) = lines.split_last() else { return Ok(TRUE) };
        if let Some(&known) = known.get(lines) {
            return Ok(known);
        }
        let halves = match line {
            None => [self.image(board, others, known)?; 2],
            Some(level) => {
                let mut halves = [FALSE; 2];
                for (half, states) in halves.iter_mut().zip([!level, level]) {
                    if states != FALSE {
                        let others = constrained(board, others, states)?;
                        *half = self.image(board, &others, known)?;
                    }
                }
                halves
            }
        };
        // The highest line is tested first.
        let variable = (u8::MAX as usize - others.len()) as u32;
        let image = self.diagrams.node(variable, halves[0], halves[1])?;
        known.insert(lines.to_vec(), image);
        Ok(image)
    }

    fn cells(&self, lines: usize) -> Vec<CellReach> {
        let within = |set: Function, address: u32| {
            self.diagrams.value(set, |variable| address >> (u32::from(u8::MAX) - variable) & 1 == 1)
        };
        (0..1u32 << lines)
            .map(|address| match (within(self.rest, address), within(self.passed, address)) {
                (true, _) => CellReach::Rest,
                (_, true) => CellReach::Passed,
                _ => CellReach::Never,
            })
            .collect()
    }
}
