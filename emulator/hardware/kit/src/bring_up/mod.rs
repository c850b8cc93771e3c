//! A guide for bringing up a new machine chip by chip: what to insert, what to measure on which pin, and what a
//! different measurement means. The stages are data of the board file. The measurements are simulated, with the nets of
//! all chips that are not inserted yet left open.

mod bench;
mod measured;
mod picture;
mod pins;
mod power;

pub use measured::{Measured, Measurement, measured};

use crate::assembly::Assembly;
use crate::sockets::Socket;
use bench::{Fault, Tables};
use gray1_machine::board::{Board, Stage, Watch};
use gray1_machine::names::runs;
use gray1_machine::netlist::{ChipId, Holds, NetId, Netlist};
use picture::{Picture, STAYS, pictures, rises, share};
use pins::Pins;
use std::fmt::{self, Display, Formatter, Write};

/// Maximum number of steps of a run that are listed.
const LISTED: usize = 12;
/// States of the counter.
const TURN: f64 = 4_096.0;

/// The frequencies at the oscillator with which a machine is brought up.
#[derive(Clone, Copy)]
struct Frequencies {
    kilohertz: u32,
}

impl Frequencies {
    fn of(assembly: &Assembly) -> Frequencies {
        Frequencies { kilohertz: assembly.hardware.clock }
    }

    /// That of a line that rises so often in a turn of the counter.
    fn at(self, rises: usize) -> String {
        format!("{:.2} kHz", rises as f64 / TURN * f64::from(self.kilohertz) / 2.0)
    }
}

impl Display for Frequencies {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "an oscillator of {} kHz", self.kilohertz)
    }
}

/// The guide, as a page.
pub fn guide(board: &Board, sockets: &[Socket], assembly: &Assembly, stages: &[Stage]) -> String {
    let netlist = board.netlist();
    let clock = Frequencies::of(assembly);
    let writer = Writer { netlist, pins: Pins { netlist, assembly }, clock };
    let mut text = format!("# Bringing up the {}\n\n", board.name) + include_str!("introduction.md");
    text += &power::section(assembly);
    let tables = Tables::new(netlist, sockets);
    for (number, picture) in (2..).zip(pictures(&writer.pins, &tables, stages)) {
        text += &writer.stage(number, &picture);
    }
    text
}

/// Writes about nets and pins.
struct Writer<'a> {
    netlist: &'a Netlist,
    pins: Pins<'a>,
    clock: Frequencies,
}

impl Writer<'_> {
    fn stage(&self, number: usize, picture: &Picture) -> String {
        let Picture { stage, new, shows, .. } = picture;
        let names = self.pins.inserted(new);
        let mut text = format!(
            "\n## {number}. {}\n\n{}\n\n- Insert {}.\n",
            stage.title,
            stage.about,
            runs(&names).join(" ")
        );
        let programs = picture
            .new
            .iter()
            .filter(|&&chip| matches!(self.netlist.chips[chip].holds, Holds::Program { .. }));
        let programs: Vec<String> = programs.map(|&chip| self.netlist.chips[chip].name.clone()).collect();
        if !programs.is_empty() {
            let _ = writeln!(
                text,
                "- {} hold the self-test: burn them from the folder `selftest`, whatever program the machine is for.",
                runs(&programs).join(" and ")
            );
        }
        let nets = |lines: &[String]| {
            lines
                .iter()
                .filter_map(|net| self.netlist.net(net))
                .map(|net| self.place(net))
                .collect::<Vec<_>>()
                .join(", ")
        };
        if !stage.low.is_empty() {
            let _ = writeln!(text, "- A lead of 1 kilohm to ground holds {} at 0.", nets(stage.low.names()));
        }
        if !stage.high.is_empty() {
            let _ = writeln!(text, "- These inputs are at 1: {}.", runs(stage.high.names()).join(" "));
        }
        text += match stage.watch {
            Watch::Phases => "- Hold reset.\n",
            Watch::Turn | Watch::Run(_) => "",
        };
        text.push('\n');
        match stage.watch {
            Watch::Phases => {
                text +=
                    "| net | where | phase 0 | phase 1 | phase 2 | phase 3 |\n|---|---|---|---|---|---|\n";
                for (net, seen) in shows {
                    let levels = seen.iter().map(|level| if *level == Some(true) { "**1**" } else { "0" });
                    let levels: Vec<&str> = levels.collect();
                    let _ = writeln!(
                        text,
                        "| {} | {} | {} |",
                        self.name(*net),
                        self.pins.of(*net),
                        levels.join(" | ")
                    );
                }
            }
            Watch::Turn => {
                let clock = self.clock;
                let _ = writeln!(
                    text,
                    "| net | where | rises in a turn of 4,096 cycles | with {clock} | at 1 |\n|---|---|---|---|---|"
                );
                for (net, seen) in shows {
                    let count = rises(seen);
                    let frequency = match count {
                        0 => "none".to_owned(),
                        count => clock.at(count),
                    };
                    let _ = writeln!(
                        text,
                        "| {} | {} | {count} | {frequency} | {} |",
                        self.name(*net),
                        self.pins.of(*net),
                        share(seen)
                    );
                }
            }
            Watch::Run(_) => text += &self.run(picture),
        }
        text + &self.faults(picture)
    }

    /// The first steps of a run, then the levels on the pins of the new chips.
    fn run(&self, picture: &Picture) -> String {
        let mut text = "| cycle | counter (Gray code) | word | A | C |\n|---|---|---|---|---|\n".to_owned();
        for (cycle, values) in picture.course.iter().take(LISTED).enumerate() {
            let widths = [3, 4, 2, 1];
            let values = values.iter().zip(widths).map(|(value, width)| match value {
                Some(value) => format!("{value:0width$X}"),
                None => "not known".to_owned(),
            });
            let _ = writeln!(text, "| {cycle} | {} |", values.collect::<Vec<_>>().join(" | "));
        }
        text += "\nWhat the new chips give at the end of phase 1, where it is known and when it changes:\n\n\
                 | cycle | chip | gives |\n|---|---|---|\n";
        let mut rows = Vec::new();
        for &chip in &picture.new {
            let data = &self.netlist.chips[chip].data;
            let seen: Vec<_> =
                data.iter().filter_map(|net| picture.shows.iter().find(|(other, _)| other == net)).collect();
            let mut before = None;
            for cycle in 0..picture.course.len() {
                let levels = seen.iter().rev().map(|(_, seen)| seen.get(4 * cycle + 1).copied().flatten());
                let number: Option<String> =
                    levels.map(|level| level.map(|level| if level { '1' } else { '0' })).collect();
                if seen.len() == data.len() && number.is_some() && number != before {
                    rows.push((cycle, chip, number.clone().unwrap_or_default()));
                    before = number;
                }
            }
        }
        rows.sort();
        for (cycle, chip, number) in rows.iter().take(2 * LISTED) {
            let _ = writeln!(text, "| {cycle} | {} | {number} |", self.netlist.chips[*chip].name);
        }
        if rows.is_empty() {
            text += "| | | nothing so far |\n";
        }
        text
    }

    /// The measurements that faults would lead to.
    fn faults(&self, picture: &Picture) -> String {
        let mut text = format!(
            "\nIf something is wrong, go down this table, and stop at the first net that shows it. A net that stays at a level \
             and is not listed with it is stuck on its own pin. {} faults of single pins and chips were tried; {} of them \
             change nothing here.\n\n| first wrong | shows | what may be the cause |\n|---|---|---|\n",
            picture.tried, picture.unseen
        );
        for (net, looks, faults) in &picture.wrong {
            let is_own_pin = |fault: &Fault| match *fault {
                Fault::Gives(chip, line, _) => self.netlist.chips[chip].data[line] == *net,
                _ => false,
            };
            if STAYS.contains(&looks.as_str()) && faults.iter().all(is_own_pin) {
                continue;
            }
            let _ = writeln!(text, "| {} | {looks} | {} |", self.name(*net), self.causes(faults));
        }
        text
    }

    /// Faults, pin by pin: `PCL: pin 12 (PC0) at 0 or 1; FLAGS missing`.
    fn causes(&self, faults: &[Fault]) -> String {
        let mut causes: Vec<(ChipId, String, Vec<&str>)> = Vec::new();
        for fault in faults {
            let (chip, pin, level) = match *fault {
                Fault::Missing(chip) => {
                    causes.push((
                        chip,
                        format!("{} missing or dead", self.netlist.chips[chip].name),
                        Vec::new(),
                    ));
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

    /// A net, and the pin where it is.
    fn place(&self, net: NetId) -> String {
        format!("{} ({})", self.name(net), self.pins.of(net))
    }

    fn name(&self, net: NetId) -> &str {
        &self.netlist.nets[net].name
    }
}
