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
mod json;
mod kind;
mod nets;
mod program;

pub use case::{After, Before, Case};
pub use kind::{Access, Kind};
pub use nets::{Signal, signals};
pub use program::{Source, Trace};

use crate::json::{json, list};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Failure, Noise};
use std::sync::atomic::{AtomicBool, Ordering};

/// All files: this number of cases for each kind of instruction, and these programs. `write` receives them in pieces, as
/// they are made: the path of the file in the folder, and what comes next in it. Returns whether that was all, which it
/// is not once `stop` is set.
pub fn files<E: From<Failure>>(
    cases: usize,
    programs: &[Source],
    stop: &AtomicBool,
    mut write: impl FnMut(&str, &str) -> Result<(), E>,
) -> Result<bool, E> {
    let machine = ChipsEngine::power_up(&Board::gray1(), &Image::blank(), Noise::Zeros);
    let mut machine = machine.map_err(Failure::from)?;
    let signals = signals(&Board::gray1());
    list(signals.iter().map(|signal| Ok(json(signal))), |piece| write("nets.json", piece))?;
    for kind in Kind::all() {
        let name = format!("instructions/{}.json", kind.name());
        let numbers = (0..cases).take_while(|_| !stop.load(Ordering::Relaxed));
        let cases = numbers.map(|number| Case::run(&mut machine, &signals, kind, number));
        let lines = cases.map(|case| Ok(json(&case.map_err(Failure::from)?)));
        list(lines, |piece| write(&name, piece))?;
    }
    for source in programs {
        let Some(trace) = Trace::run(source, stop)? else { break };
        write(&format!("programs/{}.json", source.name), &trace.text())?;
    }
    Ok(!stop.load(Ordering::Relaxed))
}
