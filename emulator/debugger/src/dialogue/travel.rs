//! Commands that go through the run.

use super::Dialogue;
use crate::debugger::{Arrival, Direction, Goal};
use crate::fault::Fault;
use crate::position::Position;
use crate::scan::Scan;
use std::sync::atomic::AtomicBool;

type Result<T = ()> = std::result::Result<T, Fault>;

pub(super) fn step(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.steps(Direction::Forward, scan, interrupt)
}

pub(super) fn next(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.times(Direction::Forward, &Goal::LineOver, scan, interrupt)
}

pub(super) fn finish(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.travel(Direction::Forward, &Goal::Out, scan, interrupt)
}

pub(super) fn run(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let cycles = dialogue.count(scan)?;
    scan.end()?;
    let now = dialogue.debugger.position().cycle;
    let end = cycles.map_or(Position::NEVER, |cycles| Position::start_of(now.saturating_add(cycles)));
    dialogue.go(Direction::Forward, &Goal::Points, end, interrupt)
}

pub(super) fn until(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let goal = dialogue.happening(scan)?;
    dialogue.travel(Direction::Forward, &goal, scan, interrupt)
}

pub(super) fn to(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let goal = Goal::Places(dialogue.places(scan)?);
    dialogue.travel(Direction::Forward, &goal, scan, interrupt)
}

pub(super) fn back(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    if scan.take_word("next") {
        return dialogue.times(Direction::Backward, &Goal::LineOver, scan, interrupt);
    }
    let goal = if scan.take_word("finish") {
        Goal::Out
    } else if scan.take_word("until") {
        dialogue.happening(scan)?
    } else if scan.take_word("to") {
        Goal::Places(dialogue.places(scan)?)
    } else {
        return dialogue.steps(Direction::Backward, scan, interrupt);
    };
    dialogue.travel(Direction::Backward, &goal, scan, interrupt)
}

pub(super) fn reverse(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.travel(Direction::Backward, &Goal::Points, scan, interrupt)
}

pub(super) fn goto(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let history = dialogue.debugger.history();
    let to = if scan.take_word("start") {
        history.start()
    } else if scan.take_word("end") {
        history.end()
    } else {
        scan.take_word("cycle");
        let at = scan.at();
        let Some(cycle) = dialogue.count(scan)? else {
            return Err(Fault::text(at, "expected the number of a cycle, `start` or `end`"));
        };
        let mut phase = 0;
        if scan.take_word("phase") {
            let at = scan.at();
            let number = dialogue.count(scan)?.and_then(|phase| u8::try_from(phase).ok());
            phase = number
                .filter(|&phase| phase < 4)
                .ok_or_else(|| Fault::text(at, "the phases of a cycle are 0 to 3"))?;
        }
        Position { cycle, phase }
    };
    scan.end()?;
    dialogue.go_exactly(to, interrupt)
}

impl Dialogue {
    /// What `until` waits for.
    fn happening(&self, scan: &mut Scan) -> Result<Goal> {
        if scan.take_word("output") {
            Ok(Goal::Output)
        } else if scan.take_word("display") {
            Ok(Goal::Display)
        } else {
            Ok(Goal::Holds(self.expression(scan)?))
        }
    }

    /// `[N] [lines|cycles|phases]`. Phases and cycles are counted exactly, past all points.
    fn steps(&mut self, direction: Direction, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
        let count = self.count(scan)?.unwrap_or(1);
        scan.space();
        let at = scan.at();
        let now = self.debugger.position();
        let is_within = u64::from(now.phase > 0);
        let to = match (scan.word().unwrap_or("lines"), direction) {
            ("line" | "lines", _) => {
                scan.end()?;
                return self.repeat(direction, &Goal::Line, count, interrupt);
            }
            ("cycle" | "cycles", Direction::Forward) => Position::start_of(now.cycle.saturating_add(count)),
            ("cycle" | "cycles", Direction::Backward) => {
                Position::start_of((now.cycle + is_within).saturating_sub(count))
            }
            ("phase" | "phases", Direction::Forward) => {
                Position::after_phases(now.phases() + u128::from(count))
            }
            ("phase" | "phases", Direction::Backward) => {
                Position::after_phases(now.phases().saturating_sub(u128::from(count)))
            }
            _ => return Err(Fault::text(at, "expected `lines`, `cycles` or `phases`")),
        };
        scan.end()?;
        self.go_exactly(to, interrupt)
    }

    /// Goes to a moment, past all points; nothing is before the beginning or behind the halt.
    fn go_exactly(&mut self, to: Position, interrupt: &AtomicBool) -> Result {
        let to = to.max(self.debugger.history().start());
        self.debugger.history_mut().go(to, interrupt)?;
        if self.debugger.position() < to {
            self.say("halted");
        }
        self.say_where();
        Ok(())
    }

    /// `[N]` times to a goal.
    fn times(
        &mut self,
        direction: Direction,
        goal: &Goal,
        scan: &mut Scan,
        interrupt: &AtomicBool,
    ) -> Result {
        let count = self.count(scan)?.unwrap_or(1);
        scan.end()?;
        self.repeat(direction, goal, count, interrupt)
    }

    fn travel(
        &mut self,
        direction: Direction,
        goal: &Goal,
        scan: &mut Scan,
        interrupt: &AtomicBool,
    ) -> Result {
        scan.end()?;
        self.go(direction, goal, Position::NEVER, interrupt)
    }

    fn repeat(&mut self, direction: Direction, goal: &Goal, count: u64, interrupt: &AtomicBool) -> Result {
        let mut arrival = Arrival::Goal;
        for _ in 0..count {
            arrival = self.arrive(direction, goal, Position::NEVER, interrupt)?;
            if arrival != Arrival::Goal {
                break;
            }
        }
        self.say_arrival(&arrival);
        Ok(())
    }

    fn go(&mut self, direction: Direction, goal: &Goal, end: Position, interrupt: &AtomicBool) -> Result {
        let arrival = self.arrive(direction, goal, end, interrupt)?;
        self.say_arrival(&arrival);
        Ok(())
    }

    fn arrive(
        &mut self,
        direction: Direction,
        goal: &Goal,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<Arrival> {
        let Dialogue { debugger, said, .. } = self;
        debugger.travel(direction, goal, end, interrupt, &mut |text| {
            said.push_str(&text);
            said.push('\n');
        })
    }
}
