//! Breakpoints, watchpoints and logpoints: a trigger, and the action when it is hit.

use crate::expression::Expression;
use crate::template::Template;
use crate::trigger::Trigger;
use crate::view::View;
use std::collections::BTreeMap;

/// A breakpoint; a watchpoint if its trigger is about RAM or a net, a logpoint if it has a message.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number, from 1; 0 until it is added to a debugger.
    pub number: usize,
    /// Its name in messages.
    pub title: String,
    /// The trigger.
    pub trigger: Trigger,
    /// If given, a hit counts only if the value of this is not 0.
    pub condition: Option<Expression>,
    /// The same condition at instructions where parameters and counters of expansions have a meaning.
    pub local_conditions: BTreeMap<u16, Expression>,
    /// Which of its hits count.
    pub counts: HitCount,
    /// The message to log instead of stopping.
    pub log: Option<Template>,
    /// Whether it is removed where it stops.
    pub is_temporary: bool,
    /// The number of hits.
    pub hits: u64,
}

impl Breakpoint {
    /// A breakpoint that stops at every hit.
    pub fn new(title: impl Into<String>, trigger: Trigger) -> Breakpoint {
        let title = title.into();
        Breakpoint {
            number: 0,
            title,
            trigger,
            condition: None,
            local_conditions: BTreeMap::new(),
            counts: HitCount::Above(0),
            log: None,
            is_temporary: false,
            hits: 0,
        }
    }

    /// The condition where this instruction runs.
    pub(crate) fn condition_at(&self, sequence: u16) -> Option<&Expression> {
        self.local_conditions.get(&sequence).or(self.condition.as_ref())
    }

    /// Whether a hit in the cycle that begins here may count. The condition decides this only for triggers on
    /// instructions: for all others it is evaluated later in the cycle.
    pub(crate) fn may_count(&self, machine: &dyn View) -> bool {
        let condition = self.condition_at(machine.running());
        let condition = condition.filter(|_| matches!(self.trigger, Trigger::Instructions(_)));
        condition.is_none_or(|condition| condition.holds(machine).unwrap_or(true))
    }
}

/// Which hits of a breakpoint count, by their numbers, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitCount {
    /// All hits after this one.
    Above(u64),
    /// All hits before this one.
    Below(u64),
    /// Only this hit.
    Only(u64),
    /// Each hit whose number is a multiple of this.
    Every(u64),
}

impl HitCount {
    /// Reads the notation that editors use: `> 3`, `>= 3`, `< 3`, `<= 3`, `== 3`, `% 3`; a number alone means `>=`.
    pub fn read(text: &str) -> Option<HitCount> {
        let text = text.trim();
        let (sign, number) = text.split_at(text.find(|c: char| c.is_ascii_digit())?);
        let number: u64 = number.parse().ok()?;
        Some(match sign.trim_end() {
            ">" => HitCount::Above(number),
            "" | ">=" => HitCount::Above(number.saturating_sub(1)),
            "<" => HitCount::Below(number),
            "<=" => HitCount::Below(number.saturating_add(1)),
            "=" | "==" => HitCount::Only(number),
            "%" => HitCount::Every(number),
            _ => return None,
        })
    }

    /// Whether this hit counts.
    pub fn includes(self, hit: u64) -> bool {
        match self {
            HitCount::Above(number) => hit > number,
            HitCount::Below(number) => hit < number,
            HitCount::Only(number) => hit == number,
            HitCount::Every(number) => number > 0 && hit.is_multiple_of(number),
        }
    }
}
