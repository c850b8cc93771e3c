//! `gray1 capture`: compares what a logic analyser has recorded from a machine with a run of its program.

mod faults;

use crate::ending::Ending;
use crate::support::completion;
use crate::support::files::{self, print, shown};
use crate::support::interrupt::Interrupt;
use crate::support::machine::{MachineArguments, hide_engines};
use crate::support::source::AssemblerArguments;
use crate::support::units::cycles;
use gray1_debugger::Debugger;
use gray1_faults::Place;
use gray1_kit::capture::{Capture, Comparison, Difference, Expected, Probe, Start, compare_capture};
use gray1_machine::Engine;
use gray1_machine::netlist::{Net, NetId, Netlist};
use gray1_text::{counted, grouped};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

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
    print(report(&comparison, &capture, &debugger, file, &places).as_bytes())?;
    Ok(if is_right { Ending::Done } else { Ending::Refuted })
}

fn report(
    comparison: &Comparison,
    capture: &Capture,
    debugger: &Debugger,
    file: &Path,
    places: &[Place],
) -> String {
    let netlist = debugger.board().netlist();
    let Comparison { line, begins, rows, difference, probe, .. } = comparison;
    let rows = counted(*rows as usize, "row");
    let mut text = format!("{}:{line} is {}; equal: {rows}\n", shown(file), position(*begins));
    let Some(difference) = difference else { return text };
    let _ = write!(text, "{}:{}, {}: ", shown(file), difference.line, position(difference.position));
    let _ = writeln!(text, "{}", levels(difference, capture, netlist));
    let sequence = difference.instruction;
    let source = debugger.source();
    let at = source.line_name(sequence).map_or(String::new(), |line| format!("  ({line})"));
    let _ = writeln!(text, "  in {sequence:03X} {}{at}", source.instruction(sequence));
    let name = |line: usize| netlist.nets[capture.nets[line]].name.as_str();
    if let Some(probe) = probe {
        // If a fault of the machine explains the rows, the probe is not in doubt.
        let doubt = ", and the machine goes on as it should: look at the probe";
        let doubt = if places.is_empty() { doubt } else { "" };
        let _ = writeln!(text, "likely: {}{doubt}", wrong_line(*probe, name));
    }
    text += &drivers(difference, capture, netlist);
    if !places.is_empty() {
        text += &faults::report(places);
    }
    text
}

/// Describes a line that is wrong while the machine is not.
fn wrong_line<'a>(probe: Probe, name: impl Fn(usize) -> &'a str) -> String {
    match probe {
        Probe::Stuck { line, level } => format!("{} stays at {}", name(line), u8::from(level)),
        Probe::Inverted { line } => format!("{} is always the opposite of what it should be", name(line)),
        Probe::Swapped { line, other } => format!("{} and {} have changed places", name(line), name(other)),
        Probe::Doubled { line, other } => format!("{} is always what {} should be", name(line), name(other)),
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
        return format!("nothing moves any more; {} should", names.join(" "));
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
        words.push(format!("{bus} is {got:0digits$x}, should be {wanted:0digits$x}"));
    }
    for (line, &net) in capture.nets.iter().enumerate().filter(|(line, _)| left >> line & 1 == 1) {
        let level = difference.got >> line & 1;
        words.push(format!("{} is {level}, should be {}", netlist.nets[net].name, 1 - level));
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
fn drivers(difference: &Difference, capture: &Capture, netlist: &Netlist) -> String {
    let nets = wrong_nets(difference, capture, netlist);
    let chips: BTreeSet<&str> =
        nets.filter_map(|net| Some(netlist.chips[net.driver?.chip].name.as_str())).collect();
    match chips.is_empty() {
        true => String::new(),
        false => format!("  driven by {}\n", chips.into_iter().collect::<Vec<_>>().join(" ")),
    }
}
