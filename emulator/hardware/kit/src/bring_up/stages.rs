//! The stages of bringing up a machine, as data: the chips to insert, the steps and the measurements.

use super::bench::Level;
use super::pins::Pins;
use super::simulation::{Trace, rises, share, simulate};
use super::{LISTED, Tables, frequency, held};
use crate::assembly::Assembly;
use crate::sockets::Socket;
use gray1_machine::board::{Board, Watch};
use gray1_machine::names::runs;
use serde::Serialize;

/// A stage.
#[derive(Clone, Debug, Serialize)]
pub struct BringUpStage {
    /// Its number in the guide.
    pub number: usize,
    /// Its title.
    pub title: String,
    /// Instructions, and possible pitfalls.
    pub about: String,
    /// The chips to insert; none for the first stage, in which everything else is soldered.
    pub insert: Vec<String>,
    /// Steps before the measurements.
    pub steps: Vec<String>,
    /// The measurements.
    pub measurements: Vec<Measurement>,
}

/// A measurement, on the pin of the chip that drives a net.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// The net.
    pub net: String,
    /// The pin: `PCL pin 13`.
    pub at: String,
    /// The expected levels, in words.
    pub expected: String,
}

/// All stages: the supply, then the stages of the board file, with these chips in the sockets.
pub fn bring_up_stages(board: &Board, sockets: &[Socket], assembly: &Assembly) -> Vec<BringUpStage> {
    let netlist = board.netlist();
    let pins = Pins { netlist, assembly };
    let tables = Tables::new(netlist, sockets);
    let supply = BringUpStage {
        number: 1,
        title: "The supply".to_owned(),
        about: "Solder everything but the chips, which come into their sockets one stage after the other. Keep the \
                cables between the boards unplugged."
            .to_owned(),
        insert: Vec::new(),
        steps: vec![
            "With all sockets empty and all cables and wires off, look for a short between the rails.".to_owned(),
            "Put 5 V on the terminal `5V IN`, with a limit of 100 mA: the yellow LED lights. Switch off, join the wires for \
             5 V to the other boards, switch on, and measure 5 V on the supply pins of each socket."
                .to_owned(),
            "Switch off, and plug the ribbon cables in. From here on all boards are switched together.".to_owned(),
        ],
        measurements: Vec::new(),
    };
    let stages = simulate(&pins, &tables, &assembly.hardware.bring_up, false);
    let stages = (2..).zip(stages).map(|(number, simulation)| {
        let stage = simulation.stage;
        let measurements = simulation.shows.iter().map(|(net, seen)| Measurement {
            net: netlist.nets[*net].name.clone(),
            at: pins.of(*net),
            expected: expected(stage.watch, seen, assembly.hardware.clock),
        });
        BringUpStage {
            number,
            title: stage.title.clone(),
            about: stage.about.clone(),
            insert: pins.inserted(&simulation.new),
            steps: held(stage, &runs(stage.low.names()).join(" ")),
            measurements: measurements.collect(),
        }
    });
    std::iter::once(supply).chain(stages).collect()
}

/// The expected levels of a net, in words.
fn expected(watch: Watch, seen: &Trace, kilohertz: u32) -> String {
    let levels = |seen: &[Level]| {
        let levels = seen.iter().map(|level| level.map_or("?", |level| if level { "1" } else { "0" }));
        levels.collect::<Vec<_>>().join(" ")
    };
    match watch {
        Watch::Phases => format!("{} in phases 0 to 3", levels(seen)),
        Watch::Turn => {
            let share = share(seen);
            match rises(seen) {
                0 => format!("does not move; at 1 for {share}"),
                count => format!(
                    "{count} rises in a turn, {} with an oscillator of {kilohertz} kHz; at 1 for {share}",
                    frequency(kilohertz, count)
                ),
            }
        }
        Watch::Run(_) => {
            let phase_1: Trace = seen.iter().skip(1).step_by(4).take(LISTED).copied().collect();
            format!("{} at the end of phase 1 of the cycles from 0 on", levels(&phase_1))
        }
    }
}
