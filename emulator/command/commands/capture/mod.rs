//! `gray1 capture`: compares what a logic analyser has recorded from a machine with a run of its program.

mod faults;

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::files::{self, shown};
use crate::support::interrupt::Interrupt;
use crate::support::json::print_answer;
use crate::support::machine::{MachineArguments, hide_engines};
use crate::support::numbers::cycles;
use crate::support::source::AssemblerArguments;
use gray1_debugger::Debugger;
use gray1_hardware::faults::Place;
use gray1_hardware::kit::capture::{
    Capture, Comparison, Difference, Expected, Probe, Start, compare_capture,
};
use gray1_machine::Engine;
use gray1_machine::netlist::{Net, NetId, Netlist};
use gray1_text::{counted, grouped};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// The latest cycle in which a capture may begin: the run is looked up chip by chip up to there.
const MAX_START: u64 = 10_000_000;

#[derive(clap::Args)]
#[command(mut_args(hide_engines))]
pub struct Arguments {
    /// The capture: a CSV file whose header names nets and buses, or `-` for standard input
    file: PathBuf,
    /// The program that the machine was running
    #[arg(long, value_name = "FILE", value_parser = completion::program(), hide_possible_values = true)]
    program: PathBuf,
    /// The cycle of the run in which the capture begins; the default is the first, with or without the reset before it
    #[arg(long, value_name = "CYCLE", value_parser = cycles)]
    from: Option<u64>,
    /// The format of the comparison
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text")]
    format: Format,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub fn capture(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Arguments { file, program, machine, assembler, .. } = arguments;
    let debugger = machine.load_debugger(
        assembler,
        program,
        "a capture is compared with the nets of the chips engine",
    )?;
    let board = debugger.board();
    let netlist = board.netlist();
    let text = files::read_text(file)?;
    let capture = Capture::read(&text, netlist).map_err(|error| format!("{}:{error}", shown(file)))?;
    let script = machine.script()?;
    let interrupt = Interrupt::listen()?;
    let mut expected = Expected::new(debugger.machine().clone(), &script, &capture.nets, interrupt.flag());
    let first = debugger.machine().cycle();
    let from = arguments.from.unwrap_or(first).checked_sub(first).filter(|from| *from <= MAX_START);
    let from =
        from.ok_or_else(|| format!("--from: write a cycle from {first} to {}", first + MAX_START))? as usize;
    let comparison = compare_capture(&capture, &mut expected, from)?;
    let is_right = comparison.difference.is_none();
    let places = match is_right || machine.state_in.is_some() {
        true => vec![],
        false => {
            let starts = [Start::all(&capture, from), vec![comparison.start]].concat();
            faults::explaining(&debugger, (machine.ram, &script), &capture, starts, interrupt.flag())?
        }
    };
    let found = CaptureReport { comparison, capture, places };
    let text = || found.text(&debugger, &shown(file));
    print_answer(arguments.format, "capture", text, || found.json(&debugger))?;
    Ok(if is_right { Ending::Done } else { Ending::Refuted })
}

/// A comparison, and the faults that explain it.
struct CaptureReport {
    comparison: Comparison,
    capture: Capture,
    places: Vec<Place>,
}

impl CaptureReport {
    fn text(&self, debugger: &Debugger, file: &str) -> String {
        let (netlist, source) = (debugger.board().netlist(), debugger.source());
        let Comparison { line, begins, rows, difference, .. } = &self.comparison;
        let rows = counted(*rows as usize, "row");
        let mut text = format!("{file}:{line} is {}; equal: {rows}\n", position(*begins));
        let Some(difference) = difference else { return text };
        let _ = write!(text, "{file}:{}, {}: ", difference.line, position(difference.position));
        let _ = writeln!(text, "{}", levels(difference, &self.capture, netlist));
        let sequence = difference.instruction;
        let at = source.line_name(sequence).map_or(String::new(), |line| format!("  ({line})"));
        let _ = writeln!(text, "  in {sequence:03X} {}{at}", source.instruction(sequence));
        if let Some(explanation) = self.explanation(netlist) {
            let _ = writeln!(text, "likely: {explanation}");
        }
        let chips = drivers(difference, &self.capture, netlist);
        if !chips.is_empty() {
            let _ = writeln!(text, "  driven by {}", chips.into_iter().collect::<Vec<_>>().join(" "));
        }
        if !self.places.is_empty() {
            text += &faults::report(&self.places);
        }
        text
    }

    fn json(&self, debugger: &Debugger) -> Value {
        let (netlist, source) = (debugger.board().netlist(), debugger.source());
        let Comparison { line, begins, rows, difference, .. } = &self.comparison;
        let difference = difference.as_ref().map(|difference| {
            json!({
                "row": difference.line,
                "cycle": difference.position.0,
                "phase": difference.position.1,
                "instruction": source.instruction(difference.instruction).to_string(),
                "source": source.line_name(difference.instruction),
                "levels": levels(difference, &self.capture, netlist),
                "chips": drivers(difference, &self.capture, netlist),
                "likely": self.explanation(netlist),
            })
        });
        json!({
            "row": line,
            "cycle": begins.0,
            "phase": begins.1,
            "equal_rows": rows,
            "difference": difference,
            "faults": self.places.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }

    /// Describes the likely cause of the difference. If a fault of the machine explains the rows, the probe is not in
    /// doubt.
    fn explanation(&self, netlist: &Netlist) -> Option<String> {
        let name = |line: usize| netlist.nets[self.capture.nets[line]].name.as_str();
        let line = wrong_line(self.comparison.probe?, name);
        let doubt = ", but the machine runs as expected: check the probe";
        Some(if self.places.is_empty() { line + doubt } else { line })
    }
}

/// Describes a line that is wrong while the machine is not.
fn wrong_line<'a>(probe: Probe, name: impl Fn(usize) -> &'a str) -> String {
    match probe {
        Probe::Stuck { line, level } => format!("{} stays at {}", name(line), u8::from(level)),
        Probe::Inverted { line } => format!("{} is inverted", name(line)),
        Probe::Swapped { line, other } => format!("{} and {} are swapped", name(line), name(other)),
        Probe::Doubled { line, other } => format!("{} always shows the level of {}", name(line), name(other)),
        Probe::Differs { line } => format!("{} is wrong at times", name(line)),
    }
}

fn position((cycle, phase): (u64, u8)) -> String {
    format!("cycle {} phase {phase}", grouped(cycle))
}

/// The levels that were recorded and those expected; as numbers for each bus whose lines were all recorded.
fn levels(difference: &Difference, capture: &Capture, netlist: &Netlist) -> String {
    if difference.stays {
        let names: Vec<&str> =
            wrong_nets(difference, capture, netlist).map(|net| net.name.as_str()).collect();
        return format!("no line changes any more; expected changes of {}", names.join(" "));
    }
    let line_of = |net: &NetId| capture.nets.iter().position(|other| other == net);
    let mut left = difference.lines();
    let mut words = Vec::new();
    for (bus, nets) in netlist.buses() {
        let Some(lines) = nets.iter().map(line_of).collect::<Option<Vec<_>>>() else { continue };
        let mask = lines.iter().fold(0, |mask, line| mask | 1 << line);
        if left & mask == 0 || mask & !difference.known != 0 || lines.len() < 2 {
            continue;
        }
        left &= !mask;
        let number =
            |levels: u128| lines.iter().rev().fold(0u16, |sum, line| sum << 1 | (levels >> line & 1) as u16);
        let digits = lines.len().div_ceil(4);
        let (got, wanted) = (number(difference.got), number(difference.wanted));
        words.push(format!("{bus} is {got:0digits$x}, expected {wanted:0digits$x}"));
    }
    for (line, &net) in capture.nets.iter().enumerate().filter(|(line, _)| left >> line & 1 == 1) {
        let level = difference.got >> line & 1;
        words.push(format!("{} is {level}, expected {}", netlist.nets[net].name, 1 - level));
    }
    words.join("; ")
}

/// The nets of the wrong lines.
fn wrong_nets<'a>(
    difference: &Difference,
    capture: &'a Capture,
    netlist: &'a Netlist,
) -> impl Iterator<Item = &'a Net> {
    let wrong = difference.lines();
    let nets = capture.nets.iter().enumerate().filter(move |(line, _)| wrong >> line & 1 == 1);
    nets.map(|(_, &net)| &netlist.nets[net])
}

/// The chips that drive the wrong lines.
fn drivers<'a>(difference: &Difference, capture: &'a Capture, netlist: &'a Netlist) -> BTreeSet<&'a str> {
    let nets = wrong_nets(difference, capture, netlist);
    nets.filter_map(|net| Some(netlist.chips[net.driver?.chip].name.as_str())).collect()
}
