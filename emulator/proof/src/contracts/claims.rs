//! Claims about whole programs without contracts: a program halts, does not depend on noise, or is equivalent to another.
//!
//! Symbolic execution proves a claim, or suggests concrete runs that refute it. The claim is refuted only if these runs,
//! instruction by instruction, show the difference.

use crate::contracts::Obstacle;
use crate::contracts::execution::SymbolicExecution;
use crate::contracts::flow::Flow;
use crate::contracts::halting::{Failure, Halting};
use crate::contracts::levels::{Levels, Outcome, Stop};
use crate::contracts::lockstep::{Lockstep, Rule, Suspicion};
use crate::contracts::prefix::{MAX_PREFIX_WORDS, Prefix};
use crate::contracts::proof::{Doubt, Proof, Verdict};
use crate::contracts::prover::Prover;
use crate::contracts::replay::Replay;
use crate::contracts::scene::Scene;
use crate::contracts::state::Entry;
use crate::contracts::taint::tainted_word;
use crate::contracts::trace::{Difference, Stimulus, Trace};
use crate::contracts::variables::Variables;
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;
use gray1_isa::Image;
use gray1_machine::logic::FALSE;

/// A claim about a whole program, from a reset on.
pub enum Claim<'a> {
    /// No byte that is sent, displayed or kept depends on the contents of RAM and latches at power-up.
    Noise,
    /// The machine halts, whatever is pressed; with a number, within that many cycles.
    Halts(Option<u64>),
    /// The program sends the same bytes as another, and makes the same stores to the display.
    Same {
        /// The other program.
        other: &'a Image,
        /// Whether the stores have to be in the same cycles.
        cycles: bool,
    },
}

/// The cycles that concrete runs continue after a suspicion, to repeat a state or to come to the next event.
const MAX_CYCLES_BEYOND: u64 = 1 << 18;
/// The maximum number of executed words for the claim that a program halts.
const MAX_WORDS_TO_A_HALT: u64 = 5_000_000;

impl Prover<'_> {
    /// Judges a claim about the program.
    pub fn prove_claim(&self, claim: &Claim, stop: Stop) -> Outcome<Proof> {
        let verdict = match claim {
            Claim::Halts(within) => return self.halts(*within, stop),
            Claim::Noise => match self.tainted(stop)? {
                None => Ok(Verdict::Proved),
                Some(at) => match self.compare(&self.program.image, Rule::Noise, stop) {
                    Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
                    Err(_) => Ok(Verdict::Undecided(Doubt::Noise(at))),
                    judged => judged,
                },
            },
            Claim::Same { other, .. } if **other == self.program.image => Ok(Verdict::Proved),
            Claim::Same { other, cycles } => self.same(other, *cycles, stop),
        };
        match verdict {
            Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
            Err(obstacle) => Ok(Proof::undecided(Doubt::Limit(obstacle, None))),
            Ok(verdict) => Ok(Proof::new(verdict)),
        }
    }

    fn halts(&self, within: Option<u64>, stop: Stop) -> Outcome<Proof> {
        let image = &self.program.image;
        let mut scene = self.reset(stop);
        // Most endless programs repeat a state without any input.
        let trace = Trace::record(image, &Stimulus::default(), MAX_CYCLES_BEYOND);
        if let (None, Some((at, [_, cycle]))) = (within, trace.repetition) {
            let witness = Witness::new(&scene, 0, &Default::default(), cycle);
            return Ok(Proof::new(Verdict::Refuted(Violation::Endless(at), witness)));
        }
        let flow = Flow::new(image, 0, &|_| true);
        let max_words = self.limits.words_of_program.min(MAX_WORDS_TO_A_HALT);
        let mut execution = SymbolicExecution::new(image, flow, max_words);
        let mut halting = Halting { within, ..Halting::default() };
        let state = scene.entry.state();
        match execution.run(0, state, &mut scene, &mut halting) {
            Err(Obstacle::Stopped) => return Err(Obstacle::Stopped),
            Err(obstacle) => return Ok(Proof::undecided(Doubt::Limit(obstacle, execution.last_head))),
            Ok(_) => {}
        }
        if let Some(failure) = halting.failure {
            return Ok(Proof::new(self.confirm_failure(&failure, within, &scene)));
        }
        Ok(Proof { cycles: Some(halting.cycles.with_witnesses(&scene, 0)), ..Proof::new(Verdict::Proved) })
    }

    /// Judges a run that does not seem to halt.
    fn confirm_failure(&self, failure: &Failure, within: Option<u64>, scene: &Scene) -> Verdict {
        let Failure { at, cycles, earlier, ref assignment } = *failure;
        let witness = |cycle| Witness::new(scene, 0, assignment, cycle);
        let (late, early) = (witness(cycles), witness(earlier.or(within).unwrap_or(cycles)));
        let [late_run, early_run] = [&late, &early].map(|witness| Replay::run(&self.program.image, witness));
        let (violation, is_confirmed) = match earlier {
            Some(_) => (Violation::Endless(at), early_run.is_in_state_of(&late_run)),
            None => (Violation::Within, !early_run.halted()),
        };
        match is_confirmed {
            true => Verdict::Refuted(violation, late),
            false => Verdict::Undecided(Doubt::Endless(at)),
        }
    }

    fn same(&self, other: &Image, cycles: bool, stop: Stop) -> Outcome<Verdict> {
        // A difference without any input is found at once, however long the programs compute.
        let nothing = Stimulus::default();
        let traces =
            [&self.program.image, other].map(|image| Trace::record(image, &nothing, MAX_CYCLES_BEYOND));
        if let Some(number) = traces[0].differing_store(&traces[1], cycles) {
            let scene = self.reset(stop);
            let cycle = traces[0].cycle_of(number);
            return Ok(Verdict::Refuted(
                Violation::StoresDiffer(number),
                Witness::new(&scene, 0, &Default::default(), cycle),
            ));
        }
        self.compare(other, Rule::Same { cycles }, stop)
    }

    /// Compares the program with itself or another, symbolically.
    fn compare(&self, other: &Image, rule: Rule, stop: Stop) -> Outcome<Verdict> {
        let scene = self.reset(stop);
        let mut lockstep = Lockstep::new([&self.program.image, other], rule, scene);
        let mut found = lockstep.start()?;
        while let Some(suspicion) = found {
            let verdict = self.confirm_suspicion(other, rule, &suspicion, &mut lockstep)?;
            if suspicion.is_final || matches!(verdict, Verdict::Refuted(..)) {
                return Ok(verdict);
            }
            found = lockstep.resume()?;
        }
        Ok(Verdict::Proved)
    }

    /// Judges two runs that seem to differ.
    fn confirm_suspicion(
        &self,
        other: &Image,
        rule: Rule,
        suspicion: &Suspicion,
        lockstep: &mut Lockstep,
    ) -> Outcome<Verdict> {
        let doubt = Verdict::Undecided(Doubt::Endless(suspicion.at));
        let Some((assignment, mut stimuli, cycles)) = lockstep.concretise(suspicion)? else {
            return Ok(doubt);
        };
        // After the last read, the inputs keep their values, or everything is released.
        let last = stimuli[0].reads.last_key_value().map_or([0; 3], |(_, &values)| values);
        let mut traces = |later| {
            stimuli.iter_mut().for_each(|stimulus| stimulus.later = later);
            [(&self.program.image, &stimuli[0]), (other, &stimuli[1])]
                .map(|(image, stimulus)| Trace::record(image, stimulus, cycles + MAX_CYCLES_BEYOND))
        };
        let difference = |[one, two]: &[Trace; 2]| match rule {
            Rule::Noise => one.difference(two),
            Rule::Same { cycles } => one.differing_store(two, cycles).map(Difference::Store),
        };
        let mut runs = traces(last);
        if last != [0; 3] && difference(&runs).is_none() {
            runs = traces([0; 3]);
        }
        let ram = stimuli.each_ref().map(|stimulus| &stimulus.ram);
        let byte = |side: usize, address: u16| ram[side].get(&address).copied().unwrap_or_default();
        let mut noise = ram[0].keys().chain(ram[1].keys()).copied();
        let noise = noise.find(|&address| byte(0, address) != byte(1, address)).unwrap_or_default();
        let one = &runs[0];
        let (violation, cycle) = match difference(&runs) {
            None => return Ok(doubt),
            Some(Difference::Store(number)) if rule == Rule::Noise => {
                (Violation::NoisyStore(number, noise), one.cycle_of(number))
            }
            Some(Difference::Store(number)) => (Violation::StoresDiffer(number), one.cycle_of(number)),
            Some(Difference::Halt) => (Violation::NoisyHalt(noise), one.state.cycle),
            Some(Difference::Byte(address)) => (Violation::NoisyByte(address, noise), one.state.cycle),
        };
        Ok(Verdict::Refuted(violation, Witness::new(&lockstep.scene, 0, &assignment, cycle)))
    }

    /// Creates the machine after a reset; RAM holds noise.
    fn reset<'s>(&self, stop: Stop<'s>) -> Scene<'s> {
        let (levels, entry) = (Levels::new(self.limits.nodes, stop), Entry::new([FALSE; 8], FALSE));
        Scene { variables: Variables::new(self.weights.clone()), entry, reads: Vec::new(), levels }
    }

    /// Finds a word whose store or jump may depend on noise. `None` proves the claim `noise`.
    fn tainted(&self, stop: Stop) -> Outcome<Option<u16>> {
        let image = &self.program.image;
        let mut scene = self.reset(stop);
        let mut execution = SymbolicExecution::new(image, Flow::new(image, 0, &|_| true), MAX_PREFIX_WORDS);
        let mut prefix = Prefix { image, end: None, left: MAX_PREFIX_WORDS, stored: None };
        let state = scene.entry.state();
        match execution.run(0, state, &mut scene, &mut prefix) {
            Err(Obstacle::Stopped) => return Err(Obstacle::Stopped),
            Err(_) => return Ok(Some(0)),
            Ok(_) => {}
        }
        Ok(match prefix.end {
            _ if prefix.stored.is_some() => prefix.stored,
            Some((at, Some(state))) => tainted_word(image, at, &state, &scene),
            Some((at, None)) => Some(at),
            None => None,
        })
    }
}
