//! Checks chips of a student on the full board of the Gray-1, where they replace some of its chips: programs are run,
//! and claims are proved.
//!
//! The full board is built as a text, so that the student can save exactly the board that was checked.

use crate::Refusal;
use crate::board_data::FullBoard;
use crate::lockstep::compare;
use crate::refusal::refuse;
use crate::statement::{Fault, Statement};
use crate::verdict::{Verdict, join_and};
use gray1_assembler::ShippedProgram;
use gray1_machine::board::{Board, Chip, Lines, Nets, text};
use gray1_machine::netlist::{Chip as NetChip, NetId, Netlist, number};
use gray1_proof::{Claim, Prover, Verdict as Outcome};
use gray1_text::grouped;
use std::collections::HashSet;
use std::ops::Range;

/// The file name of the full board in messages.
const FILE: &str = "the Gray-1 with your chips";
/// The maximum number of address lines, counted together, of two chips that are compared.
const MAX_LINES: usize = 18;
/// The indentation of a new list item.
const INDENT: usize = 8;

/// The chips of the Gray-1 to replace, and the requirements of the full board.
#[derive(Clone, Debug, Default)]
pub struct FullBoardTask {
    /// The chips of the Gray-1 that the student's chips replace.
    replaced: Vec<String>,
    /// Programs that must run as on the Gray-1.
    programs: Vec<ShippedProgram>,
    /// Claims to prove.
    claims: Vec<Claim>,
    /// Pairs of lamps. The first must always be the opposite of the second.
    opposites: Vec<[String; 2]>,
}

impl FullBoardTask {
    /// Parses a line about the full board. Returns false for any other line.
    pub fn read(&mut self, statement: &Statement, line: &str) -> Result<bool, Fault> {
        if let Some(names) = line.strip_prefix("in the Gray-1 instead of ") {
            self.replaced = names.split_whitespace().map(str::to_owned).collect();
            let board = Board::gray1();
            if let Some(name) = self.replaced.iter().find(|name| board.chip(name).is_none()) {
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
                let known = Claim::ALL.into_iter().find(|claim| claim.wording().name == name);
                known.ok_or_else(|| statement.fault(format!("`{name}` is not a claim about a board")))
            };
            self.claims = names.split_whitespace().map(claim).collect::<Result<_, _>>()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether the exercise is about the full board.
    pub fn is_required(&self) -> bool {
        !self.replaced.is_empty()
    }

    /// Makes the file of the full board with the chips of `board`.
    pub fn file(&self, attempt: &str, board: &Board) -> Result<String, Refusal> {
        const NO_LIST: &str = "a list of the board is missing";
        let whole = Board::gray1();
        let is_replaced = |chip: &Chip| self.replaced.iter().any(|name| name == chip.name());
        let remaining = whole.chips.iter().filter(|chip| !is_replaced(chip)).chain(&board.chips);
        let driven: HashSet<&String> = remaining.flat_map(|chip| chip.data().names()).collect();
        let is_driven = |nets: &Nets| nets.nets.names().iter().any(|name| driven.contains(name));
        let chips = text::chips(Board::GRAY1).ok_or(NO_LIST)?.into_iter().zip(&whole.chips);
        let nets = text::parts(Board::GRAY1, "nets").ok_or(NO_LIST)?.into_iter().zip(&whole.nets);
        let chips = chips.filter(|(_, chip)| is_replaced(chip)).map(|(part, _)| part);
        let mut removed: Vec<Range<usize>> =
            nets.filter(|(_, nets)| !is_driven(nets)).map(|(part, _)| part).chain(chips).collect();
        removed.sort_by_key(|part| part.start);
        let mut file = Board::GRAY1.to_owned();
        for part in removed.into_iter().rev() {
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
                Some(known) => return Err(bus_conflict(name, known)),
            }
        }
        Ok(file)
    }

    /// Checks the full board. Returns a description of the result, or the first fault. Stores the board in the verdict.
    pub fn check(&self, attempt: &str, board: &Board, verdict: &mut Verdict) -> Result<String, Refusal> {
        for names in &self.opposites {
            check_opposites(board.netlist(), names)?;
        }
        let file = self.file(attempt, board)?;
        let whole =
            Board::parse(&file, FILE).map_err(|error| format!("In the Gray-1: {}.", error.message))?;
        let mut results = Vec::new();
        for program in &self.programs {
            let cycles = compare(&whole, program)?;
            results.push(format!(
                "{} does on it what it does on the Gray-1, in all {} cycles",
                program.file,
                grouped(cycles)
            ));
        }
        let prover = Prover::new(&whole);
        for &claim in &self.claims {
            let report = prover.prove(claim)?;
            if report.verdict != Outcome::Proved {
                let fault = report.fault().unwrap_or_default();
                let says = claim.wording().statement;
                refuse!("It is not proved of the Gray-1 with your chips: \"{says}\": {fault}.");
            }
        }
        if !self.claims.is_empty() {
            let says = self.claims.iter().map(|claim| format!("\"{}\"", claim.wording().statement));
            results.push(format!("it is proved: {}", join_and(&says.collect::<Vec<_>>())));
        }
        verdict.whole = self.programs.first().map(|program| FullBoard { board: file, program: program.file });
        Ok(results.join("; "))
    }
}

/// Makes the error for a bus that has the name of a different bus of the Gray-1.
fn bus_conflict(name: &str, known: &Lines) -> Refusal {
    format!("On the Gray-1 the bus {name} is {}: give yours another name.", known.as_written()).into()
}

/// Fails unless a line is the opposite of another one in every state and during every move. That is so if its chip
/// inverts the other line, or if both chips read the same lines and hold opposite values in every cell.
fn check_opposites(netlist: &Netlist, names: &[String; 2]) -> Result<(), Refusal> {
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
        refuse!("It cannot be proved that {name} is the opposite of {other}: let it read the same lines.");
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
            let set = if set.is_empty() { "no line".to_owned() } else { join_and(&set) };
            let level = u8::from(level);
            refuse!("With {set} at 1, {name} and {other} can both be {level}.");
        }
    }
    Ok(())
}
