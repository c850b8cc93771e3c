//! The program whose contracts are judged: their extents, and the confirmation of counterexamples by concrete runs.

use crate::contracts::clauses::infix;
use crate::contracts::extent::Extent;
use crate::contracts::replay::{Replay, breaks};
use crate::contracts::variables::LISTS;
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;
use gray1_assembler::{Contract, Formula, Program, Subject, SymbolKind, Term};
use gray1_isa::PROGRAM_WORDS;
use std::collections::BTreeMap;

/// The resource limits of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of executed words.
    pub words: u64,
    /// The maximum for whole programs, most of which take long.
    pub words_of_program: u64,
    /// The maximum before loops are cut at their invariants.
    pub words_before_invariants: u64,
    /// The maximum number of nodes in decision diagrams.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            words: 1_000_000,
            words_of_program: 20_000_000,
            words_before_invariants: 20_000,
            nodes: 1_000_000,
        }
    }
}

/// Proves contracts and claims of a program.
pub struct Prover<'a> {
    pub(crate) program: &'a Program,
    pub(crate) limits: Limits,
    /// The weights of the bytes in numbers and lists, by address.
    pub(crate) weights: BTreeMap<u16, u32>,
}

impl<'a> Prover<'a> {
    /// Creates a prover for a program.
    pub fn new(program: &'a Program, limits: Limits) -> Prover<'a> {
        let ram = program.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Ram && symbol.size > 0);
        let bytes = |value: i64, size: u16| value as u16..(value as u16).saturating_add(size);
        let weights = ram.flat_map(|symbol| {
            let is_number = symbol.size <= 4;
            bytes(symbol.value, symbol.size)
                .zip(0..)
                .map(move |(address, index)| (address, if is_number { 8 * index } else { LISTS }))
        });
        Prover { program, limits, weights: weights.collect() }
    }

    /// Returns the program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Whether the concrete run of a witness breaks a promise.
    pub(crate) fn confirms(&self, contract: &Contract, violation: Violation, witness: &Witness) -> bool {
        let extent = self.extent(contract);
        let holds = |formula: &Option<Formula>, replay: &Replay| {
            formula.as_ref().is_none_or(|formula| replay.holds(&formula.0))
        };
        let is_end = |replay: &Replay| match contract.subject {
            Subject::Program => replay.halted(),
            _ => extent.exits.iter().any(|(word, formula)| *word == replay.pc() && holds(formula, replay)),
        };
        breaks(contract, violation, &self.program.image, witness, &is_end)
    }

    /// Returns the entry and the exits of a contract.
    pub(crate) fn extent(&self, contract: &Contract) -> Extent {
        let after = |word: u16| (word + 1) % PROGRAM_WORDS as u16;
        match &contract.subject {
            Subject::Program => Extent { entry: 0, is_empty: false, requires: None, exits: Vec::new() },
            Subject::Call(words) => {
                let exits =
                    [words.end % PROGRAM_WORDS as u16].into_iter().chain(contract.exits.iter().copied());
                let exits = exits.map(|exit| (exit, None)).collect();
                Extent { entry: words.start, is_empty: words.is_empty(), requires: None, exits }
            }
            Subject::Routine(number) => {
                let routine = &self.program.routines[*number];
                let call_number = |call: usize, sign| {
                    let byte = Term::Byte { address: routine.call_number?, before: true };
                    Some(Formula(vec![byte, Term::Number(call as i64), Term::Infix(infix(sign))]))
                };
                let calls = routine.calls.iter().enumerate();
                let exits = calls.map(|(number, &call)| (after(call), call_number(number, "=="))).collect();
                let requires = call_number(routine.calls.len(), "<");
                Extent { entry: routine.words.start, is_empty: false, requires, exits }
            }
        }
    }
}

/// Returns the cycle to which an endless run is followed that breaks `.within`.
pub fn cycle_of_endless(contract: &Contract) -> u64 {
    contract.within.map_or(0, |(most, _)| most.saturating_add(1).min(MAX_ENDLESS_CYCLES))
}

/// The maximum number of cycles of an endless run, in which its state repeats.
const MAX_ENDLESS_CYCLES: u64 = 1_000_000;
