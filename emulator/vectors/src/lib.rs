//! Test vectors for other emulators: single instructions with the machine before and after and every net after each
//! phase, and whole programs with their traces, as JSON. `docs/vectors.md` describes the files.
//!
//! ```text
//!   nets     the wires of the board, in the order in which a vector lists them
//!   kind     what is tested: an instruction and the place of its operand
//!   case     one instruction, run on the chips engine
//!   program  a program, run on the chips engine
//! ```
//!
//! Everything comes from the chips engine, and from seeds that never change: the same request gives the same bytes.

mod case;
mod kind;
mod nets;
mod program;

pub use case::{After, Before, Case};
pub use kind::{Access, Kind};
pub use nets::{Signal, signals};
pub use program::{Source, Trace};

use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Failure, Noise};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// A file of vectors.
pub struct File {
    /// Its path within the folder.
    pub name: String,
    /// The contents of the file.
    pub text: String,
}

/// All files: this number of cases for each kind of instruction, and these programs. `None` once `stop` is set.
pub fn files(cases: usize, programs: &[Source], stop: &AtomicBool) -> Result<Option<Vec<File>>, Failure> {
    let mut machine = ChipsEngine::power_up(&Board::gray1(), &Image::blank(), Noise::Zeros)?;
    let signals = signals(&Board::gray1());
    let mut files = vec![File { name: "nets.json".to_owned(), text: list(&signals) }];
    for kind in Kind::all() {
        let mut lines = Vec::new();
        for number in 0..cases {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            lines.push(Case::run(&mut machine, &signals, kind, number)?);
        }
        files.push(File { name: format!("instructions/{}.json", kind.name()), text: list(&lines) });
    }
    for source in programs {
        let Some(trace) = Trace::run(source, stop)? else { return Ok(None) };
        files.push(File { name: format!("programs/{}.json", source.name), text: trace.text() });
    }
    Ok(Some(files))
}

/// A list in JSON, an entry a line.
fn list(entries: &[impl Serialize]) -> String {
    let lines: Vec<String> = entries.iter().map(json).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Plain data in JSON, on one line.
fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_else(|error| unreachable!("plain data: {error}"))
}
