//! How long a machine with delays and transients runs correctly.

use crate::support::cores::on_all_cores;
use crate::support::interrupt::Interrupted;
use crate::support::progress::Progress;
use gray1_machine::{Driver, Engine, Failure, Inputs, Stop};
use gray1_timed::{Conditions, TimedBoard, TimedEngine};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The interval at which progress is reported.
const TICK: Duration = Duration::from_millis(50);

/// The result of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// The number of correct machine cycles, which is also the number of correct instructions.
    pub cycles: u64,
    /// The first wrong net, if the machine has failed.
    pub net: Option<String>,
}

/// Runs a machine for each job, on all cores: for at most this many cycles, while these inputs are held.
pub fn live_all<Job: Sync>(
    jobs: &[Job],
    board: &Arc<TimedBoard>,
    (held, cycles): (Inputs, u64),
    interrupt: &AtomicBool,
    conditions: impl Fn(&Job) -> Conditions + Sync,
) -> Result<Vec<Life>, Interrupted> {
    let progress = Progress::of(jobs.len() as u64 * cycles, "instructions");
    let lives = on_all_cores(jobs, interrupt, |job| {
        let mut engine = TimedEngine::on(board, &conditions(job));
        if let Ok(Stop::Interrupted) = run_for(&mut engine, held, cycles, interrupt, &progress) {
            return Err(Interrupted);
        }
        progress.add(cycles - engine.cycle()); // the cycles that were not run
        Ok(Life { cycles: engine.cycle(), net: engine.failure().map(|failure| failure.net.clone()) })
    });
    lives.into_iter().collect::<Option<_>>().ok_or(Interrupted)?
}

/// Runs a machine for this many cycles with these inputs held, or until it halts or fails.
pub fn run_for(
    engine: &mut dyn Engine,
    held: Inputs,
    cycles: u64,
    interrupt: &AtomicBool,
    progress: &Progress,
) -> Result<Stop, Failure> {
    let start = Instant::now();
    let clock = || start.elapsed();
    let mut driver = Driver::new(engine, interrupt, &clock);
    driver.held = held;
    driver.left = cycles;
    loop {
        if let Some(stop) = driver.stop() {
            return Ok(stop);
        }
        let before = driver.engine().cycle();
        let result = driver.run(u64::MAX, TICK, &mut ());
        progress.add(driver.engine().cycle() - before);
        result?;
    }
}
