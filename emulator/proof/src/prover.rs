//! A prover: a board, the limits of searches, and findings that several claims need, each made once.

use crate::instructions::Observer;
use crate::limits::Limits;
use crate::presses;
use crate::report::ClaimReport;
use gray1_machine::Noise;
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Proves or refutes claims about one board.
#[derive(Clone)]
pub struct Prover<'a> {
    pub(crate) board: &'a Board,
    pub(crate) limits: Limits,
    pub(crate) stop: &'a AtomicBool,
    findings: Arc<Findings>,
}

/// A proof was stopped before there was a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the proof was stopped")]
pub struct Stopped;

/// Results that several claims need. Those found after the proof was stopped are never reported: the flag stays set.
#[derive(Default)]
struct Findings {
    instructions: OnceLock<ClaimReport>,
    harm: OnceLock<Option<String>>,
    is_wrong_outside: OnceLock<bool>,
}

impl<'a> Prover<'a> {
    /// Creates a prover that is never stopped, with limits far above what a board of this size needs.
    pub fn new(board: &'a Board) -> Prover<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Prover { board, limits: Limits::default(), stop: &NEVER, findings: Arc::default() }
    }

    /// Sets other limits.
    pub fn within(self, limits: Limits) -> Prover<'a> {
        Prover { limits, findings: Arc::default(), ..self }
    }

    /// Stops the proof as soon as this flag is set. A stopped prover stays stopped: the flag must not be
    /// cleared.
    pub fn until(self, stop: &'a AtomicBool) -> Prover<'a> {
        Prover { stop, ..self }
    }

    /// Returns an error if the proof is to be stopped.
    pub(crate) fn unless_stopped(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Returns the report on the claim `instructions`, made by this function if there is none yet.
    pub(crate) fn instructions(&self, examine: impl FnOnce() -> ClaimReport) -> ClaimReport {
        self.findings.instructions.get_or_init(examine).clone()
    }

    /// Describes a button press that does harm, if one is found.
    pub(crate) fn harm(&self, clock: &[ChipId]) -> Option<String> {
        self.findings.harm.get_or_init(|| presses::harm(self.board, clock, self.stop)).clone()
    }

    /// Whether one of many programs sends or shows something wrong, for some levels at power-up.
    pub(crate) fn is_wrong_outside(&self) -> bool {
        let is_wrong = |noise| {
            let observer = Observer::power_up(self.board, noise);
            observer.is_none_or(|mut observer| observer.any(None, self.stop).is_some())
        };
        let noises = [Noise::Zeros, Noise::Ones, Noise::Random(1)];
        *self.findings.is_wrong_outside.get_or_init(|| noises.into_iter().any(is_wrong))
    }
}
