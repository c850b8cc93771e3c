//! Parts of a measurement: the results of some of the machines as lines of JSON. Parts can be joined.

use super::lifetimes::Lifetimes;
use crate::support::life::Life;
use crate::support::parts::{self, Work};
use crate::support::units::{Capacitor, Frequency, LARGEST};
use gray1_machine::BoardMarks;
use gray1_text::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The allowed numbers of machines with each capacitor.
pub const SEEDS: RangeInclusive<u64> = 1..=100_000;

/// The first line of a file: the conditions of a measurement, which are the same for all its parts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Measurement {
    /// The name of the program's file.
    pub program: String,
    /// The fingerprint of its image.
    pub image: String,
    /// The name of the board.
    pub board: String,
    /// The fingerprints of the board, which distinguish it from others of the same name.
    #[serde(flatten)]
    pub marks: BoardMarks,
    /// The version of this program, since another version may simulate differently.
    pub version: String,
    /// The value of `--delays`.
    pub delays: String,
    /// The number of cycles of the program on a machine that does not fail.
    pub cycles: u64,
    /// Whether it halts after them.
    pub halts: bool,
    /// Half a period of the oscillator, in picoseconds.
    pub half_period: u64,
    /// The number of machines with each capacitor.
    pub seeds: u64,
    /// The capacitors, in picofarads.
    pub capacitors: Vec<u64>,
}

impl Work for Measurement {
    type Result = MachineLife;
    const NAME: &'static str = "measurement";
    const WRITER: &'static str = "gray1 survive --format json";

    /// Rejects values that would overflow or divide by zero.
    fn check(&self) -> Result<(), String> {
        if !SEEDS.contains(&self.seeds) {
            return Err("`seeds` must be between 1 and 100,000".to_owned());
        }
        if self.cycles.checked_mul(self.seeds).is_none() {
            return Err("`cycles` is too large to be summed".to_owned());
        }
        if self.half_period == 0 {
            return Err("`half_period` must not be 0".to_owned());
        }
        let is_ascending = self.capacitors.is_sorted_by(|one, next| one < next);
        if self.capacitors.is_empty()
            || !is_ascending
            || self.capacitors.iter().any(|&pico| pico as f64 > LARGEST)
        {
            return Err("`capacitors` must be in ascending order, each once and at most 1,000,000".to_owned());
        }
        Ok(())
    }

    /// Programs and boards are compared by their fingerprints, since the same one
    /// can have several names.
    fn differences(&self, other: &Measurement) -> Vec<(bool, &'static str)> {
        let (own, others) = (&self.marks, &other.marks);
        vec![
            (self.version != other.version, "the version of gray1"),
            (self.image != other.image, "the program"),
            (own.wiring != others.wiring, "the wiring of the board"),
            (own.tables != others.tables, "the cells of the ROMs"),
            (own.timing != others.timing, "the timing of the parts"),
            (self.delays != other.delays, "--delays"),
            (self.half_period != other.half_period, "--osc"),
            (self.seeds != other.seeds, "--count"),
            (self.capacitors != other.capacitors, "--capacitor"),
            ((self.cycles, self.halts) != (other.cycles, other.halts), "--max-cycles"),
        ]
    }
}

/// Each further line: the result of one machine.
#[derive(Deserialize, Serialize)]
pub struct MachineLife {
    capacitor: u64,
    seed: u64,
    cycles: u64,
    net: Option<String>,
}

/// Some of the machines, or all.
pub struct MachineLives {
    /// The conditions of the measurement.
    pub measurement: Measurement,
    /// The results by capacitor and seed.
    pub lives: BTreeMap<(u64, u64), Life>,
}

impl MachineLives {
    /// The lines of the file.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let lines = self.lives.iter().map(|(&(capacitor, seed), Life { cycles, net })| MachineLife {
            capacitor,
            seed,
            cycles: *cycles,
            net: net.clone(),
        });
        parts::text(&self.measurement, lines)
    }

    /// Joins the results of these files.
    pub fn join(paths: &[PathBuf]) -> Result<MachineLives, Box<dyn Error>> {
        let mut lives = BTreeMap::new();
        let add = |measurement: &Measurement, line: &MachineLife| {
            let MachineLife { capacitor, seed, cycles, net } = line;
            let Measurement { capacitors, seeds, cycles: most, .. } = measurement;
            if !capacitors.contains(capacitor) || !(1..=*seeds).contains(seed) {
                return Err("the first line has no such capacitor or seed");
            }
            if cycles > most {
                return Err("`cycles` is more than the program takes");
            }
            let life = Life { cycles: *cycles, net: net.clone() };
            match lives.insert((*capacitor, *seed), life.clone()) {
                Some(other) if other != life => {
                    Err("another line has a different result for the same machine")
                }
                _ => Ok(()),
            }
        };
        let measurement = parts::join(paths, add)?.swap_remove(0).work;
        Ok(MachineLives { measurement, lives })
    }

    /// The complete measurement. Fails if a machine is missing.
    pub fn whole(self) -> Result<Lifetimes, String> {
        let MachineLives { measurement, mut lives } = self;
        let Measurement { seeds, capacitors, .. } = &measurement;
        let mut expected =
            capacitors.iter().flat_map(|&capacitor| (1..=*seeds).map(move |seed| (capacitor, seed)));
        if let Some((capacitor, seed)) = expected.find(|key| !lives.contains_key(key)) {
            let count = (capacitors.len() * *seeds as usize).saturating_sub(lives.len());
            let (missing, are) = (counted(count, "machine"), if count == 1 { "is" } else { "are" });
            let capacitor = Capacitor(capacitor);
            return Err(format!(
                "--join: {missing} {are} missing, the first with capacitor {capacitor} and seed {seed}: join all parts"
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
