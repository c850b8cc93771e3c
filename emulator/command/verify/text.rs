//! The report of a proof, for people.

use gray1_isa::grouped;
use gray1_machine::board::Board;
use gray1_proof::report::{
    CaseRow, ClaimReport, ClockRow, Counterexample, Evidence, Intent, LoopFault, LoopRow, Moving, RingFault,
    RingRow, StrobeRow, WritingFault,
};
use gray1_proof::{Aspect, Cell, Mismatch, Program, Reached, ResetFault, StrobeTrouble, Verdict};
use std::collections::HashMap;
use std::fmt::Write;

/// What stands above the claims.
pub fn header(board: &Board) -> String {
    format!("{}: {} memory chips\n", board.name, board.chips.len())
}

/// What came of one claim.
pub fn claim(board: &Board, claim: &ClaimReport) -> String {
    let what = claim.claim;
    let mut text = format!("\n{}: {}\n  {}\n", what.says(), verdict(claim.verdict), what.means());
    let _ = writeln!(text, "  Assumed: {}\n", what.assumes());
    text += &match &claim.evidence {
        Evidence::Loops { phases, chips } => loops(board, phases, chips),
        Evidence::Order { clock, rings } => order(clock, rings),
        Evidence::Instructions { cases, states, state, inputs } => {
            instructions(board, cases, states, state, inputs)
        }
        Evidence::Strobes { strobes } => strobe_table(strobes),
        Evidence::Reset { cycles, from, ends } => reset(board, *cycles, from, ends),
    };
    text + &faults(claim)
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Undecided => "undecided",
        Verdict::Refuted => "REFUTED",
    }
}

fn loops(board: &Board, phases: &[Moving], chips: &[LoopRow]) -> String {
    let mut text = String::from("  what can move, read off the tables:\n");
    for phase in phases {
        let name =
            if phase.phase.len() == 1 { format!("phase {}", phase.phase) } else { phase.phase.clone() };
        let _ = writeln!(text, "  {name}");
        for (how, nets) in [("once", &phase.once), ("often", &phase.often)] {
            if !nets.is_empty() {
                let _ = writeln!(text, "    {how:<6} {}", ranges(board, nets).join(" "));
            }
        }
    }
    text +=
        "\n  chip     holds through changes  with addresses between  goes by changes  between       cells\n";
    for (names, row) in alike(chips) {
        let _ = write!(text, "  {names:<9}");
        match row.verdict {
            Verdict::Proved if row.cells == 0 => {
                text += "written only while its address and data stand still\n";
            }
            Verdict::Proved => {
                let _ = writeln!(
                    text,
                    "{:>21}  {:>22}  {:>15}  {:>9}  {:>10}",
                    grouped(row.holds),
                    grouped(row.holds_between),
                    grouped(row.goes),
                    grouped(row.goes_between),
                    grouped(row.cells)
                );
            }
            other => {
                let _ = writeln!(text, "{}", verdict(other));
            }
        }
    }
    let sum = |number: fn(&LoopRow) -> u64| grouped(chips.iter().map(number).sum());
    let changes = sum(|row| row.holds + row.goes);
    let between = sum(|row| row.holds_between + row.goes_between);
    let _ = writeln!(text, "  together: {changes} changes, {between} addresses in T(A,B)");
    text
}

/// Rows of chips that say the same in one: their names, `GREEN0-7` for a run of them.
fn alike(chips: &[LoopRow]) -> Vec<(String, &LoopRow)> {
    let mut rows: Vec<(Vec<String>, &LoopRow)> = Vec::new();
    for row in chips {
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        match rows.last_mut() {
            Some((names, last))
                if stem(&row.chip) == stem(&last.chip)
                    && stem(&row.chip) != row.chip
                    && LoopRow { chip: row.chip.clone(), ..(*last).clone() } == *row =>
            {
                names.push(row.chip.clone());
            }
            _ => rows.push((vec![row.chip.clone()], row)),
        }
    }
    rows.into_iter().map(|(names, row)| (runs(&names).join(" "), row)).collect()
}

/// Nets as the board file writes them: runs of neighbours as one range.
fn ranges(board: &Board, nets: &[String]) -> Vec<String> {
    let mut texts = runs(nets);
    // The rows of the display are many and behave alike.
    let buses: HashMap<&String, usize> =
        board.buses.iter().map(|(name, lines)| (name, lines.len())).collect();
    for plane in ["GREEN", "RED"] {
        let rows: Vec<String> = (0..8).map(|row| format!("{plane}{row}_0-7")).collect();
        let known = (0..8).all(|row| buses.get(&format!("{plane}{row}")) == Some(&8));
        if known && rows.iter().all(|row| texts.contains(row)) {
            let place = texts.iter().position(|text| *text == rows[0]).unwrap_or(0);
            texts.retain(|text| !rows[1..].contains(text));
            texts[place] = format!("{plane}0-7");
        }
    }
    texts
}

fn instructions(
    board: &Board,
    cases: &[CaseRow],
    states: &str,
    state: &[String],
    inputs: &[String],
) -> String {
    let mut text = String::new();
    if !cases.is_empty() {
        let lines = |nets: &[String]| ranges(board, nets).join(" ");
        let _ =
            writeln!(text, "  one machine cycle, from each of the {states} states in which one can begin:");
        let _ = writeln!(text, "    {}", lines(state));
        let _ =
            writeln!(text, "  with anything, 2^{}, as program word, in RAM, on pads and keys:", inputs.len());
        let _ = writeln!(text, "    {}\n", lines(inputs));
    }
    for row in cases {
        let _ = writeln!(text, "  {:<20}{}", row.cases.name(), verdict(row.verdict));
    }
    text
}

fn strobe_table(strobes: &[StrobeRow]) -> String {
    let mut groups: Vec<(Vec<String>, &StrobeRow)> = Vec::new();
    for row in strobes {
        match groups
            .iter_mut()
            .find(|(_, other)| StrobeRow { strobe: row.strobe.clone(), ..(*other).clone() } == *row)
        {
            Some((names, _)) => names.push(row.strobe.clone()),
            None => groups.push((vec![row.strobe.clone()], row)),
        }
    }
    let mut text = String::new();
    for (names, row) in groups {
        let _ = match (row.proved, row.rises, row.falls) {
            (false, ..) => writeln!(text, "  REFUTED: {}", runs(&names).join(", ")),
            (true, Some(rises), Some(falls)) => {
                writeln!(
                    text,
                    "  rise once in phase {rises} and fall once in phase {falls}, at most: {}",
                    runs(&names).join(", ")
                )
            }
            _ => writeln!(text, "  never move: {}", runs(&names).join(", ")),
        };
    }
    text
}

fn reset(board: &Board, cycles: usize, from: &[String], ends: &[usize]) -> String {
    if from.is_empty() {
        return String::new();
    }
    let ends: Vec<String> = ends.iter().map(usize::to_string).collect();
    format!(
        "  RST = 1 for {cycles} cycles, from each of the 2^{} states of\n    {}\n  then let go at any moment: it ends in phase {}\n",
        from.len(),
        ranges(board, from).join(" "),
        ends.join(" or ")
    )
}

fn order(clock: &ClockRow, rings: &[RingRow]) -> String {
    let mut text = String::new();
    if !clock.chips.is_empty() {
        let _ = writeln!(
            text,
            "  clock ({}): from {} states of power-up, {} states visited: one cycle of four phases",
            clock.chips.join(" "),
            grouped(clock.starts),
            grouped(clock.states)
        );
    }
    if !rings.is_empty() {
        text += "\n  phase  ring\n";
    }
    let mut cut: Vec<(String, Vec<&str>)> = Vec::new();
    for ring in rings {
        if ring.starts > 0 {
            let pulses = match ring.withdrawn {
                0 => "no pulse".to_owned(),
                pulses => format!("{} changes called off", grouped(pulses)),
            };
            let _ = writeln!(
                text,
                "  {:<5}  {:<12} every order from {} states of rest: {} states, {} changes of a line, {pulses}, one end each",
                ring.phase,
                ring.chips.join(" "),
                grouped(ring.starts),
                grouped(ring.states),
                grouped(ring.changes)
            );
        }
        if !ring.cut_by.is_empty() {
            let by = ring.cut_by.join(", ");
            let what = format!("cut by {by}: {} cells do not listen to the ring", grouped(ring.cells));
            if ring.chips.len() > 1 {
                let _ = writeln!(text, "  {:<5}  {:<12} {what}", ring.phase, ring.chips.join(" "));
            } else {
                let phase = format!("{:<5}", ring.phase);
                match cut.iter_mut().find(|(other, _)| *other == phase) {
                    Some((_, chips)) => chips.push(&ring.chips[0]),
                    None => cut.push((phase, vec![&ring.chips[0]])),
                }
            }
        }
    }
    for (phase, chips) in cut {
        let names: Vec<String> = chips.iter().map(|&chip| chip.to_owned()).collect();
        let _ = writeln!(text, "  {phase}  each by itself cut by its enable: {}", runs(&names).join(" "));
    }
    text
}

/// Names, neighbours as one range: `GREEN0-7`.
fn runs(names: &[String]) -> Vec<String> {
    let mut runs: Vec<(&str, Option<(u32, u32)>)> = Vec::new();
    for name in names {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        // What is no number that can be counted on from is a name of its own.
        let number =
            name[stem.len()..].parse::<u32>().ok().filter(|number| number.to_string() == name[stem.len()..]);
        match (runs.last_mut(), number) {
            (Some((last, Some((_, end)))), Some(number))
                if *last == stem && end.checked_add(1) == Some(number) =>
            {
                *end = number;
            }
            (_, Some(number)) => runs.push((stem, Some((number, number)))),
            (_, None) => runs.push((name, None)),
        }
    }
    let text = |(stem, range): (&str, Option<(u32, u32)>)| match range {
        None => stem.to_owned(),
        Some((first, last)) if first == last => format!("{stem}{first}"),
        Some((first, last)) => format!("{stem}{first}-{last}"),
    };
    runs.into_iter().map(text).collect()
}

fn faults(claim: &ClaimReport) -> String {
    let mut text = String::new();
    for why in &claim.undecided {
        let _ = write!(text, "\n  undecided: {why}\n");
    }
    for counterexample in &claim.counterexamples {
        text += "\n";
        text += &match counterexample {
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
            Counterexample::Instruction { cases, mismatch } => instruction_fault(*cases, mismatch),
        };
    }
    text
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
    let mut text = format!(
        "  The ring {} is open in phase {}:\n    around {}\n    {}\n",
        fault.chips.join(" "),
        fault.phase,
        fault.around.join(" → "),
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
    match program {
        None => text += "    no program was found that gets there; the tables allow it\n",
        Some(Program { words, inputs, cycle, seen }) => {
            let _ = writeln!(text, "    for instance in cycle {cycle} of this program: {seen}");
            for word in words {
                let _ = writeln!(text, "      {word}");
            }
            if let Some(inputs) = inputs {
                let _ = writeln!(text, "      with {inputs} held down");
            }
        }
    }
    text
}

/// Other chips in the same trouble.
fn also(chips: &[String]) -> String {
    match chips {
        [] => String::new(),
        _ => format!("    likewise {}\n", runs(chips).join(" ")),
    }
}

fn because(steps: &[String]) -> String {
    steps.iter().map(|step| format!("      {step}\n")).collect()
}

fn reached(reached: Option<&Reached>) -> String {
    match reached {
        None => "    no program of random words was seen to get there; the tables allow it\n".to_owned(),
        Some(Reached { instruction, pc, a, c, next, phase, .. }) => format!(
            "    for instance: {instruction} at {pc}, A = {a}, C = {c}, followed by {next}: in phase {phase}{}\n",
            if *phase == 0 { " after it" } else { "" }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_neighbours_are_one_range() {
        for (names, expected) in [
            ("GREEN0 GREEN1 GREEN2", "GREEN0-2"),
            ("GREEN2 GREEN5 GREEN7", "GREEN2 GREEN5 GREEN7"),
            ("A A1 A2 PH1 PH2 X", "A A1-2 PH1-2 X"),
            ("X4294967295 X4294967296 Y01 Y2", "X4294967295 X4294967296 Y01 Y2"),
        ] {
            let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
            assert_eq!(runs(&names).join(" "), expected);
        }
    }
}
