//! When the chips engine runs ahead of its lookups, and when it does not.

use super::ChipsEngine;
use crate::ahead::{Ahead, Machine, Translator};
use crate::board::order::Order;
use crate::engine::{Outside, Unsettled};
use crate::netlist::Netlist;
use crate::pack::Pack;
use crate::wires::{Data, Levels};
use std::sync::Arc;

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
}

impl ChipsEngine {
    /// Runs ahead from now on, and not only when that begins to pay. It must be proved for this board that the order of
    /// lookups makes no difference: the engine asks nobody.
    pub fn trust_order(&mut self) {
        self.order = Order::proved();
        self.ahead = RunningAhead::In(0);
    }

    /// Has machine code made of the evaluated board as soon as it runs ahead, which is at once if it is known that the
    /// order of lookups makes no difference. Otherwise, a board that has been equipped with a translator uses it when that
    /// begins to pay.
    pub fn translate_at_once(&mut self, translator: Translator) {
        self.translator = Some(translator);
        self.is_translated_at_once = true;
        self.ahead = RunningAhead::In(0);
    }

    pub(crate) fn translator(&self) -> (Option<Translator>, bool) {
        (self.translator, self.is_translated_at_once)
    }

    /// Runs as [`Engine::run`](crate::Engine::run) does, ahead of the lookups where that is possible, but does not ask why
    /// a run has halted.
    pub fn run_unseen(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Unsettled> {
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted {
            let few = self.run_ahead(cycles - (self.cycle - start), outside);
            self.run_until(few, outside, |_| false)?;
        }
        Ok(self.cycle - start)
    }

    /// Runs ahead for fewer than `left` cycles, if possible. Returns how many have to be run chip by chip after that: at
    /// least one, which restores every net.
    fn run_ahead(&mut self, left: u64, outside: &mut dyn Outside) -> u64 {
        match &mut self.ahead {
            RunningAhead::Never => return left,
            RunningAhead::In(0) => {}
            RunningAhead::In(cycles) => {
                let few = left.min(*cycles);
                *cycles -= few;
                return few;
            }
            RunningAhead::Now(..) => {}
        }
        if left == 1 || self.phase != 0 {
            return 1;
        }
        let mut ahead = match std::mem::replace(&mut self.ahead, RunningAhead::Never) {
            RunningAhead::Now(ahead, rest) => (ahead, rest),
            _ => match self.order.makes_no_difference(&self.netlist, self.ran()) {
                Err(cycles) => {
                    self.ahead = RunningAhead::In(cycles);
                    return left.min(cycles);
                }
                Ok(is_proved) => match is_proved.then(|| Ahead::of(self)).flatten() {
                    Some(mut ahead) => {
                        ahead.has_run(self.ran().min(AHEAD_AFTER));
                        (Box::new(ahead), 0)
                    }
                    None => return left,
                },
            },
        };
        let ChipsEngine { netlist, pack, levels, cells, cycle, executed, .. } = self;
        let machine = Machine { netlist, pack, levels, cells, cycle: *cycle, executed };
        let ran = ahead.0.run(machine, left - 1, outside);
        self.cycle += ran;
        self.counter_before = self.pack.panel.counter.read(&self.levels);
        ahead.1 = match ran {
            0..FEW => (2 * ahead.1).clamp(SHORTEST_REST, LONGEST_REST),
            _ => 1,
        };
        let few = ahead.1.min(left - ran);
        ahead.0.has_run(few);
        self.ahead = RunningAhead::Now(ahead.0, ahead.1);
        few
    }

    /// The netlist and the packed board, with the cells of its chips.
    pub(crate) fn board_parts(&self) -> (&Arc<Netlist>, &Arc<Pack>, &[Data]) {
        (&self.netlist, &self.pack, &self.cells)
    }

    pub(crate) fn levels(&self) -> &Levels {
        &self.levels
    }
}
