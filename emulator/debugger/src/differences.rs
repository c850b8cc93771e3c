//! Where two futures of a run first differ: in the instructions that are executed, the bytes that are sent, and the
//! stores to the display.

use crate::error::{DebugError, go_on};
use crate::history::History;
use crate::timeline::Timeline;
use gray1_machine::{ChipsEngine, Engine, Seen};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

/// The first differences between the current future, "here", and another one, "there".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The first cycle in which they execute different instructions, and these.
    pub path: Option<(u64, u16, u16)>,
    /// The first bytes sent that differ, and their number, from 1.
    pub sent: Option<(u64, Difference<u8>)>,
    /// The first stores to the display that differ: the row, 0 to 7 green, 8 to 15 red, and its LEDs.
    pub shown: Option<Difference<(usize, u8)>>,
    /// The cycle up to which they were compared.
    pub end: u64,
}

/// Two events that differ, each with its cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Difference<T> {
    pub here: (u64, T),
    pub there: (u64, T),
}

/// Events that have not been compared yet.
struct Events<T> {
    here: VecDeque<(u64, T)>,
    there: VecDeque<(u64, T)>,
    equal: u64,
}

/// A machine that follows one future, and what has left it.
struct Follower<'a> {
    engine: ChipsEngine,
    timeline: &'a Timeline,
    outside: Seen,
}

impl History {
    /// Compares the current future with another one, as far as either was run; `None` if there is none with this number.
    pub fn differences(
        &mut self,
        number: usize,
        interrupt: &AtomicBool,
    ) -> Result<Option<Differences>, DebugError> {
        let Some((timeline, end)) = self.futures.get(number) else { return Ok(None) };
        let parting = self.timeline.parting(timeline).unwrap_or_default();
        let mut engine = self.machine().clone();
        let start = self.last_before(parting);
        engine.restore(&start.snapshot);
        let sent_before = start.sent;
        let [mut here, mut there] = [&self.timeline, timeline].map(|timeline| Follower {
            engine: engine.clone(),
            timeline,
            outside: Seen::default(),
        });
        let last = self.end().max(end).cycle;
        let mut found = Differences { end: last, ..Differences::default() };
        let (mut sent, mut shown) = (Events::new(), Events::new());
        here.begin_cycle()?;
        there.begin_cycle()?;
        for cycle in engine.cycle()..last {
            if here.engine.halted() && there.engine.halted() {
                break;
            }
            go_on(interrupt)?;
            let (one, other) = (here.engine.running(), there.engine.running());
            if found.path.is_none() && one != other {
                found.path = Some((cycle, one, other));
            }
            here.step()?;
            there.step()?;
            let row = |(cycle, row, leds)| (cycle, (row, leds));
            sent.here.extend(here.outside.output.drain(..));
            sent.there.extend(there.outside.output.drain(..));
            shown.here.extend(here.outside.display.drain(..).map(row));
            shown.there.extend(there.outside.display.drain(..).map(row));
            found.sent =
                found.sent.or_else(|| sent.compare().map(|found| (sent_before + sent.equal + 1, found)));
            found.shown = found.shown.or_else(|| shown.compare());
            if found.path.is_some() && found.sent.is_some() && found.shown.is_some() {
                break;
            }
        }
        Ok(Some(found))
    }
}

impl Follower<'_> {
    fn begin_cycle(&mut self) -> Result<(), DebugError> {
        Ok(self.timeline.begin_cycle(&mut self.engine)?)
    }

    /// Runs an instruction, unless the machine has halted.
    fn step(&mut self) -> Result<(), DebugError> {
        self.engine.run_until(1, &mut self.outside, |_| false)?;
        self.begin_cycle()
    }
}

impl<T: Copy + PartialEq> Events<T> {
    fn new() -> Events<T> {
        Events { here: VecDeque::new(), there: VecDeque::new(), equal: 0 }
    }

    /// Compares the events that both have: what they are, not when.
    fn compare(&mut self) -> Option<Difference<T>> {
        while let (Some(&here), Some(&there)) = (self.here.front(), self.there.front()) {
            if here.1 != there.1 {
                return Some(Difference { here, there });
            }
            self.here.pop_front();
            self.there.pop_front();
            self.equal += 1;
        }
        None
    }
}
