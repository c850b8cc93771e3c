//! A guide for bringing up a new machine chip by chip: the chips to insert, the measurements on each pin, and the causes
//! of wrong ones. The stages are data of the board file. The measurements are simulated; the nets of all chips that are
//! not inserted yet are open.

mod bench;
mod pins;
mod power;
mod simulation;
mod stages;

pub use stages::{BringUpStage, Measurement, bring_up_stages};

use crate::assembly::Assembly;
use crate::sockets::Socket;
use crate::tables::markdown;
use bench::{Fault, Tables};
use gray1_machine::board::{Board, Stage, Watch};
use gray1_machine::names::runs;
use gray1_machine::netlist::{ChipId, Holds, NetId, Netlist};
use pins::Pins;
use simulation::{STAYS, StageSimulation, rises, share, simulate};

/// Maximum number of steps of a run that are listed.
const LISTED: usize = 12;
/// States of the counter.
const TURN: f64 = 4_096.0;

/// The frequency of a line with this number of rising edges in a turn of the counter.
fn frequency(kilohertz: u32, rises: usize) -> String {
    format!("{:.2} kHz", rises as f64 / TURN * f64::from(kilohertz) / 2.0)
}

/// Steps before the measurements of a stage: the inputs that are held. `low` are the nets at 0 in words.
fn held(stage: &Stage, low: &str) -> Vec<String> {
    let mut steps = Vec::new();
    if !stage.low.is_empty() {
        steps.push(format!("A lead of 1 kilohm to ground holds {low} at 0."));
    }
    if !stage.high.is_empty() {
        steps.push(format!("These inputs are at 1: {}.", runs(stage.high.names()).join(" ")));
    }
    if stage.watch == Watch::Phases {
        steps.push("Hold reset.".to_owned());
    }
    steps
}

/// The guide, as a page.
pub fn guide(board: &Board, sockets: &[Socket], assembly: &Assembly) -> String {
    let netlist = board.netlist();
    let writer = Writer { netlist, pins: Pins { netlist, assembly }, kilohertz: assembly.hardware.clock };
    let mut text = format!("# Bringing up the {}\n\n", board.name) + include_str!("introduction.md");
    text += &power::section(assembly);
    let tables = Tables::new(netlist, sockets);
    let simulations = simulate(&writer.pins, &tables, &assembly.hardware.bring_up, true);
    text.extend((2..).zip(&simulations).map(|(number, simulation)| writer.stage(number, simulation)));
    text
}

/// Writes about nets and pins.
struct Writer<'a> {
    netlist: &'a Netlist,
    pins: Pins<'a>,
    /// The frequency of the oscillator.
    kilohertz: u32,
}

impl Writer<'_> {
    fn stage(&self, number: usize, simulation: &StageSimulation) -> String {
        let stage = simulation.stage;
        let mut text = format!("\n## {number}. {}\n\n{}\n\n", stage.title, stage.about);
        text.extend(self.steps(simulation).iter().map(|step| format!("- {step}\n")));
        text.push('\n');
        text += &match stage.watch {
            Watch::Phases => self.phases(simulation),
            Watch::Turn => self.turn(simulation),
            Watch::Run(_) => self.run(simulation),
        };
        text + &self.faults(simulation)
    }

    /// The steps before the measurements.
    fn steps(&self, simulation: &StageSimulation) -> Vec<String> {
        let mut steps = vec![format!("Insert {}.", runs(&self.pins.inserted(&simulation.new)).join(" "))];
        let chips = simulation.new.iter().map(|&chip| &self.netlist.chips[chip]);
        let programs = chips.filter(|chip| matches!(chip.holds, Holds::Program { .. }));
        let programs: Vec<String> = programs.map(|chip| chip.name.clone()).collect();
        if !programs.is_empty() {
            steps.push(format!(
                "{} hold the self-test: burn them from the folder `selftest`, whatever program the machine is for.",
                runs(&programs).join(" and ")
            ));
        }
        let low = simulation.stage.low.names().iter().filter_map(|net| self.netlist.net(net));
        let low = low.map(|net| format!("{} ({})", self.name(net), self.pins.of(net)));
        steps.extend(held(simulation.stage, &low.collect::<Vec<_>>().join(", ")));
        steps
    }

    /// The levels in each phase of a cycle.
    fn phases(&self, simulation: &StageSimulation) -> String {
        let rows = simulation.shows.iter().map(|(net, seen)| {
            let level = |phase: usize| if seen[phase] == Some(true) { "**1**" } else { "0" }.to_owned();
            [self.name(*net).to_owned(), self.pins.of(*net), level(0), level(1), level(2), level(3)]
        });
        markdown(["net", "where", "phase 0", "phase 1", "phase 2", "phase 3"], rows)
    }

    /// The number of rising edges of nets in a turn of the counter.
    fn turn(&self, simulation: &StageSimulation) -> String {
        let rows = simulation.shows.iter().map(|(net, seen)| {
            let (count, share) = (rises(seen), share(seen));
            let frequency = if count == 0 { "none".to_owned() } else { frequency(self.kilohertz, count) };
            [self.name(*net).to_owned(), self.pins.of(*net), count.to_string(), frequency, share]
        });
        let clock = format!("with an oscillator of {} kHz", self.kilohertz);
        markdown(["net", "where", "rises in a turn of 4,096 cycles", &clock, "at 1"], rows)
    }

    /// The first steps of a run, then the levels on the pins of the new chips.
    fn run(&self, simulation: &StageSimulation) -> String {
        let rows = simulation.course.iter().take(LISTED).enumerate().map(|(cycle, [counter, word, a, c])| {
            let value = |value: &Option<u32>, width: usize| {
                value.map_or_else(|| "not known".to_owned(), |value| format!("{value:0width$X}"))
            };
            [cycle.to_string(), value(counter, 3), value(word, 4), value(a, 2), value(c, 1)]
        });
        let text = markdown(["cycle", "counter (Gray code)", "word", "A", "C"], rows)
            + "\nWhat the new chips give at the end of phase 1, where it is known and when it changes:\n\n";
        let mut changes: Vec<_> =
            simulation.new.iter().flat_map(|&chip| self.changes(simulation, chip)).collect();
        changes.sort();
        let rows = changes
            .into_iter()
            .take(2 * LISTED)
            .map(|(cycle, chip, number)| [cycle.to_string(), self.netlist.chips[chip].name.clone(), number]);
        let mut rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            rows.push(["", "", "nothing so far"].map(str::to_owned));
        }
        text + &markdown(["cycle", "chip", "gives"], rows)
    }

    /// The cycles in which the data of a chip becomes known or changes, with the data.
    fn changes(&self, simulation: &StageSimulation, chip: ChipId) -> Vec<(usize, ChipId, String)> {
        let data = &self.netlist.chips[chip].data;
        let seen: Option<Vec<_>> =
            data.iter().map(|net| simulation.shows.iter().find(|(other, _)| other == net)).collect();
        let Some(seen) = seen else { return Vec::new() };
        let mut changes: Vec<(usize, ChipId, String)> = Vec::new();
        for cycle in 0..simulation.course.len() {
            let levels = seen.iter().rev().map(|(_, seen)| seen.get(4 * cycle + 1).copied().flatten());
            let number: Option<String> =
                levels.map(|level| level.map(|level| if level { '1' } else { '0' })).collect();
            if let Some(number) = number
                && changes.last().is_none_or(|(.., before)| *before != number)
            {
                changes.push((cycle, chip, number));
            }
        }
        changes
    }

    /// The wrong measurements and the faults that cause them.
    fn faults(&self, simulation: &StageSimulation) -> String {
        let rows = simulation.wrong.iter().filter(|(net, looks, faults)| {
            let is_own_pin = |fault: &Fault| match *fault {
                Fault::Gives(chip, line, _) => self.netlist.chips[chip].data[line] == *net,
                _ => false,
            };
            !STAYS.contains(&looks.as_str()) || !faults.iter().all(is_own_pin)
        });
        let rows =
            rows.map(|(net, looks, faults)| [self.name(*net).to_owned(), looks.clone(), self.causes(faults)]);
        format!(
            "\nIf something is wrong, go down this table, and stop at the first net that shows it. A net that stays at a level \
             and is not listed with it is stuck on its own pin. {} faults of single pins and chips were tried; {} of them \
             change nothing here.\n\n{}",
            simulation.tried,
            simulation.unseen,
            markdown(["first wrong", "shows", "what may be the cause"], rows)
        )
    }

    /// Faults, pin by pin: `PCL: pin 12 (PC0) at 0 or 1; FLAGS missing`.
    fn causes(&self, faults: &[Fault]) -> String {
        let mut causes: Vec<(ChipId, String, Vec<&str>)> = Vec::new();
        for fault in faults {
            let (chip, pin, level) = match *fault {
                Fault::Missing(chip) => {
                    let name = &self.netlist.chips[chip].name;
                    causes.push((chip, format!("{name} missing or dead"), Vec::new()));
                    continue;
                }
                Fault::Reads(chip, line, level) => {
                    let (pin, level) = self.pins.reading(chip, line, level);
                    (chip, pin, level)
                }
                Fault::Gives(chip, line, level) => (chip, self.pins.giving(chip, line), level),
            };
            let level = if level { "1" } else { "0" };
            match causes.iter_mut().find(|(other, like, _)| *other == chip && *like == pin) {
                Some((.., levels)) => levels.push(level),
                None => causes.push((chip, pin, vec![level])),
            }
        }
        let words = causes.iter().map(|(_, pin, levels)| match levels.as_slice() {
            [] => pin.clone(),
            levels => format!("{pin} at {}", levels.join(" or ")),
        });
        words.collect::<Vec<_>>().join("; ")
    }

    fn name(&self, net: NetId) -> &str {
        &self.netlist.nets[net].name
    }
}
