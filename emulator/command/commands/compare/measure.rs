//! Runs one program until it halts, and measures its cost.

use super::entry::Entry;
use super::found::Solutions;
use crate::support::interrupt::Interrupt;
use crate::support::machine::{EngineKind, MachineArguments};
use gray1_isa::PROGRAM_WORDS;
use gray1_machine::{Driver, Engine, IsaEngine, Noise, Outside, State, Stop};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often progress is reported and the output examined.
const TICK: Duration = Duration::from_millis(10);
/// States are compared every so many cycles: a number that the lengths of most loops divide.
const ROUND: u64 = 720_720;
/// An interruption ends the counting of positions after this many cycles.
const SLICE: u64 = 1 << 20;
/// A program that sends more than this is not one that lists solutions, so it is stopped before it fills the memory.
const MOST_SENT: usize = 64 << 20;

/// How a run ended.
pub enum End {
    Halted(Measured),
    Limit,
    /// From this cycle on, the machine is in the same state again after this many cycles.
    Endless {
        from: u64,
        length: u64,
    },
    Interrupted,
    Failed(String),
}

/// The costs and the results of a run.
pub struct Measured {
    pub cycles: u64,
    /// How long the run took on this computer.
    pub time: Duration,
    pub found: Solutions,
}

/// What the program sends.
#[derive(Default)]
struct Port(Vec<u8>);

impl Outside for Port {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// Runs a program until it halts or is stopped, reporting cycles to `progress` as they are run.
pub fn measure(entry: &Entry, limit: u64, interrupt: &Interrupt, tell: impl Fn(u64)) -> End {
    let mut machine = match MachineArguments::usual(EngineKind::Chips).engine(&entry.image) {
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
        let round = ROUND - driver.engine().cycle() % ROUND;
        match driver.run(round, TICK, &mut port) {
            Ok(ran) => tell(ran),
            Err(error) => return End::Failed(error.to_string()),
        }
        // Without inputs, a machine that is in the same state again runs in a circle. One that sends will be stopped.
        let cycle = driver.engine().cycle();
        if cycle % ROUND == 0 && cycle > before.cycle && driver.stop().is_none() {
            let now = driver.engine().state();
            if port.0.len() == sent_before && is_same(&before, &now) {
                return End::Endless { from: before.cycle, length: cycle - before.cycle };
            }
            // The distance grows, so that it becomes a multiple of any length.
            if (cycle / ROUND).is_power_of_two() {
                (before, sent_before) = (now, port.0.len());
            }
        }
        if port.0.len() > MOST_SENT {
            let megabytes = MOST_SENT >> 20;
            return End::Failed(format!("it sends more than {megabytes} megabytes: too much to compare"));
        }
    }
    let (time, cycles) = (start.elapsed(), driver.engine().cycle());
    let mut found = Solutions::read(&port.0);
    if found.positions.is_none() && !entry.positions.is_empty() {
        match count_positions(entry, cycles, interrupt) {
            Some(positions) => found.positions = Some(positions),
            None => return End::Interrupted,
        }
    }
    End::Halted(Measured { cycles, time, found })
}

/// Whether two states differ in nothing but the cycle.
fn is_same(one: &State, other: &State) -> bool {
    let timeless = |state: &State| State { cycle: 0, ..state.clone() };
    timeless(one) == timeless(other)
}

/// Counts how often a run of a number of cycles passes the marks of an examined position, by repeating it. `None` if
/// it was interrupted.
fn count_positions(entry: &Entry, cycles: u64, interrupt: &Interrupt) -> Option<u64> {
    let mut is_position = [false; PROGRAM_WORDS];
    entry.positions.iter().for_each(|word| is_position[usize::from(*word)] = true);
    let mut machine = IsaEngine::power_up(&entry.image, Noise::Random(1));
    machine.stop_at(&is_position);
    // The run begins at word 0. Where it has halted, no cycle begins.
    let mut positions = u64::from(is_position[0]);
    while machine.cycle() + 1 < cycles {
        if interrupt.flag().load(Ordering::Relaxed) {
            return None;
        }
        machine.run_until(SLICE.min(cycles - 1 - machine.cycle()), &mut (), |_| {
            positions += 1;
            false
        });
    }
    Some(positions)
}
