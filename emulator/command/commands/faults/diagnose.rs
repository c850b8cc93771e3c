//! `gray1 faults --diagnose`: finds the faults that explain the bytes that a machine has sent, and the LEDs that were
//! wrong.

use super::arguments::Arguments;
use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::on_all_cores;
use crate::support::files::{self, print, shown};
use crate::support::interrupt::Interrupted;
use crate::support::json;
use crate::support::progress::Progress;
use crate::support::selftest;
use gray1_hardware::faults::{
    Answer, Checkpoint, Expected, Fault, Model, Observed, Reference, Trials, WrongLed, sent,
};
use gray1_isa::Image;
use gray1_machine::Script;
use gray1_text::counted;
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The number of answers.
const ANSWERS: usize = 10;

pub fn diagnose(
    arguments: &Arguments,
    reference: Reference,
    program: &Image,
    path: &Path,
    stop: &AtomicBool,
) -> Result<Ending, Box<dyn Error>> {
    let bytes = files::read(path)?;
    let leds = arguments.leds.as_deref().map(|leds| seen_leds(leds, path, bytes.len())).transpose()?;
    let observed = Observed { bytes, leds: leds.unwrap_or_default() };
    let models = match arguments.model {
        Some(model) => vec![model],
        None => Model::DIAGNOSED.to_vec(),
    };
    let faults: Vec<Fault> = models.into_iter().flat_map(|model| reference.faults(model)).collect();
    let trials = match &arguments.input {
        Some(_) => Trials::known(reference),
        None => {
            let sends = sent(program, arguments.ram, &Script::default(), stop).unwrap_or_default();
            Trials::either(reference, &sends)?
        }
    };
    let expected = trials.expected(&observed.bytes);
    let is_right = observed.bytes == expected.bytes && observed.leds.is_empty();
    let answers = match is_right {
        true => Vec::new(),
        false => answers(&trials, &faults, &observed, stop)?,
    };
    let text = match arguments.format {
        Format::Json => json::answer("faults", Diagnosis { answers: &answers })?,
        Format::Text => report(&shown(path), &expected, &observed.bytes, &answers),
    };
    print(text.as_bytes())?;
    Ok(Ending::Done)
}

/// The answers as JSON.
#[derive(Serialize)]
struct Diagnosis<'a> {
    answers: &'a [Answer],
}

/// The faults that fit best: those that explain everything if there are any, and otherwise the nearest.
fn answers(
    trials: &Trials,
    faults: &[Fault],
    observed: &Observed,
    stop: &AtomicBool,
) -> Result<Vec<Answer>, Interrupted> {
    let progress = Progress::new(2 * faults.len() as u64, "faults");
    let tried = on_all_cores(faults, stop, |&fault| {
        progress.add(1);
        trials.may_explain(fault, observed).then_some(fault)
    });
    let may: Vec<Fault> =
        tried.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)?.into_iter().flatten().collect();
    let fitting = |faults: &[Fault]| -> Result<Vec<Answer>, Interrupted> {
        let entries = trials.references().map(|one| selftest::entries(one, faults, stop, |_| ()));
        Ok(trials.diagnose(&entries.collect::<Result<Vec<_>, _>>()?, observed, ANSWERS))
    };
    let exact = fitting(&may)?;
    if exact.first().is_some_and(|answer| answer.exact) {
        return Ok(exact);
    }
    let can: Vec<Fault> =
        faults.iter().copied().filter(|&fault| trials.can_explain(fault, observed)).collect();
    fitting(&can)
}

/// Reads the file of `--leds`. `bytes` is how many bytes the machine has sent.
fn seen_leds(path: &Path, observed: &Path, bytes: usize) -> Result<Vec<WrongLed>, Box<dyn Error>> {
    let text = files::read_text(path)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let leds = lines.map(|(number, line)| {
        let led: WrongLed = line.parse().map_err(|error| format!("{}:{number}: {error}", shown(path)))?;
        match led.at {
            Checkpoint::After(after) if after > bytes => Err(format!(
                "{}:{number}: `{}`: {} has only {}; write `end` for LEDs that are wrong after the last byte",
                shown(path),
                line.trim(),
                shown(observed),
                counted(bytes, "byte"),
            )
            .into()),
            _ => Ok(led),
        }
    });
    leds.collect()
}

/// The result as text.
fn report(name: &str, expected: &Expected, bytes: &[u8], answers: &[Answer]) -> String {
    let Expected { bytes: expected, is_alone } = expected;
    let right = expected.iter().zip(bytes).take_while(|(one, other)| one == other).count();
    let count = counted(bytes.len(), "byte");
    let mut text = match (expected.get(right), bytes.get(right)) {
        (None, None) => format!("{name}: {count}, all as expected"),
        (Some(_), None) if right == 0 => format!("{name}: no bytes"),
        (Some(_), None) => format!("{name}: {count}, all as expected, but more were expected"),
        (None, Some(byte)) => format!("{name}: {count}; {byte:02x} follows the last expected byte"),
        (Some(should), Some(byte)) => {
            format!("{name}: {count}; byte {right}: expected {should:02x}, found {byte:02x}")
        }
    };
    text += if *is_alone { ", without any input\n" } else { "\n" };
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
            let _ = write!(text, ": agrees for {}", counted(answer.agrees, "byte"));
        }
        text.push('\n');
        if !answer.cannot_be_told_from.is_empty() {
            text += "     indistinguishable from\n";
        }
        for place in &answer.cannot_be_told_from {
            let _ = writeln!(text, "     {place}");
        }
    }
    text
}
