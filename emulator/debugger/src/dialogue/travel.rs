//! Commands that move through the run.

use super::state::{Dialogue, Result, Shortfall, log};
use crate::debugger::StopReason;
use crate::error::{DebugError, require};
use crate::position::Position;
use crate::scanner::Scanner;
use crate::trigger::{Access, Direction, Trigger};
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, OUT, RED};
use std::sync::atomic::AtomicBool;

/// The last byte of the display.
const DISPLAY_END: u16 = RED + DISPLAY_SIZE as u16 - 1;

pub(super) fn back(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let way = ["next", "finish", "until", "to"].into_iter().find(|way| scanner.take_word(way));
    dialogue.travel(Direction::Backward, way.unwrap_or("step"), scanner, interrupt)
}

pub(super) fn run(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let cycles = scanner.count()?;
    scanner.end()?;
    let now = dialogue.debugger.position().cycle;
    let end = cycles.map_or(Position::NEVER, |cycles| Position::start_of(now.saturating_add(cycles)));
    dialogue.seek(1, Direction::Forward, None, end, interrupt)
}

pub(super) fn reverse(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    scanner.end()?;
    dialogue.seek(1, Direction::Backward, None, Position::NEVER, interrupt)
}

pub(super) fn goto(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    if scanner.take_word("node") {
        let to = dialogue.node(scanner, interrupt)?;
        scanner.end()?;
        return dialogue.go(to, interrupt);
    }
    let history = dialogue.debugger.history();
    let to = if scanner.take_word("start") {
        history.start()
    } else if scanner.take_word("end") {
        history.end()
    } else if let Some(&position) = scanner.clone().name().and_then(|name| dialogue.marks.get(name)) {
        scanner.name();
        position
    } else {
        scanner.take_word("cycle");
        let offset = scanner.offset();
        let expected = "expected the number of a cycle, `start`, `end`, or a name given by `mark`";
        let cycle = require(scanner.count()?, offset, expected)?;
        let mut phase = 0;
        if scanner.take_word("phase") {
            let offset = scanner.offset();
            let number = scanner.count()?.filter(|&phase| phase < 4);
            phase = require(number, offset, "the phases of a cycle are 0 to 3")? as u8;
        }
        Position { cycle, phase }
    };
    scanner.end()?;
    dialogue.go(to, interrupt)
}

pub(super) fn mark(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    if scanner.is_at_end() {
        let list = dialogue.marks.iter().map(|(name, position)| format!("  {name}  {position}\n"));
        dialogue.reply.text += &list.collect::<String>();
        return Ok(());
    }
    let offset = scanner.offset();
    let name = scanner.name().filter(|name| !["start", "end", "cycle", "node"].contains(name));
    let name = require(name, offset, "expected a name, other than `start`, `end`, `cycle` and `node`")?;
    scanner.end()?;
    dialogue.marks.insert(name.to_owned(), dialogue.debugger.position());
    Ok(())
}

impl Dialogue {
    pub(super) fn forward(&mut self, command: &str, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
        self.travel(Direction::Forward, command, scanner, interrupt)
    }

    /// Goes to the target of a command, which is given by the name of its forward variant.
    fn travel(
        &mut self,
        direction: Direction,
        command: &str,
        scanner: &mut Scanner,
        interrupt: &AtomicBool,
    ) -> Result {
        let mut count = 1;
        let target = match command {
            "step" => {
                count = scanner.count()?.unwrap_or(1);
                if let Some(position) = self.exact_step(direction, count, scanner)? {
                    scanner.end()?;
                    return self.go(position, interrupt);
                }
                self.debugger.enter(self.debugger.line_depth())
            }
            "next" => {
                count = scanner.count()?.unwrap_or(1);
                self.debugger.over(self.debugger.line_depth())
            }
            "finish" => self.debugger.leave(usize::MAX),
            "to" => Trigger::Instructions(self.debugger.parser().location(scanner)?),
            _ if scanner.take_word("output") => Trigger::Ram(OUT, OUT, Access::Write),
            _ if scanner.take_word("display") => Trigger::Ram(GREEN, DISPLAY_END, Access::Change),
            _ => Trigger::Condition(self.expression(scanner)?),
        };
        scanner.end()?;
        self.seek(count, direction, Some(&target), Position::NEVER, interrupt)
    }

    /// The position to step to if the unit is `cycles` or `phases`. These steps are exact: they ignore breakpoints.
    fn exact_step(
        &self,
        direction: Direction,
        count: u64,
        scanner: &mut Scanner,
    ) -> Result<Option<Position>> {
        let offset = scanner.offset();
        let now = self.debugger.position();
        let position = match (scanner.word().unwrap_or("lines"), direction) {
            ("line" | "lines", _) => return Ok(None),
            ("cycle" | "cycles", Direction::Forward) => now.after_cycles(count),
            ("cycle" | "cycles", Direction::Backward) => now.before_cycles(count),
            ("phase" | "phases", Direction::Forward) => {
                Position::after_phases(now.phases() + u128::from(count))
            }
            ("phase" | "phases", Direction::Backward) => now.before_phases(count),
            _ => return Err(DebugError::input(offset, "expected `lines`, `cycles` or `phases`")),
        };
        Ok(Some(position))
    }

    /// Goes to a target this many times, unless something else stops it earlier, and reports the stop.
    fn seek(
        &mut self,
        count: u64,
        direction: Direction,
        target: Option<&Trigger>,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result {
        let end = if direction == Direction::Forward { end.min(self.limit) } else { Position::default() };
        let Dialogue { debugger, reply, listener, .. } = self;
        let mut log = |_, message: String| match listener {
            Some(listener) => listener(&message),
            None => log(&mut reply.text, &message),
        };
        let reason = debugger.seek_times(count, direction, target, end, interrupt, &mut log)?;
        self.say_stop(&reason);
        let is_wanted = target.is_some_and(|target| {
            !matches!(target, Trigger::Line(_) | Trigger::Over(..) | Trigger::Leave { .. })
        });
        match reason {
            StopReason::Limit if end == self.limit => self.reply.shortfall = Some(Shortfall::Limit),
            StopReason::Halted | StopReason::Beginning if is_wanted => {
                self.reply.shortfall = Some(Shortfall::Missed);
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes to a position, past all breakpoints, but not beyond the beginning or the halt.
    fn go(&mut self, to: Position, interrupt: &AtomicBool) -> Result {
        let history = self.debugger.history();
        let to = to.max(history.start());
        let reachable = to.min(self.limit.max(history.end()));
        self.debugger.history_mut().go(reachable, interrupt)?;
        let reason = match self.debugger.position() {
            position if position < reachable => StopReason::Halted,
            _ if reachable < to => {
                self.reply.shortfall = Some(Shortfall::Limit);
                StopReason::Limit
            }
            _ => StopReason::Target,
        };
        self.say_stop(&reason);
        Ok(())
    }
}
