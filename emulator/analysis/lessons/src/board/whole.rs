//! Chips of a student on the board of the Gray-1, in the place of some of its own: a program is run, and claims are
//! proved.
//!
//! The whole board is a text, the board's own with other chips in it, so that what is judged is what can be saved.

use crate::Refusal;
use crate::asked::WholeBoard;
use crate::run::Assembled;
use crate::statement::{Fault, Statement};
use crate::verdict::{Verdict, and};
use gray1_assembler::ShippedProgram;
use gray1_isa::Image;
use gray1_machine::board::{Board, Chip, Lines, Nets, text};
use gray1_machine::{ChipsEngine, Engine, FastEngine, Noise, Outside, State};
use gray1_proof::{Claim, Prover, Verdict as Outcome};
use gray1_text::grouped;
use std::collections::HashSet;
use std::ops::Range;

/// How messages call the whole board.
const FILE: &str = "the Gray-1 with your chips";
/// The most cycles that a program runs.
const MOST_CYCLES: u64 = 10_000_000;
/// The two machines are compared after so many cycles; if they differ, cycle by cycle.
const STRETCH: u64 = 5_000;
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
    pub fn check(&self, attempt: &str, board: &Board, verdict: &mut Verdict) -> Result<String, Refusal> {
        let file = self.file(attempt, board)?;
        let whole =
            Board::parse(&file, FILE).map_err(|error| format!("In the Gray-1: {}.", error.message))?;
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

/// A bus of a board that is called as another one of the Gray-1.
fn other_bus(name: &str, known: &Lines) -> Refusal {
    format!("On the Gray-1 the bus {name} is {}: give yours another name.", known.as_written()).into()
}

/// Runs a program on both machines until it halts. Returns the cycles that it takes, or the first difference.
fn compare(board: &Board, shipped: &ShippedProgram) -> Result<u64, Refusal> {
    let program = Assembled::new(shipped.text)?;
    let noise = Noise::Random(1);
    let chips = ChipsEngine::power_up(board, program.image(), noise);
    let mut chips = chips.map_err(|why| format!("The Gray-1 with your chips does not start: {why}."))?;
    let mut gray1 = FastEngine::power_up(program.image(), noise);
    let mut before = gray1.state();
    chips.set_state(&before).map_err(|why| format!("The Gray-1 with your chips does not start: {why}."))?;
    while gray1.cycle() < MOST_CYCLES && !gray1.halted() {
        let (mut sends, mut sent) = (Sent::default(), Sent::default());
        let is_equal = chips.run(STRETCH, &mut sends).is_ok() && gray1.run(STRETCH, &mut sent).is_ok();
        if !is_equal || sends != sent || chips.state() != gray1.state() {
            return Err(first_difference(board, program.image(), &before, shipped.file));
        }
        before = gray1.state();
    }
    Ok(gray1.cycle())
}

/// The bytes that a machine sends, each with its cycle.
#[derive(Default, PartialEq)]
struct Sent(Vec<(u64, u8)>);

impl Outside for Sent {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.0.push((cycle, byte));
    }
}

/// What the first cycle does that is not as on the Gray-1, from a state before it.
fn first_difference(board: &Board, image: &Image, before: &State, file: &str) -> Refusal {
    let chips = ChipsEngine::power_up(board, image, Noise::Zeros);
    let (mut gray1, mut before) = (FastEngine::power_up(image, Noise::Zeros), before.clone());
    let set = gray1.set_state(&before).is_ok();
    let Some(mut chips) = chips.ok().filter(|_| set) else {
        return "The Gray-1 with your chips does not start.".into();
    };
    let failed = |why: String| format!("{file} on the Gray-1 with your chips: {why}.").into();
    if let Err(why) = chips.set_state(&before) {
        return failed(why.to_string());
    }
    for _ in 0..STRETCH {
        let word = gray1.word();
        let (mut sends, mut sent) = (Sent::default(), Sent::default());
        let ran = chips.run(1, &mut sends);
        let _ = gray1.run(1, &mut sent); // it cannot fail
        let place = || {
            format!(
                "{file} goes wrong in cycle {}: {word} at {}, with A = {} and C = {}",
                before.cycle,
                before.pc,
                before.a,
                u8::from(before.c)
            )
        };
        if let Err(why) = ran {
            return format!("{}: {why}.", place()).into();
        }
        let (ours, theirs) = (chips.state(), gray1.state());
        if let Some((what, [is, expected])) = different(&ours, &theirs) {
            return format!("{}: then {what} is {is}, expected {expected}.", place()).into();
        }
        if sends != sent {
            return format!("{}: it is to send a byte or not, and your chips differ.", place()).into();
        }
        before = theirs;
    }
    failed("it goes wrong, and not if it is run cycle by cycle".to_owned())
}

/// What is different, in words.
fn different(ours: &State, theirs: &State) -> Option<(String, [String; 2])> {
    let fields = |state: &State| {
        let State { pc, a, c, target, jumped, .. } = state;
        [
            ("A", u32::from(*a)),
            ("C", u32::from(*c)),
            ("the program counter", u32::from(*pc)),
            ("LOAD's master", u32::from(*jumped)),
            ("the target latch", u32::from(*target)),
            ("the halt", u32::from(state.halted)),
        ]
    };
    let of_registers = fields(ours)
        .into_iter()
        .zip(fields(theirs))
        .map(|((name, is), (_, expected))| (name.to_owned(), is, expected));
    let of_ram = ours.ram.iter().zip(theirs.ram.iter()).enumerate();
    let of_ram = of_ram.map(|(address, (is, expected))| {
        (format!("RAM at ${address:03X}"), u32::from(*is), u32::from(*expected))
    });
    let mut all = of_registers.chain(of_ram);
    all.find(|(_, is, expected)| is != expected)
        .map(|(name, is, expected)| (name, [is, expected].map(|value| value.to_string())))
}
