//! Causes as data, step by step, for JSON.

use super::Answer;
use crate::debugger::Debugger;
use crate::place::Place;
use crate::position::Position;
use crate::why::Mechanism;
use gray1_machine::board::Chip;
use serde::Serialize;

/// A step of an answer. Its JSON is a contract; see docs/command-line.md.
#[derive(Serialize)]
pub struct CauseRow {
    #[serde(flatten)]
    at: Position,
    chip: Option<String>,
    #[serde(flatten)]
    lookup: LookupRow,
    instruction: String,
    source: Option<String>,
    expansions: Vec<String>,
    net: String,
    value: u8,
    how: Mechanism,
    held_until: Option<Position>,
    burned: Option<String>,
    causes: Vec<usize>,
    reasons: Vec<ReasonRow>,
    depth: usize,
    why: String,
}

/// The cell of a ROM or a RAM that a step looked up, and the data line; `None` if the step is not a lookup.
#[derive(Serialize)]
struct LookupRow {
    address: Option<u32>,
    cell: Option<u8>,
    line: Option<usize>,
}

/// A reason for a step: an address line of its chip, with its level.
#[derive(Serialize)]
struct ReasonRow {
    line: Option<usize>,
    net: String,
    value: u8,
    decisive: bool,
    #[serde(flatten)]
    at: Position,
    step: Option<usize>,
}

impl Debugger {
    /// The steps of an answer, from effect to cause.
    pub fn cause_rows(&self, answer: &Answer) -> Vec<CauseRow> {
        (0..answer.steps.len()).map(|index| self.cause_row(answer, index)).collect()
    }

    fn cause_row(&self, answer: &Answer, index: usize) -> CauseRow {
        let step = &answer.steps[index];
        let Place { instruction, source, expansions, .. } = self.source().place(answer.running[index]);
        let chip = step.lookup.map(|lookup| &self.board().chips[lookup.chip]);
        let reasons = step.reasons.iter().map(|reason| ReasonRow {
            line: reason.line,
            net: self.effect_name(reason.effect),
            value: reason.level.into(),
            decisive: reason.is_decisive,
            at: Position::after_phases(reason.moment),
            step: reason.step,
        });
        CauseRow {
            at: Position::after_phases(step.moment),
            chip: chip.map(|chip| chip.name().to_owned()),
            lookup: LookupRow {
                address: step.lookup.map(|lookup| lookup.address),
                cell: step.lookup.map(|lookup| lookup.cell),
                line: step.lookup.map(|lookup| lookup.line),
            },
            instruction,
            source,
            expansions,
            net: self.effect_name(step.effect),
            value: step.level.into(),
            how: step.how,
            held_until: (step.until > step.moment).then(|| Position::after_phases(step.until)),
            burned: chip.map(Chip::burned),
            causes: step.reasons.iter().filter_map(|reason| reason.step).collect(),
            reasons: reasons.collect(),
            depth: step.depth,
            why: self.step_text(std::slice::from_ref(step)).join(", "),
        }
    }
}
