//! Finds the shortest program that shows a fault, by a search over all programs at once.
//!
//! Cycles of the board are run one after the other, from power-up with RAM at 0, each with an unknown word. The levels
//! at which a cycle begins are then functions of the words before it, and the states in which something is wrong become
//! the programs that go wrong in that cycle. No program goes wrong before the first cycle in which there are any.

use super::comparison::Cycle;
use crate::cycle::SymbolicBoard;
use crate::limits::Limits;
use gray1_isa::{INSTRUCTIONS, Operand, Word, from_gray};
use gray1_machine::Inputs;
use gray1_machine::logic::{self as logic, Diagrams, FALSE, Function, Known, TRUE, TooLarge, Variable};
use gray1_machine::netlist::NetId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Programs that go wrong in a later cycle are not searched for.
pub(super) const MAX_CYCLES: usize = 8;
const WORD_BITS: usize = 16;

/// A program that shows a fault as early as possible.
pub(super) struct ShortestProgram {
    /// Its words, each with its sequence number, in the order in which they run.
    pub words: Vec<(u16, Word)>,
    pub inputs: Inputs,
    /// The state in which its last cycle begins.
    pub levels: HashMap<Variable, bool>,
}

/// Consecutive cycles of a board, with any words.
pub(super) struct Search<'a> {
    diagrams: Diagrams,
    /// The board at the beginning of its first cycle.
    start: SymbolicBoard<'a>,
    /// The nets that are variables when a cycle begins, with their variables.
    state: Vec<(NetId, Variable)>,
    /// The inputs, which are held down all the time: columns, rows, keys.
    held: Vec<(Variable, Function)>,
    steps: Vec<Step>,
    stop: &'a AtomicBool,
}

/// One of the cycles, as functions of all words.
struct Step {
    /// The functions that replace the variables of a cycle.
    levels: HashMap<Variable, Function>,
    word: Vec<Function>,
    counter: Vec<Function>,
    /// Whether it stores, and what.
    stores: Function,
    accumulator: Vec<Function>,
}

/// The search cannot cover all programs: it takes too many nodes, was stopped, or met a variable for which no function
/// is known.
pub(super) struct Incomplete;

impl From<TooLarge> for Incomplete {
    fn from(_: TooLarge) -> Incomplete {
        Incomplete
    }
}

type Result<T> = std::result::Result<T, Incomplete>;

impl<'a> Search<'a> {
    /// No cycles yet; `None` if it is not known in which state the first one begins.
    pub fn new(cycle: &Cycle<'a>, limits: &Limits, stop: &'a AtomicBool) -> Option<Search<'a>> {
        let start = SymbolicBoard::power_up(cycle.board.netlist, limits).ok()??;
        let asked = |function| cycle.board.diagrams.asked(function);
        let state = cycle.state.iter().map(|&net| Some((net, asked(cycle.first[net])?)));
        let mut diagrams = Diagrams::new(limits.nodes);
        let before = &cycle.before;
        let lines = [&before.pad_column, &before.pad_row, &before.keys].into_iter().flatten();
        let held = lines
            .zip((WORD_BITS * MAX_CYCLES) as Variable..)
            .map(|(&line, variable)| Some((asked(line)?, diagrams.variable(variable).ok()?)));
        let held = held.collect::<Option<_>>()?;
        Some(Search { start, state: state.collect::<Option<_>>()?, diagrams, held, steps: vec![], stop })
    }

    /// Returns a program whose cycle of this number, counted from 0, begins in one of these states.
    pub fn program(
        &mut self,
        cycle: &Cycle,
        states: Function,
        last: usize,
    ) -> Result<Option<ShortestProgram>> {
        while self.steps.len() <= last {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Incomplete);
            }
            self.add(cycle)?;
        }
        let mut programs = compose(&mut self.diagrams, &cycle.board, &[states], &self.steps[last].levels)?[0];
        if programs == FALSE {
            return Ok(None);
        }
        let possible = self.possible(last)?;
        programs = self.diagrams.and(programs, possible)?;
        if programs == FALSE {
            return Ok(None);
        }
        // Words as an assembler writes them, if possible: M is 0 in a STA, and in a jump the parity of its target.
        for step in 0..=last {
            let plain = self.plain(step)?;
            let plainer = self.diagrams.and(programs, plain)?;
            programs = if plainer == FALSE { programs } else { plainer };
        }
        // No pad or key is held down unnecessarily.
        for &(_, held) in &self.held {
            let fewer = self.diagrams.and(programs, !held)?;
            programs = if fewer == FALSE { programs } else { fewer };
        }
        Ok(Some(self.chosen(programs, last)))
    }

    /// Adds a cycle to the existing ones.
    fn add(&mut self, cycle: &Cycle) -> Result<()> {
        let number = self.steps.len();
        let variable = |bit: usize| ((WORD_BITS - 1 - bit) * MAX_CYCLES + number) as Variable;
        let word = (0..WORD_BITS).map(|bit| self.diagrams.variable(variable(bit)));
        let word = word.collect::<logic::Result<Vec<_>>>()?;
        let byte = self.byte(cycle, &word)?;
        let (before, netlist) = (&cycle.before, cycle.board.netlist);
        // When a cycle begins, its word and the byte that it reads have already arrived.
        let memory = netlist.panel.memory.iter().flat_map(|&ram| &netlist.chips[ram].data);
        let shown: Vec<NetId> = netlist.panel.word.iter().chain(memory).copied().collect();
        let shows = word.iter().chain(&byte).copied();
        let nothing = HashMap::new();
        let (board, last) = match self.steps.last() {
            None => (&self.start, &nothing),
            Some(last) => (&cycle.board, &last.levels),
        };
        let mut known = last.clone();
        for (variable, by) in stands_for(board, board.on(&shown), shows.clone()) {
            // Chips that do not matter in the last phase still have their earlier output.
            known.entry(variable).or_insert(by);
        }
        let begins: Vec<Function> = self.state.iter().map(|(net, _)| board.levels[*net]).collect();
        let begins = compose(&mut self.diagrams, board, &begins, &known)?;
        let mut levels: HashMap<Variable, Function> = self.held.iter().copied().collect();
        levels.extend(self.state.iter().zip(begins).map(|((_, variable), level)| (*variable, level)));
        let reads = before.word.iter().chain(&before.byte).copied().collect();
        levels.extend(stands_for(&cycle.board, reads, shows));
        let mut now = |functions: &[Function]| compose(&mut self.diagrams, &cycle.board, functions, &levels);
        let (counter, accumulator) = (now(&before.counter)?, now(&before.accumulator)?);
        let stores = now(&[cycle.after.stores])?[0];
        self.steps.push(Step { levels, word, counter, stores, accumulator });
        Ok(())
    }

    /// Returns the byte that the next cycle reads at the address in its word: the last one stored there, or 0.
    fn byte(&mut self, cycle: &Cycle, word: &[Function]) -> logic::Result<Vec<Function>> {
        let address = cycle.after.target.len();
        let mut byte = vec![FALSE; cycle.before.byte.len()];
        for step in &self.steps {
            let elsewhere = self.diagrams.differ_anywhere(&word[..address], &step.word[..address])?;
            let here = self.diagrams.choose(elsewhere, FALSE, step.stores)?;
            for (old, &new) in byte.iter_mut().zip(&step.accumulator) {
                *old = self.diagrams.choose(here, new, *old)?;
            }
        }
        Ok(byte)
    }

    /// Returns the possible programs: a word that runs twice is the same both times, none of them halts before the last
    /// cycle, and it is possible to hold down this combination of pads and keys.
    fn possible(&mut self, last: usize) -> logic::Result<Function> {
        let diagrams = &mut self.diagrams;
        let pads: Vec<Function> = self.held[..16].iter().map(|(_, line)| *line).collect();
        let mut possible = diagrams.is(&pads, 0)?;
        for (column, row) in (0..8).flat_map(|column| (8..16).map(move |row| (column, row))) {
            let pressed = diagrams.is(&pads, 1 << column | 1 << row)?;
            possible = diagrams.or(possible, pressed)?;
        }
        for (number, one) in self.steps[..=last].iter().enumerate() {
            for other in &self.steps[..number] {
                let elsewhere = diagrams.differ_anywhere(&one.counter, &other.counter)?;
                let otherwise = diagrams.differ_anywhere(&one.word, &other.word)?;
                let same_place_same_word = diagrams.choose(otherwise, elsewhere, TRUE)?;
                possible = diagrams.and(possible, same_place_same_word)?;
            }
            if let Some(before) = number.checked_sub(1) {
                let moves = diagrams.differ_anywhere(&one.counter, &self.steps[before].counter)?;
                possible = diagrams.and(possible, moves)?;
            }
        }
        Ok(possible)
    }

    /// Whether a word has the M with which an assembler writes it.
    fn plain(&mut self, step: usize) -> logic::Result<Function> {
        let (word, diagrams) = (&self.steps[step].word, &mut self.diagrams);
        let parity = diagrams.parity(&word[..12])?;
        let odd = diagrams.differ(parity, word[12])?;
        let mut plain = TRUE;
        for row in &INSTRUCTIONS {
            let other = match row.operand {
                Operand::Value => FALSE,
                Operand::Address => word[12],
                Operand::Target => odd,
            };
            let runs = diagrams.is(&word[13..], row.opcode as u16)?;
            let otherwise = diagrams.and(runs, other)?;
            plain = diagrams.choose(otherwise, FALSE, plain)?;
        }
        Ok(plain)
    }

    /// Chooses one of these programs.
    fn chosen(&self, programs: Function, last: usize) -> ShortestProgram {
        let chosen: HashMap<Variable, bool> = self.diagrams.witness(programs).into_iter().collect();
        let level = |variable| chosen.get(&variable).copied().unwrap_or_default();
        let number = |lines: &[Function]| self.diagrams.number(lines, level) as u16;
        let words = self.steps[..=last].iter();
        let words = words.map(|step| (from_gray(number(&step.counter)), Word(number(&step.word)))).collect();
        let held: Vec<Function> = self.held.iter().map(|(_, line)| *line).collect();
        let (columns, rows) = (number(&held[..8]), number(&held[8..16]));
        let pad = (columns != 0).then(|| (rows.trailing_zeros() as u8, columns.trailing_zeros() as u8));
        let inputs = Inputs { pad, keys: number(&held[16..]) as u8 };
        let levels = self.steps[last].levels.iter();
        let levels = levels.map(|(&variable, &function)| (variable, self.diagrams.value(function, level)));
        ShortestProgram { words, inputs, levels: levels.collect() }
    }
}

/// Returns the functions that replace some variables.
fn stands_for(
    board: &SymbolicBoard,
    functions: Vec<Function>,
    by: impl Iterator<Item = Function>,
) -> Vec<(Variable, Function)> {
    let pairs = functions.into_iter().zip(by);
    pairs.filter_map(|(one, by)| Some((board.diagrams.asked(one)?, by))).collect()
}

/// Functions of the nets of a board, as functions of all words.
fn compose(
    diagrams: &mut Diagrams,
    board: &SymbolicBoard,
    functions: &[Function],
    levels: &HashMap<Variable, Function>,
) -> Result<Vec<Function>> {
    let by = |variable| levels.get(&variable).copied().ok_or(Incomplete);
    let mut known = Known::default();
    let functions = functions.iter();
    functions.map(|&function| diagrams.compose(&board.diagrams, function, &by, &mut known)).collect()
}
