//! The faults with which a machine gives exactly what was recorded.

use crate::support::cores::on_all_cores;
use crate::support::interrupt::Interrupted;
use crate::support::progress::Progress;
use gray1_debugger::Debugger;
use gray1_hardware::faults::{Circuit, Fault, Place};
use gray1_hardware::kit::capture::{Capture, Start};
use gray1_machine::{Noise, Script};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// Maximum number of faults that are listed.
const LISTED: usize = 20;

/// The faults that explain all rows of a capture, from one of these starts on. None if the board
/// cannot be put together from parts, so that its pins are not known.
pub fn explaining(
    debugger: &Debugger,
    (noise, script): (Noise, &Script),
    capture: &Capture,
    starts: Vec<Start>,
    stop: &AtomicBool,
) -> Result<Vec<Place>, Interrupted> {
    let Ok(circuit) = Circuit::new(debugger.board(), debugger.source().image()) else { return Ok(vec![]) };
    let faults: Vec<Fault> = circuit.diagnosed();
    let explains =
        |fault, starts: &[Start]| circuit.explains(fault, (noise, script), capture, starts).unwrap_or(false);
    // If a healthy machine explains the rows, every fault without an effect does, too.
    let starts: Vec<Start> = starts.into_iter().filter(|&start| !explains(None, &[start])).collect();
    let progress = Progress::new(faults.len() as u64, "faults");
    let tried = on_all_cores(&faults, stop, |&fault| {
        progress.add(1);
        explains(Some(fault), &starts).then_some(fault)
    });
    let tried = tried.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)?;
    Ok(tried.into_iter().flatten().map(|fault| circuit.place(fault)).collect())
}

/// The faults as text.
pub fn report(places: &[Place]) -> String {
    let mut text = "a machine with this fault gives exactly these rows:\n".to_owned();
    for place in places.iter().take(LISTED) {
        let _ = writeln!(text, "  {place}");
    }
    if let more @ 1.. = places.len().saturating_sub(LISTED) {
        let _ = writeln!(text, "  … and {more} more");
    }
    text
}
