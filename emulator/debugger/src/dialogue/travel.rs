//! Commands that move through the run.

use super::state::{Dialogue, Result};
use crate::debugger::{Direction, StopReason};
use crate::error::DebugError;
use crate::position::Position;
use crate::scan::Scan;
use crate::target::{LineDepth, Target};
use crate::trigger::{Access, Trigger};
use gray1_isa::memory_map::{GREEN, OUT, RED};
use std::sync::atomic::AtomicBool;

pub(super) fn step(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.steps(Direction::Forward, scan, interrupt)
}

pub(super) fn next(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.steps_over(Direction::Forward, scan, interrupt)
}

pub(super) fn finish(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.seek(Direction::Forward, &dialogue.way_out(), scan, interrupt)
}

pub(super) fn run(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let cycles = scan.count()?;
    scan.end()?;
    let now = dialogue.debugger.position().cycle;
    let end = cycles.map_or(Position::NEVER, |cycles| Position::start_of(now.saturating_add(cycles)));
    dialogue.repeat(1, Direction::Forward, &Target::Breakpoints, end, interrupt)
}

pub(super) fn until(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let target = dialogue.condition(scan)?;
    dialogue.seek(Direction::Forward, &target, scan, interrupt)
}

pub(super) fn to(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let target = Target::Trigger(Trigger::Instructions(dialogue.location(scan)?));
    dialogue.seek(Direction::Forward, &target, scan, interrupt)
}

pub(super) fn back(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let target = if scan.take_word("next") {
        return dialogue.steps_over(Direction::Backward, scan, interrupt);
    } else if scan.take_word("finish") {
        dialogue.way_out()
    } else if scan.take_word("until") {
        dialogue.condition(scan)?
    } else if scan.take_word("to") {
        Target::Trigger(Trigger::Instructions(dialogue.location(scan)?))
    } else {
        return dialogue.steps(Direction::Backward, scan, interrupt);
    };
    dialogue.seek(Direction::Backward, &target, scan, interrupt)
}

pub(super) fn reverse(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    dialogue.seek(Direction::Backward, &Target::Breakpoints, scan, interrupt)
}

pub(super) fn goto(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let history = dialogue.debugger.history();
    let to = if scan.take_word("start") {
        history.start()
    } else if scan.take_word("end") {
        history.end()
    } else {
        scan.take_word("cycle");
        let offset = scan.at();
        let missing = || DebugError::input(offset, "expected the number of a cycle, `start` or `end`");
        let cycle = scan.count()?.ok_or_else(missing)?;
        let mut phase = 0;
        if scan.take_word("phase") {
            let offset = scan.at();
            let number = scan.count()?.filter(|&phase| phase < 4);
            let number =
                number.ok_or_else(|| DebugError::input(offset, "the phases of a cycle are 0 to 3"))?;
            phase = number as u8;
        }
        Position { cycle, phase }
    };
    scan.end()?;
    dialogue.go(to, interrupt)
}

impl Dialogue {
    /// The target of `until`.
    fn condition(&self, scan: &mut Scan) -> Result<Target> {
        Ok(if scan.take_word("output") {
            Target::Trigger(Trigger::Ram(OUT, OUT, Access::Write))
        } else if scan.take_word("display") {
            Target::Trigger(Trigger::Ram(GREEN, RED + 7, Access::Change))
        } else {
            Target::Condition(self.expression(scan)?)
        })
    }

    fn way_out(&self) -> Target {
        Target::Leave { sequence: self.debugger.machine().running(), depth: usize::MAX }
    }

    /// `[N] [lines|cycles|phases]`. Phases and cycles are counted exactly, past all breakpoints.
    fn steps(&mut self, direction: Direction, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
        let count = scan.count()?.unwrap_or(1);
        scan.space();
        let offset = scan.at();
        let unit = scan.word().unwrap_or("lines");
        let now = self.debugger.position();
        let to = match (unit, direction) {
            ("line" | "lines", _) => {
                scan.end()?;
                let target = Target::Line(LineDepth::Innermost);
                return self.repeat(count, direction, &target, Position::NEVER, interrupt);
            }
            ("cycle" | "cycles", Direction::Forward) => Position::start_of(now.cycle.saturating_add(count)),
            ("cycle" | "cycles", Direction::Backward) => {
                let next_cycle = now.cycle + u64::from(now.phase > 0);
                Position::start_of(next_cycle.saturating_sub(count))
            }
            ("phase" | "phases", Direction::Forward) => {
                Position::after_phases(now.phases() + u128::from(count))
            }
            ("phase" | "phases", Direction::Backward) => {
                Position::after_phases(now.phases().saturating_sub(u128::from(count)))
            }
            _ => return Err(DebugError::input(offset, "expected `lines`, `cycles` or `phases`")),
        };
        scan.end()?;
        self.go(to, interrupt)
    }

    /// `[N]` lines, over macros.
    fn steps_over(&mut self, direction: Direction, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
        let count = scan.count()?.unwrap_or(1);
        scan.end()?;
        let target = Target::Line(LineDepth::Statement);
        self.repeat(count, direction, &target, Position::NEVER, interrupt)
    }

    fn seek(
        &mut self,
        direction: Direction,
        target: &Target,
        scan: &mut Scan,
        interrupt: &AtomicBool,
    ) -> Result {
        scan.end()?;
        self.repeat(1, direction, target, Position::NEVER, interrupt)
    }

    /// Goes to a target so many times, or to what stops it before, and says why and where it stopped.
    fn repeat(
        &mut self,
        count: u64,
        direction: Direction,
        target: &Target,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result {
        let mut reason = StopReason::Target;
        for _ in 0..count {
            let Dialogue { debugger, text, .. } = self;
            reason = debugger.seek(direction, target, end, interrupt, &mut |_, message| {
                text.push_str(&message);
                text.push('\n');
            })?;
            if reason != StopReason::Target {
                break;
            }
        }
        self.say_stop(&reason);
        Ok(())
    }

    /// Goes to a position, past all breakpoints, but not beyond the beginning or the halt.
    fn go(&mut self, to: Position, interrupt: &AtomicBool) -> Result {
        let to = to.max(self.debugger.history().start());
        self.debugger.history_mut().go(to, interrupt)?;
        let is_there = self.debugger.position() >= to;
        self.say_stop(if is_there { &StopReason::Target } else { &StopReason::Halted });
        Ok(())
    }
}
