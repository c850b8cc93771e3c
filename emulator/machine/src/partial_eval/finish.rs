//! The steps of a block, in the order in which they are made, and the places of their results.

use super::layout::SPARE;
use super::steps::{Code, Op, Step, StepKind, Value};
use crate::evaluated::Two;

/// A place that is never read.
const NOWHERE: u16 = SPARE;

/// A block that can be run.
pub(super) struct OrderedSteps {
    pub ops: Vec<Op>,
    /// The table and the place that decide what follows.
    pub decides: Option<(u16, u16)>,
    /// The places that it overwrites without reading them before.
    pub overwrites: Vec<u16>,
}

struct Plan<'a> {
    steps: &'a [Step],
    /// The steps whose results are needed.
    is_needed: Vec<bool>,
    /// The place of the result of each step.
    homes: Vec<Option<u16>>,
    /// The steps that keep a value only after all others, because the place is still read.
    late: Vec<usize>,
    /// Bytes that are still needed after their places have been overwritten, and their copies.
    saved: Vec<(u16, u16)>,
    /// The first place that is free.
    end: u16,
}

/// Puts steps in order. `now` are the places with another value than at the beginning; places from `end` on are free.
/// The bytes at the places `dead` are not needed afterwards. `None` if there is not enough room.
pub(super) fn finish(
    steps: &[Step],
    now: &[(u16, Value)],
    end: u16,
    decides: Option<(u16, Value)>,
    dead: &[u16],
) -> Option<OrderedSteps> {
    let is_needed = vec![false; steps.len()];
    let mut plan =
        Plan { steps, is_needed, homes: vec![None; steps.len()], late: Vec::new(), saved: Vec::new(), end };
    let kept: Vec<(u16, Value)> = now.iter().filter(|known| !dead.contains(&known.0)).copied().collect();
    plan.need(&kept, decides);
    plan.place(&kept);
    let decided = decides.map(|decides| decides.1);
    plan.save(&kept, decided);
    let ops = plan.ops();
    let decides = decides.map(|(map, value)| (map, plan.after(value)));
    let is_read = |place: u16| {
        let steps = steps.iter().zip(&plan.is_needed).filter(|(_, is_needed)| **is_needed);
        let mut values = steps.flat_map(|((_, of), _)| of).chain(&decided);
        values.any(|&value| value == Value::Initial(place))
    };
    let overwrites = now.iter().map(|known| known.0).filter(|&place| !is_read(place)).collect();
    (plan.end < NOWHERE - 8).then_some(OrderedSteps { ops, decides, overwrites })
}

impl Plan<'_> {
    /// Finds the steps that are needed.
    fn need(&mut self, kept: &[(u16, Value)], decides: Option<(u16, Value)>) {
        for &(place, _) in kept {
            if let Some(last) = self.steps.iter().rposition(|step| step.0 == StepKind::Keep(place)) {
                self.is_needed[last] = true;
            }
        }
        if let Some((_, Value::Step(step))) = decides {
            self.is_needed[step] = true;
        }
        for (index, (how, of)) in self.steps.iter().enumerate().rev() {
            self.is_needed[index] |= matches!(how, StepKind::Show(..));
            if self.is_needed[index] {
                for value in of {
                    if let Value::Step(step) = value {
                        self.is_needed[*step] = true;
                    }
                }
            }
        }
    }

    fn is_read_after(&self, place: u16, index: usize) -> bool {
        let mut later = self.steps.iter().zip(&self.is_needed).skip(index + 1);
        later.any(|((_, of), is_needed)| *is_needed && of.contains(&Value::Initial(place)))
    }

    /// Finds a place for each result: where it is kept, if the byte there is not read any more.
    fn place(&mut self, kept: &[(u16, Value)]) {
        for &(place, value) in kept {
            let Some(last) = self.steps.iter().rposition(|step| step.0 == StepKind::Keep(place)) else {
                continue;
            };
            match value {
                Value::Step(step) if self.homes[step].is_none() && !self.is_read_after(place, step) => {
                    self.homes[step] = Some(place);
                    self.is_needed[last] = false;
                }
                _ if self.is_read_after(place, last) => self.late.push(last),
                _ => {}
            }
        }
        for index in 0..self.steps.len() {
            let has_result = !matches!(self.steps[index].0, StepKind::Show(..) | StepKind::Keep(_));
            if self.is_needed[index] && has_result && self.homes[index].is_none() {
                self.homes[index] = Some(self.end);
                self.end += 1;
            }
        }
    }

    /// Finds the bytes that are read after all steps, although their places are overwritten.
    fn save(&mut self, kept: &[(u16, Value)], decided: Option<Value>) {
        let late: Vec<Value> = self.late.iter().map(|&index| self.steps[index].1[0]).chain(decided).collect();
        for value in late {
            if let Value::Initial(place) = value
                && kept.iter().any(|known| known.0 == place)
                && self.saved.iter().all(|saved| saved.0 != place)
            {
                self.saved.push((place, self.end));
                self.end += 1;
            }
        }
    }

    fn ops(&self) -> Vec<Op> {
        let mut ops: Vec<Op> = self.saved.iter().map(|&(from, to)| Op::copy(to, from)).collect();
        for (index, (how, of)) in self.steps.iter().enumerate() {
            if !self.is_needed[index] || self.late.contains(&index) {
                continue;
            }
            let [a, b, c] = of.map(|value| self.during(value));
            let to = self.homes[index].unwrap_or(NOWHERE);
            match (*how, ops.last_mut()) {
                // The carry has just been computed from the same bytes.
                (StepKind::Two(Two::Sum), Some(last))
                    if last.code == Code::Two(Two::Carry) && (last.a, last.b) == (a, b) =>
                {
                    *last = Op { code: Code::SumAndCarry, to, a, b, c: last.to, table: 0 };
                }
                (StepKind::Map(table), _) => ops.push(Op { code: Code::Map, to, a, b, c, table }),
                (StepKind::Two(two), _) => ops.push(Op { code: Code::Two(two), to, a, b, c, table: 0 }),
                (StepKind::Table(table), _) => ops.push(Op { code: Code::Table, to, a, b, c, table }),
                (StepKind::Show(table, cycle), _) => {
                    ops.push(Op { code: Code::Show, to: NOWHERE, a, b: cycle, c: NOWHERE, table });
                }
                (StepKind::Keep(place), Some(last))
                    if last.code == Code::Show && last.a == a && last.to == NOWHERE =>
                {
                    last.to = place;
                }
                (StepKind::Keep(place), Some(last))
                    if last.code == Code::Show && last.a == a && last.c == NOWHERE =>
                {
                    last.c = place;
                }
                (StepKind::Keep(place), _) => ops.push(Op::copy(place, a)),
            }
        }
        for &index in &self.late {
            if let StepKind::Keep(place) = self.steps[index].0 {
                ops.push(Op::copy(place, self.after(self.steps[index].1[0])));
            }
        }
        ops
    }

    /// The place of a value while the steps run.
    fn during(&self, value: Value) -> u16 {
        match value {
            Value::Initial(place) => place,
            Value::Step(step) => self.homes[step].unwrap_or(NOWHERE),
        }
    }

    /// The place of a value after all steps.
    fn after(&self, value: Value) -> u16 {
        let saved = self.saved.iter().find(|saved| value == Value::Initial(saved.0));
        saved.map_or_else(|| self.during(value), |saved| saved.1)
    }
}
