//! Checks boards whose strobes never overlap.
//!
//! First it is proved from the tables that the order of events does not matter in any phase. Then a single order is
//! followed, for every beat from every reachable state.
//!
//! Levels are three-valued: an unknown level stands for both, so a lookup covers many cells. After the first strobe,
//! all other switches are unknown, because they may change any number of times until the pending beat. At power-up all
//! levels are unknown.

use super::interface::Interface;
use super::reporter::Reporter;
use super::requirements::{Requirements, Rule};
use crate::Refusal;
use crate::refusal::refuse;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use gray1_machine::{BenchRun, Noise};
use gray1_proof::{Levels, Move, order_in_moves};
use gray1_text::grouped;
use std::cell::RefCell;
use std::collections::HashSet;

/// The maximum number of states between beats.
const MAX_STATES: usize = 1 << 12;
/// The maximum number of switches besides the strobes.
const MAX_SWITCHES: usize = 10;
/// The maximum number of lookups of each chip in a phase.
const MAX_SWEEPS: usize = 64;

/// Checks beats.
struct BeatChecker<'a> {
    requirements: &'a Requirements,
    reporter: &'a Reporter<'a>,
    strobes: Vec<NetId>,
    /// All other switches.
    others: Vec<NetId>,
    run: RefCell<BenchRun>,
}

/// A set of stable states.
#[derive(Clone)]
struct States {
    /// The levels that all states of the set share; `None` if a level is unknown.
    known: Vec<Option<bool>>,
    /// One state of the set.
    example: Levels,
}

/// Checks all beats of a board. Returns a description of the result, or the first fault.
pub fn check(
    requirements: &Requirements,
    interface: &Interface,
    board: &Board,
    reporter: &Reporter,
) -> Result<String, Refusal> {
    let netlist = reporter.netlist;
    let nets = |name: &usize| interface.names.nets(*name, netlist);
    let strobes: Vec<NetId> = requirements.strobes.iter().flat_map(nets).collect();
    let others = interface.switches.iter().filter_map(|name| netlist.net(name));
    let others: Vec<NetId> = others.filter(|net| !strobes.contains(net)).collect();
    let low = |but: NetId| strobes.iter().filter(move |&&net| net != but).map(|&net| (net, false));
    let mut moves: Vec<Move> = Vec::new();
    for &strobe in &strobes {
        moves.extend([true, false].map(|level| (strobe, low(strobe).chain([(strobe, level)]).collect())));
    }
    moves.extend(others.iter().map(|&net| (net, vec![(strobes[0], false)])));
    order_in_moves(board, &moves).map_err(|reason| {
        format!("It cannot be proved that the order of lines makes no difference: {reason}.")
    })?;
    if others.len() > MAX_SWITCHES {
        refuse!("There are too many switches to try every input.");
    }
    let run = RefCell::new(BenchRun::switch_on(board, Noise::Zeros)?);
    BeatChecker { requirements, reporter, strobes, others, run }.check(board)
}

impl BeatChecker<'_> {
    fn check(&self, board: &Board) -> Result<String, Refusal> {
        let first = self.reset(board)?;
        let mut visited = HashSet::from([first.known.clone()]);
        let (mut pending, mut beats) = (vec![first], 0);
        while let Some(states) = pending.pop() {
            for word in 0..1u32 << self.others.len() {
                let level = |(place, &net): (u32, &NetId)| (net, word >> place & 1 == 1);
                let mut from = states.clone();
                self.set(&mut from, &(0..).zip(&self.others).map(level).collect::<Vec<_>>())?;
                let after = self.check_beat(&from)?;
                beats += 1;
                if visited.insert(after.known.clone()) {
                    pending.push(after);
                }
            }
            if visited.len() > MAX_STATES {
                refuse!("Your board has too many states to check them all.");
            }
        }
        let (states, beats) = (grouped(visited.len() as u64), grouped(beats));
        Ok(format!(
            "every beat ({beats}) is as asked from every state between beats that a program can reach ({states}), and in no \
             phase the order of lines makes a difference"
        ))
    }

    /// Computes the states after a reset beat from every power-up state. Fails unless all lamps are 0 then.
    fn reset(&self, board: &Board) -> Result<States, Refusal> {
        let Reporter { names, netlist, .. } = self.reporter;
        let switches: Vec<NetId> =
            self.requirements.reset.iter().flat_map(|&name| names.nets(name, netlist)).collect();
        let lamps: Vec<NetId> = names.disjoint(false).flat_map(|lamp| names.nets(lamp, netlist)).collect();
        let mut all = States { known: vec![None; netlist.nets.len()], example: Levels::new() };
        self.strobes.iter().for_each(|&net| all.known[net] = Some(false));
        for noise in [Noise::Random(1), Noise::Random(2), Noise::Ones, Noise::Zeros] {
            all.example = BenchRun::switch_on(board, noise)?.levels();
            let before = all.example.clone();
            let place = || {
                format!(
                    "{}, {}, and a beat",
                    self.reporter.describe_state(&before),
                    self.reporter.describe_move(&before, &switches)
                )
            };
            self.reporter.record_move(Some(&before), switches.iter().map(|&net| (net, true)).collect());
            let mut from = all.clone();
            self.set(&mut from, &switches.iter().map(|&net| (net, true)).collect::<Vec<_>>())?;
            let after = self.beat(&from, None)?;
            for lamp in names.disjoint(false) {
                self.reporter.expect_value(lamp, &after.example, 0, place)?;
            }
            if noise == Noise::Zeros && lamps.iter().all(|&net| after.known[net] == Some(false)) {
                return Ok(after);
            }
        }
        Err("It cannot be proved that a beat with RESET makes all lamps 0, from every state.".into())
    }

    /// Makes a beat and compares the lamps.
    fn check_beat(&self, from: &States) -> Result<States, Refusal> {
        let Reporter { names, netlist, .. } = self.reporter;
        let place = || format!("{}, a beat", self.reporter.describe_state(&from.example));
        self.reporter.record_move(Some(&from.example), vec![(self.strobes[0], true)]);
        let after = self.beat(from, None)?;
        for rule in self.requirements.beats() {
            self.reporter.expect_rule(rule, &from.example, &after.example, place)?;
            if names.nets(rule.lamp, netlist).into_iter().any(|net| after.known[net].is_none()) {
                return Err(self.explain_unknown(from, rule));
            }
        }
        Ok(after)
    }

    /// Explains why a lamp is unknown after a beat: looks for a switch whose move after the first strobe changes the
    /// lamp.
    fn explain_unknown(&self, from: &States, rule: &Rule) -> Refusal {
        let Reporter { names, netlist, .. } = self.reporter;
        let state = self.reporter.describe_state(&from.example);
        for &other in &self.others {
            let place = || {
                let moved = self.reporter.describe_move(&from.example, &[other]);
                format!("{state}, a beat in which {moved} after {}", netlist.nets[self.strobes[0]].name)
            };
            let expects =
                |after: States| self.reporter.expect_rule(rule, &from.example, &after.example, place);
            if let Err(refusal) = self.beat(from, Some(other)).and_then(expects) {
                return refusal;
            }
        }
        let name = names.name(rule.lamp);
        format!(
            "{state}, it cannot be proved that {name} does not depend on what other switches do after a beat."
        )
        .into()
    }

    /// Makes a beat: each strobe rises and falls. In the example state, the switch `moved` changes after the first
    /// strobe.
    fn beat(&self, from: &States, moved: Option<NetId>) -> Result<States, Refusal> {
        let Reporter { names, netlist, .. } = self.reporter;
        let mut states = from.clone();
        let [first, later @ ..] = &self.strobes[..] else { return Ok(states) };
        self.set(&mut states, &[(*first, true)])?;
        if let Some(memory) = &self.requirements.memory {
            let nets = names.nets(memory.lamp, netlist);
            let changes = |net: &NetId| from.known[*net].is_some() && states.known[*net] != from.known[*net];
            if nets.iter().any(changes) {
                let (state, moved) = (
                    self.reporter.describe_state(&from.example),
                    self.reporter.describe_move(&from.example, &[*first]),
                );
                let [lamp, switch] = [memory.lamp, memory.switch].map(|name| names.name(name));
                refuse!("{state}, {moved}, and {lamp} changes, so that {switch} would change too early.");
            }
        }
        self.set(&mut states, &[(*first, false)])?;
        let moved: Vec<(NetId, bool)> = moved.map(|net| (net, !from.example[net])).into_iter().collect();
        self.set(&mut states, &moved)?;
        self.others.iter().for_each(|&net| states.known[net] = None);
        self.set(&mut states, &[])?;
        for &strobe in later {
            self.set(&mut states, &[(strobe, true)])?;
            self.set(&mut states, &[(strobe, false)])?;
        }
        Ok(states)
    }

    /// Sets switches and lets the board settle: all chips are looked up until no level changes. Since the order of
    /// events does not matter, the result covers every stable state that can follow.
    fn set(&self, states: &mut States, switches: &[(NetId, bool)]) -> Result<(), Refusal> {
        let mut run = self.run.borrow_mut();
        run.resume(&states.example);
        run.set(switches)?;
        states.example = run.levels();
        switches.iter().for_each(|&(net, level)| states.known[net] = Some(level));
        let netlist = self.reporter.netlist;
        for _ in 0..MAX_SWEEPS {
            let mut is_settled = true;
            for (id, chip) in netlist.chips.iter().enumerate() {
                let Some(cells) = netlist.table(id) else { continue };
                let (ones, zeros) = look_up(cells, &chip.reads, &states.known);
                for (line, &net) in chip.data.iter().enumerate() {
                    let level = ((ones | zeros) >> line & 1 == 1).then_some(ones >> line & 1 == 1);
                    is_settled &= std::mem::replace(&mut states.known[net], level) == level;
                }
            }
            if is_settled {
                return Ok(());
            }
        }
        Err("It cannot be proved that your board comes to rest after every move.".into())
    }
}

/// Returns masks of the data lines that are 1, and of the data lines that are 0, in all cells that the lines can
/// select.
fn look_up(cells: &[u8], reads: &[NetId], known: &[Option<bool>]) -> (u8, u8) {
    let bits = |level: Option<bool>| {
        (0..).zip(reads).fold(0, |bits, (line, &net)| bits | usize::from(known[net] == level) << line)
    };
    let (ones, unknown) = (bits(Some(true)), bits(None));
    let (mut set, mut always) = (unknown, (u8::MAX, u8::MAX));
    loop {
        let cell = cells[ones | set];
        always = (always.0 & cell, always.1 & !cell);
        if set == 0 || always == (0, 0) {
            return always;
        }
        set = (set - 1) & unknown;
    }
}
