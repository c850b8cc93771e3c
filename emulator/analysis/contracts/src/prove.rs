//! Contracts: from a program to verdicts.

use crate::Obstacle;
use crate::attempt::{Attempt, Mode};
use crate::ends::Ends;
use crate::gates::{Gates, Solver};
use crate::levels::{Diagram, Levels, Outcome, Stop};
use crate::moment::Moment;
use crate::promises::{Part, Promises, infix};
use crate::replay::{Replay, breaks};
use crate::variables::LISTS;
use gray1_assembler::{Contract, Formula, Program, Subject, SymbolKind, Term};
use gray1_isa::PROGRAM_WORDS;
use serde::Serialize;
use std::collections::BTreeMap;

/// How much is tried.
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

/// What was found out about a contract.
#[derive(Clone, Debug)]
pub struct Proof {
    /// Whether it holds.
    pub verdict: Verdict,
    /// The least and the most cycles, as far as they are known.
    pub cycles: Option<Cycles>,
    /// What has decided it.
    pub by: By,
    /// The sequence number at which a promise is broken.
    pub broken_at: Option<u16>,
    /// An input with which control stays for ever in the loop at this word.
    pub endless: Option<(u16, Moment)>,
    /// Why the contract promises nothing, if it does not.
    pub vacuous: Option<Vacuity>,
}

/// Why a contract promises nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// No input satisfies `.requires`.
    NoInput,
    /// No run ends.
    NoEnd,
}

/// What decides whether a contract holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Decision diagrams.
    Diagrams,
    /// A solver.
    Solver,
}

/// Whether a contract holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// For every input.
    Proved,
    /// Not for this input.
    Refuted(Part, Moment),
    /// Nobody knows.
    Undecided(Doubt),
}

/// Why there is no verdict.
#[derive(Clone, Debug)]
pub enum Doubt {
    /// A limit was reached; the head of the loop that was walked through last.
    Limit(Obstacle, Option<u16>),
    /// A promise does not follow from the invariant at the last word before it.
    Invariant(Part, u16),
    /// What is stored at this word, or the way from there, may depend on noise.
    Noise(u16),
    /// No concrete run shows whether control stays for ever in the loop at this word.
    Endless(u16),
    /// The run of a counterexample does not break this promise: the symbolic execution is wrong.
    NotConfirmed(Part),
    /// Loops were cut at invariants, and variants do not show that all runs end within the cycles of `.within`.
    Unbounded,
}

/// The least and the most cycles, and inputs that take them.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// The least.
    pub least: Option<(u64, Moment)>,
    /// The most; `None` if there may be no bound.
    pub most: Option<(u64, Moment)>,
}

impl Proof {
    /// Without a verdict.
    pub fn undecided(doubt: Doubt) -> Proof {
        Proof::of(Verdict::Undecided(doubt))
    }

    /// Whether it has no verdict because decision diagrams became too large, where a solver may do better.
    pub fn is_too_large(&self) -> bool {
        matches!(self.verdict, Verdict::Undecided(Doubt::Limit(Obstacle::Diagrams(_), _)))
    }

    /// A verdict by diagrams, without anything else.
    pub fn of(verdict: Verdict) -> Proof {
        Proof { verdict, cycles: None, by: By::Diagrams, broken_at: None, endless: None, vacuous: None }
    }
}

/// Proves the contracts of a program.
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

    /// Whether a contract holds.
    pub fn prove(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let proof = self.judge(contract, stop)?;
        match proof.verdict {
            Verdict::Refuted(Part::Within, _) => self.with_maximum(proof, contract, stop),
            _ => Ok(proof),
        }
    }

    /// The proof that a contract takes too long, with all cycles and the input that takes the most.
    fn with_maximum(&self, proof: Proof, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let bare = Contract {
            ensures: Vec::new(),
            invariants: Vec::new(),
            checks: Vec::new(),
            variants: Vec::new(),
            modifies: None,
            within: None,
            ..contract.clone()
        };
        let Proof { cycles, endless, .. } = self.judge(&bare, stop)?;
        let most = cycles.iter().find_map(|cycles| cycles.most.clone());
        let endless =
            endless.map(|(at, moment)| (at, Moment { cycle: cycle_of_endless(contract), ..moment }));
        let endless = endless.filter(|(_, moment)| self.confirms(contract, Part::Within, moment));
        let slowest = endless.clone().or(most.map(|(_, moment)| (0, moment)));
        let verdict = slowest.map_or(proof.verdict, |(_, moment)| Verdict::Refuted(Part::Within, moment));
        Ok(Proof { verdict, cycles, endless, ..proof })
    }

    /// Whether a contract holds; if it takes too long, not how long.
    fn judge(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let attempt = |mode: Mode| {
            let attempt = |mode| self.attempt(contract, Diagram::new(self.limits.nodes, stop), mode);
            let (proof, _) = attempt(mode)?;
            match proof.verdict {
                Verdict::Undecided(Doubt::Endless(_)) => Ok(attempt(Mode { remembers: false, ..mode })?.0),
                _ => Ok(proof),
            }
        };
        let words = match contract.subject {
            Subject::Program => self.limits.words_of_program,
            _ => self.limits.words,
        };
        let mode = Mode { words, cuts: false, counts: true, remembers: true };
        if !has_cuts(contract) {
            return attempt(mode);
        }
        let few = match contract.subject {
            Subject::Program => words,
            _ => self.limits.words_before_invariants,
        };
        let few = Mode { words: few, ..mode };
        let proof = attempt(few)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(..)) => attempt(Mode { cuts: true, ..mode }),
            _ => Ok(proof),
        }
    }

    /// Whether a contract holds, decided by a solver.
    pub fn prove_by(&self, contract: &Contract, solver: &mut dyn Solver) -> Outcome<Proof> {
        let remembers = contract.within.is_none();
        let mode = Mode { words: self.limits.words, cuts: has_cuts(contract), counts: true, remembers };
        let (proof, _) = self.attempt(contract, Gates::new(MAX_GATES, Some(solver)), mode)?;
        Ok(Proof { by: By::Solver, ..proof })
    }

    /// The question whether a contract is broken, as SMT-LIB.
    pub fn question(&self, contract: &Contract) -> Outcome<String> {
        let mode = Mode {
            words: MAX_WORDS_OF_A_QUESTION,
            cuts: has_cuts(contract),
            counts: false,
            remembers: false,
        };
        let (proof, gates) = self.attempt(contract, Gates::new(MAX_GATES, None), mode)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(obstacle, _)) => Err(obstacle),
            _ => Ok(gates.map(|gates| gates.question(&contract.name)).unwrap_or_default()),
        }
    }

    fn attempt<B: Levels>(&self, contract: &Contract, levels: B, mode: Mode) -> Outcome<(Proof, Option<B>)> {
        let ends = self.ends(contract);
        let temporaries = &self.program.temporaries;
        let mut promises = Promises::new(contract, &ends, temporaries, mode.cuts, mode.counts);
        let mut attempt = Attempt::begin(self, contract, &ends, levels)?;
        promises.define(&mut attempt.scene);
        match attempt.walk(&mut promises, mode) {
            Ok(verdict) => Ok((attempt.proof(verdict, promises), Some(attempt.scene.levels))),
            Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
            Err(obstacle) => {
                let doubt = Doubt::Limit(obstacle, attempt.last_head);
                Ok((Proof::undecided(doubt), None))
            }
        }
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

    /// Where the runs of a contract begin and end.
    fn ends(&self, contract: &Contract) -> Ends {
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

/// Whether a contract has words at which a walk may end and begin anew.
fn has_cuts(contract: &Contract) -> bool {
    !contract.invariants.is_empty() || !contract.variants.is_empty()
}

/// The most words that are walked through for a question, since it is not known which ways are possible.
const MAX_WORDS_OF_A_QUESTION: u64 = 200_000;
/// The most gates of a question.
const MAX_GATES: usize = 4_000_000;
