//! The options of the timed engine.

use crate::support::choice::choice;
use crate::support::units::{Capacitor, Frequency};
use clap::ValueEnum;
use gray1_machine::board::Board;
use gray1_timed::{Conditions, ConditionsError, Delays, Paths};

/// The capacitor on the register outputs of the original machine.
pub const ONE_NANOFARAD: Capacitor = Capacitor(1_000);

const HEADING: &str = "With --engine timed";

/// The options that apply with `--engine timed`.
#[derive(Default, clap::Args)]
pub struct TimedArguments {
    /// The frequency of the oscillator (`500kHz`, `1.2MHz`); the default is the highest that is safe
    #[arg(long, help_heading = HEADING, value_name = "FREQUENCY", value_parser = Frequency::parse)]
    osc: Option<Frequency>,
    /// How slow the chips are; the default is a random delay for each line
    #[arg(long, help_heading = HEADING, value_parser = choice(DELAYS))]
    delays: Option<OfSeed>,
    /// Whether lines that should be stable occasionally show a wrong level for a moment; the default is on
    #[arg(long, help_heading = HEADING, value_enum)]
    transients: Option<Switch>,
    /// The capacitor on each output of a register chip (`1nF`, `220pF`, `none`); the default is 1nF
    #[arg(long, help_heading = HEADING, value_name = "CAPACITOR", value_parser = Capacitor::parse)]
    capacitor: Option<Capacitor>,
    /// Selects the random delays and transients; the default is 1
    #[arg(long, help_heading = HEADING, value_name = "N")]
    seed: Option<u64>,
}

/// The delays for a seed.
pub type OfSeed = fn(u64) -> Delays;

/// How slow the chips are.
const DELAYS: [(&str, &str, OfSeed); 4] = [
    ("random", "A delay for each line, anywhere between the limits of its part; the default", Delays::Random),
    ("worst", "The longest delay for all lines, except those that others race against", |_| Delays::Worst),
    ("best", "The shortest delay for all lines", |_| Delays::Best),
    (
        "path",
        "A delay for each path from an address line to a data line, at one limit of its part or the other",
        Delays::Paths,
    ),
];

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl TimedArguments {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--osc", self.osc.is_some()),
            ("--delays", self.delays.is_some()),
            ("--transients", self.transients.is_some()),
            ("--capacitor", self.capacitor.is_some()),
            ("--seed", self.seed.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// The conditions for a run on this board. The default frequency depends on the board.
    pub fn conditions(&self, board: &Board) -> Result<Conditions, ConditionsError> {
        let seed = self.seed.unwrap_or(1);
        let capacitor = self.capacitor.unwrap_or(ONE_NANOFARAD).0;
        let half_period = match self.osc {
            Some(frequency) => frequency.half_period(),
            None => Paths::find(board, false)?.half_period(capacitor),
        };
        let delays = self.delays.map_or(Delays::Random(seed), |delays| delays(seed));
        let transients = (self.transients != Some(Switch::Off)).then_some(seed);
        Ok(Conditions { half_period, delays, transients, capacitor })
    }
}
