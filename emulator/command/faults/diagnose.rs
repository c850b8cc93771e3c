//! `gray1 faults --diagnose`: from what a machine has sent, and LEDs that were wrong, to the faults that fit.

use super::{Arguments, Format};
use crate::files::{self, shown};
use crate::interrupt::Interrupt;
use crate::output::put;
use crate::progress::Progress;
use crate::{Ending, selftest};
use gray1_faults::{Answer, Model, Observed, Reference, SeenLed};
use gray1_isa::grouped;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// So many answers are given.
const ANSWERS: usize = 10;

pub fn diagnose(
    arguments: &Arguments,
    reference: &Reference,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<Ending, Box<dyn Error>> {
    let observed = Observed {
        bytes: files::read(path)?,
        leds: arguments.leds.as_deref().map(seen_leds).transpose()?.unwrap_or_default(),
    };
    let models = match arguments.model {
        Some(model) => vec![Model::from(model)],
        None => vec![Model::Pins, Model::Bridges],
    };
    let is_right = observed.bytes == reference.bytes() && observed.leds.is_empty();
    let answers = match is_right {
        true => Vec::new(),
        false => {
            let faults: Vec<_> = models.into_iter().flat_map(|model| reference.faults(model)).collect();
            let progress = Progress::of(faults.len() as u64, "faults");
            let Some(entries) =
                selftest::entries(reference, &faults, interrupt.flag(), |done| progress.add(done))
            else {
                return Ok(Ending::Interrupted);
            };
            reference.diagnose(&entries, &observed, ANSWERS)
        }
    };
    let text = match arguments.format {
        Format::Json => serde_json::to_string_pretty(&answers)? + "\n",
        Format::Text => told(&shown(path), reference, &observed, &answers),
    };
    put(Path::new("-"), text.as_bytes())?;
    Ok(Ending::Done)
}

/// LEDs as somebody has written them down.
fn seen_leds(path: &Path) -> Result<Vec<SeenLed>, Box<dyn Error>> {
    let text = files::read_text(path)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let leds = lines.map(|(number, line)| {
        line.parse().map_err(|error| format!("{}:{number}: {error}", shown(path)).into())
    });
    leds.collect()
}

/// For people.
fn told(name: &str, reference: &Reference, observed: &Observed, answers: &[Answer]) -> String {
    let (expected, bytes) = (reference.bytes(), &observed.bytes);
    let right = expected.iter().zip(bytes).take_while(|(one, other)| one == other).count();
    let count = grouped(bytes.len() as u64);
    let mut text = match (expected.get(right), bytes.get(right)) {
        (None, None) => format!("{name}: all {count} bytes are as they should be\n"),
        (Some(_), None) if right == 0 => format!("{name}: no bytes\n"),
        (Some(_), None) => {
            format!("{name}: {count} bytes, all as they should be, but there should be more\n")
        }
        (None, Some(byte)) => format!("{name}: {count} bytes; {byte:02x} comes after the last that should\n"),
        (Some(should), Some(byte)) => {
            format!(
                "{name}: {count} bytes; after {right} that are right comes {byte:02x} instead of {should:02x}\n"
            )
        }
    };
    if answers.is_empty() {
        text += "no fault is needed to explain this; if LEDs are wrong, write them down for --leds\n";
        return text;
    }
    let exact = answers.iter().take_while(|answer| answer.exact).count();
    let shown = if exact > 0 { &answers[..exact] } else { answers };
    text += match exact {
        0 => "no fault that was tried gives exactly this; these come nearest:\n",
        _ => "a machine with this fault gives exactly this:\n",
    };
    for (number, answer) in (1..).zip(shown) {
        let _ = write!(text, "\n{number:>3}  {}", answer.place);
        if exact == 0 {
            let _ = write!(text, ": {} bytes agree", grouped(answer.agrees as u64));
        }
        text.push('\n');
        if !answer.cannot_be_told_from.is_empty() {
            text += "     cannot be told from\n";
        }
        for place in &answer.cannot_be_told_from {
            let _ = writeln!(text, "     {place}");
        }
    }
    text
}
