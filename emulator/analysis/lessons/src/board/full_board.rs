//! Chips of a student on the board of the Gray-1, in the place of some of its own: a program is run, and claims are
//! proved.
//!
//! The whole board is a text, the board's own with other chips in it, so that what is judged is what can be saved.

use super::compare::compare;
use crate::Refusal;
use crate::asked::WholeBoard;
use crate::statement::{Fault, Statement};
use crate::verdict::{Verdict, and};
use gray1_assembler::ShippedProgram;
use gray1_machine::board::{Board, Change, Chip, Lines, Nets, text};
use gray1_machine::netlist::{Chip as NetChip, NetId, Netlist, number};
use gray1_proof::{Claim, Prover, Verdict as Outcome};
use gray1_text::grouped;
use std::collections::HashSet;
use std::ops::Range;

/// How messages call the whole board.
const FILE: &str = "the Gray-1 with your chips";
/// The maximum number of lines of two chips of which one gives the opposite of the other.
const MAX_LINES: usize = 18;
/// Where a new part of a list begins in its line.
const INDENT: usize = 8;

/// The place on the board of the Gray-1 for which chips are built, and what is asked of the whole.
#[derive(Clone, Debug, Default)]
pub struct Whole {
    /// The chips that are missing.
    missing: Vec<String>,
    /// Programs that do on it what they do on the Gray-1.
    programs: Vec<ShippedProgram>,
    claims: Vec<Claim>,
    /// Lamps of which the first is the opposite of the second.
    opposites: Vec<[String; 2]>,
}

impl Whole {
    /// Reads a line, if it is about the whole board.
    pub fn read(&mut self, statement: &Statement, line: &str) -> Result<bool, Fault> {
        if let Some(names) = line.strip_prefix("in the Gray-1 instead of ") {
            self.missing = names.split_whitespace().map(str::to_owned).collect();
            let board = Board::gray1();
            if let Some(name) = self.missing.iter().find(|name| board.chip(name).is_none()) {
                return Err(statement.fault(format!("the Gray-1 has no chip `{name}`")));
            }
        } else if let Some(name) = line.strip_prefix("runs ") {
            let program = ShippedProgram::named(name);
            self.programs
                .push(program.ok_or_else(|| statement.fault(format!("there is no program `{name}`")))?);
        } else if let Some((name, other)) = line.split_once(" is the opposite of ") {
            self.opposites.push([name, other].map(str::to_owned));
        } else if let Some(names) = line.strip_prefix("proved: ") {
            let claim = |name: &str| {
                let known = Claim::ALL.into_iter().find(|claim| claim.name() == name);
                known.ok_or_else(|| statement.fault(format!("`{name}` is not a claim about a board")))
            };
            self.claims = names.split_whitespace().map(claim).collect::<Result<_, _>>()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether there is such a place.
    pub fn is_asked(&self) -> bool {
        !self.missing.is_empty()
    }

    /// The file of the whole board with the chips of this one.
    pub fn file(&self, attempt: &str, board: &Board) -> Result<String, Refusal> {
        const NO_LIST: &str = "a list of the board is missing";
        let whole = Board::gray1();
        let is_missing = |chip: &Chip| self.missing.iter().any(|name| name == chip.name());
        let stay = whole.chips.iter().filter(|chip| !is_missing(chip)).chain(&board.chips);
        let driven: HashSet<&String> = stay.flat_map(|chip| chip.data().names()).collect();
        let is_driven = |nets: &Nets| nets.nets.names().iter().any(|name| driven.contains(name));
        let chips = text::chips(Board::GRAY1).ok_or(NO_LIST)?.into_iter().zip(&whole.chips);
        let nets = text::parts(Board::GRAY1, "nets").ok_or(NO_LIST)?.into_iter().zip(&whole.nets);
        let chips = chips.filter(|(_, chip)| is_missing(chip)).map(|(part, _)| part);
        let mut taken: Vec<Range<usize>> =
            nets.filter(|(_, nets)| !is_driven(nets)).map(|(part, _)| part).chain(chips).collect();
        taken.sort_by_key(|part| part.start);
        let mut file = Board::GRAY1.to_owned();
        for part in taken.into_iter().rev() {
            file = text::without(&file, part);
        }
        let mut add = |list: &str, part: &str| {
            file = text::with(&file, list, INDENT, part).ok_or(NO_LIST)?;
            Ok::<(), Refusal>(())
        };
        for part in text::chips(attempt).ok_or(NO_LIST)? {
            add("chips", &attempt[part])?;
        }
        let known = |name: &String| whole.netlist().net(name).is_some();
        let data = board.chips.iter().flat_map(|chip| chip.data().names());
        let inner: Vec<&str> = data.filter(|name| !known(name)).map(String::as_str).collect();
        if !inner.is_empty() {
            add("nets", &format!("(nets: {:?}, about: \"between chips of your own\")", inner.join(" ")))?;
        }
        for (name, nets) in &board.buses {
            match whole.buses.get(name) {
                None => add("buses", &format!("{name:?}: {:?}", nets.as_written()))?,
                Some(known) if known == nets => {}
                Some(known) => return Err(other_bus(name, known)),
            }
        }
        Ok(file)
    }

    /// Judges the whole board. Says what was found to be right; the verdict gets the board.
    pub fn check(
        &self,
        attempt: &str,
        board: &Board,
        changes: &[Change],
        verdict: &mut Verdict,
    ) -> Result<String, Refusal> {
        for names in &self.opposites {
            opposite(board.netlist(), names)?;
        }
        let file = self.file(attempt, board)?;
        let mut whole =
            Board::parse(&file, FILE).map_err(|error| format!("In the Gray-1: {}.", error.message))?;
        changes.iter().try_for_each(|change| whole.change(change))?;
        let mut found = Vec::new();
        for program in &self.programs {
            let cycles = compare(&whole, program)?;
            found.push(format!(
                "{} does on it what it does on the Gray-1, in all {} cycles",
                program.file,
                grouped(cycles)
            ));
        }
        let prover = Prover::new(&whole);
        for &claim in &self.claims {
            let report = prover.prove(claim)?;
            if report.verdict != Outcome::Proved {
                let why = report.fault().unwrap_or_default();
                let says = claim.says();
                return Err(
                    format!("It is not proved of the Gray-1 with your chips: \"{says}\": {why}.").into()
                );
            }
        }
        if !self.claims.is_empty() {
            let says = self.claims.iter().map(|claim| format!("\"{}\"", claim.says()));
            found.push(format!("it is proved: {}", and(&says.collect::<Vec<_>>())));
        }
        verdict.whole =
            self.programs.first().map(|program| WholeBoard { board: file, program: program.file });
        Ok(found.join("; "))
    }
}

/// A bus that is called like another one of the Gray-1.
fn other_bus(name: &str, known: &Lines) -> Refusal {
    format!("On the Gray-1 the bus {name} is {}: give yours another name.", known.as_written()).into()
}

/// Whether a line is the opposite of another one, in any state and during every move: its chip reads only the other line,
/// or the same lines as the other chip and holds the opposite in every cell.
fn opposite(netlist: &Netlist, names: &[String; 2]) -> Result<(), Refusal> {
    let [name, other] = names;
    let missing = || format!("Nothing drives {name} or {other}.");
    let mut tables = Vec::new();
    for line in names {
        let net = netlist.net(line).ok_or_else(missing)?;
        let is_driver = |(_, chip): &(usize, &NetChip)| chip.data.contains(&net);
        let (id, chip) = netlist.chips.iter().enumerate().find(is_driver).ok_or_else(missing)?;
        let bit = chip.data.iter().position(|&data| data == net).unwrap_or_default();
        tables.push((net, chip, netlist.table(id).ok_or_else(missing)?, bit));
    }
    let [(net, chip, cells, bit), (from, source, read, at)] = tables[..] else {
        return Err(missing().into());
    };
    let is_inverter = chip.reads.contains(&from);
    let mut lines: Vec<NetId> = chip.reads.clone();
    if !is_inverter {
        lines.extend(source.reads.iter().filter(|net| !chip.reads.contains(net)));
    }
    let mut levels = vec![false; netlist.nets.len()];
    let is_loop = chip.reads.contains(&net)
        || !is_inverter && source.reads.iter().any(|line| [net, from].contains(line));
    if is_loop || lines.len() > MAX_LINES {
        return Err(format!(
            "It cannot be proved that {name} is the opposite of {other}: let it read the same lines."
        )
        .into());
    }
    for input in 0..1u32 << lines.len() {
        (0..).zip(&lines).for_each(|(place, &line): (u32, _)| levels[line] = input >> place & 1 == 1);
        let level = cells[number(&levels, &chip.reads) as usize] >> bit & 1 == 1;
        let source = if is_inverter {
            levels[from]
        } else {
            read[number(&levels, &source.reads) as usize] >> at & 1 == 1
        };
        if level == source {
            let set = lines.iter().filter(|&&line| levels[line]).map(|&line| netlist.nets[line].name.clone());
            let set = set.collect::<Vec<_>>();
            let set = if set.is_empty() { "no line".to_owned() } else { and(&set) };
            let level = u8::from(level);
            return Err(format!("With {set} at 1, {name} and {other} can both be {level}.").into());
        }
    }
    Ok(())
}
