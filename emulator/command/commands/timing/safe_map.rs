//! The map of `gray1 timing --plot`: the frequencies and filters with which the board works, measured with the timed
//! engine.

use crate::support::life::{Life, live_all};
use crate::support::units::{Capacitor, Frequency};
use gray1_chart::{Cell, Heading, Labels, Map, number};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Inputs, Noise};
use gray1_timed::{Conditions, Delays, Paths, TimedBoard, stress};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const CAPACITORS: [u64; 10] = [0, 47, 100, 150, 220, 470, 1_000, 2_200, 4_700, 10_000];
/// Number of rows (frequencies), the slowest at the bottom; the ratio of neighbouring rows is constant.
const ROWS: usize = 12;
const STEP: f64 = 1.15;
/// Machines for each cell: one with the worst delays, the others with random ones.
const MACHINES: u64 = 4;
/// A machine that runs correctly for this many cycles counts as working.
const CYCLES: u64 = 25_000;

/// The map, as SVG.
pub fn measure(
    board: &Board,
    paths: &Paths,
    program: Option<&Image>,
    stop: &AtomicBool,
) -> Result<String, Box<dyn Error>> {
    let (image, inputs, name) = match program {
        Some(image) => (image.clone(), Inputs::default(), "the program given"),
        None => {
            let (image, inputs) = stress();
            (image, inputs, "a program that exercises the longest paths")
        }
    };
    let timed_board = Arc::new(TimedBoard::new(board, &image, Noise::Random(1))?);
    let limits = CAPACITORS.map(|capacitor| Frequency::of_half_period(paths.half_period(capacitor)));
    let rows = rows(&limits);
    let jobs: Vec<(usize, usize, u64)> = (0..rows.len())
        .flat_map(|row| (0..CAPACITORS.len()).map(move |column| (row, column)))
        .flat_map(|(row, column)| (0..MACHINES).map(move |machine| (row, column, machine)))
        .collect();
    let lives =
        live_all(&jobs, &timed_board, (inputs, CYCLES), stop, |&(row, column, machine)| Conditions {
            half_period: rows[row].half_period(),
            delays: if machine == 0 { Delays::Worst } else { Delays::Random(machine) },
            transients: Some(machine),
            capacitor: CAPACITORS[column],
        })?;
    let count = |cell: &[Life]| cell.iter().filter(|life| life.net.is_none()).count();
    let cells = lives.chunks(MACHINES as usize).map(count);
    let cells: Vec<usize> = cells.collect();
    let is_safe = |row: usize, column: usize| rows.get(row).is_some_and(|row| row.0 <= limits[column].0);
    let cells = cells.chunks(CAPACITORS.len()).enumerate().map(|(row, cells)| {
        let cell = |(column, &count): (usize, &usize)| Cell {
            share: count as f64 / MACHINES as f64,
            text: if is_safe(row, column) && !is_safe(row + 1, column) {
                "limit".to_owned()
            } else {
                String::new()
            },
        };
        cells.iter().enumerate().map(cell).collect()
    });
    let map = Map {
        heading: Heading {
            title: format!("{}: how fast it works, with which filter", board.name),
            subtitle: format!(
                "{MACHINES} machines a cell, one with the worst delays, all with transients, for {} instructions \
                 of {name}. “limit”: the highest frequency here that is safe as computed, transients apart.",
                number(CYCLES as f64)
            ),
            footnote:
                "Delays and transients are the model's, see docs/timing.md. Measured with the timed engine."
                    .to_owned(),
        },
        x: Labels {
            title: "capacitor on each output of a register chip".to_owned(),
            labels: CAPACITORS.iter().map(|&capacitor| Capacitor(capacitor).to_string()).collect(),
        },
        y: Labels {
            title: "oscillator".to_owned(),
            labels: rows.iter().map(|frequency| format!("{:.0} kHz", frequency.0 / 1e3)).collect(),
        },
        cells: cells.collect(),
        ends: ["all fail".to_owned(), "all work".to_owned()],
    };
    Ok(map.svg())
}

/// Frequencies from well below the lowest limit to well above the highest.
fn rows(limits: &[Frequency]) -> Vec<Frequency> {
    let highest = limits.iter().map(|frequency| frequency.0).fold(0.0, f64::max);
    (0..ROWS).map(|row| Frequency(highest * STEP.powi(row as i32 - ROWS as i32 + 5))).collect()
}
