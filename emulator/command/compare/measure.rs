//! One run of one program, to its end.

use super::entry::Entry;
use super::found::Found;
use crate::interrupt::Interrupt;
use clap::ValueEnum;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Failure, FastEngine, Noise, Outside, Unsettled};
use std::time::{Duration, Instant};

/// Cycles between two looks at Ctrl-C.
const SLICE: u64 = 200_000;
/// A program that sends more than this has no solutions to compare.
const MOST_SENT: usize = 64 << 20;

/// How the programs are run.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum EngineKind {
    /// Look up every chip of the board, phase by phase
    Chips,
    /// Run instruction by instruction
    Fast,
}

/// How a run ended.
pub enum End {
    Halted(Measured),
    Limit,
    Interrupted,
    Failed(String),
}

/// What a run took, and what came of it.
pub struct Measured {
    pub cycles: u64,
    /// How long the run took on this computer.
    pub time: Duration,
    pub found: Found,
}

/// What the program sends.
#[derive(Default)]
struct Port(Vec<u8>);

impl Outside for Port {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

impl EngineKind {
    /// A machine, powered up and reset.
    fn power_up(self, image: &Image) -> Result<Box<dyn Engine>, Unsettled> {
        let noise = Noise::Random(1);
        Ok(match self {
            EngineKind::Fast => Box::new(FastEngine::power_up(image, noise)),
            EngineKind::Chips => Box::new(ChipsEngine::power_up(&Board::gray1(), image, noise)?),
        })
    }
}

/// Runs a program to its halt, unless something comes before it; tells of the cycles as they are run.
pub fn measure(
    entry: &Entry,
    engine: EngineKind,
    limit: u64,
    interrupt: &Interrupt,
    tell: impl Fn(u64),
) -> End {
    let mut machine = match engine.power_up(&entry.image) {
        Ok(machine) => machine,
        Err(error) => return End::Failed(error.to_string()),
    };
    let mut port = Port::default();
    let mut left = limit;
    let start = Instant::now();
    while !machine.halted() {
        if interrupt.is_asked() {
            return End::Interrupted;
        }
        if left == 0 {
            return End::Limit;
        }
        match machine.run(left.min(SLICE), &mut port) {
            Ok(ran) => {
                left -= ran;
                tell(ran);
            }
            Err(error) => return End::Failed(error.to_string()),
        }
        if port.0.len() > MOST_SENT {
            let megabytes = MOST_SENT >> 20;
            return End::Failed(format!("it sends more than {megabytes} megabytes: too much to compare"));
        }
    }
    let time = start.elapsed();
    let mut found = Found::read(&port.0);
    if found.positions.is_none() && !entry.positions.is_empty() {
        match count_positions(entry, engine, interrupt) {
            Ok(Some(positions)) => found.positions = Some(positions),
            Ok(None) => return End::Interrupted,
            Err(error) => return End::Failed(error.to_string()),
        }
    }
    End::Halted(Measured { cycles: machine.cycle(), time, found })
}

/// How often a program that halts comes by the places where it looks at a position: the run once more, step by step.
/// `None` is an interruption.
fn count_positions(entry: &Entry, engine: EngineKind, interrupt: &Interrupt) -> Result<Option<u64>, Failure> {
    let mut machine = engine.power_up(&entry.image)?;
    let mut positions = 0;
    while !machine.halted() {
        if machine.cycle().is_multiple_of(SLICE) && interrupt.is_asked() {
            return Ok(None);
        }
        positions += u64::from(entry.positions.contains(&machine.registers().pc));
        machine.run(1, &mut ())?;
    }
    Ok(Some(positions))
}
