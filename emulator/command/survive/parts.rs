//! Parts of a measurement: the lives of some of the machines as lines of JSON, and parts that are joined.

use crate::files::{self, shown};
use crate::lifetimes::{Life, Lifetimes};
use crate::units::{Capacitor, Frequency};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

/// The first line: what all parts of a measurement share.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Measurement {
    /// How the program was named.
    pub program: String,
    /// The mark of its image.
    pub image: String,
    /// What the board calls itself.
    pub board: String,
    /// What has a random delay.
    pub delays: String,
    /// How many cycles the program takes where nothing fails.
    pub cycles: u64,
    /// Whether it halts then.
    pub halts: bool,
    /// Of the oscillator, in picoseconds.
    pub half_period: u64,
    /// How many machines there are with each capacitor.
    pub seeds: u64,
    /// The capacitors, in picofarads.
    pub capacitors: Vec<u64>,
}

/// Each further line: the life of one machine.
#[derive(Deserialize, Serialize)]
struct Line {
    capacitor: u64,
    seed: u64,
    cycles: u64,
    net: Option<String>,
}

/// Some of the machines, or all.
pub struct Part {
    /// What was measured.
    pub measurement: Measurement,
    /// Lives by capacitor and seed.
    pub lives: BTreeMap<(u64, u64), Life>,
}

impl Part {
    /// The lines.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(&self.measurement)? + "\n";
        for (&(capacitor, seed), Life { cycles, net }) in &self.lives {
            let line = Line { capacitor, seed, cycles: *cycles, net: net.clone() };
            text += &(serde_json::to_string(&line)? + "\n");
        }
        Ok(text)
    }

    /// All that these files have.
    pub fn join(paths: &[PathBuf]) -> Result<Part, Box<dyn Error>> {
        let mut joined: Option<Part> = None;
        for path in paths {
            let text = files::read_text(path)?;
            let mut lines = (1..).zip(text.lines());
            let wrong = |number: usize, error: serde_json::Error| {
                let what = "not what `gray1 survive --format json` writes";
                format!("{}: line {number}: {what}: {error}", shown(path))
            };
            let first = lines.next().map_or("", |(_, line)| line);
            let measurement: Measurement = serde_json::from_str(first).map_err(|error| wrong(1, error))?;
            let part = joined
                .get_or_insert_with(|| Part { measurement: measurement.clone(), lives: BTreeMap::new() });
            if part.measurement != measurement {
                return Err(format!(
                    "{}: part of another measurement than {}",
                    shown(path),
                    shown(&paths[0])
                )
                .into());
            }
            for (number, line) in lines {
                let line: Line = serde_json::from_str(line).map_err(|error| wrong(number, error))?;
                part.lives.insert((line.capacitor, line.seed), Life { cycles: line.cycles, net: line.net });
            }
        }
        joined.ok_or_else(|| "--join: name at least one file".into())
    }

    /// The whole measurement, if nothing is missing.
    pub fn whole(self) -> Result<Lifetimes, String> {
        let Part { measurement, mut lives } = self;
        let Measurement { seeds, capacitors, .. } = &measurement;
        let expected =
            capacitors.iter().flat_map(|&capacitor| (1..=*seeds).map(move |seed| (capacitor, seed)));
        let missing: Vec<(u64, u64)> = expected.filter(|key| !lives.contains_key(key)).collect();
        if let Some((capacitor, seed)) = missing.first() {
            let count = missing.len();
            let capacitor = Capacitor(*capacitor);
            return Err(format!(
                "{count} machines are missing, the first with capacitor {capacitor} and seed {seed}: join all parts"
            ));
        }
        let mut of =
            |capacitor: u64| (1..=*seeds).filter_map(|seed| lives.remove(&(capacitor, seed))).collect();
        let lives = capacitors.iter().map(|&capacitor| (Capacitor(capacitor), of(capacitor))).collect();
        Ok(Lifetimes {
            program: measurement.program,
            whole: (measurement.cycles, measurement.halts),
            frequency: Frequency::of_half_period(measurement.half_period),
            seeds: measurement.seeds,
            lives,
        })
    }
}
