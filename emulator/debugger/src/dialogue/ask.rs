//! Questions to the history, and expectations.

use super::Dialogue;
use crate::debugger::Direction;
use crate::fault::Fault;
use crate::goals::{Holds, Reach};
use crate::points::{Access, Patrol, Point, Subject};
use crate::scan::Scan;
use gray1_isa::PROGRAM_WORDS;
use std::sync::atomic::AtomicBool;

/// Letters of a line of addresses.
const WIDTH: usize = 90;

type Result = std::result::Result<(), Fault>;

pub(super) fn who(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    scan.space();
    let at = scan.at();
    let (direction, access) = match scan.word().unwrap_or("") {
        "wrote" => (Direction::Backward, Access::Write),
        "writes" => (Direction::Forward, Access::Write),
        "read" => (Direction::Backward, Access::Read),
        "reads" => (Direction::Forward, Access::Read),
        _ => return Err(Fault::text(at, "expected `wrote`, `writes`, `read` or `reads`")),
    };
    let (first, last) = dialogue.range(scan)?;
    scan.end()?;
    let subject = Subject::Ram(first, last, access);
    let point =
        Point { number: 0, title: String::new(), subject, condition: None, skips: 0, log: None, hits: 0 };
    let (points, image) = ([point], dialogue.debugger.source().image().clone());
    let found = dialogue.debugger.find(direction, &mut Patrol::new(&points, &image), interrupt)?;
    match found {
        Some(position) => dialogue.say_at(position.cycle, &position.to_string(), interrupt),
        None => {
            dialogue.say(if direction == Direction::Backward { "nobody yet" } else { "nobody, to the halt" });
            Ok(())
        }
    }
}

pub(super) fn when(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let expression = dialogue.expression(scan)?;
    scan.end()?;
    let found = dialogue.debugger.find(Direction::Backward, &mut Holds(&expression), interrupt)?;
    match found {
        Some(position) => dialogue.say_at(position.cycle, &position.to_string(), interrupt),
        None => {
            dialogue.say("never yet");
            Ok(())
        }
    }
}

pub(super) fn ran(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let places =
        if scan.is_at_end() { vec![dialogue.debugger.machine().running()] } else { dialogue.places(scan)? };
    scan.end()?;
    let history = dialogue.debugger.history_mut();
    let now = history.position();
    let limit = crate::Position::start_of(now.cycle);
    let found = history.last_before(&mut Reach::new(&places), limit, interrupt);
    history.go(now, &AtomicBool::new(false))?;
    match found? {
        Some(position) => dialogue.say_at(position.cycle, &position.to_string(), interrupt),
        None => {
            dialogue.say("never before");
            Ok(())
        }
    }
}

pub(super) fn count(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let places = if scan.is_at_end() { None } else { Some(dialogue.places(scan)?) };
    scan.end()?;
    let counts = dialogue.debugger.counts(interrupt)?;
    let places = places.unwrap_or_else(|| {
        let has_line = |place: &u16| !dialogue.debugger.source().frames(*place).is_empty();
        let has_run = |place: &u16| counts[usize::from(*place)] > 0;
        (0..PROGRAM_WORDS as u16).filter(|place| has_line(place) || has_run(place)).collect()
    });
    for place in places {
        let text = format!(
            "  {:>10}  {}  {}",
            counts[usize::from(place)],
            dialogue.place(place),
            dialogue.text_of(place)
        );
        dialogue.say(text);
    }
    Ok(())
}

pub(super) fn cells(dialogue: &mut Dialogue, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
    let wanted = dialogue.chip(scan)?;
    scan.end()?;
    for (name, cells) in dialogue.debugger.cells(interrupt)? {
        if wanted.as_ref().is_some_and(|wanted| name != *wanted) {
            continue;
        }
        let seen = cells.iter().filter(|&&seen| seen).count();
        dialogue.say(format!("  {name:<8} {seen:>6} of {}", cells.len()));
        if wanted.is_some() {
            dialogue.say_addresses(&cells);
        }
    }
    Ok(())
}

pub(super) fn expect(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    scan.space();
    let at = scan.at();
    let text = scan.rest().trim_end().to_owned();
    if scan.take_word("output") {
        let expected = scan.string()?;
        scan.end()?;
        let (output, sent) = dialogue.debugger.history().output();
        let (bytes, dropped) = output.until(sent);
        if dropped == 0 && bytes == expected.as_bytes() {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(bytes).into_owned();
        return Err(Fault::text(at, format!("expected the output {expected:?}, it is {shown:?}")));
    }
    let value = dialogue.expression(scan)?.value(dialogue.debugger.machine())?;
    scan.end()?;
    if value != 0 {
        return Ok(());
    }
    let position = dialogue.debugger.position();
    Err(Fault::text(at, format!("expected {text}: it is not so at {position}")))
}

impl Dialogue {
    /// Says which cells have been looked up, as many to a line as fit it.
    fn say_addresses(&mut self, cells: &[bool]) {
        let digits = (cells.len() - 1).ilog2() as usize / 4 + 1;
        let mut line = String::new();
        let mut first = 0;
        for run in cells.chunk_by(|a, b| a == b) {
            let last = first + run.len() - 1;
            if run[0] {
                let range = if first == last {
                    format!(" {first:0digits$X}")
                } else {
                    format!(" {first:0digits$X}..{last:0digits$X}")
                };
                if line.len() + range.len() > WIDTH {
                    self.say(format!("   {line}"));
                    line.clear();
                }
                line += &range;
            }
            first = last + 1;
        }
        if !line.is_empty() {
            self.say(format!("   {line}"));
        }
    }

    /// Says what is run in a cycle.
    fn say_at(&mut self, cycle: u64, position: &str, interrupt: &AtomicBool) -> Result {
        let now = self.debugger.position();
        let history = self.debugger.history_mut();
        history.go(crate::Position::start_of(cycle), interrupt)?;
        let place = history.machine().running();
        history.go(now, &AtomicBool::new(false))?;
        self.say(format!("{position}: {}  {}", self.place(place), self.text_of(place)));
        Ok(())
    }
}
