//! `gray1 timing --constraints`: the races inside chips if each path through a chip has a delay of its own.
//!
//! The proof finds the races in the tables and the wiring; this module computes the delays of each from the data of
//! the parts. Races of one chip that differ in a single column are merged into one line.

use crate::ending::Ending;
use crate::support::files::print;
use crate::support::table::table;
use crate::support::units::{Capacitor, LARGEST, nanoseconds};
use gray1_machine::board::Board;
use gray1_machine::names::runs;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_proof::{Prover, Races};
use gray1_timed::Paths;
use std::error::Error;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// Prints the constraints, and says whether all of them hold.
pub fn constraints(
    board: &Board,
    capacitor: Capacitor,
    interrupt: &AtomicBool,
) -> Result<Ending, Box<dyn Error>> {
    let paths = Paths::find(board, false)?;
    let races = Prover::new(board).until(interrupt).races()?;
    let rows = rows(&paths, &races, capacitor);
    let filter = capacitor.as_filter();
    let mut text = format!("{}, {filter}; each path through a chip with a delay of its own\n", board.name);
    if !rows.is_empty() {
        text += &list(&paths, &rows, capacitor);
    }
    text += &summary(&paths, &races, capacitor);
    print(text.as_bytes())?;
    Ok(if races.undecided.is_empty() && lost(&paths, &races, capacitor) == 0 {
        Ending::Done
    } else {
        Ending::Refuted
    })
}

/// Races that are printed as one line.
struct Row {
    chip: ChipId,
    phases: Vec<String>,
    /// The data lines at which these races end.
    lines: Vec<NetId>,
    /// The ways round, net by net. An entry with several nets means that the way leads over one of them.
    round: Vec<Vec<NetId>>,
    /// The longest path and the shortest way round, in picoseconds.
    path: u64,
    way: u64,
    /// The shortest way round without capacitors.
    bare: u64,
}

impl Row {
    fn margin(&self) -> i64 {
        difference(self.way, self.path)
    }
}

fn rows(paths: &Paths, races: &Races, capacitor: Capacitor) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (race, phases) in &races.races {
        let (path, way) = paths.race(race.chip, &race.round, capacitor.0);
        let (_, bare) = paths.race(race.chip, &race.round, 0);
        let round = race.round.iter().map(|&net| vec![net]).collect();
        let row =
            Row { chip: race.chip, phases: shown(phases), lines: vec![race.line], round, path, way, bare };
        rows.push(row);
    }
    let alike = |one: &Row, other: &Row| {
        let key = |row: &Row| (row.chip, row.phases.clone(), row.path, row.way, row.bare);
        key(one) == key(other)
    };
    merge(&mut rows, |one, other| {
        let is_same = alike(one, other) && one.round == other.round;
        if is_same {
            one.lines.extend(&other.lines);
        }
        is_same
    });
    merge(&mut rows, |one, other| {
        let is_same = alike(one, other) && one.lines == other.lines && one.round.len() == other.round.len();
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

/// Merges rows into earlier ones: `take` returns whether it has merged its second row into its first.
fn merge(rows: &mut Vec<Row>, take: impl Fn(&mut Row, &Row) -> bool) {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows.drain(..) {
        if !merged.iter_mut().any(|known| take(known, &row)) {
            merged.push(row);
        }
    }
    *rows = merged;
}

/// The phases of a running machine, or the others (of a reset) if there are none of these.
fn shown(phases: &[String]) -> Vec<String> {
    let running: Vec<String> = phases.iter().filter(|name| name.parse::<u8>().is_ok()).cloned().collect();
    if running.is_empty() { phases.to_vec() } else { running }
}

fn list(paths: &Paths, rows: &[Row], capacitor: Capacitor) -> String {
    let netlist = paths.netlist();
    let titles = ["chip", "phase", "path, at most", "", "way round, at least", ""].map(str::to_owned);
    let cells = rows.iter().map(|row| {
        let lines = among(netlist, &row.lines);
        let first = &row.round[0];
        let round: Vec<String> = row.round.iter().map(|nets| among(netlist, nets)).collect();
        [
            netlist.chips[row.chip].name.clone(),
            row.phases.join(" "),
            format!("{} → {lines}", among(netlist, first)),
            nanoseconds(row.path as i64),
            format!("{} → {lines}", round.join(" → ")),
            nanoseconds(row.way as i64),
        ]
    });
    let cells: Vec<[String; 6]> = std::iter::once(titles).chain(cells).collect();
    let mut text =
        "\nIn each line, the path has to be shorter than the way round, from the same net:\n\n".to_owned();
    let is_time = |column| matches!(column, 3 | 5);
    for (index, line) in table(&cells, "  ", is_time).iter().enumerate() {
        let row = index.checked_sub(1).map(|index| &rows[index]);
        let margin = row.map_or("margin".to_owned(), |row| nanoseconds(row.margin()));
        let _ = write!(text, "  {margin:>9}");
        if capacitor.0 > 0 {
            let bare = row.map_or("without".to_owned(), |row| nanoseconds(difference(row.bare, row.path)));
            let _ = write!(text, "  {bare:>9}");
        }
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// The number of constraints, and the capacitor with which all of them hold.
fn summary(paths: &Paths, races: &Races, capacitor: Capacitor) -> String {
    let count = races.races.len();
    let mut text = String::from("\n");
    for why in &races.undecided {
        let _ = writeln!(text, "there may be others: {why}");
    }
    if count == 0 {
        return text;
    }
    let _ = match lost(paths, races, capacitor) {
        0 => writeln!(text, "all {count} constraints hold"),
        lost => writeln!(text, "{lost} of {count} constraints do not hold"),
    };
    if capacitor.0 > 0 {
        let _ = writeln!(text, "without capacitors {} do not", lost(paths, races, Capacitor(0)));
    }
    let _ = match least(|capacitor| lost(paths, races, capacitor) == 0) {
        Some(Capacitor(0)) => writeln!(text, "they hold without capacitors"),
        Some(least) => writeln!(text, "the smallest capacitor with which all of them hold: {least}"),
        None => writeln!(text, "no capacitor makes all of them hold"),
    };
    text
}

/// The number of races that can be lost with this capacitor.
fn lost(paths: &Paths, races: &Races, capacitor: Capacitor) -> usize {
    let is_lost = |round: &[NetId], chip: ChipId| {
        let (path, way) = paths.race(chip, round, capacitor.0);
        way <= path
    };
    races.races.iter().filter(|(race, _)| is_lost(&race.round, race.chip)).count()
}

/// The smallest sufficient capacitor, provided that every larger one is sufficient too.
fn least(is_enough: impl Fn(Capacitor) -> bool) -> Option<Capacitor> {
    let (mut too_small, mut enough) = (None, LARGEST as u64);
    if !is_enough(Capacitor(enough)) {
        return None;
    }
    while too_small.map_or(0, |small: u64| small + 1) < enough {
        let middle = (too_small.map_or(0, |small| small + 1) + enough) / 2;
        if is_enough(Capacitor(middle)) { enough = middle } else { too_small = Some(middle) }
    }
    Some(Capacitor(enough))
}

/// The names of alternative nets.
fn among(netlist: &Netlist, nets: &[NetId]) -> String {
    let names: Vec<String> = nets.iter().map(|&net| netlist.nets[net].name.clone()).collect();
    runs(&names).join(" ")
}

fn difference(one: u64, other: u64) -> i64 {
    one as i64 - other as i64
}
