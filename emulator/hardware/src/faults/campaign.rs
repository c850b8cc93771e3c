//! A campaign tries many faults. Each result is an independent line, so that parts of a campaign can run anywhere and
//! be joined in any order.

use crate::faults::fault::{Fault, Model};
use crate::faults::outcome::{Evidence, Outcome, Watch};
use crate::faults::place::Place;
use crate::faults::reference::Reference;
use gray1_machine::Random;
use serde::{Deserialize, Serialize};

/// The result for one fault, a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The number of the fault among all of its model.
    pub fault: usize,
    /// The number of faults in the whole campaign.
    pub total: usize,
    /// The fingerprint of the campaign: of its board, program, inputs and choice of faults.
    pub campaign: String,
    /// `pins`, `bridges`, `cells`, `sockets`, `swaps` or `opens`.
    pub model: Model,
    /// The place of the fault.
    #[serde(flatten)]
    pub place: Place,
    /// Whether the watched outputs reveal it.
    pub detected: bool,
    /// The first output that reveals it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Evidence>,
    /// Why it is not detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The first cycle in which the machine does not settle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsettled: Option<u64>,
}

/// A choice of faults of one model, with the conditions of the test.
pub struct Campaign<'a> {
    reference: &'a Reference<'a>,
    model: Model,
    watch: Watch,
    faults: Vec<(usize, Fault)>,
    mark: String,
}

impl<'a> Campaign<'a> {
    /// A campaign with all faults of a model, or with a number of them chosen by a seed.
    pub fn new(
        reference: &'a Reference<'a>,
        model: Model,
        watch: Watch,
        sample: Option<(usize, u64)>,
    ) -> Campaign<'a> {
        let all = reference.faults(model);
        let mut numbers: Vec<usize> = (0..all.len()).collect();
        if let Some((count, seed)) = sample {
            // Each fault has its own random number, whichever others there are.
            let mut random = Random::from_state(seed);
            let order: Vec<u64> = numbers.iter().map(|_| random.draw()).collect();
            numbers.sort_by_key(|&number| order[number]);
            numbers.truncate(count);
            numbers.sort_unstable();
        }
        let faults: Vec<(usize, Fault)> = numbers.into_iter().map(|number| (number, all[number])).collect();
        // Another version may simulate differently.
        let version = env!("CARGO_PKG_VERSION");
        let mark = reference.mark(&format!("{version} {model:?} {watch:?} {sample:?}"));
        Campaign { reference, model, watch, faults, mark }
    }

    /// The numbers of its faults.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.faults.iter().map(|(number, _)| *number)
    }

    /// The total number of faults.
    pub fn size(&self) -> usize {
        self.faults.len()
    }

    /// Runs a machine with the fault of this number. `None` if there is no such fault, or if interrupted.
    pub fn line(&self, number: usize) -> Option<Line> {
        let index = self.faults.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let fault = self.faults[index].1;
        let outcome = self.reference.find(fault, self.watch);
        let reason = outcome.difference.is_none().then(|| self.reference.reason(fault, &outcome, self.watch));
        let Outcome { difference, unsettled, .. } = outcome;
        // The result of an interrupted run is not valid.
        (!self.reference.is_stopped()).then(|| Line {
            fault: number,
            total: self.faults.len(),
            campaign: self.mark.clone(),
            model: self.model,
            place: self.reference.circuit.place(fault),
            detected: difference.is_some(),
            shown: difference,
            reason,
            unsettled,
        })
    }
}
