//! A failure of the machine, explained by a chain of causes.
//!
//! Among all nets that are wrong, the origin is the one whose chip reads no other wrong net. From its last change, the
//! chain of causes is followed back to a transient or to an edge of the oscillator.

use crate::board::TimedBoard;
use crate::conditions::NANOSECOND;
use crate::flow::Flow;
use crate::log::{Cause, Change};
use gray1_isa::Word;
use gray1_machine::netlist::{Chip, NetId, Netlist};
use thiserror::Error;

/// The maximum number of causes to show; of a longer chain, the beginning and the end are shown.
const MAX_CAUSES: usize = 16;
/// The maximum number of changes to show to which a net has not reacted.
const MAX_CHANGES: usize = 3;
/// The maximum number of wrong nets to show.
const MAX_NETS: usize = 12;

/// The first difference from the chips engine, and its causes.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{report}")]
pub struct TimedFailure {
    /// The cycle in which the difference was found.
    pub cycle: u64,
    /// The name of the net where it originated, or `RAM` for a cell of RAM.
    pub net: String,
    /// Whether a transient caused it.
    pub by_transient: bool,
    report: String,
}

/// A difference from the chips engine.
pub enum Difference {
    /// These nets have different levels.
    Nets(Vec<NetId>),
    /// A byte of RAM is different; `cause` is the change that wrote it, if it was written.
    Cell { address: u16, has: u8, should: u8, cause: Cause },
}

/// The time at which the board was compared.
pub struct Moment {
    /// In picoseconds.
    pub time: u64,
    pub cycle: u64,
    pub phase: usize,
    pub pc: u16,
    pub word: Word,
    /// The length of a machine cycle, in picoseconds.
    pub cycle_time: u64,
}

impl TimedFailure {
    /// Finds the causes of a difference.
    pub fn find(board: &TimedBoard, flow: &Flow, moment: &Moment, difference: &Difference) -> TimedFailure {
        let netlist = board.netlist();
        let (net, description, mut chain) = match difference {
            Difference::Nets(nets) => {
                let net = origin(netlist, flow, nets);
                let (reason, chain) = causes(netlist, flow, moment, net);
                let text = wrong_nets(netlist, net, flow.level(&board.circuit, net), nets) + &reason;
                (netlist.nets[net].name.clone(), text, chain)
            }
            Difference::Cell { address, has, should, cause } => {
                let text = format!("RAM byte {address:03X} is {has:02X}, it should be {should:02X}");
                ("RAM".to_owned(), text, flow.log.chain(*cause).collect())
            }
        };
        // The causes of a transient do not matter.
        let transient = chain.iter().position(|change| change.is_transient);
        if let Some(transient) = transient {
            chain.truncate(transient + 1);
        }
        chain.reverse();
        let Moment { time, cycle, phase, pc, word, .. } = moment;
        let report = format!(
            "the machine fails at {} ns, in phase {phase} of cycle {cycle}, instruction {pc:03X} `{word}`:\n  \
             {description}{}",
            nanoseconds(*time),
            chain_of_causes(netlist, &chain)
        );
        TimedFailure { cycle: *cycle, net, by_transient: transient.is_some(), report }
    }
}

/// The net where the difference originates: its chip reads no wrong net of another chip. If there are several, or none,
/// the one that changed first.
fn origin(netlist: &Netlist, flow: &Flow, wrong: &[NetId]) -> NetId {
    let is_origin =
        |net: NetId| driver(netlist, net).is_some_and(|chip| others(chip).all(|read| !wrong.contains(&read)));
    let origins: Vec<NetId> = wrong.iter().copied().filter(|&net| is_origin(net)).collect();
    let candidates = if origins.is_empty() { wrong } else { &origins };
    let changed_at = |net: NetId| flow.log.latest(net).map_or(u64::MAX, |change| change.at);
    candidates.iter().copied().min_by_key(|&net| (changed_at(net), net)).unwrap_or_default()
}

/// Why a net is wrong, and the changes that led to it, the latest first.
fn causes(netlist: &Netlist, flow: &Flow, moment: &Moment, net: NetId) -> (String, Vec<Change>) {
    if let Some((at, cause)) = flow.coming(net) {
        let late = nanoseconds(at.saturating_sub(moment.time));
        let reason = format!("\n  a change of this net was due {late} ns later");
        return (reason, flow.log.chain(cause).collect());
    }
    let latest = flow.log.latest(net);
    if latest.is_some_and(|change| change.at + moment.cycle_time >= moment.time) {
        return (String::new(), flow.log.chain_of(latest).collect());
    }
    let changes = latest_on_lines(netlist, flow, net);
    let listed = changes.iter().map(|change| {
        let verb = if change.level { "rose" } else { "fell" };
        format!("{} {verb} at {} ns", netlist.nets[change.net()].name, nanoseconds(change.at))
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    let chains = changes.iter().map(|&change| flow.log.chain_of(Some(change)).collect::<Vec<_>>());
    (
        format!("\n  it has not changed in this cycle; of the lines that its chip reads, {listed}"),
        chains.max_by_key(Vec::len).unwrap_or_default(),
    )
}

/// The latest changes on the lines that a net's chip reads from other chips, in the order of time.
fn latest_on_lines(netlist: &Netlist, flow: &Flow, net: NetId) -> Vec<Change> {
    let lines = driver(netlist, net).into_iter().flat_map(others);
    let mut changes: Vec<Change> = lines.filter_map(|read| flow.log.latest(read)).collect();
    changes.sort_by_key(|change| change.at);
    changes.split_off(changes.len().saturating_sub(MAX_CHANGES))
}

fn driver(netlist: &Netlist, net: NetId) -> Option<&Chip> {
    netlist.nets[net].driver.map(|pin| &netlist.chips[pin.chip])
}

/// The nets that a chip reads and does not drive.
fn others(chip: &Chip) -> impl Iterator<Item = NetId> {
    chip.reads.iter().copied().filter(|net| !chip.data.contains(net))
}

fn wrong_nets(netlist: &Netlist, net: NetId, level: bool, wrong: &[NetId]) -> String {
    let name = |net: NetId| &*netlist.nets[net].name;
    let mut text = format!("net {} is {}, it should be {}", name(net), u8::from(level), u8::from(!level));
    if wrong.len() > 1 {
        let names: Vec<&str> = wrong.iter().take(MAX_NETS).map(|&net| name(net)).collect();
        text += &format!("\n  {} nets differ: {}", wrong.len(), names.join(" "));
        if wrong.len() > MAX_NETS {
            text += " …";
        }
    }
    text
}

/// One line for each change. A pulse that runs round a loop has only one.
fn chain_of_causes(netlist: &Netlist, chain: &[Change]) -> String {
    let lines = chain.chunk_by(|one, next| (one.net(), one.level) == (next.net(), next.level));
    let mut lines: Vec<String> =
        lines.map(|changes| cause(netlist, &changes[0], changes.len() - 1)).collect();
    let left_out = lines.len().saturating_sub(MAX_CAUSES);
    if left_out > 0 {
        let line = format!("\n    … {left_out} more …");
        lines.splice(MAX_CAUSES / 2..MAX_CAUSES / 2 + left_out, [line]);
    }
    let title = if lines.is_empty() { "" } else { "\n  the chain of causes:" };
    title.to_owned() + &lines.concat()
}

fn cause(netlist: &Netlist, change: &Change, repeated: usize) -> String {
    let driver = driver(netlist, change.net()).map_or("outside", |chip| &chip.name);
    let verb = match (change.level, change.is_transient) {
        (true, false) => "rises",
        (false, false) => "falls",
        (true, true) => "shows 1 for a moment: a transient",
        (false, true) => "shows 0 for a moment: a transient",
    };
    let repeated = match repeated {
        0 => String::new(),
        1 => ", and once more, round its loop".to_owned(),
        _ => format!(", and {repeated} times more, round its loop"),
    };
    let (at, net) = (nanoseconds(change.at), &netlist.nets[change.net()].name);
    format!("\n    {at:>12} ns  {driver}: {net} {verb}{repeated}")
}

/// Picoseconds as nanoseconds, with one decimal.
fn nanoseconds(time: u64) -> String {
    let tenths = time / (NANOSECOND / 10);
    format!("{}.{}", tenths / 10, tenths % 10)
}
