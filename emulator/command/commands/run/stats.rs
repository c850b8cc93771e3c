//! `--stats`: the cycles, the speed and the instruction counts of a run.

use gray1_isa::INSTRUCTIONS;
use gray1_text::grouped;
use std::fmt::Write;
use std::time::Duration;

/// Formats the statistics.
pub fn stats(executed: [u64; 8], time: Duration) -> String {
    let cycles: u64 = executed.iter().sum();
    let seconds = time.as_secs_f64();
    let per_second = if seconds > 0.0 { cycles as f64 / seconds } else { 0.0 };
    let mut text = String::new();
    let _ = writeln!(text, "cycles             {:>15}", grouped(cycles));
    let _ = writeln!(text, "seconds            {seconds:>15.6}");
    let _ = writeln!(text, "cycles a second    {:>15}", grouped(per_second as u64));
    for (row, count) in INSTRUCTIONS.iter().zip(executed) {
        let share = if cycles == 0 { 0.0 } else { 100.0 * count as f64 / cycles as f64 };
        let _ = writeln!(text, "{:<3}                {:>15} {share:5.1} %", row.mnemonic, grouped(count));
    }
    text
}
