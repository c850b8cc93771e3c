//! The routines of a program, and the call stack at a position of its run.
//!
//! There is no stack. A call stores its number in a byte of its routine, unless it is the only one, and jumps; the
//! routine returns by decisions on that byte. So the callers follow from the state alone, at any position of a run:
//!
//! ```text
//!   pc ──► its routine ──► the byte with the number of the call ──► that call ──► its routine ──► …
//! ```

use crate::view::View;
use gray1_assembler::{Program, Routine};
use std::collections::BTreeMap;

/// All routines.
#[derive(Default)]
pub(crate) struct Routines {
    all: Vec<Routine>,
    /// For each instruction of a routine its index.
    inside: BTreeMap<u16, usize>,
}

/// The call stack: the sequence numbers of the jumps that have not returned yet, the outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallStack(pub(crate) Vec<u16>);

impl Routines {
    pub fn new(program: &Program) -> Routines {
        let all = program.routines.clone();
        let words = all
            .iter()
            .enumerate()
            .flat_map(|(index, routine)| routine.words.clone().map(move |sequence| (sequence, index)));
        Routines { inside: words.collect(), all }
    }

    /// The name of the routine that an instruction belongs to.
    pub fn of(&self, sequence: u16) -> Option<&str> {
        self.inside.get(&sequence).map(|&index| self.all[index].name.as_str())
    }

    /// Determines the call stack of a machine.
    pub fn call_stack(&self, machine: &dyn View) -> CallStack {
        let mut jumps = Vec::new();
        let mut sequence = machine.running();
        while let Some(&index) = self.inside.get(&sequence) {
            let Routine { calls, call_number, .. } = &self.all[index];
            let number = call_number.map_or(0, |byte| machine.ram(byte));
            let Some(&jump) = calls.get(usize::from(number)) else { break };
            // A routine that calls itself is an error, but `set pc` may lead anywhere.
            if jumps.len() > self.all.len() {
                break;
            }
            jumps.push(jump);
            sequence = jump;
        }
        jumps.reverse();
        CallStack(jumps)
    }
}

impl CallStack {
    /// Whether the other call stack begins with this one.
    pub fn is_within(&self, other: &CallStack) -> bool {
        other.0.starts_with(&self.0)
    }

    /// Whether it is a caller of the other call stack.
    pub fn is_outside(&self, other: &CallStack) -> bool {
        self.0.len() < other.0.len() && self.is_within(other)
    }
}
