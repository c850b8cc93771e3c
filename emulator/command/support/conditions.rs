//! The options of the timed engine.

use crate::support::choice::choice;
use crate::support::numbers::{Capacitor, Frequency, number};
use clap::ValueEnum;
use gray1_machine::board::Board;
use gray1_timed::{Conditions, ConditionsError, Delays, Paths};

/// The capacitor on the register outputs of the original machine.
pub const ONE_NANOFARAD: Capacitor = Capacitor(1_000);

const HEADING: &str = "With --engine timed";

/// The options that apply with `--engine timed`.
#[derive(Default, clap::Args)]
pub struct TimedArguments {
    /// The oscillator frequency (`500kHz`, `1.2MHz`); the default is the highest safe one
    #[arg(long, help_heading = HEADING, value_name = "FREQUENCY", value_parser = Frequency::parse)]
    osc: Option<Frequency>,
    /// The delays of the chips; the default is a random delay for each line
    #[arg(long, help_heading = HEADING, value_parser = choice(DELAYS))]
    delays: Option<SeedToDelays>,
    /// Whether to inject transients: stable lines occasionally have a wrong level for a moment; the default is on
    #[arg(long, help_heading = HEADING, value_enum)]
    transients: Option<Switch>,
    /// The capacitor on each output of a register chip (`1nF`, `220pF`, `none`); the default is 1nF
    #[arg(long, help_heading = HEADING, value_name = "CAPACITOR", value_parser = Capacitor::parse)]
    capacitor: Option<Capacitor>,
    /// The seed of the random delays and transients; the default is 1
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
}

/// Makes the delays for a seed.
pub type SeedToDelays = fn(u64) -> Delays;

/// The values of `--delays`.
const DELAYS: [(&str, &str, SeedToDelays); 4] = [
    ("random", "A random delay for each line, within the limits of its part; the default", Delays::Random),
    ("worst", "The longest delay for all lines, except for the slower side of each race", |_| Delays::Worst),
    ("best", "The shortest delay for all lines", |_| Delays::Best),
    (
        "path",
        "A delay for each path from an address line to a data line, at either limit of its part",
        Delays::Paths,
    ),
];

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl TimedArguments {
    /// Returns the name of the first of these options that is set.
    pub fn first_set(&self) -> Option<&'static str> {
        [
            ("--osc", self.osc.is_some()),
            ("--delays", self.delays.is_some()),
            ("--transients", self.transients.is_some()),
            ("--capacitor", self.capacitor.is_some()),
            ("--seed", self.seed.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_set)| is_set.then_some(name))
    }

    /// Returns the conditions for a run on this board. The default frequency depends on the board.
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
