//! Where the machine in time has parted from the true one, told as a chain of causes.
//!
//! Of all nets that are wrong the first is looked for: one whose chip has nothing wrong on its lines but what it
//! does to itself. Then the chain of events is followed back from there, to the transient or to the edge of the
//! oscillator that began it.

use crate::circuit::{Circuit, Net};
use crate::conditions::NANOSECOND;
use crate::flow::Flow;
use crate::log::{Cause, Change};
use gray1_isa::Word;
use std::fmt;

/// So many causes are told; of a longer chain, the beginning and the end.
const MOST_CAUSES: usize = 16;
/// So many of the changes that a net has not followed are named.
const MOST_MOVES: usize = 3;
/// So many wrong nets are named.
const MOST_NETS: usize = 12;

/// Where the machine in time has parted from the true one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The cycle in which it was seen.
    pub cycle: u64,
    /// The first net that is wrong, by name; for a cell of RAM, the RAM's.
    pub net: String,
    /// Whether a transient began it.
    pub by_transient: bool,
    text: String,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// These nets have other levels.
    Nets(Vec<Net>),
    /// A byte of RAM.
    Cell {
        /// Where.
        address: u16,
        /// What RAM holds there.
        has: u8,
        /// What it should hold.
        should: u8,
        /// What wrote it last; nothing if it was not written at all.
        cause: Cause,
    },
}

/// Where in the run it was seen.
pub struct Place {
    pub time: u64,
    /// How long a machine cycle takes.
    pub cycle_time: u64,
    pub cycle: u64,
    pub phase: u8,
    pub pc: u16,
    pub word: Word,
}

impl std::error::Error for Failure {}

impl Failure {
    /// Finds the first cause.
    pub fn find(circuit: &Circuit, flow: &Flow, place: Place, wrong: Wrong) -> Failure {
        let Place { time, cycle_time, cycle, phase, pc, word } = place;
        let (net, difference, mut chain) = match &wrong {
            Wrong::Nets(nets) => {
                let net = first(circuit, flow, nets);
                let (name, level) = (&circuit.nets[net], flow.levels[net]);
                let others: Vec<&str> = nets.iter().map(|&net| &*circuit.nets[net]).collect();
                let mut text =
                    format!("net {name} is {}, it should be {}", u8::from(level), u8::from(!level));
                if others.len() > 1 {
                    text += &format!(
                        "\n  {} nets differ: {}",
                        others.len(),
                        others[..others.len().min(MOST_NETS)].join(" ")
                    );
                    if others.len() > MOST_NETS {
                        text += " …";
                    }
                }
                let chain: Vec<Change> = match (flow.coming(net), flow.log.latest(net)) {
                    (Some((at, cause)), _) => {
                        text += &format!(
                            "\n  a change of it is under way and would come {} ns later",
                            shown(at.saturating_sub(time))
                        );
                        flow.log.chain(cause).collect()
                    }
                    (None, Some(change)) if change.at + cycle_time >= time => {
                        flow.log.chain_of(change).collect()
                    }
                    (None, _) => {
                        let moves = latest_on_lines(circuit, flow, net);
                        let told = moves.iter().map(|change| {
                            let way = if change.level { "rose" } else { "fell" };
                            format!("{} {way} at {} ns", circuit.nets[change.net], shown(change.at))
                        });
                        text += "\n  it has not moved in this cycle; of its chip's lines ";
                        text += &told.collect::<Vec<_>>().join(", ");
                        let chains =
                            moves.into_iter().map(|change| flow.log.chain_of(change).collect::<Vec<_>>());
                        chains.max_by_key(Vec::len).unwrap_or_default()
                    }
                };
                (name.clone(), text, chain)
            }
            Wrong::Cell { address, has, should, cause } => {
                let text = format!("RAM byte {address:03X} is {has:02X}, it should be {should:02X}");
                ("RAM".to_owned(), text, flow.log.chain(*cause).collect())
            }
        };
        // What a transient did is told from the transient on.
        let transient = chain.iter().position(|change| change.is_transient);
        if let Some(last) = transient {
            chain.truncate(last + 1);
        }
        chain.reverse();
        let mut text = format!(
            "the machine fails at {} ns, in phase {phase} of cycle {cycle}, instruction {pc:03X} `{word}`:\n  {difference}",
            shown(time)
        );
        if !chain.is_empty() {
            text += "\n  the chain of causes:";
        }
        // A pulse that runs round a loop is told once.
        let told: Vec<(usize, &Change)> = chain
            .chunk_by(|before, after| (before.net, before.level) == (after.net, after.level))
            .filter_map(|round| Some((round.len() - 1, round.first()?)))
            .collect();
        let left_out = told.len().saturating_sub(MOST_CAUSES);
        for (number, (again, change)) in told.iter().enumerate() {
            if left_out > 0 && number == MOST_CAUSES / 2 {
                text += &format!("\n    … {left_out} more …");
            }
            if !(MOST_CAUSES / 2..MOST_CAUSES / 2 + left_out).contains(&number) {
                text += &tell(circuit, change, *again);
            }
        }
        Failure { cycle, net, by_transient: transient.is_some(), text }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The latest changes on the lines of the chip that drives a net, its own lines left out; in the order of time.
fn latest_on_lines(circuit: &Circuit, flow: &Flow, net: Net) -> Vec<Change> {
    let Some(chip) = circuit.driver[net].map(|chip| &circuit.chips[chip]) else { return Vec::new() };
    let foreign = chip.reads.iter().filter(|read| !chip.gives().contains(read));
    let mut changes: Vec<Change> = foreign.filter_map(|&read| flow.log.latest(read)).collect();
    changes.sort_by_key(|change| change.at);
    changes.split_off(changes.len().saturating_sub(MOST_MOVES))
}

/// The net where the trouble lies: its chip reads no wrong net of another chip. Of several, or if there is none, the
/// one that moved first.
fn first(circuit: &Circuit, flow: &Flow, wrong: &[Net]) -> Net {
    let is_root = |net: Net| {
        circuit.driver[net].is_some_and(|chip| {
            let chip = &circuit.chips[chip];
            chip.reads.iter().all(|read| chip.gives().contains(read) || !wrong.contains(read))
        })
    };
    let roots: Vec<Net> = wrong.iter().copied().filter(|&net| is_root(net)).collect();
    let candidates = if roots.is_empty() { wrong } else { &roots };
    let moved = |net: Net| flow.log.latest(net).map_or(u64::MAX, |change| change.at);
    candidates.iter().copied().min_by_key(|&net| (moved(net), net)).unwrap_or_default()
}

fn tell(circuit: &Circuit, change: &Change, again: usize) -> String {
    let driver = circuit.driver[change.net].map_or("outside", |chip| &circuit.chips[chip].name);
    let what = match (change.level, change.is_transient) {
        (true, false) => "rises",
        (false, false) => "falls",
        (true, true) => "shows 1 for a moment: a transient",
        (false, true) => "shows 0 for a moment: a transient",
    };
    let again = match again {
        0 => String::new(),
        1 => ", and once more, round its loop".to_owned(),
        _ => format!(", and {again} times more, round its loop"),
    };
    format!("\n    {:>12} ns  {driver}: {} {what}{again}", shown(change.at), circuit.nets[change.net])
}

/// Picoseconds as nanoseconds, with one decimal.
fn shown(time: u64) -> String {
    let tenths = time / (NANOSECOND / 10);
    format!("{}.{}", tenths / 10, tenths % 10)
}
