//! `gray1 timing --constraints`: lists the races inside chips whose paths have independent delays.
//!
//! The proof finds the races in the tables and the wires. This module computes the delays of each race from the data of
//! the parts. Races of a chip that differ in a single column are merged into one line.

use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::beside;
use crate::support::interrupt::Interrupt;
use crate::support::json::print_answer;
use crate::support::numbers::{Capacitor, MAX_PICOFARADS, nanoseconds};
use gray1_machine::board::Board;
use gray1_machine::names::runs;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_proof::{Prover, Races};
use gray1_text::table;
use gray1_timed::Paths;
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Write;

/// Prints the constraints. Returns `Refuted` unless all of them hold.
pub fn constraints(
    board: &Board,
    capacitor: Capacitor,
    format: Format,
    interrupt: &Interrupt,
) -> Result<Ending, Box<dyn Error>> {
    let of_board = board.clone();
    let paths = beside("the shortest paths", move || Paths::find(&of_board, false))(interrupt)??;
    let races = Prover::new(board).until(interrupt.flag()).races()?;
    let rows = rows(&paths, &races, capacitor);
    let lost = count_lost(&paths, &races, capacitor);
    let text = || {
        let filter = capacitor.describe_filter();
        let head = format!("{}, {filter}; each path through a chip with a delay of its own\n", board.name);
        let list = if rows.is_empty() { String::new() } else { list(&paths, &rows, capacitor) };
        head + &list + &summary(&paths, &races, capacitor)
    };
    let fields = || {
        json!({
            "board": board.name,
            "capacitor": capacitor.0,
            "constraints": rows.iter().map(|row| row.json(paths.netlist())).collect::<Vec<_>>(),
            "lost": lost,
            "undecided": races.undecided,
        })
    };
    print_answer(format, "timing", text, fields)?;
    Ok(if races.undecided.is_empty() && lost == 0 { Ending::Done } else { Ending::Refuted })
}

/// Races that share a line of the output.
struct Row {
    chip: ChipId,
    phases: Vec<String>,
    /// The data lines at which these races end.
    lines: Vec<NetId>,
    /// The ways round, net by net. An entry with several nets lists alternatives.
    round: Vec<Vec<NetId>>,
    /// The longest path, in picoseconds.
    path: u64,
    /// The shortest way round, in picoseconds.
    round_time: u64,
    /// The shortest way round without capacitors, in picoseconds.
    bare: u64,
}

impl Row {
    fn margin(&self) -> i64 {
        difference(self.round_time, self.path)
    }

    fn json(&self, netlist: &Netlist) -> Value {
        json!({
            "chip": netlist.chips[self.chip].name,
            "phases": self.phases,
            "nets": net_names(netlist, &self.lines),
            "round": self.round.iter().map(|nets| net_names(netlist, nets)).collect::<Vec<_>>(),
            "path": self.path,
            "round_time": self.round_time,
            "margin": self.margin(),
        })
    }
}

fn rows(paths: &Paths, races: &Races, capacitor: Capacitor) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (race, phases) in &races.races {
        let (path, round_time) = paths.race(race.chip, &race.round, capacitor.0);
        let (_, bare) = paths.race(race.chip, &race.round, 0);
        let round = race.round.iter().map(|&net| vec![net]).collect();
        let row = Row {
            chip: race.chip,
            phases: shown_phases(phases),
            lines: vec![race.line],
            round,
            path,
            round_time,
            bare,
        };
        rows.push(row);
    }
    let are_alike = |one: &Row, other: &Row| {
        let key = |row: &Row| (row.chip, row.phases.clone(), row.path, row.round_time, row.bare);
        key(one) == key(other)
    };
    merge(&mut rows, |one, other| {
        let is_same = are_alike(one, other) && one.round == other.round;
        if is_same {
            one.lines.extend(&other.lines);
        }
        is_same
    });
    merge(&mut rows, |one, other| {
        let is_same =
            are_alike(one, other) && one.lines == other.lines && one.round.len() == other.round.len();
        let differ = one.round.iter_mut().zip(&other.round).filter(|(one, other)| one != other);
        match &mut differ.collect::<Vec<_>>()[..] {
            [(one, other)] if is_same => {
                one.extend(*other);
                true
            }
            _ => false,
        }
    });
    rows.sort_by_key(Row::margin);
    rows
}

/// Merges rows into earlier ones. `take` merges its second row into its first, if possible, and returns whether it did.
fn merge(rows: &mut Vec<Row>, take: impl Fn(&mut Row, &Row) -> bool) {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows.drain(..) {
        if !merged.iter_mut().any(|earlier| take(earlier, &row)) {
            merged.push(row);
        }
    }
    *rows = merged;
}

/// Selects the phases of a running machine. If there are none, returns all phases, which belong to a reset.
fn shown_phases(phases: &[String]) -> Vec<String> {
    let running: Vec<String> = phases.iter().filter(|name| name.parse::<u8>().is_ok()).cloned().collect();
    if running.is_empty() { phases.to_vec() } else { running }
}

fn list(paths: &Paths, rows: &[Row], capacitor: Capacitor) -> String {
    let netlist = paths.netlist();
    let has_capacitor = capacitor.0 > 0;
    let head = ["margin", "without", "chip", "phase", "path, at most", "", "way round, at least", ""];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(|row| {
        let lines = net_names(netlist, &row.lines);
        let round: Vec<String> = row.round.iter().map(|nets| net_names(netlist, nets)).collect();
        vec![
            nanoseconds(row.margin()),
            nanoseconds(difference(row.bare, row.path)),
            netlist.chips[row.chip].name.clone(),
            row.phases.join(" "),
            format!("{} → {lines}", net_names(netlist, &row.round[0])),
            nanoseconds(row.path as i64),
            format!("{} → {lines}", round.join(" → ")),
            nanoseconds(row.round_time as i64),
        ]
    }));
    for row in &mut cells {
        row[..2].iter_mut().for_each(|margin| *margin = format!("{margin:>9}"));
        if !has_capacitor {
            row.remove(1);
        }
    }
    let first = if has_capacitor { 2 } else { 1 };
    let is_right = |column| column < first || [3, 5].contains(&(column - first));
    let lines = table(&cells, "  ", is_right).into_iter().map(|line| format!("  {line}\n"));
    "\nIn each line, the path has to be shorter than the way round, from the same net:\n\n".to_owned()
        + &lines.collect::<String>()
}

/// Formats the number of constraints and the smallest capacitor with which all of them hold.
fn summary(paths: &Paths, races: &Races, capacitor: Capacitor) -> String {
    let count = races.races.len();
    let mut text = String::from("\n");
    for reason in &races.undecided {
        let _ = writeln!(text, "there may be others: {reason}");
    }
    if count == 0 {
        return text;
    }
    let _ = match count_lost(paths, races, capacitor) {
        0 => writeln!(text, "all {count} constraints hold"),
        lost => writeln!(text, "{lost} of {count} constraints do not hold"),
    };
    if capacitor.0 > 0 {
        let _ = writeln!(text, "without capacitors {} do not", count_lost(paths, races, Capacitor(0)));
    }
    let _ = match smallest_capacitor(|capacitor| count_lost(paths, races, capacitor) == 0) {
        Some(Capacitor(0)) => writeln!(text, "they hold without capacitors"),
        Some(least) => writeln!(text, "the smallest capacitor with which all of them hold: {least}"),
        None => writeln!(text, "no capacitor makes all of them hold"),
    };
    text
}

/// Counts the races that can be lost with this capacitor.
fn count_lost(paths: &Paths, races: &Races, capacitor: Capacitor) -> usize {
    let is_lost = |round: &[NetId], chip: ChipId| {
        let (path, round_time) = paths.race(chip, round, capacitor.0);
        round_time <= path
    };
    races.races.iter().filter(|(race, _)| is_lost(&race.round, race.chip)).count()
}

/// Finds the smallest sufficient capacitor by bisection: every larger capacitor must be sufficient too.
fn smallest_capacitor(is_enough: impl Fn(Capacitor) -> bool) -> Option<Capacitor> {
    let (mut too_small, mut enough) = (None, MAX_PICOFARADS);
    if !is_enough(Capacitor(enough)) {
        return None;
    }
    while too_small.map_or(0, |small: u64| small + 1) < enough {
        let middle = (too_small.map_or(0, |small| small + 1) + enough) / 2;
        if is_enough(Capacitor(middle)) { enough = middle } else { too_small = Some(middle) }
    }
    Some(Capacitor(enough))
}

/// Formats the names of alternative nets.
fn net_names(netlist: &Netlist, nets: &[NetId]) -> String {
    let names: Vec<String> = nets.iter().map(|&net| netlist.nets[net].name.clone()).collect();
    runs(&names).join(" ")
}

fn difference(one: u64, other: u64) -> i64 {
    one as i64 - other as i64
}
