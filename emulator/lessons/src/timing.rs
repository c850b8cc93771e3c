//! Attempts that choose a capacitor or an oscillator frequency. The timed engine runs a program with these values.
//!
//! ```text
//!   capacitor 0 pF                     a given value …
//!   choose capacitor                   … or a value that the student chooses
//!   oscillator 461.4 kHz
//!   choose oscillator of at least 500 kHz
//!   machines 5 17 40 for 5000 cycles   machines, by the seeds of their delays and transients
//!   the slowest chips for 5000 cycles  a machine with worst-case delays, on the hardest program
//! ```
//!
//! An attempt is a line for each value: `capacitor = 470 pF`, `oscillator = 480 kHz`.

use crate::Refusal;
use crate::refusal::refuse;
use crate::run::AssembledProgram;
use crate::statement::{Fault, Statement, between};
use crate::verdict::Judgement;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Engine, Inputs, Noise};
use gray1_timed::{Conditions, Delays, TimedBoard, TimedEngine, stress};
use std::sync::Arc;

/// Picoseconds of half a period, times kilohertz.
const HALF_PERIOD_AT_1_KHZ: f64 = 500_000_000.0;
/// The largest capacitor that makes sense.
const MAX_PICOFARADS: f64 = 100_000.0;
/// The frequencies that make sense.
const KILOHERTZ_RANGE: std::ops::RangeInclusive<f64> = 1.0..=5_000.0;

/// The values and the machines that must run without a failure.
#[derive(Clone, Debug)]
pub struct Task {
    capacitor: Value,
    oscillator: Value,
    /// The seeds of the machines with random delays, and their number of cycles.
    machines: (Vec<u64>, u64),
    /// The number of cycles of the machine with the slowest chips.
    slowest: u64,
    given: Option<AssembledProgram>,
}

/// A value that the exercise gives or the student chooses.
#[derive(Clone, Debug)]
enum Value {
    Given(f64),
    /// A chosen value, which must be at least this.
    Chosen(f64),
}

impl Task {
    pub fn read(statement: &Statement, given: Option<&str>) -> Result<Task, Fault> {
        let (mut capacitor, mut oscillator) = (None, None);
        let (mut machines, mut slowest) = ((Vec::new(), 0), 0);
        for line in statement.lines() {
            if line == "choose capacitor" {
                capacitor = Some(Value::Chosen(0.0));
            } else if let Some(number) = between(line, "choose oscillator of at least ", " kHz") {
                oscillator = Some(Value::Chosen(statement.number(number)?));
            } else if let Some(number) = between(line, "capacitor ", " pF") {
                capacitor = Some(Value::Given(statement.number(number)?));
            } else if let Some(number) = between(line, "oscillator ", " kHz") {
                oscillator = Some(Value::Given(statement.number(number)?));
            } else if let Some(number) = between(line, "the slowest chips for ", " cycles") {
                slowest = statement.number(number)?;
            } else if let Some((seeds, cycles)) =
                between(line, "machines ", " cycles").and_then(|text| text.split_once(" for "))
            {
                machines = (statement.numbers(seeds)?, statement.number(cycles)?);
            } else {
                return Err(statement.unknown(line, "docs/lessons/README.md has the lines of this kind"));
            }
        }
        let (Some(capacitor), Some(oscillator)) = (capacitor, oscillator) else {
            return Err(statement.fault("`capacitor` and `oscillator` must be given or chosen"));
        };
        let given =
            if machines.0.is_empty() { None } else { Some(AssembledProgram::from_lesson(statement, given)?) };
        Ok(Task { capacitor, oscillator, machines, slowest, given })
    }

    pub fn check(&self, attempt: &str) -> Judgement {
        let capacitor = self.capacitor.resolve(attempt, "capacitor", "pF", 0.0..=MAX_PICOFARADS)?;
        let oscillator = self.oscillator.resolve(attempt, "oscillator", "kHz", KILOHERTZ_RANGE)?;
        let conditions = Conditions {
            half_period: (HALF_PERIOD_AT_1_KHZ / oscillator) as u64,
            delays: Delays::Worst,
            transients: None,
            capacitor: capacitor.round() as u64,
        };
        let board = Board::gray1();
        let prepared = |image: &Image| TimedBoard::new(&board, image, Noise::Zeros).map(Arc::new);
        if self.slowest > 0 {
            let (image, inputs) = stress();
            let board = prepared(&image)?;
            let mut machine = TimedEngine::on(&board, &conditions);
            run(&mut machine, inputs, self.slowest, "The machine with the slowest chips")?;
        }
        if let Some(given) = &self.given {
            let board = prepared(given.image())?;
            let (seeds, cycles) = &self.machines;
            for &seed in seeds {
                let delays = Delays::Random(seed);
                let conditions = Conditions { delays, transients: Some(seed), ..conditions };
                let mut machine = TimedEngine::on(&board, &conditions);
                run(&mut machine, Inputs::default(), *cycles, &format!("Machine {seed}"))?;
            }
        }
        let capacitor = conditions.capacitor;
        Ok(format!("Right: with {capacitor} pF at {oscillator} kHz all of them run without a fault."))
    }
}

impl Value {
    /// Returns the value. A chosen one is parsed from the attempt.
    fn resolve(
        &self,
        attempt: &str,
        name: &str,
        unit: &str,
        allowed: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, Refusal> {
        let least = match *self {
            Value::Given(value) => return Ok(value),
            Value::Chosen(least) => least,
        };
        let lines = attempt.lines().filter_map(|line| line.split_once('='));
        let value = lines.filter(|(left, _)| left.trim() == name).map(|(_, right)| right.trim()).next();
        let value = value.ok_or_else(|| format!("Write a line `{name} = … {unit}`."))?;
        let number = value.strip_suffix(unit).unwrap_or(value).trim().parse::<f64>();
        let number = number.ok().filter(|number| allowed.contains(number)).ok_or_else(|| {
            let (from, to) = allowed.clone().into_inner();
            format!("`{value}` is not a value for the {name}: a number of {unit}, {from} to {to}.")
        })?;
        if number < least {
            refuse!("The {name} has {number} {unit}, expected at least {least}.");
        }
        Ok(number)
    }
}

/// Runs a machine until it halts, for at most this many cycles. Returns an error if it fails.
fn run(machine: &mut TimedEngine, inputs: Inputs, cycles: u64, who: &str) -> Result<(), Refusal> {
    machine.press(inputs)?;
    match machine.run(cycles, &mut ()) {
        Ok(_) => Ok(()),
        Err(error) => {
            let why = match machine.failure() {
                Some(failure) if failure.by_transient => "A transient has got round a storage loop",
                _ => "The board was not ready when the next edge of the oscillator came",
            };
            Err(format!("{who} fails after {} instructions. {why}:\n\n{error}", machine.cycle()).into())
        }
    }
}
