//! What can be asked of a program without contracts: whether it halts, whether it depends on noise, whether it does the
//! same as another.

use crate::Obstacle;
use crate::flow::Flow;
use crate::levels::{Diagram, Example, Levels, Outcome, Stop};
use crate::moment::Moment;
use crate::noise::{BEGINNING, Beginning};
use crate::outside::{Outside, Seen};
use crate::promises::Part;
use crate::prove::{Doubt, Proof, Prover, Verdict};
use crate::state::Entry;
use crate::variables::{Origin, Variables};
use crate::walk::{Scene, Walk};
use crate::ways::noisy_word;
use gray1_assembler::{Contract, Span, Subject};
use gray1_isa::Image;
use gray1_logic::Variable;

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

/// The most stores to display and port that are compared.
const MOST_STORES: usize = 1 << 20;

impl Prover<'_> {
    /// Whether a claim about the program is true.
    pub fn prove_claim(&self, claim: &Claim, stop: Stop) -> Outcome<Proof> {
        if let Claim::Halts(within) = claim {
            return self.halts(*within, stop);
        }
        let is_noise = matches!(claim, Claim::Noise);
        let noisy = if is_noise { self.noisy(stop)? } else { None };
        if is_noise && noisy.is_none() {
            return Ok(Proof::of(Verdict::Proved));
        }
        let mut scene = self.reset(Diagram::new(self.limits.nodes, stop));
        let mut last_head = None;
        let mut judge = || -> Outcome<Verdict> {
            let own = self.outside(&self.program.image, &mut scene, &mut last_head)?;
            match claim {
                Claim::Same { other, cycles } => {
                    let other = self.outside(other, &mut scene, &mut last_head)?;
                    same(&own, &other, *cycles, &mut scene)
                }
                _ => noise(&own, &mut scene),
            }
        };
        let verdict = match judge() {
            Err(Obstacle::Stopped) => return Err(Obstacle::Stopped),
            Err(_) if is_noise => Verdict::Undecided(Doubt::Noise(noisy.unwrap_or_default())),
            Err(obstacle) => Verdict::Undecided(Doubt::Limit(obstacle, last_head)),
            Ok(verdict) => verdict,
        };
        Ok(Proof::of(verdict))
    }

    fn halts(&self, within: Option<u64>, stop: Stop) -> Outcome<Proof> {
        let span = Span { file: 0, start: 0, end: 0 };
        let contract = Contract {
            name: "halts".to_owned(),
            subject: Subject::Program,
            span,
            expansion: 0,
            within: within.map(|most| (most, span)),
            ..Contract::default()
        };
        let mut proof = self.prove(&contract, stop)?;
        if let (Verdict::Proved, Some((at, moment))) = (&proof.verdict, &proof.endless) {
            proof.verdict = Verdict::Refuted(Part::Endless(*at), moment.clone());
        }
        Ok(proof)
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

    /// All that can be seen of a program.
    fn outside<B: Levels>(
        &self,
        image: &Image,
        scene: &mut Scene<B>,
        last_head: &mut Option<u16>,
    ) -> Outcome<Outside<B::Level>> {
        let flow = Flow::new(image, 0, &|_| true);
        let mut walk = Walk::new(image, flow, self.limits.words_of_program);
        let mut outside = Outside::new(MOST_STORES);
        let state = scene.entry.state(&scene.levels);
        let outcome = walk.run(0, state, scene, &mut outside);
        *last_head = walk.last_head;
        outcome.map(|_| outside)
    }
}

/// Whether what is seen of a program, and what it keeps, is the same for all noise.
fn noise<B: Levels>(own: &Outside<B::Level>, scene: &mut Scene<B>) -> Outcome<Verdict> {
    for (number, seen) in own.stores.iter().enumerate() {
        for bit in bits_of(seen, false) {
            let bit = scene.levels.and(bit, seen.exists)?;
            if let Some((address, example)) = depends(bit, scene)? {
                let moment = Moment::of(scene, 0, &example, cycle_of(Some(seen), &example, scene));
                return Ok(Verdict::Refuted(Part::Shown(number, address), moment));
            }
        }
    }
    for state in &own.halts {
        for (&kept, byte) in &state.ram {
            for &bit in byte {
                let bit = scene.levels.and(bit, state.condition)?;
                if let Some((address, example)) = depends(bit, scene)? {
                    let cycles = state.cycles.value(&example, &scene.levels);
                    let moment = Moment::of(scene, 0, &example, cycles);
                    return Ok(Verdict::Refuted(Part::Kept(kept, address), moment));
                }
            }
        }
    }
    Ok(Verdict::Proved)
}

/// A byte of RAM at the entry on which a level depends, and an example in which it does.
fn depends<B: Levels>(level: B::Level, scene: &mut Scene<B>) -> Outcome<Option<(u16, Example)>> {
    if scene.levels.known(level).is_some() {
        return Ok(None);
    }
    let mut noise: Vec<Variable> = Vec::new();
    let variables = &scene.variables;
    scene.levels.variables_of(&[level], &mut |variable| {
        noise.extend(matches!(variables.origin(variable), Origin::Ram(_)).then_some(variable));
    });
    noise.sort_unstable();
    for variable in noise {
        let opposite = scene.levels.not(level);
        let [high, low] = [level, opposite].map(|level| scene.levels.forget(level, &|it| it == variable));
        let both = scene.levels.and(high?, low?)?;
        if let (Some(example), Origin::Ram(address)) =
            (scene.levels.example(both)?, scene.variables.origin(variable))
        {
            return Ok(Some((address, example)));
        }
    }
    Ok(None)
}

/// Whether the same is seen of two programs.
fn same<B: Levels>(
    own: &Outside<B::Level>,
    other: &Outside<B::Level>,
    cycles: bool,
    scene: &mut Scene<B>,
) -> Outcome<Verdict> {
    for number in 0..own.stores.len().max(other.stores.len()) {
        let differ = match (own.stores.get(number), other.stores.get(number)) {
            (Some(one), Some(other)) => {
                let mut differ = scene.levels.differ(one.exists, other.exists)?;
                let both = scene.levels.and(one.exists, other.exists)?;
                for (one, other) in bits_of(one, cycles).zip(bits_of(other, cycles)) {
                    let here = scene.levels.differ(one, other)?;
                    let here = scene.levels.and(both, here)?;
                    differ = scene.levels.or(differ, here)?;
                }
                differ
            }
            (one, other) => one.or(other).map_or(scene.levels.constant(false), |seen| seen.exists),
        };
        if let Some(example) = scene.levels.example(differ)? {
            let seen = own.stores.get(number).or(other.stores.get(number));
            let moment = Moment::of(scene, 0, &example, cycle_of(seen, &example, scene));
            return Ok(Verdict::Refuted(Part::Differs(number), moment));
        }
    }
    // What was seen before in a loop is not looked at again.
    Ok(match own.stays.as_ref().or(other.stays.as_ref()) {
        Some((at, _)) => Verdict::Undecided(Doubt::Endless(*at)),
        None => Verdict::Proved,
    })
}

/// The cycle of a store for these variables.
fn cycle_of<B: Levels>(seen: Option<&Seen<B::Level>>, example: &Example, scene: &Scene<B>) -> u64 {
    let bits = seen.into_iter().flat_map(|seen| seen.cycle.iter().enumerate());
    bits.map(|(bit, &level)| u64::from(scene.levels.value(level, example)) << bit).sum()
}

/// The bits of a store; the first says whether there is one.
fn bits_of<L: Copy>(seen: &Seen<L>, cycles: bool) -> impl Iterator<Item = L> {
    let cycle = seen.cycle.iter().copied().filter(move |_| cycles);
    [seen.exists].into_iter().chain(seen.address).chain(seen.value).chain(cycle)
}
