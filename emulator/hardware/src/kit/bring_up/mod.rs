//! The stages of bringing up a new machine chip by chip, as data: the chips to insert, the measurements on each pin, and
//! the causes of wrong ones. The board file lists the stages. The measurements are simulated; the nets of all chips that
//! are not inserted yet are open.

mod bench;
mod pins;
mod simulation;
mod stage;
mod supply;

pub use stage::{BringUpStage, Measurement, Symptom};

use crate::kit::assembly::Assembly;
use crate::kit::sockets::Socket;
use bench::{Fault, Level, Tables};
use gray1_machine::board::{Board, Stage, Watch};
use gray1_machine::names::runs;
use gray1_machine::netlist::{ChipId, Holds, NetId};
use pins::Pins;
use simulation::{STAYS, StageSimulation, Trace, rises, share, simulate};

/// Maximum number of cycles of a run that are listed.
const LISTED: usize = 12;
/// States of the counter.
const TURN: f64 = 4_096.0;

/// All stages: the supply, then the stages of the board file, with these chips in the sockets.
pub fn bring_up_stages(board: &Board, sockets: &[Socket], assembly: &Assembly) -> Vec<BringUpStage> {
    let netlist = board.netlist();
    let pins = Pins { netlist, assembly };
    let tables = Tables::new(netlist, sockets);
    let mut stages = vec![supply::stage(assembly)];
    let mut inserted = Vec::new();
    for simulation in simulate(netlist, &tables, &assembly.hardware.bring_up) {
        let chips = pins.inserted(&simulation.new);
        inserted.extend(chips.iter().cloned());
        let mut stage = pins.stage(stages.len() + 1, &simulation, chips);
        stage.steps.insert(0, supply::limit(assembly, &inserted));
        stages.push(stage);
    }
    stages
}

impl Pins<'_> {
    fn stage(&self, number: usize, simulation: &StageSimulation, insert: Vec<String>) -> BringUpStage {
        let stage = simulation.stage;
        let measurements = simulation.shows.iter().map(|(net, seen)| Measurement {
            net: self.name(*net).to_owned(),
            at: self.of(*net),
            expected: expected(stage.watch, seen, self.assembly.hardware.clock),
        });
        // A net that stays at a level because of its own pin needs no row.
        let rows = simulation.wrong.iter().filter(|(net, looks, faults)| {
            let is_own_pin = |fault: &Fault| match *fault {
                Fault::Gives(chip, line, _) => self.netlist.chips[chip].data[line] == *net,
                _ => false,
            };
            !STAYS.contains(&looks.as_str()) || !faults.iter().all(is_own_pin)
        });
        let symptoms = rows.map(|(net, looks, faults)| Symptom {
            net: self.name(*net).to_owned(),
            shows: looks.clone(),
            causes: self.causes(faults),
        });
        BringUpStage {
            number,
            title: stage.title.clone(),
            about: stage.about.clone(),
            insert,
            steps: self.steps(stage, &simulation.new),
            measurements: measurements.collect(),
            symptoms: symptoms.collect(),
            tried: simulation.tried,
            unseen: simulation.unseen,
        }
    }

    /// The steps before the measurements: the program chips to burn, and the inputs to hold.
    fn steps(&self, stage: &Stage, new: &[ChipId]) -> Vec<String> {
        let mut steps = Vec::new();
        let chips = new.iter().map(|&chip| &self.netlist.chips[chip]);
        let programs = chips.filter(|chip| matches!(chip.holds, Holds::Program { .. }));
        let programs: Vec<String> = programs.map(|chip| chip.name.clone()).collect();
        if !programs.is_empty() {
            steps.push(format!(
                "{} hold the self-test: burn them from the folder `selftest`, whatever program the machine is for.",
                runs(&programs).join(" and ")
            ));
        }
        let low = stage.low.names().iter().filter_map(|net| self.netlist.net(net));
        let low: Vec<String> = low.map(|net| format!("{} ({})", self.name(net), self.of(net))).collect();
        if !low.is_empty() {
            steps.push(format!("A lead of 1 kilohm to ground holds {} at 0.", low.join(", ")));
        }
        if !stage.high.is_empty() {
            steps.push(format!("These inputs are at 1: {}.", runs(stage.high.names()).join(" ")));
        }
        if stage.watch == Watch::Phases {
            steps.push("Hold reset.".to_owned());
        }
        steps
    }

    /// Faults, pin by pin: `PCL: pin 12 (PC0) at 0 or 1; FLAGS missing`.
    fn causes(&self, faults: &[Fault]) -> String {
        let mut causes: Vec<(String, Vec<&str>)> = Vec::new();
        for fault in faults {
            let (pin, level) = match *fault {
                Fault::Missing(chip) => {
                    causes.push((format!("{} missing or dead", self.netlist.chips[chip].name), Vec::new()));
                    continue;
                }
                Fault::Reads(chip, line, level) => self.reading(chip, line, level),
                Fault::Gives(chip, line, level) => (self.giving(chip, line), level),
            };
            let level = if level { "1" } else { "0" };
            match causes.iter_mut().find(|(other, _)| *other == pin) {
                Some((_, levels)) => levels.push(level),
                None => causes.push((pin, vec![level])),
            }
        }
        let words = causes.iter().map(|(pin, levels)| match levels.as_slice() {
            [] => pin.clone(),
            levels => format!("{pin} at {}", levels.join(" or ")),
        });
        words.collect::<Vec<_>>().join("; ")
    }

    fn name(&self, net: NetId) -> &str {
        &self.netlist.nets[net].name
    }
}

/// The expected levels of a net, in words.
fn expected(watch: Watch, seen: &Trace, kilohertz: u32) -> String {
    let levels = |seen: &[Level]| {
        let levels = seen.iter().map(|level| level.map_or("?", |level| if level { "1" } else { "0" }));
        levels.collect::<Vec<_>>().join(" ")
    };
    match watch {
        Watch::Phases => format!("{} in phases 0 to 3", levels(seen)),
        Watch::Turn => match (rises(seen), share(seen)) {
            (0, share) => format!("does not move; at 1 for {share}"),
            (count, share) => format!(
                "{count} rises in a turn, {:.2} kHz with an oscillator of {kilohertz} kHz; at 1 for {share}",
                count as f64 / TURN * f64::from(kilohertz) / 2.0
            ),
        },
        Watch::Run(_) => {
            let phase_1: Trace = seen.iter().skip(1).step_by(4).take(LISTED).copied().collect();
            format!("{} at the end of phase 1 of the cycles from 0 on", levels(&phase_1))
        }
    }
}
