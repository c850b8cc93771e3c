//! A program, run on the chips engine: the registers before each instruction, what leaves the machine, and its end.

use crate::case::After;
use crate::json::json;
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Failure, Noise, Registers, Script, Seen};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// A program to run.
pub struct Source {
    /// Its name.
    pub name: String,
    /// The program.
    pub image: Image,
    /// The pads and keys that are pressed.
    pub script: Script,
    /// The run is stopped after this many cycles if the program has not halted.
    pub most_cycles: u64,
}

/// A run from reset, with RAM full of zeros.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Trace {
    /// The name of the program.
    pub name: String,
    /// The words of the program from 0 on; all further words are a jump to themselves.
    pub rom: Vec<u16>,
    /// Changes of the inputs: the cycle, the pad's column, its row, and the keys.
    pub inputs: Vec<(u64, u8, u8, u8)>,
    /// What was sent and shown.
    #[serde(flatten)]
    pub seen: Seen,
    /// The machine at the end, with the bytes of RAM that are not 0.
    #[serde(rename = "final")]
    pub after: After,
    /// Counter, word, accumulator and carry before each cycle.
    pub trace: Vec<(u16, u16, u8, u8)>,
}

impl Trace {
    /// Runs a program. `None` once `stop` is set.
    pub(crate) fn run(source: &Source, stop: &AtomicBool) -> Result<Option<Trace>, Failure> {
        let Source { name, image, script, most_cycles } = source;
        let mut machine = ChipsEngine::power_up(&Board::gray1(), image, Noise::Zeros)?;
        let inputs = script.cycles().map(|at| {
            let inputs = script.inputs_at(at);
            (at, inputs.pad_column(), inputs.pad_row(), inputs.keys)
        });
        let mut trace = Trace {
            name: name.clone(),
            rom: words(image),
            inputs: inputs.collect(),
            seen: Seen::default(),
            after: After::of(&machine.state(), std::iter::empty()),
            trace: Vec::new(),
        };
        while machine.cycle() < *most_cycles && !machine.halted() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            machine.press(script.inputs_at(machine.cycle()))?;
            let Registers { pc, a, c } = machine.registers();
            trace.trace.push((pc, machine.word().0, a, c.into()));
            Engine::run(&mut machine, 1, &mut trace.seen)?;
        }
        let state = machine.state();
        let used = (0..).zip(state.ram.iter()).filter(|(_, byte)| **byte != 0).map(|(address, _)| address);
        trace.after = After::of(&state, used);
        Ok(Some(trace))
    }

    /// The text of its file: a line for each field, and one for each row of the trace.
    pub(crate) fn text(&self) -> String {
        let Trace { name, rom, inputs, seen: Seen { output, display }, after, trace } = self;
        let rows: Vec<String> = trace.iter().map(json).collect();
        let fields = [
            ("name", json(name)),
            ("rom", json(rom)),
            ("inputs", json(inputs)),
            ("output", json(output)),
            ("display", json(display)),
            ("final", json(after)),
            ("trace", format!("[\n{}\n]", rows.join(",\n"))),
        ];
        let fields = fields.map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }
}

/// The words of a program without the blank ones at the end.
fn words(image: &Image) -> Vec<u16> {
    let is_used = |&place: &usize| image.words()[place] != Word::jump(Opcode::Jmp, place as u16);
    let end = (0..PROGRAM_WORDS).rev().find(is_used).map_or(0, |last| last + 1);
    image.words()[..end].iter().map(|word| word.0).collect()
}
