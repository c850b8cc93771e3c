//! The options of `gray1 faults`.

use super::shard::Shard;
use crate::support::choice::{Format, choice, format};
use crate::support::completion;
use crate::support::machine::BoardArguments;
use crate::support::numbers::{cycles, number};
use crate::support::selftest;
use crate::support::source::AssemblerArguments;
use gray1_hardware::faults::{Model, Watch};
use gray1_machine::Noise;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(clap::Args)]
pub struct Arguments {
    /// The program that the machine runs, a source or an image; the default is the built-in self-test
    #[arg(value_parser = completion::program(), hide_possible_values = true)]
    pub file: Option<PathBuf>,
    /// The kind of faults to try; the default is stuck pins
    #[arg(long, value_parser = choice(MODELS))]
    pub model: Option<Model>,
    /// The outputs that can reveal a fault
    #[arg(long = "observe", alias = "watch", value_parser = choice(WATCHED), default_value = "port+leds")]
    pub watch: Watch,
    /// Try only this many faults, chosen at random
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=u64::MAX))]
    pub count: Option<u64>,
    /// The seed of the random choice for --count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Try only one of N equal parts of the faults, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = Shard::parse)]
    pub shard: Shard,
    /// The format of the output: a summary, or a line of JSON for each fault
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    pub format: Format,
    /// Join files written by `--format json`, instead of trying faults
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["file", "model", "watch", "count", "seed", "shard", "diagnose", "leds", "input", "ram", "max_cycles", "board", "cell", "define", "allow", "deny", "include"])]
    pub join: Vec<PathBuf>,
    /// List the faults that explain the bytes that a machine has sent, the best first
    #[arg(long, value_name = "OBSERVED.bin", conflicts_with_all = ["count", "shard"])]
    pub diagnose: Option<PathBuf>,
    /// A file with LEDs that were wrong, one per line: `30 green 4,7` (after 30 bytes) or `end red 0,0`
    #[arg(long, value_name = "FILE", requires = "diagnose")]
    pub leds: Option<PathBuf>,
    /// Press pads and keys at given cycles; the default is to follow the prompts of the self-test on its LEDs
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// What RAM holds at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", default_value = "random:1", value_parser = Noise::from_str)]
    pub ram: Noise,
    /// Stop the machine without faults after N cycles; machines with a fault get 1,000 cycles more than it took
    #[arg(long, value_name = "N", default_value_t = selftest::MAX_CYCLES, value_parser = cycles)]
    pub max_cycles: u64,
    #[command(flatten)]
    pub board: BoardArguments,
    #[command(flatten)]
    pub assembler: AssemblerArguments,
}

/// The kinds of faults.
const MODELS: [(&str, &str, Model); 6] = [
    ("pins", "A pin of a chip is stuck at 0 or at 1", Model::Pins),
    ("bridges", "Two adjacent pins are connected", Model::Bridges),
    ("cells", "One bit of a cell that is read is inverted", Model::Cells),
    ("sockets", "A ROM is blank, or holds what another one should, or two are exchanged", Model::Sockets),
    ("swaps", "The wires of two pins of a chip are exchanged", Model::Swaps),
    ("opens", "A resistor or the conductor of a cable is open", Model::Opens),
];

/// The outputs that are watched.
const WATCHED: [(&str, &str, Watch); 2] = [
    ("port", "The bytes sent to the output port", Watch::Port),
    ("port+leds", "The bytes and the LEDs", Watch::PortAndLeds),
];
