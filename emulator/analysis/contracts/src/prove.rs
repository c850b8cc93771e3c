//! Contracts: from a program to verdicts.

use crate::Obstacle;
use crate::ends::Ends;
use crate::flow::Flow;
use crate::gates::{Gates, Solver};
use crate::levels::{Diagram, Levels, Outcome, Stop};
use crate::moment::Moment;
use crate::promises::{Broken, Part, Promises, infix};
use crate::replay::{Replay, breaks};
use crate::state::{Entry, State};
use crate::variables::{LISTS, Origin, Variables};
use crate::walk::{Scene, Walk, Watch};
use gray1_assembler::{Contract, Formula, Program, Subject, SymbolKind, Term};
use gray1_isa::{Opcode, PROGRAM_WORDS};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
        let endless_run = endless
            .iter()
            .zip(contract.within)
            .map(|((_, moment), (most, _))| Moment { cycle: most + 1, ..moment.clone() });
        let slowest = endless_run.chain(most.map(|(_, moment)| moment)).next();
        let verdict = slowest.map_or(proof.verdict, |moment| Verdict::Refuted(Part::Within, moment));
        Ok(Proof { verdict, cycles, endless, ..proof })
    }

    /// Whether a contract holds; if it takes too long, not how long.
    fn judge(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let diagram = || Diagram::new(self.limits.nodes, stop);
        let words = match contract.subject {
            Subject::Program => self.limits.words_of_program,
            _ => self.limits.words,
        };
        let way = Way { words, cuts: false, counts: true };
        if !has_cuts(contract) {
            return Ok(self.attempt(contract, diagram(), way)?.0);
        }
        let few = match contract.subject {
            Subject::Program => words,
            _ => self.limits.words_before_invariants,
        };
        let few = Way { words: few, ..way };
        let (proof, _) = self.attempt(contract, diagram(), few)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(..)) => {
                Ok(self.attempt(contract, diagram(), Way { cuts: true, ..way })?.0)
            }
            _ => Ok(proof),
        }
    }

    /// Whether a contract holds, decided by a solver.
    pub fn prove_by(&self, contract: &Contract, solver: &mut dyn Solver) -> Outcome<Proof> {
        let way = Way { words: self.limits.words, cuts: has_cuts(contract), counts: true };
        let (proof, _) = self.attempt(contract, Gates::new(MOST_GATES, Some(solver)), way)?;
        Ok(Proof { by: By::Solver, ..proof })
    }

    /// The question whether a contract is broken, as SMT-LIB.
    pub fn question(&self, contract: &Contract) -> Outcome<String> {
        let way = Way { words: MOST_WORDS_OF_A_QUESTION, cuts: has_cuts(contract), counts: false };
        let (proof, gates) = self.attempt(contract, Gates::new(MOST_GATES, None), way)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(obstacle, _)) => Err(obstacle),
            _ => Ok(gates.map(|gates| gates.question(&contract.name)).unwrap_or_default()),
        }
    }

    fn attempt<B: Levels>(&self, contract: &Contract, levels: B, way: Way) -> Outcome<(Proof, Option<B>)> {
        let ends = self.ends(contract);
        let temporaries = &self.program.temporaries;
        let mut promises = Promises::new(contract, &ends, temporaries, way.cuts, way.counts);
        let mut attempt = Attempt::begin(self, contract, &ends, levels)?;
        promises.define(&mut attempt.scene);
        match attempt.walk(&mut promises, way) {
            Ok(verdict) => Ok((attempt.proof(verdict, promises), Some(attempt.scene.levels))),
            Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
            Err(obstacle) => {
                let doubt = Doubt::Limit(obstacle, attempt.last_head);
                Ok((Proof::undecided(doubt), None))
            }
        }
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

/// Whether a contract has words at which a walk may end and begin anew.
fn has_cuts(contract: &Contract) -> bool {
    !contract.invariants.is_empty() || !contract.variants.is_empty()
}

/// How a contract is walked through.
#[derive(Clone, Copy)]
struct Way {
    /// The most words that are carried out.
    words: u64,
    /// Whether walks end and begin at invariants.
    cuts: bool,
    /// Whether cycles are counted, and repetitions are noticed.
    counts: bool,
}

/// The most words that are walked through for a question, since it is not known which ways are possible.
const MOST_WORDS_OF_A_QUESTION: u64 = 200_000;
/// The most gates of a question.
const MOST_GATES: usize = 4_000_000;

/// One attempt to prove a contract.
struct Attempt<'a, B: Levels> {
    prover: &'a Prover<'a>,
    contract: &'a Contract,
    ends: &'a Ends,
    scene: Scene<B>,
    last_head: Option<u16>,
    /// Whether an input satisfies `.requires`.
    has_input: bool,
    /// The words that control may come to.
    words: BTreeSet<u16>,
    /// Whether control came to words where a run usually has ended.
    strays: bool,
}

impl<'a, B: Levels> Attempt<'a, B> {
    fn begin(
        prover: &'a Prover,
        contract: &'a Contract,
        ends: &'a Ends,
        mut levels: B,
    ) -> Outcome<Attempt<'a, B>> {
        let mut variables = Variables::new(prover.weights.clone());
        let machine = match contract.subject {
            // After a reset.
            Subject::Program => Entry::new([levels.constant(false); 8], levels.constant(false)),
            _ => {
                let a = variables.byte(Origin::A, &mut levels)?;
                Entry::new(a, variables.bit(Origin::C, 0, &mut levels)?)
            }
        };
        let scene = Scene { levels, variables, entry: machine, reads: Vec::new() };
        Ok(Attempt {
            prover,
            contract,
            ends,
            scene,
            last_head: None,
            has_input: false,
            words: BTreeSet::new(),
            strays: false,
        })
    }

    fn walk(&mut self, promises: &mut Promises, way: Way) -> Outcome<Verdict> {
        let Attempt { contract, ends, .. } = *self;
        let mut state = self.scene.entry.state(&self.scene.levels);
        let requires = contract.requires.iter().map(|promise| &promise.formula);
        for formula in requires.chain(&ends.requires) {
            let holds = self.scene.holds(formula, &state, ends.entry)?;
            state.condition = self.scene.levels.and(state.condition, holds)?;
        }
        let condition = state.condition;
        if !self.scene.levels.is_possible(condition)? {
            return Ok(Verdict::Proved);
        }
        // A byte that is required to be a number is that number from here on.
        for term in contract.requires.iter().flat_map(|promise| &promise.formula.0) {
            if let Term::Byte { address, .. } = *term {
                let byte = self.scene.byte(address, &state)?;
                state.ram.insert(address, byte);
            }
        }
        self.scene.simplify(&mut state)?;
        self.has_input = true;
        if ends.is_empty {
            let _ = promises.end(&mut self.scene, ends.entry, state)?;
        } else {
            self.walk_from(ends.entry, state, promises, way)?;
        }
        if let Some(Broken { part, .. }) = &promises.broken {
            return Ok(self.confirmed(*part, self.moment_of(promises)));
        }
        let mut done = BTreeSet::new();
        while let Some(at) = promises.reached.difference(&done).next().copied() {
            done.insert(at);
            let (changed, strayed) = (self.changed(), self.strays);
            let state = promises.state_at_cut(at, &changed, &mut self.scene, condition)?;
            (promises.begins, promises.cut) = (true, Some(at));
            self.walk_from(at, state, promises, way)?;
            if let Some(Broken { part, .. }) = promises.broken {
                return Ok(Verdict::Undecided(Doubt::Invariant(part, at)));
            }
            // More may be changed than was forgotten so far.
            if self.strays != strayed {
                done.clear();
            }
        }
        // What a variant was at its word is forgotten at other cuts, so these must not lead back there.
        let is_unknown = match contract.within {
            _ if done.is_empty() => false,
            Some((most, _)) => promises.bound().is_none_or(|bound| bound > most),
            None => !contract.variants.is_empty() && promises.order().is_none(),
        };
        Ok(if is_unknown { Verdict::Undecided(Doubt::Unbounded) } else { Verdict::Proved })
    }

    /// The verdict that a promise is broken, if the concrete run breaks it.
    fn confirmed(&self, part: Part, moment: Moment) -> Verdict {
        let Attempt { contract, ends, .. } = self;
        let holds = |formula: &Option<Formula>, replay: &Replay| {
            formula.as_ref().is_none_or(|formula| replay.holds(&formula.0))
        };
        let is_end = |replay: &Replay| match contract.subject {
            Subject::Program => replay.halted(),
            _ => ends.words.iter().any(|(word, formula)| *word == replay.pc() && holds(formula, replay)),
        };
        match breaks(contract, part, &self.prover.program.image, &moment, &is_end) {
            true => Verdict::Refuted(part, moment),
            false => Verdict::Undecided(Doubt::NotConfirmed(part)),
        }
    }

    fn walk_from(
        &mut self,
        at: u16,
        state: State<B::Level>,
        promises: &mut Promises,
        way: Way,
    ) -> Outcome<()> {
        let ends = &self.ends.words;
        let is_end =
            |word| ends.iter().any(|(end, goes_on)| *end == word && (goes_on.is_none() || !self.strays));
        let flow = Flow::new(&self.prover.program.image, at, &|word| word == at || !is_end(word));
        let mut walk = Walk::new(&self.prover.program.image, flow, way.words);
        walk.remembers = self.contract.within.is_none() && way.counts;
        walk.ignores_inputs = !promises.are_about_inputs();
        let outcome = walk.run(at, state, &mut self.scene, promises);
        self.last_head = walk.last_head;
        self.strays |= walk.strayed;
        self.words.extend(walk.words());
        outcome.map(drop)
    }

    /// The bytes of RAM that the code may change.
    fn changed(&self) -> BTreeSet<u16> {
        let words = self.words.iter().map(|&at| self.prover.program.image.word(at));
        let stores = words.filter(|word| word.opcode() == Opcode::Sta).map(|word| word.x());
        stores.filter(|&address| State::<B::Level>::is_ram(address)).collect()
    }

    fn moment_of(&self, promises: &Promises) -> Moment {
        match &promises.broken {
            Some(broken) => Moment::of(&self.scene, self.ends.entry, &broken.example, broken.cycles),
            None => Moment::of(&self.scene, self.ends.entry, &Default::default(), 0),
        }
    }

    fn proof(&self, verdict: Verdict, promises: Promises) -> Proof {
        let entry = self.ends.entry;
        let moment = |(cycles, example)| (cycles, Moment::of(&self.scene, entry, &example, cycles));
        let endless = promises.stays.map(|(at, example)| (at, Moment::of(&self.scene, entry, &example, 0)));
        let is_proved = matches!(verdict, Verdict::Proved);
        let vacuous = match self.has_input {
            _ if !is_proved || promises.ends_somewhere => None,
            false => Some(Vacuity::NoInput),
            true => Some(Vacuity::NoEnd),
        };
        let is_known = is_proved && promises.reached.is_empty() && vacuous.is_none();
        let cycles = is_known.then(|| Cycles {
            least: promises.least.map(moment),
            most: promises.most.filter(|_| endless.is_none()).map(moment),
        });
        let broken_at = promises.broken.map(|broken| broken.at);
        Proof { cycles, endless, broken_at, vacuous, ..Proof::of(verdict) }
    }
}
