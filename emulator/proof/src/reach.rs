//! Finds a run in which a fault of the tables occurs: it runs programs of random words on the chips engine, phase by
//! phase.

use crate::runs::random_program;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use gray1_machine::{ChipsEngine, Engine, Noise, Probe, Unsettled};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of programs to try, and the cycles of each.
const PROGRAMS: u64 = 60;
const CYCLES: u64 = 400;

/// An instruction at which the fault occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// The instruction, as a program writes it, and its word.
    pub instruction: String,
    #[allow(missing_docs)]
    pub word: String,
    /// The registers when it begins.
    pub pc: String,
    #[allow(missing_docs)]
    pub a: String,
    #[allow(missing_docs)]
    pub c: u8,
    /// The instruction that follows it.
    pub next: String,
    /// The phase of its cycle; phase 0 is the one that follows it.
    pub phase: u8,
}

/// The effect of one phase on the chips and nets that are watched.
pub(crate) struct PhaseObservation<'a> {
    pub phase: u8,
    /// The addresses of the chips, before and after.
    pub before: &'a [u32],
    pub after: &'a [u32],
    /// Whether all the nets changed.
    pub all_moved: bool,
    /// The chips that did not come to rest.
    pub unsettled: Option<&'a Unsettled>,
}

/// Runs random programs until a phase is found in which `trouble` finds the fault.
pub(crate) fn reach<Trouble>(
    board: &Board,
    stop: &AtomicBool,
    chips: &[&str],
    nets: &[String],
    mut trouble: impl FnMut(PhaseObservation) -> Option<Trouble>,
) -> Option<(Reached, Trouble)> {
    for seed in 1..=PROGRAMS {
        // Without a CPU there is no program.
        if stop.load(Ordering::Relaxed) || board.bench.is_some() {
            return None;
        }
        let image = random_program(seed);
        let Ok(mut engine) = ChipsEngine::power_up(board, &image, Noise::Random(seed)) else { continue };
        let clips: Vec<ChipId> = chips.iter().filter_map(|chip| engine.netlist().chip(chip)).collect();
        let probes: Vec<Probe> = nets.iter().filter_map(|net| engine.probe(net)).collect();
        let mut reached = begin(&engine, &image);
        let mut before = look(&engine, &clips, &probes);
        while engine.cycle() < CYCLES && !engine.halted() {
            let phase = (engine.phase_number() + 1) % 4;
            let result = engine.phase(&mut ());
            let after = look(&engine, &clips, &probes);
            let moved = before.1.iter().zip(&after.1).all(|(before, after)| before != after);
            let seen = PhaseObservation {
                phase,
                before: &before.0,
                after: &after.0,
                all_moved: moved && !probes.is_empty(),
                unsettled: result.as_ref().err(),
            };
            if let Some(found) = trouble(seen) {
                return Some((Reached { phase, ..reached }, found));
            }
            if result.is_err() {
                break;
            }
            if phase == 0 {
                reached = begin(&engine, &image);
            }
            before = after;
        }
    }
    None
}

fn look(engine: &ChipsEngine, chips: &[ChipId], nets: &[Probe]) -> (Vec<u32>, Vec<u16>) {
    (
        chips.iter().map(|chip| engine.look_at(*chip).0).collect(),
        nets.iter().map(|net| engine.read(net)).collect(),
    )
}

fn begin(engine: &ChipsEngine, image: &Image) -> Reached {
    let (word, registers) = (engine.word(), engine.registers());
    let next = match word.landing() {
        Some(landing) => landing,
        None => (registers.pc + 1) % 4096,
    };
    Reached {
        instruction: word.to_string(),
        word: format!("{:04X}", word.0),
        pc: format!("{:03X}", registers.pc),
        a: format!("{:02X}", registers.a),
        c: registers.c.into(),
        next: image.word(next).to_string(),
        phase: 0,
    }
}
