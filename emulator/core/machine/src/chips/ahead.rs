//! When the chips engine runs ahead of its lookups, and when it does not.

use crate::ahead::{Ahead, Machine, Translator};
use crate::board::order::Order;
use crate::engine::Outside;
use crate::plain::PlainEngine;

/// After this many cycles the board is evaluated: until then, that would cost more than it saves.
const AHEAD_AFTER: u64 = 30_000;
/// If fewer cycles than these could be run ahead, the chips engine runs on by itself for a while, and each time for
/// twice as long.
const FEW: u64 = 1_000;
const SHORTEST_REST: u64 = 16;
const LONGEST_REST: u64 = 1 << 14;

/// Whether the engine runs ahead.
pub(super) enum RunningAhead {
    /// It will, after so many more cycles.
    In(u64),
    /// It does. The number is how many cycles the last rest took.
    Now(Box<Ahead>, u64),
    /// This board cannot be evaluated.
    Never,
}

impl Default for RunningAhead {
    fn default() -> RunningAhead {
        RunningAhead::In(AHEAD_AFTER)
    }
}

/// What has been evaluated is not copied: a copy of a machine is often run for a few cycles only.
impl Clone for RunningAhead {
    fn clone(&self) -> RunningAhead {
        match self {
            RunningAhead::Never => RunningAhead::Never,
            RunningAhead::In(cycles) => RunningAhead::In(*cycles),
            RunningAhead::Now(..) => RunningAhead::default(),
        }
    }
}

impl RunningAhead {
    /// Forgets what has been evaluated, because the program changes.
    pub fn forget(&mut self) {
        if !matches!(self, RunningAhead::Never) {
            *self = RunningAhead::default();
        }
    }

    /// Runs ahead for fewer than `left` cycles, if possible. Returns how many have to be run chip by chip after that: at
    /// least one, which restores every net.
    pub fn run(
        &mut self,
        plain: &mut PlainEngine,
        left: u64,
        (order, translator): (&Order, Option<(Translator, bool)>),
        outside: &mut dyn Outside,
    ) -> u64 {
        match self {
            RunningAhead::Never => return left,
            RunningAhead::In(0) => {}
            RunningAhead::In(cycles) => {
                let few = left.min(*cycles);
                *cycles -= few;
                return few;
            }
            RunningAhead::Now(..) => {}
        }
        if left == 1 || plain.phase != 0 {
            return 1;
        }
        let mut ahead = match std::mem::replace(self, RunningAhead::Never) {
            RunningAhead::Now(ahead, rest) => (ahead, rest),
            _ => match order.makes_no_difference(&plain.netlist, plain.ran()) {
                Err(cycles) => {
                    *self = RunningAhead::In(cycles);
                    return left.min(cycles);
                }
                Ok(is_proved) => match is_proved.then(|| Ahead::of(plain, translator)).flatten() {
                    Some(mut ahead) => {
                        ahead.has_run(plain.ran().min(AHEAD_AFTER));
                        (Box::new(ahead), 0)
                    }
                    None => return left,
                },
            },
        };
        let PlainEngine { netlist, pack, levels, cells, cycle, executed, .. } = plain;
        let machine = Machine { netlist, pack, levels, cells, cycle: *cycle, executed };
        let ran = ahead.0.run(machine, left - 1, outside);
        plain.cycle += ran;
        plain.counter_before = plain.pack.panel.counter.read(&plain.levels);
        ahead.1 = match ran {
            0..FEW => (2 * ahead.1).clamp(SHORTEST_REST, LONGEST_REST),
            _ => 1,
        };
        let few = ahead.1.min(left - ran);
        ahead.0.has_run(few);
        *self = RunningAhead::Now(ahead.0, ahead.1);
        few
    }
}
