//! The required behaviour of a board, as data.

use super::names::{Condition, Names};
use crate::Refusal;
use gray1_machine::netlist::{NetId, Netlist, number};
use gray1_text::Formula;

/// The required behaviour of a board. Switches and lamps are indices of names.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    /// The value of a lamp in every stable state.
    pub always: Vec<(usize, Formula)>,
    /// For each condition, a second one that must hold in the same stable states.
    pub holds: Vec<(Condition, Condition)>,
    /// The effects of moves and beats.
    pub rules: Vec<Rule>,
    /// Switches whose lines may change at the same time, and the condition for it, if any.
    pub together: Vec<(usize, Option<Formula>)>,
    /// Lamps that change at most once for each move.
    pub steady: Vec<usize>,
    /// Strobes that are never 1 together. All other switches move while the first is 0.
    pub strobes: Vec<usize>,
    /// The switch that makes all lamps 0 in a beat, from every state. Beats are checked in the states that follow.
    pub reset: Option<usize>,
    /// The memory, if any.
    pub memory: Option<Memory>,
}

/// The effect of a move on a lamp.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The switches that move. If empty, the rule applies to all switches.
    pub moved: Vec<usize>,
    /// Set if each switch rises and falls in turn. Otherwise a single switch moves.
    pub is_beat: bool,
    /// A condition on the state after the move, if any.
    pub condition: Option<Condition>,
    pub lamp: usize,
    pub goal: Goal,
}

/// The required value of the lamp after the move.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The number after the present one in this list of distinct numbers.
    Next(Vec<u32>),
    /// The formula's value before the move.
    Becomes(Formula),
    /// The present value, without a temporary change.
    Stays,
}

/// A memory outside of the board: its data lines are switches, and its address lines are lamps.
#[derive(Clone, Debug)]
pub struct Memory {
    pub switch: usize,
    pub lamp: usize,
    /// The contents, by address.
    pub numbers: Vec<u32>,
}

impl Requirements {
    /// Whether nothing is required.
    pub fn is_empty(&self) -> bool {
        self.always.is_empty() && self.holds.is_empty() && self.rules.is_empty() && self.steady.is_empty()
    }

    /// Iterates over the rules for beats.
    pub fn beats(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.is_beat)
    }
}

impl Rule {
    /// Computes the lamp's value after a move from these levels. `None` if its present value is not in the list.
    pub fn expected(
        &self,
        names: &Names,
        netlist: &Netlist,
        before: &[bool],
    ) -> Result<Option<u32>, Refusal> {
        let nets = names.nets(self.lamp, netlist);
        let present = number(before, &nets);
        Ok(match &self.goal {
            Goal::Stays => Some(present),
            Goal::Next(numbers) => {
                let position = numbers.iter().position(|number| *number == present);
                position.map(|position| numbers[(position + 1) % numbers.len()])
            }
            Goal::Becomes(formula) => {
                Some(mask_to_lines(formula.value(&names.values(netlist, before))?, &nets))
            }
        })
    }
}

/// Reduces a value to the bits that these nets can carry.
pub fn mask_to_lines(value: i64, nets: &[NetId]) -> u32 {
    value as u32 & ((1u64 << nets.len()) - 1) as u32
}
