//! The self-test program, and the files that `gray1 build` writes for it.

use crate::support::cores::on_all_cores;
use crate::support::interrupt::Interrupted;
use crate::support::progress::Progress;
use gray1_assembler::{MemoryLoader, Options, ShippedProgram, assemble};
use gray1_hardware::faults::{
    Circuit, Conditions, Entry, Fault, Model, Reference, files::dictionary, presses, sent,
};
use gray1_hardware::kit::File;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Noise, Script};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// The file name of the program.
pub const NAME: &str = "selftest.g1";
/// The maximum number of cycles of a run.
pub const MAX_CYCLES: u64 = 100_000;

/// Assembles the self-test.
pub fn program() -> Result<Image, Box<dyn Error>> {
    Ok(shipped(NAME)?.1)
}

/// Finds and assembles a shipped program.
pub fn shipped(name: &str) -> Result<(ShippedProgram, Image), Box<dyn Error>> {
    let shipped = ShippedProgram::named(name)
        .ok_or_else(|| format!("{name}: there is no shipped program with this name"))?;
    let files = MemoryLoader::new([(shipped.file, shipped.text)]);
    let assembly = assemble(&files, shipped.file, &Options::default());
    let program = assembly.program.ok_or_else(|| format!("{name}: {}", assembly.report.render(false)))?;
    Ok((shipped, program.image))
}

/// Runs a machine with each of the faults, and records its output and its LEDs.
pub fn entries(
    reference: &Reference,
    faults: &[Fault],
    stop: &AtomicBool,
    done: impl Fn(u64) + Sync,
) -> Result<Vec<Entry>, Interrupted> {
    let entries = on_all_cores(faults, stop, |fault| {
        done(1);
        reference.entry(*fault)
    });
    // Interrupted jobs return incomplete entries.
    if stop.load(Ordering::Relaxed) {
        return Err(Interrupted);
    }
    entries.into_iter().collect::<Option<_>>().ok_or(Interrupted)
}

/// Generates the files of `gray1 build` for the self-test, unless the board fails it.
pub fn pack(board: &Board, stop: &AtomicBool) -> Result<Vec<File>, Box<dyn Error>> {
    let (program, image) = shipped(NAME)?;
    let noise = Noise::Random(1);
    let circuit = Circuit::new(board, &image)?;
    let script = presses(&image, noise, MAX_CYCLES, stop);
    // The expected output is that of the correct machine, which halts, even if cells of this board are changed.
    let both = [&Script::default(), &script].map(|script| sent(&image, noise, script, stop));
    let [Some(alone), Some(pressed)] = both else { return Err(Interrupted.into()) };
    let file = |name: &str, bytes: Vec<u8>| File { name: format!("selftest/{name}"), bytes };
    let presses = script.to_ron().into_bytes();
    let conditions = Conditions { noise, script, max_cycles: MAX_CYCLES };
    let reference = Reference::run(&circuit, conditions, stop)?;
    if !reference.has_halted || reference.bytes() != pressed {
        return Err("this board fails the self-test".into());
    }
    let faults = [Model::Pins, Model::Bridges].map(|model| reference.faults(model)).concat();
    let progress = Progress::new(faults.len() as u64, "faults of the self-test");
    let entries = entries(&reference, &faults, stop, |count| progress.add(count))?;
    Ok(vec![
        file(NAME, program.text.into()),
        file("expected.bin", alone),
        file("expected-pressed.bin", pressed),
        file("presses.ron", presses),
        file("faults.json", dictionary(&reference, &entries).into_bytes()),
    ])
}
