//! `--stats`: the cycles, the speed and the instruction counts of a run.

use crate::support::json;
use clap::ValueEnum;
use gray1_isa::INSTRUCTIONS;
use gray1_text::grouped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The format of the statistics.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum StatsFormat {
    Text,
    Json,
}

#[derive(Serialize)]
struct Stats {
    cycles: u64,
    seconds: f64,
    cycles_per_second: u64,
    /// The executed instructions of each kind.
    instructions: BTreeMap<&'static str, u64>,
}

/// Formats the statistics.
pub fn stats(executed: [u64; 8], time: Duration, format: StatsFormat) -> Result<String, serde_json::Error> {
    let (cycles, seconds) = (executed.iter().sum(), time.as_secs_f64());
    let cycles_per_second = if seconds > 0.0 { (cycles as f64 / seconds) as u64 } else { 0 };
    let counts = INSTRUCTIONS.iter().map(|row| row.mnemonic).zip(executed);
    if format == StatsFormat::Json {
        let instructions = counts.collect();
        return json::line("run", Stats { cycles, seconds, cycles_per_second, instructions });
    }
    let mut text = String::new();
    let _ = writeln!(text, "cycles             {:>15}", grouped(cycles));
    let _ = writeln!(text, "seconds            {seconds:>15.6}");
    let _ = writeln!(text, "cycles a second    {:>15}", grouped(cycles_per_second));
    for (mnemonic, count) in counts {
        let share = if cycles == 0 { 0.0 } else { 100.0 * count as f64 / cycles as f64 };
        let _ = writeln!(text, "{mnemonic:<3}                {:>15} {share:5.1} %", grouped(count));
    }
    Ok(text)
}
