//! A program whose contracts are judged: their entries and exits, and the check of counterexamples by a concrete run.

use crate::extent::Ends;
use crate::witness::Moment;
use crate::violation::Part;
use crate::promises::infix;
use crate::replay::{Replay, breaks};
use crate::variables::LISTS;
use gray1_assembler::{Contract, Formula, Program, Subject, SymbolKind, Term};
use gray1_isa::PROGRAM_WORDS;
use std::collections::BTreeMap;

/// The limits of the search for a proof.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Words that are carried out.
    pub words: u64,
    /// The same for whole programs, most of which take long.
    pub words_of_program: u64,
    /// The same where invariants may shorten the way.
    pub words_before_invariants: u64,
    /// Nodes of decision diagrams.
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

/// Judges the contracts of a program.
pub struct Prover<'a> {
    pub(crate) program: &'a Program,
    pub(crate) limits: Limits,
    /// The weights of bytes of numbers and lists.
    pub(crate) weights: BTreeMap<u16, u32>,
}

impl<'a> Prover<'a> {
    /// A prover for a program.
    pub fn new(program: &'a Program, limits: Limits) -> Prover<'a> {
        let ram = program.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Ram && symbol.size > 0);
        let bytes = |value: i64, size: u16| value as u16..(value as u16).saturating_add(size);
        let weights = ram.flat_map(|symbol| {
            let is_number = symbol.size <= 4;
            bytes(symbol.value, symbol.size)
                .zip(0..)
                .map(move |(address, place)| (address, if is_number { 8 * place } else { LISTS }))
        });
        Prover { program, limits, weights: weights.collect() }
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Whether the concrete run of a counterexample breaks a promise.
    pub(crate) fn confirms(&self, contract: &Contract, part: Part, moment: &Moment) -> bool {
        let ends = self.ends(contract);
        let holds = |formula: &Option<Formula>, replay: &Replay| {
            formula.as_ref().is_none_or(|formula| replay.holds(&formula.0))
        };
        let is_end = |replay: &Replay| match contract.subject {
            Subject::Program => replay.halted(),
            _ => ends.words.iter().any(|(word, formula)| *word == replay.pc() && holds(formula, replay)),
        };
        breaks(contract, part, &self.program.image, moment, &is_end)
    }

    /// The entry and the exits of a contract.
    pub(crate) fn ends(&self, contract: &Contract) -> Ends {
        let after = |word: u16| (word + 1) % PROGRAM_WORDS as u16;
        match &contract.subject {
            Subject::Program => Ends { entry: 0, is_empty: false, requires: None, words: Vec::new() },
            Subject::Call(words) => {
                let exits =
                    [words.end % PROGRAM_WORDS as u16].into_iter().chain(contract.exits.iter().copied());
                let words_of_exits = exits.map(|exit| (exit, None)).collect();
                Ends { entry: words.start, is_empty: words.is_empty(), requires: None, words: words_of_exits }
            }
            Subject::Routine(number) => {
                let routine = &self.program.routines[*number];
                let is = |call: usize, sign| {
                    let byte = Term::Byte { address: routine.call_number?, before: true };
                    Some(Formula(vec![byte, Term::Number(call as i64), Term::Infix(infix(sign))]))
                };
                let calls = routine.calls.iter().enumerate();
                let words = calls.map(|(number, &call)| (after(call), is(number, "=="))).collect();
                let requires = is(routine.calls.len(), "<");
                Ends { entry: routine.words.start, is_empty: false, requires, words }
            }
        }
    }
}

/// The cycle to which a run without an end is followed, if it breaks a contract.
pub fn cycle_of_endless(contract: &Contract) -> u64 {
    contract.within.map_or(0, |(most, _)| most.saturating_add(1).min(MAX_CYCLES_OF_ENDLESS))
}

/// The most cycles of a run without an end; by then its state has repeated.
const MAX_CYCLES_OF_ENDLESS: u64 = 1_000_000;
