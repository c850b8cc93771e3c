//! Commands that set and remove breakpoints, and commands that change the machine.

use super::state::{Dialogue, Result};
use crate::breakpoint::{Breakpoint, HitCount};
use crate::debugger::StopReason;
use crate::error::{DebugError, require};
use crate::scanner::Scanner;
use crate::template::Template;
use crate::trigger::{Access, Trigger};
use gray1_isa::memory_map::KEY_NAMES;
use gray1_machine::Inputs;
use gray1_machine::board::Change;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

pub(super) fn set_watch(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let start = scanner.offset();
    let trigger = if scanner.take_word("net") {
        let (name, probe) = dialogue.debugger.parser().net(scanner)?;
        Trigger::Net(name, probe)
    } else {
        let (first, last) = dialogue.debugger.parser().range(scanner)?;
        let access = [("read", Access::Read), ("write", Access::Write), ("change", Access::Change)]
            .into_iter()
            .find(|(word, _)| scanner.take_word(word))
            .map_or(Access::Change, |(_, access)| access);
        Trigger::Ram(first, last, access)
    };
    dialogue.add_with_options(Breakpoint::new("", trigger), start, scanner)
}

pub(super) fn delete(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let number = scanner.count()?.map(|number| number as usize);
    scanner.end()?;
    match (dialogue.debugger.remove_breakpoints(number), number) {
        (0, Some(number)) => Err(DebugError::input(offset, format!("there is no point {number}"))),
        _ => Ok(()),
    }
}

pub(super) fn set(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let target = scanner.before("=");
    let mut target = require(target, offset, "expected `a`, `c`, `pc` or a byte of RAM, then `=`")?;
    let edit = dialogue.debugger.parser_here(None).edit(&mut target, scanner)?;
    let is_within_cycle = dialogue.debugger.position().phase > 0;
    let fork = dialogue.debugger.history_mut().edit(edit)?;
    if is_within_cycle {
        dialogue.say("the cycle was completed first");
    }
    dialogue.say(fork.to_string());
    Ok(())
}

pub(super) fn press(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let mut pad = None;
    if !scanner.take_word("none") {
        let mut coordinate = || {
            let offset = scanner.offset();
            let number = scanner.count()?.filter(|&number| number < 8);
            require(number.map(|n| n as u8), offset, "expected a row and a column, 0 to 7, or `none`")
        };
        pad = Some((coordinate()?, coordinate()?));
    }
    scanner.end()?;
    let keys = dialogue.debugger.history().pressed().keys;
    dialogue.press(Inputs { pad, keys })
}

pub(super) fn keys(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let mut keys = 0;
    if !scanner.take_word("none") {
        loop {
            let offset = scanner.offset();
            let name = scanner.word().unwrap_or("");
            let bit = KEY_NAMES.iter().position(|key| *key == name);
            keys |= 1 << require(bit, offset, format!("expected `none` or keys: {}", KEY_NAMES.join(", ")))?;
            if scanner.is_at_end() {
                break;
            }
        }
    }
    scanner.end()?;
    let pad = dialogue.debugger.history().pressed().pad;
    dialogue.press(Inputs { pad, keys })
}

pub(super) fn burn(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let text = scanner.take_rest();
    let change = match text {
        "none" => None,
        _ => Some(Change::from_str(text).map_err(|error| DebugError::input(offset, error.to_string()))?),
    };
    let to = dialogue.debugger.position();
    dialogue.debugger.burn(change.as_ref(), interrupt)?;
    let is_there = dialogue.debugger.position() == to;
    dialogue.say_stop(if is_there { &StopReason::Target } else { &StopReason::Halted });
    Ok(())
}

impl Dialogue {
    /// Sets a breakpoint at the location that follows. From a line without instructions it moves to the next line with
    /// instructions.
    pub(super) fn set_break(&mut self, scanner: &mut Scanner, is_temporary: bool) -> Result {
        let start = scanner.offset();
        let written = scanner.clone().rest().trim_start().to_owned();
        let trigger = Trigger::Instructions(self.debugger.parser().location(scanner)?);
        if let Some((wanted, line)) = self.debugger.source().moved(&written) {
            self.say(format!("line {wanted} generates no instruction: the next one is on line {line}"));
        }
        self.add_with_options(Breakpoint { is_temporary, ..Breakpoint::new("", trigger) }, start, scanner)
    }

    /// Adds a breakpoint with the options that follow: `if EXPR`, `after N`, `log "…"`. Its title is the text since
    /// `start`.
    fn add_with_options(
        &mut self,
        mut breakpoint: Breakpoint,
        start: usize,
        scanner: &mut Scanner,
    ) -> Result {
        loop {
            let offset = scanner.offset();
            if scanner.take_word("if") {
                self.debugger.read_condition(&mut breakpoint, scanner)?;
            } else if scanner.take_word("after") {
                let number = require(scanner.count()?, offset, "expected a number after `after`")?;
                breakpoint.counts = HitCount::Above(number);
            } else if scanner.take_word("log") {
                let text_offset = scanner.offset();
                let template = Template::read(&scanner.string()?, &self.debugger.parser());
                let template = template.map_err(|error| DebugError::input(text_offset, error.to_string()))?;
                breakpoint.log = Some(template);
            } else {
                break;
            }
        }
        scanner.end()?;
        let title = scanner.since(start);
        breakpoint.title = title.to_owned();
        let number = self.debugger.add_breakpoint(breakpoint);
        self.say(format!("point {number}: {title}"));
        Ok(())
    }

    fn press(&mut self, inputs: Inputs) -> Result {
        let fork = self.debugger.history_mut().press(inputs)?;
        self.say(fork.to_string());
        Ok(())
    }
}
