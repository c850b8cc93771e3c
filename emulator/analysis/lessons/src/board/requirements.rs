//! What a board is to do, as data.

use super::names::{Condition, Names};
use crate::Refusal;
use gray1_machine::netlist::{NetId, Netlist, number};
use gray1_text::Formula;

/// What a board is to do. Switches and lamps are indices of names.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What a lamp shows in each state of rest.
    pub always: Vec<(usize, Formula)>,
    /// What holds in the states of rest in which a condition does.
    pub holds: Vec<(Condition, Condition)>,
    /// What follows from a move, or from a beat.
    pub rules: Vec<Rule>,
    /// Switches that may move at the same time, some of them only while a condition holds.
    pub together: Vec<(usize, Option<Formula>)>,
    /// Lamps that change at most once for each move.
    pub steady: Vec<usize>,
    /// Strobes that are never 1 together. All other switches move while the first is 0.
    pub strobes: Vec<usize>,
    /// The switch that makes all lamps 0 in a beat, from every state. Beats are judged in the states that follow.
    pub reset: Option<usize>,
    pub memory: Option<Memory>,
}

/// What a lamp does when switches move.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The switches that move; none for all of them.
    pub moved: Vec<usize>,
    /// Whether each of them goes up and down in turn; otherwise one of them moves.
    pub is_beat: bool,
    /// The rule's condition after the move.
    pub condition: Option<Condition>,
    pub lamp: usize,
    pub goal: Goal,
}

/// The lamp's next value.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The number after the present one, which is in the list once.
    Next(Vec<u32>),
    /// The formula's value before the move.
    Becomes(Formula),
    /// The present value, without any change on the way.
    Stays,
}

/// A memory whose data lines are switches and whose address lines are lamps.
#[derive(Clone, Debug)]
pub struct Memory {
    pub switch: usize,
    pub lamp: usize,
    /// What is at each address.
    pub numbers: Vec<u32>,
}

impl Wanted {
    pub fn is_nothing(&self) -> bool {
        self.always.is_empty() && self.holds.is_empty() && self.rules.is_empty() && self.steady.is_empty()
    }

    /// The rules about beats.
    pub fn beats(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.is_beat)
    }
}

impl Rule {
    /// The lamp's value after a move from these levels. `None` if its present value is not in the list.
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
            Goal::Becomes(formula) => Some(masked(formula.value(&names.values(netlist, before))?, &nets)),
        })
    }
}

/// A value on these nets.
pub fn masked(value: i64, nets: &[NetId]) -> u32 {
    value as u32 & ((1u64 << nets.len()) - 1) as u32
}
