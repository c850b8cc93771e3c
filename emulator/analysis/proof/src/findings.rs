//! Findings about a board that several claims need, each made once.

use crate::instructions::Observer;
use crate::presses;
use crate::report::ClaimReport;
use gray1_machine::Noise;
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The findings so far.
#[derive(Default)]
pub(crate) struct Findings {
    /// The report on the claim `instructions`.
    pub instructions: Finding<ClaimReport>,
    harm: Finding<Option<String>>,
    is_wrong_outside: Finding<bool>,
}

impl Findings {
    /// Describes a button press that does harm, if one is found.
    pub fn harm(&self, board: &Board, clock: &[ChipId], stop: &AtomicBool) -> Option<String> {
        self.harm.make(stop, || presses::harm(board, clock, stop))
    }

    /// Whether a program of many sends or shows something wrong, for some levels at power-up.
    pub fn is_wrong_outside(&self, board: &Board, stop: &AtomicBool) -> bool {
        let is_wrong = |noise| {
            let observer = Observer::woken(board, noise);
            observer.is_none_or(|mut observer| observer.any(None, stop).is_some())
        };
        self.is_wrong_outside
            .make(stop, || [Noise::Zeros, Noise::Ones, Noise::Random(1)].into_iter().any(is_wrong))
    }
}

/// A finding, once it is made.
pub(crate) struct Finding<T>(Mutex<Option<T>>);

impl<T> Default for Finding<T> {
    fn default() -> Finding<T> {
        Finding(Mutex::new(None))
    }
}

impl<T: Clone> Finding<T> {
    /// Makes the finding, unless it is made already. One that is made while the proof is stopped is not kept.
    pub fn make(&self, stop: &AtomicBool, find: impl FnOnce() -> T) -> T {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return made.clone();
        }
        let found = find();
        *made = Some(found.clone()).filter(|_| !stop.load(Ordering::Relaxed));
        found
    }
}
