//! Runs a program until it halts, and measures its costs.

use super::entry::Entry;
use super::found::Solutions;
use crate::support::interrupt::Interrupt;
use crate::support::machine::{EngineKind, MachineArguments};
use gray1_isa::PROGRAM_WORDS;
use gray1_machine::{Driver, Engine, IsaEngine, Noise, OutputSink, State, Stop};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The interval at which progress is reported and the output is checked.
const TICK: Duration = Duration::from_millis(10);
/// The interval between state comparisons, in cycles. The lengths of most loops divide it.
const COMPARE_INTERVAL: u64 = 720_720;
/// The interval, in cycles, at which interruptions are checked while positions are counted.
const COUNT_INTERVAL: u64 = 1 << 20;
/// The maximum output, in bytes. A program that sends more does not list solutions, and must not fill the memory.
const MAX_OUTPUT: usize = 64 << 20;

/// The outcome of a run.
pub enum End {
    Halted(RunResult),
    Limit,
    /// The machine is in a loop of states.
    Endless {
        /// A cycle within the loop.
        from: u64,
        /// A multiple of the length of the loop, in cycles.
        length: u64,
    },
    Interrupted,
    Failed(String),
}

/// The costs and the results of a run.
pub struct RunResult {
    pub cycles: u64,
    pub found: Solutions,
}

/// The output of the program.
#[derive(Default)]
struct Port(Vec<u8>);

impl OutputSink for Port {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// Runs a program until it halts or is stopped. Passes the number of executed cycles to `add_cycles`.
pub fn measure(entry: &Entry, limit: u64, interrupt: &Interrupt, add_cycles: impl Fn(u64)) -> End {
    let mut machine = match MachineArguments::with_engine(EngineKind::Chips).engine(&entry.image) {
        Ok(machine) => machine,
        Err(error) => return End::Failed(error.to_string()),
    };
    let mut port = Port::default();
    let start = Instant::now();
    let clock = || start.elapsed();
    let mut driver = Driver::new(&mut *machine, interrupt.flag(), &clock);
    driver.left = limit;
    let mut before = driver.engine().state();
    let mut sent_before = 0;
    loop {
        match driver.stop() {
            Some(Stop::Halted) => break,
            Some(Stop::Limit) => return End::Limit,
            Some(Stop::Interrupted | Stop::Quit) => return End::Interrupted,
            None => {}
        }
        let round = COMPARE_INTERVAL - driver.engine().cycle() % COMPARE_INTERVAL;
        match driver.run(round, TICK, &mut port) {
            Ok(ran) => add_cycles(ran),
            Err(error) => return End::Failed(error.to_string()),
        }
        // Without inputs, a machine that returns to an earlier state never halts. A machine that sends is stopped
        // below.
        let cycle = driver.engine().cycle();
        if cycle % COMPARE_INTERVAL == 0 && cycle > before.cycle && driver.stop().is_none() {
            let now = driver.engine().state();
            if port.0.len() == sent_before && is_same(&before, &now) {
                return End::Endless { from: before.cycle, length: cycle - before.cycle };
            }
            // The distance between the compared states doubles, so that it reaches a multiple of any loop length.
            if (cycle / COMPARE_INTERVAL).is_power_of_two() {
                (before, sent_before) = (now, port.0.len());
            }
        }
        if port.0.len() > MAX_OUTPUT {
            let megabytes = MAX_OUTPUT >> 20;
            return End::Failed(format!("it sends more than {megabytes} megabytes: too much to compare"));
        }
    }
    let cycles = driver.engine().cycle();
    let mut found = Solutions::read(&port.0);
    if found.positions.is_none() && !entry.positions.is_empty() {
        match count_positions(entry, cycles, interrupt) {
            Some(positions) => found.positions = Some(positions),
            None => return End::Interrupted,
        }
    }
    End::Halted(RunResult { cycles, found })
}

/// Whether two states differ at most in the cycle.
fn is_same(one: &State, other: &State) -> bool {
    let timeless = |state: &State| State { cycle: 0, ..state.clone() };
    timeless(one) == timeless(other)
}

/// Repeats a run and counts how often it reaches a marked position. `None` after an interruption.
fn count_positions(entry: &Entry, cycles: u64, interrupt: &Interrupt) -> Option<u64> {
    let mut is_position = [false; PROGRAM_WORDS];
    entry.positions.iter().for_each(|word| is_position[usize::from(*word)] = true);
    let mut machine = IsaEngine::power_up(&entry.image, Noise::Random(1));
    machine.stop_at(&is_position);
    // The run begins at word 0. The final self-jump is not counted.
    let mut positions = u64::from(is_position[0]);
    while machine.cycle() + 1 < cycles {
        if interrupt.flag().load(Ordering::Relaxed) {
            return None;
        }
        machine.run_until(COUNT_INTERVAL.min(cycles - 1 - machine.cycle()), &mut (), |_| {
            positions += 1;
            false
        });
    }
    Some(positions)
}
