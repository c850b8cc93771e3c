//! Commands that set points, and those that change the machine.

use super::Dialogue;
use crate::fault::Fault;
use crate::history::Edit;
use crate::points::{Access, Point, Subject};
use crate::scan::Scan;
use crate::template::Template;
use gray1_isa::memory_map::KEY_NAMES;
use gray1_machine::Inputs;
use std::sync::atomic::AtomicBool;

type Result<T = ()> = std::result::Result<T, Fault>;

pub(super) fn set_break(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let start = scan.at();
    let subject = Subject::Places(dialogue.places(scan)?);
    dialogue.set_point(subject, start, scan)
}

pub(super) fn set_log(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let start = scan.at();
    let subject = Subject::Places(dialogue.places(scan)?);
    scan.space();
    let at = scan.at();
    let text = scan.string()?;
    let log = dialogue.template(&text, at)?;
    scan.end()?;
    let title = scan_text(scan, start);
    let point = Point { number: 0, title, subject, condition: None, skips: 0, log: Some(log), hits: 0 };
    dialogue.add(point);
    Ok(())
}

pub(super) fn set_watch(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let start = scan.at();
    let subject = if scan.take_word("net") {
        let (name, probe) = dialogue.debugger.reader().net(scan)?;
        Subject::Net(name, probe)
    } else {
        let (first, last) = dialogue.range(scan)?;
        let access = [("read", Access::Read), ("write", Access::Write), ("change", Access::Change)]
            .into_iter()
            .find(|(word, _)| scan.take_word(word))
            .map_or(Access::Change, |(_, access)| access);
        Subject::Ram(first, last, access)
    };
    dialogue.set_point(subject, start, scan)
}

pub(super) fn delete(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    scan.space();
    let at = scan.at();
    let number = dialogue.count(scan)?.map(|number| number as usize);
    scan.end()?;
    match (dialogue.debugger.remove_points(number), number) {
        (0, Some(number)) => Err(Fault::text(at, format!("there is no point {number}"))),
        _ => Ok(()),
    }
}

pub(super) fn set(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    scan.space();
    let at = scan.at();
    let mut behind = scan.clone();
    let name = behind.name().unwrap_or("");
    let address = match name {
        "a" | "c" | "pc" => {
            *scan = behind;
            None
        }
        // The address ends before the `=` that would otherwise compare.
        _ => Some(dialogue.target(scan)?),
    };
    scan.expect("=")?;
    let value_at = scan.at();
    let value = dialogue.expression(scan)?.value(dialogue.debugger.machine())?;
    scan.end()?;
    let fits = |limit: i64| {
        if (0..limit).contains(&value) || (limit == 256 && (-128..0).contains(&value)) {
            return Ok((value & (limit - 1)) as u16);
        }
        Err(Fault::text(value_at, format!("{value} does not fit there: it takes 0 to {}", limit - 1)))
    };
    let edit = match (address, name) {
        (Some(address), _) if address >= gray1_isa::memory_map::INPUTS => {
            return Err(Fault::text(at, "an input, not RAM: `press` and `keys` change it"));
        }
        (Some(address), _) => Edit::Ram(address, fits(256)? as u8),
        (None, "a") => Edit::A(fits(256)? as u8),
        (None, "c") => Edit::C(fits(2)? == 1),
        (None, _) => Edit::Pc(fits(4096)?),
    };
    let is_within = dialogue.debugger.position().phase > 0;
    let forgotten = dialogue.debugger.history_mut().edit(edit)?;
    if is_within {
        dialogue.say("this cycle has been run to its end first");
    }
    dialogue.say_fork(forgotten);
    Ok(())
}

pub(super) fn press(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let mut pad = None;
    if !scan.take_word("none") {
        let mut coordinate = || {
            scan.space();
            let at = scan.at();
            let number = scan.number()?.filter(|number| (0..8).contains(number));
            number
                .map(|number| number as u8)
                .ok_or_else(|| Fault::text(at, "expected a row and a column, 0 to 7, or `none`"))
        };
        pad = Some((coordinate()?, coordinate()?));
    }
    scan.end()?;
    let keys = dialogue.debugger.history().fingers().keys;
    dialogue.touch(Inputs { pad, keys })
}

pub(super) fn keys(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    let mut keys = 0;
    if !scan.take_word("none") {
        loop {
            scan.space();
            let at = scan.at();
            let name = scan.word().unwrap_or("");
            let Some(bit) = KEY_NAMES.iter().position(|key| *key == name) else {
                let message = format!("expected keys, of {}, or `none`", KEY_NAMES.join(", "));
                return Err(Fault::text(at, message));
            };
            keys |= 1 << bit;
            if scan.is_at_end() {
                break;
            }
        }
    }
    scan.end()?;
    let pad = dialogue.debugger.history().fingers().pad;
    dialogue.touch(Inputs { pad, keys })
}

impl Dialogue {
    /// Sets a point with what may follow: `if EXPR`, `after N`, `log "…"`.
    fn set_point(&mut self, subject: Subject, start: usize, scan: &mut Scan) -> Result {
        let mut point =
            Point { number: 0, title: String::new(), subject, condition: None, skips: 0, log: None, hits: 0 };
        loop {
            scan.space();
            let at = scan.at();
            if scan.take_word("if") {
                point.condition = Some(self.expression(scan)?);
            } else if scan.take_word("after") {
                let count = self.count(scan)?;
                point.skips = count.ok_or_else(|| Fault::text(at, "expected a number behind `after`"))?;
            } else if scan.take_word("log") {
                let text = scan.string()?;
                point.log = Some(self.template(&text, at)?);
            } else {
                break;
            }
        }
        scan.end()?;
        point.title = scan_text(scan, start);
        self.add(point);
        Ok(())
    }

    fn add(&mut self, point: Point) {
        let title = point.title.clone();
        let number = self.debugger.set_point(point);
        self.say(format!("point {number}: {title}"));
    }

    fn template(&self, text: &str, at: usize) -> Result<Template> {
        let result = Template::read(text, &self.debugger.reader());
        result.map_err(|fault| Fault::text(at, fault.to_string()))
    }

    /// The byte of RAM in front of a `=`.
    fn target(&self, scan: &mut Scan) -> Result<u16> {
        let text = scan.rest();
        let Some(end) = text.find('=') else {
            return Err(Fault::text(scan.at(), "expected `a`, `c`, `pc` or a byte of RAM, then `=`"));
        };
        let mut part = Scan::new(text[..end].trim());
        let shift = scan.at();
        let address = self.debugger.reader().address(&mut part).and_then(|address| {
            part.end()?;
            Ok(address)
        });
        scan.take(text[..end].trim_end());
        address.map_err(|fault| match fault {
            Fault::Text { at, message } => Fault::Text { at: at + shift, message },
            fault => fault,
        })
    }

    fn touch(&mut self, inputs: Inputs) -> Result {
        let forgotten = self.debugger.history_mut().press(inputs)?;
        self.say_fork(forgotten);
        Ok(())
    }

    fn say_fork(&mut self, forgotten: u64) {
        let position = self.debugger.position();
        if forgotten > 0 {
            self.say(format!("the history forks at {position}: {forgotten} cycles after it are forgotten"));
        } else {
            self.say(format!("changed at {position}"));
        }
    }
}

/// What has been read since a place of the line.
fn scan_text(scan: &Scan, start: usize) -> String {
    scan.text()[start..scan.at()].trim().to_owned()
}
