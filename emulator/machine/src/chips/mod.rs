//! The chips engine: the plain engine, and faster ways to the same results.
//!
//! [`Engine::run`] does the lookups of the [plain engine](PlainEngine) in a planned order, and leaves out those
//! whose result is certain from the chips' own tables (see [`planner`]); in long runs it evaluates the board for its
//! program (see [`partial_eval`]). Both only on confluent boards.

mod confluence;
mod lookups;
mod partial_eval;
mod plan;
mod planner;
mod step;

use crate::board::{Board, Confluence};
use crate::engine::{Engine, Failure, OutputSink, PHASES, Unsettled};
use crate::evaluated::Translator;
use crate::observed::ObservedEngine;
use crate::plain::PlainEngine;
use crate::state::Noise;
use confluence::is_confluent;
use gray1_isa::Image;
use partial_eval::Evaluation;
use plan::Plan;
use planner::plan;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

/// After this many cycles a plan is made: until then, planning would cost more than it saves.
const PLANNED_AFTER: u64 = 2_000;

/// The machine, chip by chip, with facts about its board. It dereferences to the plain engine in it, which has the
/// levels and the cells.
#[derive(Clone)]
pub struct ChipsEngine {
    plain: PlainEngine,
    plan: Planning,
    /// The plan of all clones: the first one that needs it makes it. `None` if this board runs by the general rule.
    shared_plan: Arc<OnceLock<Option<Arc<Plan>>>>,
    evaluation: Evaluation,
    /// Whether this board is confluent.
    confluence: Confluence,
    /// The translator, and whether it is used eagerly.
    translator: Option<(Translator, bool)>,
}

/// Whether the lookups of a cycle have been planned.
#[derive(Clone)]
enum Planning {
    /// They will be planned after this many more cycles.
    In(u64),
    Done(Arc<Plan>),
    /// This board runs by the general rule.
    Never,
}

impl ChipsEngine {
    /// Builds the board, powers it up with noise everywhere, and resets it.
    pub fn power_up(board: &Board, image: &Image, noise: Noise) -> Result<ChipsEngine, Unsettled> {
        Ok(ChipsEngine {
            plain: PlainEngine::power_up(board, image, noise)?,
            plan: Planning::In(PLANNED_AFTER),
            shared_plan: Arc::default(),
            evaluation: Evaluation::default(),
            confluence: board.confluence.clone(),
            translator: board.translator.map(|translator| (translator, false)),
        })
    }

    /// Replaces the program chips. [`PlainEngine::reset`] or setting a state has to follow.
    pub fn change_program(&mut self, image: &Image) {
        self.plain.change_program(image);
        self.evaluation.forget();
    }

    /// Evaluates the board from now on, and not only when that begins to pay. The board must be confluent, which is not
    /// checked.
    pub fn assume_confluent(&mut self) {
        self.confluence = Confluence::proved();
        self.evaluation = Evaluation::In(0);
    }

    /// Compiles the board eagerly: at once on a board that is known to be confluent. Otherwise, a board with a
    /// translator is compiled when that begins to pay.
    pub fn compile_eagerly(&mut self, translator: Translator) {
        self.translator = Some((translator, true));
        self.evaluation = Evaluation::In(0);
    }

    /// Runs as [`Engine::run`](crate::Engine::run) does, but does not check why a run has halted.
    pub fn run_headless(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Unsettled> {
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted {
            let left = cycles - (self.cycle - start);
            let few =
                self.evaluation.run(&mut self.plain, left, (&self.confluence, self.translator), outside);
            self.run_until(few, outside, |_| false)?;
        }
        Ok(self.cycle - start)
    }

    /// Runs as [`Engine::run`](crate::Engine::run) does, but only until `stop` returns true at the beginning of a later
    /// cycle.
    pub fn run_until(
        &mut self,
        cycles: u64,
        outside: &mut dyn OutputSink,
        mut stop: impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<u64, Unsettled> {
        let start = self.cycle;
        let mut stopped = false;
        while self.cycle - start < cycles && !self.halted && !stopped {
            self.look_for_plan();
            match &self.plan {
                Planning::Done(plan) if self.phase == 0 && plan.fits(0, &self.levels) => {
                    let plan = Arc::clone(plan);
                    let [phase_0, phase_1, phase_2, phase_3] = &plan.phases;
                    for _ in 0..cycles - (self.cycle - start) {
                        let plain = &mut self.plain;
                        phase_1.run(plain)?;
                        plain.read_outlets(outside);
                        plain.count();
                        phase_2.run(plain)?;
                        phase_3.run(plain)?;
                        phase_0.run(plain)?;
                        plain.cycle_ends();
                        stopped = stop(self);
                        if stopped || self.halted {
                            break;
                        }
                    }
                }
                _ => {
                    self.phase(outside)?;
                    stopped = self.phase == 0 && stop(self);
                }
            }
        }
        Ok(self.cycle - start)
    }

    /// Runs one phase as [`PlainEngine::phase`] does, but by the plan where there is one.
    pub fn planned_phase(&mut self, outside: &mut dyn OutputSink) -> Result<(), Unsettled> {
        self.look_for_plan();
        match &self.plan {
            Planning::Done(plan) if plan.fits(self.plain.phase, &self.plain.levels) => {
                plan.phases[(self.plain.phase + 1) % PHASES].run(&mut self.plain)?;
            }
            _ => self.edge()?,
        }
        self.phase_ends(outside);
        Ok(())
    }

    /// At the beginning of a cycle: takes the plan if another clone has made it, or makes it when it is time to.
    #[inline]
    fn look_for_plan(&mut self) {
        if let Planning::In(cycles) = self.plan
            && self.phase == 0
        {
            if cycles > 0 && self.shared_plan.get().is_none() {
                self.plan = Planning::In(cycles - 1);
                return;
            }
            // If the board fails to settle while the plan is made, it will again when the program gets there.
            let make = || plan(&self.plain).ok().flatten().map(Arc::new);
            let plan = match is_confluent(&self.confluence, &self.plain.netlist, self.plain.ran()) {
                Err(cycles) => return self.plan = Planning::In(cycles),
                Ok(false) => None,
                Ok(true) => self.shared_plan.get_or_init(make).clone(),
            };
            self.plan = plan.map_or(Planning::Never, Planning::Done);
        }
    }
}

impl Deref for ChipsEngine {
    type Target = PlainEngine;

    fn deref(&self) -> &PlainEngine {
        &self.plain
    }
}

impl DerefMut for ChipsEngine {
    fn deref_mut(&mut self) -> &mut PlainEngine {
        &mut self.plain
    }
}

impl ObservedEngine for ChipsEngine {
    fn inner(&self) -> &dyn Engine {
        &self.plain
    }

    fn inner_mut(&mut self) -> &mut dyn Engine {
        &mut self.plain
    }

    fn run_inner(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        let ran = self.run_headless(cycles, outside)?;
        if self.halted && ran > 0 {
            self.check_halt()?;
        }
        Ok(ran)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::{Opcode, Word};

    #[test]
    fn a_run_stops_where_it_is_told() {
        let words = (0..100).map(|value| Word::constant(Opcode::Lda, value));
        let image = Image::from_words(words);
        let mut engine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros).unwrap();
        assert_eq!(engine.run_until(50, &mut (), |engine| engine.running() == 20), Ok(20));
        assert_eq!(engine.run_until(50, &mut (), |engine| engine.running() == 20), Ok(50));
        assert_eq!(engine.run_until(500, &mut (), |_| false), Ok(31));
        assert!(engine.halted());
    }
}
