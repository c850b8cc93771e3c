//! Reports as text, for people.

mod faults;

use crate::report::{
    CaseRow, ClaimReport, ClockRow, Evidence, LoopRow, Moving, Report, RingRow, StrobeRow, Verdict, groups,
};
use crate::undecided::Undecided;
pub(crate) use faults::summary;
use faults::{NOT_REACHED, faults};
use gray1_machine::board::Board;
use gray1_machine::names::runs;
use gray1_text::{counted, grouped};
use std::collections::HashMap;
use std::fmt::{self, Write};

impl Report {
    /// Returns the first line of the report on a board.
    pub fn header(board: &Board) -> String {
        format!("{}: {}\n", board.name, counted(board.chips.len(), "memory chip"))
    }
}

impl ClaimReport {
    /// Returns the text of the result.
    pub fn text(&self, board: &Board) -> String {
        let what = self.claim;
        let mut text =
            format!("\n{}: {}\n  {}\n", what.wording().statement, self.verdict, what.wording().meaning);
        let numbers: Vec<String> = self.assumptions.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "  Assumed: {}", what.wording().assumes);
        let _ = writeln!(text, "  Assumptions by number: {}\n", numbers.join(", "));
        text += &match &self.evidence {
            Evidence::Loops { phases, chips } => loops(board, phases, chips),
            Evidence::Order { clock, rings } => order(clock, rings),
            Evidence::Instructions { cases, states, state, inputs } => {
                instructions(board, cases, states, state, inputs)
            }
            Evidence::Strobes { strobes } => strobe_table(strobes),
            Evidence::Reset { cycles, from, ends, begins } => reset(board, *cycles, from, ends, begins),
        };
        if let Some(nodes) = self.nodes {
            let _ = writeln!(text, "  {} nodes of decision diagrams", grouped(nodes as u64));
        }
        let faults = faults(self);
        text + &if board.bench.is_some() { faults.replace(NOT_REACHED, "") } else { faults }
    }

    /// Returns the first reason why the claim is not proved, in one line.
    pub fn fault(&self) -> Option<String> {
        let mut faults = self.counterexamples.iter().map(summary);
        faults.next().or_else(|| self.undecided.first().map(Undecided::to_string))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Proved => "proved",
            Verdict::Undecided => "undecided",
            Verdict::Refuted => "REFUTED",
        })
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
        let numbers = [row.holds, row.holds_between, row.goes, row.goes_between, row.cells].map(grouped);
        let [holds, holds_between, goes, goes_between, cells] = numbers;
        let result = match row.verdict {
            Verdict::Proved if row.cells == 0 => {
                "written only while its address and data stand still".to_owned()
            }
            Verdict::Proved => {
                format!("{holds:>21}  {holds_between:>22}  {goes:>15}  {goes_between:>9}  {cells:>10}")
            }
            other => other.to_string(),
        };
        let _ = writeln!(text, "  {names:<9}{result}");
    }
    let sum = |number: fn(&LoopRow) -> u64| grouped(chips.iter().map(number).sum());
    let changes = sum(|row| row.holds + row.goes);
    let between = sum(|row| row.holds_between + row.goes_between);
    let _ = writeln!(text, "  together: {changes} changes, {between} addresses in T(A,B)");
    text
}

/// Merges the rows of chips with equal results; a range of names is shortened to `GREEN0-7`.
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

/// Returns names of nets in the notation of the board file: adjacent nets as one range.
fn ranges(board: &Board, nets: &[String]) -> Vec<String> {
    let mut texts = runs(nets);
    // The rows of the display usually behave alike, so they are merged into one range.
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
        let _ = writeln!(text, "  {:<20}{}", row.cases.name(), row.verdict);
    }
    text
}

fn strobe_table(strobes: &[StrobeRow]) -> String {
    let alike = |one: &&StrobeRow, other: &&StrobeRow| {
        (one.proved, one.rises, one.falls) == (other.proved, other.rises, other.falls)
    };
    let line = |(row, others): (&StrobeRow, Vec<&StrobeRow>)| {
        let names = [row].into_iter().chain(others).map(|row| row.strobe.clone());
        let names = runs(&names.collect::<Vec<_>>()).join(", ");
        match (row.proved, row.rises, row.falls) {
            (false, ..) => format!("  not proved: {names}\n"),
            (true, Some(rises), Some(falls)) => {
                format!("  rise once in phase {rises} and fall once in phase {falls}, at most: {names}\n")
            }
            _ => format!("  never move: {names}\n"),
        }
    };
    groups(strobes.iter().collect(), alike).into_iter().map(line).collect()
}

fn reset(board: &Board, cycles: usize, from: &[String], ends: &[usize], begins: &[usize]) -> String {
    if from.is_empty() {
        return String::new();
    }
    let list = |phases: &[usize]| phases.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
    let pressed = match begins {
        [] => String::new(),
        _ => {
            let begins = list(begins);
            format!("  pressed at any moment: a reset begins in phase {begins}, with all strobes at 0\n")
        }
    };
    let (states, nets, ends) = (from.len(), ranges(board, from).join(" "), list(ends));
    format!(
        "{pressed}  RST = 1 for {cycles} cycles, from each of the 2^{states} states of\n    {nets}\n  then let go at any moment: it ends in phase {ends}\n"
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
    for ring in rings {
        let head = format!("  {:<5}  {:<12}", ring.phase, ring.chips.join(" "));
        if ring.starts > 0 {
            let pulses = match ring.withdrawn {
                0 => "no pulse".to_owned(),
                pulses => format!("{} changes called off", grouped(pulses)),
            };
            let [starts, states, changes] = [ring.starts, ring.states, ring.changes].map(grouped);
            let _ = writeln!(
                text,
                "{head} every order from {starts} states of rest: {states} states, {changes} changes of a line, {pulses}, one end each",
            );
        }
        if !ring.cut_by.is_empty() && ring.chips.len() > 1 {
            let (by, cells) = (ring.cut_by.join(", "), grouped(ring.cells));
            let _ = writeln!(text, "{head} cut by {by}: {cells} cells do not listen to the ring");
        }
    }
    let alone = rings.iter().filter(|ring| !ring.cut_by.is_empty() && ring.chips.len() == 1);
    for (first, others) in groups(alone.collect(), |one, other| one.phase == other.phase) {
        let chips: Vec<String> = [first].iter().chain(&others).map(|ring| ring.chips[0].clone()).collect();
        let names = runs(&chips).join(" ");
        let _ = writeln!(text, "  {:<5}  each by itself cut by its enable: {names}", first.phase);
    }
    text
}
