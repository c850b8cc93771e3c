//! Decides when the chips engine evaluates its board partially.

use super::confluence::is_confluent;
use crate::board::Confluence;
use crate::engine::OutputSink;
use crate::evaluated::Translator;
use crate::partial_eval::{Machine, PartialEvaluator};
use crate::plain::PlainEngine;

/// After this many cycles the board is evaluated: until then, that would cost more than it saves.
const EVALUATED_AFTER: u64 = 30_000;
/// If fewer cycles than these could be run evaluated, the chips engine looks chips up for a while, each time for twice
/// as long.
const FEW: u64 = 1_000;
const MIN_REST: u64 = 16;
const MAX_REST: u64 = 1 << 14;

/// The state of the evaluation.
pub(super) enum Evaluation {
    /// It begins after this many more cycles.
    In(u64),
    /// The evaluator, and the number of cycles that were looked up chip by chip after its last run.
    Now(Box<PartialEvaluator>, u64),
    /// This board cannot be evaluated.
    Never,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::In(EVALUATED_AFTER)
    }
}

/// Evaluated cycles are not copied: a copy of a machine is often run for a few cycles only.
impl Clone for Evaluation {
    fn clone(&self) -> Evaluation {
        match self {
            Evaluation::Never => Evaluation::Never,
            Evaluation::In(cycles) => Evaluation::In(*cycles),
            Evaluation::Now(..) => Evaluation::default(),
        }
    }
}

impl Evaluation {
    /// Forgets evaluated cycles, because the program changes.
    pub fn forget(&mut self) {
        if !matches!(self, Evaluation::Never) {
            *self = Evaluation::default();
        }
    }

    /// Runs fewer than `left` evaluated cycles, if possible. Returns the number of cycles to run chip by chip after that:
    /// at least one, which restores every net.
    pub fn run(
        &mut self,
        plain: &mut PlainEngine,
        left: u64,
        (confluence, translator): (&Confluence, Option<(Translator, bool)>),
        outside: &mut dyn OutputSink,
    ) -> u64 {
        match self {
            Evaluation::Never => return left,
            Evaluation::In(0) => {}
            Evaluation::In(cycles) => {
                let few = left.min(*cycles);
                *cycles -= few;
                return few;
            }
            Evaluation::Now(..) => {}
        }
        if left == 1 || plain.phase != 0 {
            return 1;
        }
        let (mut evaluator, rest) = match std::mem::replace(self, Evaluation::Never) {
            Evaluation::Now(evaluator, rest) => (evaluator, rest),
            _ => match is_confluent(confluence, &plain.netlist, plain.ran()) {
                Err(cycles) => {
                    *self = Evaluation::In(cycles);
                    return left.min(cycles);
                }
                Ok(is_proved) => match is_proved.then(|| PartialEvaluator::of(plain, translator)).flatten() {
                    Some(mut evaluator) => {
                        evaluator.credit(plain.ran().min(EVALUATED_AFTER));
                        (Box::new(evaluator), 0)
                    }
                    None => return left,
                },
            },
        };
        let PlainEngine { netlist, pack, levels, cells, cycle, executed, .. } = plain;
        let machine = Machine { netlist, pack, levels, cells, cycle: *cycle, executed };
        let ran = evaluator.run(machine, left - 1, outside);
        plain.cycle += ran;
        plain.counter_before = plain.pack.panel.counter.read(&plain.levels);
        let rest = match ran {
            0..FEW => (2 * rest).clamp(MIN_REST, MAX_REST),
            _ => 1,
        };
        let few = rest.min(left - ran);
        evaluator.credit(few);
        *self = Evaluation::Now(evaluator, rest);
        few
    }
}
