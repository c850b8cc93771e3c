//! `gray1 timing`: computes how fast the board can run, and which chips to replace to make it faster.

mod constraints;

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::cores::beside;
use crate::support::interrupt::Interrupt;
use crate::support::json::print_answer;
use crate::support::machine::BoardArguments;
use crate::support::numbers::{Capacitor, Frequency, nanoseconds};
use constraints::constraints;
use gray1_hardware::kicad::track_lengths;
use gray1_hardware::kit::Assembly;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use gray1_text::{counted, rounded};
use gray1_timed::{ConditionsError, Levels, Paths, Requirement, Rule};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Write;

#[derive(clap::Args)]
pub struct Arguments {
    /// The capacitor on each output of a register chip (`1nF`, `220pF`, `none`)
    #[arg(long, value_name = "CAPACITOR", default_value = "1nF", value_parser = Capacitor::parse)]
    capacitor: Capacitor,
    /// List the races between paths inside chips, if each path from an address line to a data line has an independent
    /// delay
    #[arg(long)]
    constraints: bool,
    /// The format of the report
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text")]
    format: Format,
    #[command(flatten)]
    board: BoardArguments,
}

pub fn timing(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let board = arguments.board.board()?;
    let (capacitor, format) = (arguments.capacitor, arguments.format);
    let interrupt = Interrupt::listen_twice()?;
    if arguments.constraints {
        return constraints(&board, capacitor, format, &interrupt);
    }
    let computed = beside("the longest paths", move || -> Result<_, ConditionsError> {
        let (paths, aligned) = (Paths::find(&board, false)?, Paths::find(&board, true)?);
        Ok(match format {
            Format::Text => (report(&board, &paths, &aligned, capacitor), Value::Null),
            Format::Json => (String::new(), fields(&board, &paths, &aligned, capacitor)),
        })
    });
    let (text, fields) = computed(&interrupt)??;
    print_answer(format, "timing", || text, || fields)?;
    Ok(Ending::Done)
}

/// Returns the frequencies and paths for JSON, with times in picoseconds.
fn fields(board: &Board, paths: &Paths, aligned: &Paths, capacitor: Capacitor) -> Value {
    let hertz = |half_period| Frequency::from_half_period(half_period).0.round() as u64;
    let netlist = paths.netlist();
    let names = |nets: &[NetId]| nets.iter().map(|&net| netlist.nets[net].name.clone()).collect::<Vec<_>>();
    let requirements = paths.hardest(capacitor.0).into_iter().map(|requirement| {
        json!({
            "phase": requirement.from,
            "nets": names(&requirement.longest.nets),
            "time": requirement.longest.time,
            "deadline": { "phase": requirement.to, "nets": names(&requirement.shortest.nets), "time": requirement.shortest.time },
            "chip": requirement.chip.map(|chip| netlist.chips[chip].name.as_str()),
            "half_period": requirement.half_period(),
        })
    });
    let replacements = paths.replacements(capacitor.0).into_iter().map(|replacement| {
        json!({ "chip": replacement.chip, "part": replacement.part, "hertz": hertz(replacement.half_period) })
    });
    json!({
        "board": board.name,
        "capacitor": capacitor.0,
        "hertz": hertz(paths.half_period(capacitor.0)),
        "hertz_aligned": hertz(aligned.half_period(capacitor.0)),
        "paths": requirements.collect::<Vec<_>>(),
        "settling": paths.settling(capacitor.0).iter().map(|path| path.time).collect::<Vec<_>>(),
        "replacements": replacements.collect::<Vec<_>>(),
    })
}

fn report(board: &Board, paths: &Paths, assembled: &Paths, capacitor: Capacitor) -> String {
    let filter = capacitor.describe_filter();
    let mut text = format!("{}, {filter}; all chips as slow as their parts may be\n", board.name);
    let requirements = paths.hardest(capacitor.0);
    for (index, requirement) in requirements.iter().enumerate() {
        let known = requirements[..index].iter().find(|known| known.longest.nets == requirement.longest.nets);
        text += &longest_path(paths, requirement, known, capacitor);
    }
    let (all, well) = (paths.half_period(capacitor.0), assembled.half_period(capacitor.0));
    let _ = write!(
        text,
        "\nhighest safe oscillator frequency: {}, that is {} instructions a second\n\
         for programs whose jumps all have the right parity, as the assembler writes them: {}\n",
        Frequency::from_half_period(all),
        rounded((Frequency::from_half_period(all).0 / 2.0).round()),
        Frequency::from_half_period(well)
    );
    text += &at_levels(board, paths, assembled, capacitor);
    text += &settling(paths, all, capacitor);
    let replacements = paths.replacements(capacitor.0);
    if !replacements.is_empty() {
        text += "\nto make the board faster, replace one after the other:\n";
        for replacement in replacements {
            let _ = writeln!(
                text,
                "  {:<6} by {:<10} {:>12}",
                replacement.chip,
                replacement.part,
                Frequency::from_half_period(replacement.half_period).to_string()
            );
        }
    }
    text
}

/// Computes the frequencies with real input levels. Includes the tracks of the printed boards, if they belong to this
/// board.
fn at_levels(board: &Board, paths: &Paths, assembled: &Paths, capacitor: Capacitor) -> String {
    let assembly = board.hardware.as_ref().and_then(|_| Assembly::new(board).ok());
    let lengths = assembly.map(|assembly| track_lengths(board, &assembly)).unwrap_or_default();
    let length = |net: NetId| {
        let name = &paths.netlist().nets[net].name;
        let pin = lengths.get(&format!("{name}_PIN"));
        lengths.get(name).into_iter().chain(pin).sum()
    };
    let mut text = "\nwith TTL inputs, and loads on all lines:\n".to_owned();
    for (name, levels) in [
        ("typical, if inputs switch at 1.4 V", Levels::TYPICAL),
        ("guaranteed from 0.8 to 2.0 V, with 5% and 10% for R and C, clock 45:55", Levels::GUARANTEED),
    ] {
        let [all, well] = [paths, assembled]
            .map(|paths| Frequency::from_half_period(paths.half_period_at(levels, capacitor.0, length)));
        let _ = writeln!(text, "  {all}, and {well} for right parity: {name}");
    }
    text
}

/// Describes the assumption of `gray1 verify` about the length of a phase, and the frequencies at which it holds.
fn settling(paths: &Paths, half_period: u64, capacitor: Capacitor) -> String {
    let settling = paths.settling(capacitor.0);
    let mut text =
        "\nwhat gray1 verify assumes is that each phase settles before the next begins:\n".to_owned();
    for (phase, path) in settling.iter().enumerate() {
        let last = path.nets.last().map_or("", |&net| &*paths.netlist().nets[net].name);
        let does = if path.time <= half_period { "settles" } else { "runs on into the next phase" };
        let _ = writeln!(
            text,
            "  phase {phase}  {:>9}, {last:<7} the last; at {} it {does}",
            nanoseconds(path.time as i64),
            Frequency::from_half_period(half_period)
        );
    }
    let slowest = settling.iter().map(|path| path.time).max().unwrap_or(0).max(half_period);
    let _ = writeln!(text, "  all of them settle up to {}", Frequency::from_half_period(slowest));
    text
}

/// Formats the longest path of a phase, chip by chip. If the path leads through the same chips as the `known` path of
/// another phase, only the sum is printed.
fn longest_path(
    paths: &Paths,
    requirement: &Requirement,
    known: Option<&Requirement>,
    capacitor: Capacitor,
) -> String {
    let mut text = format!(
        "\nPhase {}: the longest path to a deadline\n  {:>9}  OSC {}\n",
        requirement.from,
        "0.0 ns",
        if requirement.from % 2 == 1 { "rises" } else { "falls" }
    );
    let (netlist, mut time) = (paths.netlist(), 0);
    let nets = &requirement.longest.nets;
    if let Some(known) = known {
        time = nets[..nets.len() - 1].iter().skip(1).map(|&net| paths.longest(net, capacitor.0)).sum();
        let _ = writeln!(text, "             … the chips of phase {}", known.from);
    }
    let shown = if known.is_some() { nets.len() - 1 } else { 1 };
    for &net in nets.iter().skip(shown) {
        time += paths.longest(net, capacitor.0);
        let _ = writeln!(
            text,
            "  {:>9}  {}: {}",
            nanoseconds(time as i64),
            netlist.nets[net].driver.map_or("outside", |pin| &netlist.chips[pin.chip].name),
            netlist.nets[net].name
        );
    }
    let chip = requirement.chip.map_or("", |chip| &*netlist.chips[chip].name);
    let deadline = match requirement.shortest.nets[..] {
        [] | [_] => format!("the edge of phase {}", requirement.to),
        [.., last] => format!(
            "{} moves, {} after the edge of phase {}",
            netlist.nets[last].name,
            nanoseconds(requirement.shortest.time as i64),
            requirement.to
        ),
    };
    let why = match requirement.rule {
        Rule::Holds => format!("{chip} then holds its value"),
        Rule::Opens => format!("{chip} then opens something, or does not"),
        Rule::Writes => format!("{chip} is then written"),
        Rule::Closes => format!("{chip} has to be closed when its input moves"),
        Rule::Gap => "in the gap all storage loops have to be at rest".to_owned(),
        Rule::Registers => "the cycle is over, and the registers have to be right".to_owned(),
    };
    let _ = writeln!(text, "  which has to happen before {deadline}: {why}");
    let _ = writeln!(
        text,
        "  {} in {}: half a period is at least {}",
        nanoseconds(requirement.longest.time.saturating_sub(requirement.shortest.time) as i64),
        counted(requirement.edges as usize, "phase"),
        nanoseconds(requirement.half_period() as i64)
    );
    text
}
