//! Commands that set and remove breakpoints, and those that change the machine.

use super::state::{Dialogue, Result};
use crate::breakpoint::Breakpoint;
use crate::error::DebugError;
use crate::scan::Scan;
use crate::template::Template;
use crate::trigger::{Access, Trigger};
use gray1_isa::memory_map::KEY_NAMES;
use gray1_machine::Inputs;
use std::sync::atomic::AtomicBool;

pub(super) fn set_break(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let start = scan.at();
    let trigger = Trigger::Instructions(dialogue.location(scan)?);
    dialogue.add_with_options(trigger, start, scan)
}

pub(super) fn set_log(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let start = scan.at();
    let mut breakpoint = Breakpoint::new("", Trigger::Instructions(dialogue.location(scan)?));
    breakpoint.log = Some(dialogue.template(scan)?);
    dialogue.add(breakpoint, start, scan)
}

pub(super) fn set_watch(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let start = scan.at();
    let trigger = if scan.take_word("net") {
        let (name, probe) = dialogue.debugger.reader().net(scan)?;
        Trigger::Net(name, probe)
    } else {
        let (first, last) = dialogue.range(scan)?;
        let access = [("read", Access::Read), ("write", Access::Write), ("change", Access::Change)]
            .into_iter()
            .find(|(word, _)| scan.take_word(word))
            .map_or(Access::Change, |(_, access)| access);
        Trigger::Ram(first, last, access)
    };
    dialogue.add_with_options(trigger, start, scan)
}

pub(super) fn delete(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    scan.space();
    let offset = scan.at();
    let number = scan.count()?.map(|number| number as usize);
    scan.end()?;
    match (dialogue.debugger.remove_breakpoints(number), number) {
        (0, Some(number)) => Err(DebugError::input(offset, format!("there is no point {number}"))),
        _ => Ok(()),
    }
}

pub(super) fn set(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let offset = scan.at();
    let missing = || DebugError::input(offset, "expected `a`, `c`, `pc` or a byte of RAM, then `=`");
    let mut target = scan.before("=").ok_or_else(missing)?;
    let edit = dialogue.debugger.reader().edit(&mut target, scan)?;
    let is_within_cycle = dialogue.debugger.position().phase > 0;
    let fork = dialogue.debugger.history_mut().edit(edit)?;
    if is_within_cycle {
        dialogue.say("this cycle has been run to its end first");
    }
    dialogue.say(fork.to_string());
    Ok(())
}

pub(super) fn press(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let mut pad = None;
    if !scan.take_word("none") {
        let mut coordinate = || {
            scan.space();
            let offset = scan.at();
            let number = scan.count()?.filter(|&number| number < 8);
            number
                .map(|number| number as u8)
                .ok_or_else(|| DebugError::input(offset, "expected a row and a column, 0 to 7, or `none`"))
        };
        pad = Some((coordinate()?, coordinate()?));
    }
    scan.end()?;
    let keys = dialogue.debugger.history().pressed().keys;
    dialogue.press(Inputs { pad, keys })
}

pub(super) fn keys(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let mut keys = 0;
    if !scan.take_word("none") {
        loop {
            scan.space();
            let offset = scan.at();
            let name = scan.word().unwrap_or("");
            let Some(bit) = KEY_NAMES.iter().position(|key| *key == name) else {
                let message = format!("expected keys, of {}, or `none`", KEY_NAMES.join(", "));
                return Err(DebugError::input(offset, message));
            };
            keys |= 1 << bit;
            if scan.is_at_end() {
                break;
            }
        }
    }
    scan.end()?;
    let pad = dialogue.debugger.history().pressed().pad;
    dialogue.press(Inputs { pad, keys })
}

impl Dialogue {
    /// Adds a breakpoint with the options that follow: `if EXPR`, `after N`, `log "…"`.
    fn add_with_options(&mut self, trigger: Trigger, start: usize, scan: &mut Scan) -> Result {
        let mut breakpoint = Breakpoint::new("", trigger);
        loop {
            scan.space();
            let offset = scan.at();
            if scan.take_word("if") {
                breakpoint.condition = Some(self.expression(scan)?);
            } else if scan.take_word("after") {
                let missing = || DebugError::input(offset, "expected a number behind `after`");
                breakpoint.skips = scan.count()?.ok_or_else(missing)?;
            } else if scan.take_word("log") {
                breakpoint.log = Some(self.template(scan)?);
            } else {
                return self.add(breakpoint, start, scan);
            }
        }
    }

    /// Adds a breakpoint whose title is what has been read since `start`.
    fn add(&mut self, mut breakpoint: Breakpoint, start: usize, scan: &mut Scan) -> Result {
        scan.end()?;
        let title = scan.text()[start..scan.at()].trim();
        breakpoint.title = title.to_owned();
        let number = self.debugger.add_breakpoint(breakpoint);
        self.say(format!("point {number}: {title}"));
        Ok(())
    }

    fn template(&self, scan: &mut Scan) -> Result<Template> {
        scan.space();
        let offset = scan.at();
        let text = scan.string()?;
        let template = Template::read(&text, &self.debugger.reader());
        template.map_err(|error| DebugError::input(offset, error.to_string()))
    }

    fn press(&mut self, inputs: Inputs) -> Result {
        let fork = self.debugger.history_mut().press(inputs)?;
        self.say(fork.to_string());
        Ok(())
    }
}
