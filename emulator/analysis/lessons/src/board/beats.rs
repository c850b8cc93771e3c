//! Boards whose strobes never overlap. No order of lines makes a difference in any phase: that is proved from the tables.
//! Then one order is followed, for every beat from every state that a program can reach.
//!
//! A level that is not known stands for both, so one lookup is a lookup of many cells. After the first strobe, all other
//! switches are unknown: they may move as often as they like until the next beat. Before the first beat everything is
//! unknown, as it is when the board wakes up.

use super::given::Given;
use super::tell::Tell;
use super::wanted::{Rule, Wanted};
use crate::Refusal;
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

/// Judges beats.
struct Beats<'a> {
    wanted: &'a Wanted,
    tell: &'a Tell<'a>,
    strobes: Vec<NetId>,
    /// All other switches.
    others: Vec<NetId>,
    run: RefCell<BenchRun>,
}

/// States of rest: all those that agree in the levels that are known.
#[derive(Clone)]
struct States {
    known: Vec<Option<bool>>,
    /// One of them.
    example: Levels,
}

/// Says what was found to be right, or the first thing that is wrong.
pub fn check(wanted: &Wanted, given: &Given, board: &Board, tell: &Tell) -> Result<String, Refusal> {
    let netlist = tell.netlist;
    let nets = |name: &usize| given.names.nets(*name, netlist);
    let strobes: Vec<NetId> = wanted.strobes.iter().flat_map(nets).collect();
    let others = given.switches.iter().filter_map(|name| netlist.net(name));
    let others: Vec<NetId> = others.filter(|net| !strobes.contains(net)).collect();
    let low = |but: NetId| strobes.iter().filter(move |&&net| net != but).map(|&net| (net, false));
    let mut moves: Vec<Move> = Vec::new();
    for &strobe in &strobes {
        moves.extend([true, false].map(|level| (strobe, low(strobe).chain([(strobe, level)]).collect())));
    }
    moves.extend(others.iter().map(|&net| (net, vec![(strobes[0], false)])));
    order_in_moves(board, &moves)
        .map_err(|why| format!("It cannot be proved that the order of lines makes no difference: {why}."))?;
    if others.len() > MAX_SWITCHES {
        return Err("There are too many switches to try every input.".into());
    }
    let run = RefCell::new(BenchRun::switch_on(board, Noise::Zeros)?);
    Beats { wanted, tell, strobes, others, run }.check(board)
}

impl Beats<'_> {
    fn check(&self, board: &Board) -> Result<String, Refusal> {
        let first = self.reset(board)?;
        let mut seen = HashSet::from([first.known.clone()]);
        let (mut next, mut beats) = (vec![first], 0);
        while let Some(states) = next.pop() {
            for word in 0..1u32 << self.others.len() {
                let level = |(place, &net): (u32, &NetId)| (net, word >> place & 1 == 1);
                let mut from = states.clone();
                self.set(&mut from, &(0..).zip(&self.others).map(level).collect::<Vec<_>>())?;
                let after = self.judge(&from)?;
                beats += 1;
                if seen.insert(after.known.clone()) {
                    next.push(after);
                }
            }
            if seen.len() > MAX_STATES {
                return Err("Your board has more states than can be walked through.".into());
            }
        }
        let (states, beats) = (grouped(seen.len() as u64), grouped(beats));
        Ok(format!(
            "every beat ({beats}) is as asked from every state between beats that a program can reach ({states}), and in no \
             phase the order of lines makes a difference"
        ))
    }

    /// The states after a beat that makes all lamps 0, from every state in which the board can wake up.
    fn reset(&self, board: &Board) -> Result<States, Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let switches: Vec<NetId> =
            self.wanted.reset.iter().flat_map(|&name| names.nets(name, netlist)).collect();
        let lamps: Vec<NetId> = names.covering(false).flat_map(|lamp| names.nets(lamp, netlist)).collect();
        let mut all = States { known: vec![None; netlist.nets.len()], example: Levels::new() };
        self.strobes.iter().for_each(|&net| all.known[net] = Some(false));
        for noise in [Noise::Random(1), Noise::Random(2), Noise::Ones, Noise::Zeros] {
            all.example = BenchRun::switch_on(board, noise)?.levels();
            let before = all.example.clone();
            let place = || {
                format!("{}, {}, and a beat", self.tell.state(&before), self.tell.moved(&before, &switches))
            };
            self.tell.tries(Some(&before), switches.iter().map(|&net| (net, true)).collect());
            let mut from = all.clone();
            self.set(&mut from, &switches.iter().map(|&net| (net, true)).collect::<Vec<_>>())?;
            let after = self.beat(&from, None)?;
            for lamp in names.covering(false) {
                self.tell.compare(lamp, &after.example, 0, place)?;
            }
            if noise == Noise::Zeros && lamps.iter().all(|&net| after.known[net] == Some(false)) {
                return Ok(after);
            }
        }
        Err("It cannot be proved that a beat with RESET makes all lamps 0, from every state.".into())
    }

    /// Makes a beat, and compares the lamps.
    fn judge(&self, from: &States) -> Result<States, Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let place = || format!("{}, a beat", self.tell.state(&from.example));
        self.tell.tries(Some(&from.example), vec![(self.strobes[0], true)]);
        let after = self.beat(from, None)?;
        for rule in self.wanted.beats() {
            self.tell.expects(rule, &from.example, &after.example, place)?;
            if names.nets(rule.lamp, netlist).into_iter().any(|net| after.known[net].is_none()) {
                return Err(self.unknown(from, rule));
            }
        }
        Ok(after)
    }

    /// Why a lamp may not be known after a beat: another switch that moves after the first strobe, if that explains it.
    fn unknown(&self, from: &States, rule: &Rule) -> Refusal {
        let Tell { names, netlist, .. } = self.tell;
        let state = self.tell.state(&from.example);
        for &other in &self.others {
            let place = || {
                let moved = self.tell.moved(&from.example, &[other]);
                format!("{state}, a beat in which {moved} after {}", netlist.nets[self.strobes[0]].name)
            };
            let expects = |after: States| self.tell.expects(rule, &from.example, &after.example, place);
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

    /// Makes a beat: each strobe goes up and down. In the example, another switch may move after the first strobe.
    fn beat(&self, from: &States, moved: Option<NetId>) -> Result<States, Refusal> {
        let Tell { names, netlist, .. } = self.tell;
        let mut states = from.clone();
        let [first, later @ ..] = &self.strobes[..] else { return Ok(states) };
        self.set(&mut states, &[(*first, true)])?;
        if let Some(memory) = &self.wanted.memory {
            let nets = names.nets(memory.lamp, netlist);
            let changes = |net: &NetId| from.known[*net].is_some() && states.known[*net] != from.known[*net];
            if nets.iter().any(changes) {
                let (state, moved) =
                    (self.tell.state(&from.example), self.tell.moved(&from.example, &[*first]));
                let [lamp, switch] = [memory.lamp, memory.switch].map(|name| names.name(name));
                return Err(format!(
                    "{state}, {moved}, and {lamp} changes, so that {switch} would move too early."
                )
                .into());
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

    /// Sets switches, and lets the board settle. All chips are looked up until nothing changes: as order makes no
    /// difference, every state of rest that can follow agrees with the result.
    fn set(&self, states: &mut States, switches: &[(NetId, bool)]) -> Result<(), Refusal> {
        let mut run = self.run.borrow_mut();
        run.resume(&states.example);
        run.set(switches)?;
        states.example = run.levels();
        switches.iter().for_each(|&(net, level)| states.known[net] = Some(level));
        let netlist = self.tell.netlist;
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

/// The data lines that are 1, and those that are 0, in all cells that these lines can select.
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
