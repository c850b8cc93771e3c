//! The self-test: the program that is built in, and the files of `gray1 build` that belong to it.

use crate::cores::on_all_cores;
use gray1_assembler::{Loaded, Loader, Options, assemble};
use gray1_build::{AssemblyError, File};
use gray1_faults::{Circuit, Conditions, Entry, Fault, Model, Reference, files::dictionary, presses};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{FastEngine, Noise, Outside, Script};
use std::error::Error;
use std::io;
use std::sync::atomic::AtomicBool;

/// Its source.
const SOURCE: &str = include_str!("../../programs/selftest.g1");
/// What it is called.
pub const NAME: &str = "selftest.g1";
/// A program that does not halt is watched for so long.
pub const MOST_CYCLES: u64 = 100_000;
/// For so long it may wait for somebody who presses nothing.
const PATIENCE: u64 = 100_000_000;

/// A source alone: what it includes is built in.
struct BuiltIn(&'static str);

impl Loader for BuiltIn {
    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded> {
        match from {
            None => Ok(Loaded { path: path.to_owned(), bytes: self.0.into() }),
            Some(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// The program.
pub fn program() -> Result<Image, Box<dyn Error>> {
    built_in(NAME, SOURCE)
}

/// A program that is built in, under this name.
pub fn built_in(name: &str, source: &'static str) -> Result<Image, Box<dyn Error>> {
    let assembly = assemble(&BuiltIn(source), name, &Options::default());
    let program = assembly.program.ok_or_else(|| format!("{name}: {}", assembly.report.render(false)))?;
    Ok(program.image)
}

/// What a machine with each of the faults sends and shows, as long as nobody interrupts.
pub fn entries(
    reference: &Reference,
    faults: &[Fault],
    stop: &AtomicBool,
    done: impl Fn(u64) + Sync,
) -> Option<Vec<Entry>> {
    let groups = reference.groups(faults);
    let found = on_all_cores(&groups, stop, |group| {
        done(group.len() as u64);
        reference.entries(faults, group)
    });
    let mut entries = found.into_iter().collect::<Option<Vec<_>>>()?.concat();
    entries.sort_by_key(|(number, _)| *number);
    Some(entries.into_iter().map(|(_, entry)| entry).collect())
}

/// The bytes of the port.
#[derive(Default)]
struct Sent(Vec<u8>);

impl Outside for Sent {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// The files of the pack.
#[derive(Default)]
pub struct Pack {
    /// The files.
    pub files: Vec<File>,
    /// Why there is no fault dictionary, if there is none.
    pub no_dictionary: Option<&'static str>,
}

/// The pack. `None` if somebody interrupts.
pub fn pack(board: &Board, stop: &AtomicBool) -> Result<Option<Pack>, Box<dyn Error>> {
    let image = program()?;
    let noise = Noise::Random(1);
    let circuit = match Circuit::new(board, &image) {
        Ok(circuit) => circuit,
        // What cannot be put together has no pins; `gray1 build` has said so.
        Err(AssemblyError::Pin { .. } | AssemblyError::Write { .. } | AssemblyError::Rail(_)) => {
            return Ok(Some(Pack::default()));
        }
    };
    let script = presses(&image, noise, MOST_CYCLES);
    // What is expected is what the right machine sends, whatever is burned into this one.
    let sent = |script: &Script| {
        let mut sent = Sent::default();
        script.run(&mut FastEngine::power_up(&image, noise), PATIENCE, &mut sent).map(|_| sent.0)
    };
    let (alone, pressed) = (sent(&Script::default())?, sent(&script)?);
    let file = |name: &str, bytes: Vec<u8>| File { name: format!("selftest/{name}"), bytes };
    let mut files = vec![
        file(NAME, SOURCE.into()),
        file("expected.bin", alone),
        file("expected-pressed.bin", pressed.clone()),
        file("presses.ron", script.to_ron().into_bytes()),
    ];
    let reference = Reference::run(&circuit, Conditions { noise, script, most_cycles: MOST_CYCLES });
    let no_dictionary = match reference.has_halted {
        false => Some("the self-test does not halt on this board"),
        true if reference.bytes() != pressed => Some("this board fails the self-test"),
        true => None,
    };
    if no_dictionary.is_none() {
        let faults = [Model::Pins, Model::Bridges].map(|model| reference.faults(model)).concat();
        let Some(entries) = entries(&reference, &faults, stop, |_| ()) else { return Ok(None) };
        files.push(file("faults.json", dictionary(&reference, &entries).into_bytes()));
    }
    Ok(Some(Pack { files, no_dictionary }))
}
