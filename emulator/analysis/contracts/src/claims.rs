//! Claims about whole programs without contracts: a program halts, does not depend on noise, or does the same as another.
//!
//! A symbolic execution proves a claim, or suggests concrete runs that refute it. Only if these runs, instruction by
//! instruction, show the difference, is the claim refuted.

use crate::Obstacle;
use crate::flow::Flow;
use crate::halting::{Failure, Halting};
use crate::levels::{Diagram, Levels, Outcome, Stop};
use crate::lockstep::{Lockstep, Rule, Suspicion};
use crate::witness::Moment;
use crate::prefix::{BEGINNING, Beginning};
use crate::violation::Part;
use crate::proof::{Cycles, Doubt, Proof, Verdict};
use crate::prover::Prover;
use crate::repetition::Visits;
use crate::scene::Scene;
use crate::state::Entry;
use crate::trace::{Difference, End, Stimulus, Trace};
use crate::variables::{Origin, Variables};
use crate::execution::Walk;
use crate::taint::noisy_word;
use gray1_isa::Image;

/// A claim about a whole program, from a reset on.
pub enum Claim<'a> {
    /// Nothing that is sent, shown or kept depends on what RAM and latches held at power-up.
    Noise,
    /// The machine halts, whatever is pressed; if a number is given, within that many cycles.
    Halts(Option<u64>),
    /// It sends the same bytes as this program, and makes the same stores to the display.
    Same {
        /// The other program.
        other: &'a Image,
        /// Whether in the same cycles.
        cycles: bool,
    },
}

/// The cycles that concrete runs continue after a suspicion, to come back to a state or to the next event.
const MAX_CYCLES_BEYOND: u64 = 1 << 18;
/// The words that are executed to show that a program halts.
const MAX_WORDS_TO_A_HALT: u64 = 5_000_000;

impl Prover<'_> {
    /// Judges a claim about the program.
    pub fn prove_claim(&self, claim: &Claim, stop: Stop) -> Outcome<Proof> {
        let verdict = match claim {
            Claim::Halts(within) => return self.halts(*within, stop),
            Claim::Noise => match self.noisy(stop)? {
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
            Ok(verdict) => Ok(Proof::of(verdict)),
        }
    }

    fn halts(&self, within: Option<u64>, stop: Stop) -> Outcome<Proof> {
        let image = &self.program.image;
        let mut scene = self.reset(Diagram::new(self.limits.nodes, stop));
        // Most programs without an end come back to a state without any input.
        let trace = Trace::of(image, &Stimulus::default(), MAX_CYCLES_BEYOND);
        if let (None, Some((at, [_, cycle]))) = (within, trace.repetition) {
            let moment = Moment::of(&scene, 0, &Default::default(), cycle);
            return Ok(Proof::of(Verdict::Refuted(Part::Endless(at), moment)));
        }
        let flow = Flow::new(image, 0, &|_| true);
        let heads = flow.heads();
        let mut walk = Walk::new(image, flow, self.limits.words_of_program.min(MAX_WORDS_TO_A_HALT));
        walk.remembers = false;
        let visits = Visits::new();
        let mut halting = Halting { heads: &heads, within, visits, least: None, most: None, failure: None };
        let state = scene.entry.state(&scene.levels);
        match walk.run(0, state, &mut scene, &mut halting) {
            Err(Obstacle::Stopped) => return Err(Obstacle::Stopped),
            Err(obstacle) => return Ok(Proof::undecided(Doubt::Limit(obstacle, walk.last_head))),
            Ok(_) => {}
        }
        if let Some(failure) = halting.failure {
            return Ok(Proof::of(self.failing(&failure, within, &scene)));
        }
        let with_input = |(cycles, example)| (cycles, Moment::of(&scene, 0, &example, cycles));
        let cycles = Cycles { least: halting.least.map(with_input), most: halting.most.map(with_input) };
        Ok(Proof { cycles: Some(cycles), ..Proof::of(Verdict::Proved) })
    }

    /// The verdict about a run that does not seem to halt.
    fn failing<B: Levels>(&self, failure: &Failure, within: Option<u64>, scene: &Scene<B>) -> Verdict {
        let Failure { at, cycles, earlier, ref example } = *failure;
        let mut stimulus = Stimulus::default();
        for (origin, byte) in scene.variables.bits_of(example) {
            if let Origin::Ram(address) = origin {
                stimulus.ram.insert(address, byte);
            }
        }
        let mut reads = scene.inputs_of(example);
        reads.sort_unstable();
        for (number, (_, input, given)) in (0..).zip(reads) {
            stimulus.reads.entry(number).or_insert([0; 3])[input] = given;
        }
        let trace = |cycles| Trace::of(&self.program.image, &stimulus, cycles);
        let (part, is_shown) = match (earlier, within) {
            (Some(earlier), _) => (Part::Endless(at), trace(earlier).is_like(&trace(cycles))),
            (None, within) => (Part::Within, trace(within.unwrap_or(cycles)).end != End::Halt),
        };
        match is_shown {
            true => Verdict::Refuted(part, Moment::of(scene, 0, example, cycles)),
            false => Verdict::Undecided(Doubt::Endless(at)),
        }
    }

    fn same(&self, other: &Image, cycles: bool, stop: Stop) -> Outcome<Verdict> {
        // Programs that differ without any input are told apart at once, however long they compute.
        let nothing = Stimulus::default();
        let traces = [&self.program.image, other].map(|image| Trace::of(image, &nothing, MAX_CYCLES_BEYOND));
        if let Some(number) = traces[0].store_that_differs(&traces[1], cycles) {
            let scene = self.reset(Diagram::new(self.limits.nodes, stop));
            let cycle = traces[0].cycle_of(number);
            return Ok(Verdict::Refuted(
                Part::Differs(number),
                Moment::of(&scene, 0, &Default::default(), cycle),
            ));
        }
        self.compare(other, Rule::Same { cycles }, stop)
    }

    /// Compares runs of the program with runs of the same program, or of another.
    fn compare(&self, other: &Image, rule: Rule, stop: Stop) -> Outcome<Verdict> {
        let scene = self.reset(Diagram::new(self.limits.nodes, stop));
        let mut lockstep = Lockstep::new([&self.program.image, other], rule, scene);
        let mut found = lockstep.start()?;
        while let Some(suspicion) = found {
            let verdict = self.differing(other, rule, &suspicion, &mut lockstep)?;
            if suspicion.is_final || matches!(verdict, Verdict::Refuted(..)) {
                return Ok(verdict);
            }
            found = lockstep.resume()?;
        }
        Ok(Verdict::Proved)
    }

    /// The verdict about two runs that seem to differ.
    fn differing(
        &self,
        other: &Image,
        rule: Rule,
        suspicion: &Suspicion,
        lockstep: &mut Lockstep,
    ) -> Outcome<Verdict> {
        let doubt = Verdict::Undecided(Doubt::Endless(suspicion.at));
        let Some((example, mut stimuli, cycles)) = lockstep.example(suspicion)? else { return Ok(doubt) };
        // After the last read, inputs stay as they were, or everything is released.
        let last = stimuli[0].reads.last_key_value().map_or([0; 3], |(_, &given)| given);
        let mut traces = |later| {
            stimuli.iter_mut().for_each(|stimulus| stimulus.later = later);
            [(&self.program.image, &stimuli[0]), (other, &stimuli[1])]
                .map(|(image, stimulus)| Trace::of(image, stimulus, cycles + MAX_CYCLES_BEYOND))
        };
        let difference = |[one, two]: &[Trace; 2]| match rule {
            Rule::Noise => one.difference(two),
            Rule::Same { cycles } => one.store_that_differs(two, cycles).map(Difference::Store),
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
        let (part, cycle) = match difference(&runs) {
            None => return Ok(doubt),
            Some(Difference::Store(number)) if rule == Rule::Noise => {
                (Part::Shown(number, noise), one.cycle_of(number))
            }
            Some(Difference::Store(number)) => (Part::Differs(number), one.cycle_of(number)),
            Some(Difference::Halt) => (Part::HaltOfNoise(noise), one.state.cycle),
            Some(Difference::Kept(address)) => (Part::Kept(address, noise), one.state.cycle),
        };
        Ok(Verdict::Refuted(part, Moment::of(&lockstep.scene, 0, &example, cycle)))
    }

    /// The machine after a reset; RAM holds noise.
    fn reset<'b>(&self, levels: Diagram<'b>) -> Scene<Diagram<'b>> {
        let entry = Entry::new([levels.constant(false); 8], levels.constant(false));
        Scene { variables: Variables::new(self.weights.clone()), entry, reads: Vec::new(), levels }
    }

    /// A word at which a store, or a way, may depend on noise; none proves that nothing does.
    fn noisy(&self, stop: Stop) -> Outcome<Option<u16>> {
        let image = &self.program.image;
        let mut scene = self.reset(Diagram::new(self.limits.nodes, stop));
        let mut walk = Walk::new(image, Flow::new(image, 0, &|_| true), BEGINNING);
        walk.remembers = false;
        let mut beginning = Beginning { image, end: None, left: BEGINNING, stored: None };
        let state = scene.entry.state(&scene.levels);
        match walk.run(0, state, &mut scene, &mut beginning) {
            Err(Obstacle::Stopped) => return Err(Obstacle::Stopped),
            Err(_) => return Ok(Some(0)),
            Ok(_) => {}
        }
        Ok(match beginning.end {
            _ if beginning.stored.is_some() => beginning.stored,
            Some((at, Some(state))) => noisy_word(image, at, &state, &scene),
            Some((at, None)) => Some(at),
            None => None,
        })
    }
}
