//! Commands that ask about the history, and `expect`.

use super::state::{Dialogue, Result};
use crate::error::DebugError;
use crate::place::Place;
use crate::position::Position;
use crate::scanner::Scanner;
use crate::target::Match;
use crate::trigger::{Access, Direction, Trigger};
use gray1_machine::PHASES;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// The position that a question has found, for JSON.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    at: Position,
    #[serde(flatten)]
    place: Place,
}

pub(super) fn who(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let verb = scanner.word().unwrap_or("");
    let (direction, access) = match verb {
        "wrote" => (Direction::Backward, Access::Write),
        "writes" => (Direction::Forward, Access::Write),
        "read" => (Direction::Backward, Access::Read),
        "reads" => (Direction::Forward, Access::Read),
        "changed" | "lit" => (Direction::Backward, Access::Change),
        "changes" | "lights" => (Direction::Forward, Access::Change),
        _ => {
            let expected =
                "expected `wrote`, `read`, `changed` or `lit`; or `writes`, `reads`, `changes` or `lights`";
            return Err(DebugError::input(offset, expected));
        }
    };
    let parser = dialogue.debugger.parser_here(None);
    let trigger = match verb {
        "changed" | "changes" => parser.changing(scanner)?,
        "lit" | "lights" => parser.led(scanner)?,
        _ => parser.accessed(scanner, access)?,
    };
    scanner.end()?;
    let (now, phase) = (dialogue.debugger.position(), dialogue.debugger.position().phase);
    // The current instruction loads a register in the last phase of its cycle.
    let is_load = access == Access::Write && matches!(trigger, Trigger::Instructions(_));
    let is_pending = is_load && phase + 1 < PHASES as u8;
    let (limit, nothing) = match direction {
        Direction::Forward if is_pending && dialogue.is_about_to(&trigger) => {
            let sequence = dialogue.debugger.machine().running();
            let found = Match { position: now, sequence, is_target: true, hits: Vec::new() };
            dialogue.answer(Some(found), "");
            return Ok(());
        }
        Direction::Forward if dialogue.limit == Position::NEVER => (Position::NEVER, "not before the halt"),
        Direction::Forward => (dialogue.limit, "not before the halt or the limit"),
        Direction::Backward if is_pending => (Position::start_of(now.cycle), "not so far"),
        Direction::Backward => (dialogue.next_phase(), "not so far"),
    };
    dialogue.find(direction, &trigger, limit, nothing, interrupt)
}

pub(super) fn when(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let target = Trigger::Condition(dialogue.expression(scanner)?);
    scanner.end()?;
    dialogue.find(Direction::Backward, &target, dialogue.next_phase(), "not so far", interrupt)
}

pub(super) fn expect(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let message = if scanner.take_word("output") {
        let expected = scanner.string()?;
        scanner.end()?;
        let (output, sent) = dialogue.debugger.history().output();
        let (bytes, dropped) = output.until(sent);
        if dropped == 0 && bytes == expected.as_bytes() {
            return Ok(());
        }
        format!("expected the output {expected:?}, got {:?}", String::from_utf8_lossy(bytes))
    } else {
        let value = dialogue.value(scanner)?;
        scanner.end()?;
        if value != 0 {
            return Ok(());
        }
        format!("expected {}, which is false at {}", scanner.since(offset), dialogue.debugger.position())
    };
    Err(DebugError::input(offset, message))
}

impl Dialogue {
    /// The end of backward searches: one phase later, so that an event at the current position counts as the last one.
    fn next_phase(&self) -> Position {
        Position::after_phases(self.debugger.position().phases() + 1)
    }

    /// Finds a target and prints its position, without going there.
    fn find(
        &mut self,
        direction: Direction,
        target: &Trigger,
        limit: Position,
        nothing: &str,
        interrupt: &AtomicBool,
    ) -> Result {
        let found = self.debugger.find(direction, target, limit, interrupt)?;
        self.answer(found, nothing);
        Ok(())
    }

    /// Prints the position that was found, or the text for none.
    fn answer(&mut self, found: Option<Match>, nothing: &str) {
        let Some(Match { position, sequence, .. }) = found else {
            self.set_field("found", ());
            return self.say(nothing);
        };
        self.set_field("found", Found { at: position, place: self.debugger.source().place(sequence) });
        self.say(format!("{position}: {}  {}", self.instruction(sequence), self.source_text(sequence)));
    }

    /// Whether the current instruction is one of these and will be completed.
    fn is_about_to(&self, trigger: &Trigger) -> bool {
        let running = self.debugger.machine().running();
        let is_halted = self.debugger.history().is_halted();
        matches!(trigger, Trigger::Instructions(list) if list.contains(&running) && !is_halted)
    }
}
