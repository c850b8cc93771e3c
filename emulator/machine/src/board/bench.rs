//! The panel of a board without a CPU: switches, lamps, and perhaps a clock.
//!
//! ```text
//!   bench: (switches: "SET RESET", lamps: "Q")
//!   bench: (switches: "CLEAR", lamps: "Q0-3", clock: "CK", counter: "Q0-3")
//! ```

use super::lines::Lines;
use super::place::Fault;
use super::{Chip, Nets, Panel};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashSet;

/// The roles of nets on a board without a CPU. In a board file they are names; elsewhere numbers.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bench<L = Lines> {
    /// The lines that the user sets.
    #[serde(default)]
    pub switches: L,
    /// The lines that the user observes.
    pub lamps: L,
    /// A line that is set again and again: a switch that ticks.
    #[serde(default)]
    pub clock: L,
    /// The lines of loops that step by themselves, as those of a counter do; all other loops are registers.
    #[serde(default)]
    pub counter: L,
}

impl<L> Bench<L> {
    /// This bench with its lines in another representation.
    pub fn map<M>(&self, lines: impl Fn(&L) -> M) -> Bench<M> {
        Bench {
            switches: lines(&self.switches),
            lamps: lines(&self.lamps),
            clock: lines(&self.clock),
            counter: lines(&self.counter),
        }
    }

    /// The lines that are set from outside.
    pub fn inputs(&self) -> [&L; 2] {
        [&self.switches, &self.clock]
    }
}

/// Deserializes the field `bench`, which is written without `Some`.
pub(super) fn read<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Bench>, D::Error> {
    Bench::deserialize(reader).map(Some)
}

/// Declares the nets that the chips of a board without a CPU drive, where its file has not.
pub(super) fn declare(inputs: &[Nets], others: &mut Vec<Nets>, chips: &[Chip]) {
    let groups = inputs.iter().chain(&*others);
    let mut known: HashSet<String> = groups.flat_map(|group| group.nets.names().iter().cloned()).collect();
    for chip in chips {
        let new: Vec<&str> = chip
            .data()
            .names()
            .iter()
            .filter(|net| known.insert((*net).clone()))
            .map(String::as_str)
            .collect();
        if let Ok(nets) = Lines::try_from(new.join(" "))
            && !nets.is_empty()
        {
            others.push(Nets { nets, about: format!("given by {}", chip.name()) });
        }
    }
}

/// A board has a panel with a CPU behind it, or a bench. Returns the bench.
pub(super) fn either<'a>(panel: &Panel, bench: Option<&'a Bench>) -> Result<Option<&'a Bench>, Fault> {
    let has_panel = *panel != Panel::default();
    match bench {
        Some(_) if has_panel => {
            let message = "a board has a `panel` or, without a CPU, a `bench`: leave out one of the two";
            Err(Fault::new(["bench"], message.to_owned()))
        }
        None if !has_panel => {
            let message = "the board has no `panel`; a board without a CPU has a `bench` instead, as \
                           `bench: (switches: \"A B\", lamps: \"Q\")`";
            Err(Fault::new([], message.to_owned()))
        }
        bench => Ok(bench),
    }
}

pub(super) fn check(
    bench: &Bench,
    inputs: &[Nets],
    chips: &[Chip],
    nets: &HashSet<&str>,
) -> Result<(), Fault> {
    let unknown = |lines: &Lines| lines.names().iter().find(|net| !nets.contains(net.as_str())).cloned();
    let roles = [
        ("switches", &bench.switches),
        ("lamps", &bench.lamps),
        ("clock", &bench.clock),
        ("counter", &bench.counter),
    ];
    for (role, lines) in roles {
        Fault::of(unknown(lines), |net| {
            Fault::new(["bench", role, &net], format!("bench: net {net} is not there: no chip gives it"))
        })?;
    }
    let is_set = !(bench.switches.is_empty() && bench.clock.is_empty());
    for (role, is_there) in [("switches", is_set), ("lamps", !bench.lamps.is_empty())] {
        Fault::unless(is_there, ["bench", role], || format!("bench: there are no {role}"))?;
    }
    Fault::unless(bench.clock.len() <= 1, ["bench", "clock"], || {
        format!("bench: the clock has {} lines, it must have 1", bench.clock.len())
    })?;
    let inputs: HashSet<&String> = inputs.iter().flat_map(|group| group.nets.names()).collect();
    let set: Vec<&String> = bench.inputs().into_iter().flat_map(|lines| lines.names()).collect();
    Fault::of(set.iter().find(|net| !inputs.contains(*net)), |net| {
        Fault::new(["bench", net], format!("bench: net {net} must be one of `inputs`"))
    })?;
    Fault::of(inputs.iter().filter(|net| !set.contains(net)).min(), |net| {
        Fault::new(["inputs", net], format!("input {net} is neither a switch nor the clock of `bench`"))
    })?;
    let program = chips.iter().find(|chip| match chip {
        Chip::Rom { burn, .. } => burn.program_byte().is_some(),
        Chip::Ram { .. } => false,
    });
    Fault::of(program, |chip| {
        let name = chip.name();
        Fault::new(["chips", name], format!("ROM {name}: a board without a CPU has no program to hold"))
    })
}
