//! Counterexamples, and reasons why a claim is undecided, as text.

use crate::report::{ClaimReport, Counterexample, Intent, LoopFault, RingFault, WritingFault};
use crate::{Aspect, Cell, Mismatch, Observed, Program, Reached, ResetFault, StrobeTrouble};
use gray1_machine::names::runs;
use std::fmt::Write;

/// Returns all reasons why the claim is undecided, and all counterexamples.
pub fn faults(claim: &ClaimReport) -> String {
    let mut text = String::new();
    for why in &claim.undecided {
        let _ = write!(text, "\n  undecided: {why}\n");
    }
    for counterexample in &claim.counterexamples {
        text += "\n";
        text += &of(counterexample);
    }
    text
}

/// Returns the first line about a counterexample, without its end.
pub fn summary(counterexample: &Counterexample) -> String {
    of(counterexample).lines().next().unwrap_or_default().trim().trim_end_matches(':').to_owned()
}

fn of(counterexample: &Counterexample) -> String {
    match counterexample {
        Counterexample::Loop(fault) => loop_fault(fault),
        Counterexample::Writing(fault) => writing_fault(fault),
        Counterexample::Ring(fault) => ring_fault(fault),
        Counterexample::Clock { why } => format!("  {why}\n"),
        Counterexample::Strobe { strobe, phase, why, because: steps } => {
            let why = match why {
                StrobeTrouble::Often => "may change more than once",
                StrobeTrouble::Open => "may still be 1 at the end",
                StrobeTrouble::ManyPhases => "changes, as it does in two other phases",
            };
            format!("  {strobe} {why} in phase {phase}\n") + &because(steps)
        }
        Counterexample::Reset(ResetFault { when, what, got }) => {
            format!("  {when}: {what} should be 0, and can be {got}\n")
        }
        Counterexample::Button { what } => format!("  {what}\n"),
        Counterexample::Instruction { cases, mismatch } => instruction_fault(*cases, mismatch),
    }
}

fn loop_fault(fault: &LoopFault) -> String {
    let LoopFault { chip, phase, lost, from, to, between, data, .. } = fault;
    let mut text = match fault.intent {
        Intent::Hold => format!("  {chip} can lose {lost} in phase {phase}, while it is to hold:\n"),
        Intent::Step => {
            format!("  {chip} can go astray with {lost} in phase {phase}, on its way to another value:\n")
        }
        Intent::Neither => format!(
            "  {chip} has a cell, at {between:X}, at which {lost} neither holds nor takes a value as its neighbours do:\n"
        ),
    };
    if fault.intent == Intent::Neither {
        let _ = writeln!(text, "    {between:05X} gives {data:02X}");
    } else {
        let _ = writeln!(text, "    A       {from:05X}");
        let _ = writeln!(text, "    between {between:05X}  gives {data:02X}: {lost} is lost");
        let _ = writeln!(text, "    B       {to:05X}");
    }
    for line in &fault.lines {
        let _ = writeln!(text, "    {:<8}{} → {} → {}", line.net, line.from, line.between, line.to);
    }
    text + &because(&fault.because) + &reached(fault.reached.as_ref()) + &also(&fault.also)
}

fn writing_fault(fault: &WritingFault) -> String {
    let WritingFault { chip, phase, line, write, .. } = fault;
    let mut text =
        format!("  {chip} can be written to in phase {phase} while {line} moves: {write} may be 1\n");
    if let Some(driver) = &fault.driver {
        let _ = writeln!(
            text,
            "    {} goes from {:02X} to {:02X}, and gives {write} = 1 at {:02X}",
            driver.chip, driver.from, driver.to, driver.between
        );
    }
    text += &because(&fault.write_because);
    if fault.because != fault.write_because {
        text += &because(&fault.because);
    }
    text + &reached(fault.reached.as_ref()) + &also(&fault.also)
}

fn ring_fault(fault: &RingFault) -> String {
    let around = match fault.around.is_empty() {
        true => String::new(),
        false => format!("    around {}\n", fault.around.join(" → ")),
    };
    let mut text = format!(
        "  The ring {} is open in phase {}:\n{}    {}\n",
        fault.chips.join(" "),
        fault.phase,
        around,
        fault.why
    );
    for order in &fault.orders {
        match &order[..] {
            [] => text += "    when nothing else moves\n",
            _ => {
                let _ = writeln!(text, "    in the order {}", order.join(", "));
            }
        }
    }
    if !fault.differ.is_empty() {
        let _ = writeln!(text, "    then {} differ", fault.differ.join(" "));
    }
    text + &because(&fault.because) + &reached(fault.reached.as_ref()) + &also(&fault.also)
}

fn instruction_fault(cases: Aspect, mismatch: &Mismatch) -> String {
    let Mismatch { case, expected, got, cells, wrong_cell, program } = mismatch;
    let mut text =
        format!("  {}: {case}\n    should give  {expected}\n    but gives    {got}\n", cases.name());
    for (number, cell) in cells.iter().enumerate() {
        let Cell { chip, address, data, line } = cell;
        let by = if number == 0 { "by" } else { "  " };
        let is_wrong = if wrong_cell.as_ref() == Some(cell) {
            "  ← the board is right with this bit the other way"
        } else {
            ""
        };
        let _ = writeln!(text, "    {by} {chip} at {address:05X}, which gives {data:02X}, {line}{is_wrong}");
    }
    match program.as_deref() {
        None => text += "    no program was found that gets there; the tables allow it\n",
        Some(Program { words, inputs, is_soonest, cycle, seen, observed, .. }) => {
            let soonest = if *is_soonest { ", and in no program sooner" } else { "" };
            let _ = writeln!(text, "    seen in cycle {cycle} of this program{soonest}: {seen}");
            for word in words {
                let _ = writeln!(text, "      {word}");
            }
            if let Some(inputs) = inputs {
                let _ = writeln!(text, "      with {inputs} held down");
            }
            if let Some(Observed { then, cycle, seen }) = observed {
                let then =
                    if then.is_empty() { String::new() } else { format!(" with {} next", then.join(", ")) };
                let _ = writeln!(text, "      seen from outside in cycle {cycle}{then}: {seen}");
            }
        }
    }
    text
}

/// Returns the names of other chips with the same fault.
fn also(chips: &[String]) -> String {
    match chips {
        [] => String::new(),
        _ => format!("    likewise {}\n", runs(chips).join(" ")),
    }
}

fn because(steps: &[String]) -> String {
    steps.iter().map(|step| format!("      {step}\n")).collect()
}

/// The text for a fault that no run reaches. A board without a CPU has no runs.
pub(super) const NOT_REACHED: &str =
    "    no program of random words was seen to get there; the tables allow it\n";

fn reached(reached: Option<&Reached>) -> String {
    match reached {
        None => NOT_REACHED.to_owned(),
        Some(Reached { instruction, pc, a, c, next, phase, .. }) => format!(
            "    for instance: {instruction} at {pc}, A = {a}, C = {c}, followed by {next}: in phase {phase}{}\n",
            if *phase == 0 { " after it" } else { "" }
        ),
    }
}
