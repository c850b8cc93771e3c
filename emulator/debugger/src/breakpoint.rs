//! Breakpoints, watchpoints and logpoints: a trigger, and what is to be done when it is hit.

use crate::expression::Expression;
use crate::template::Template;
use crate::trigger::Trigger;

/// A breakpoint; a watchpoint if its trigger is about RAM or a net, a logpoint if it has a message.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number, from 1; 0 until it is added to a debugger.
    pub number: usize,
    /// Its name in messages.
    pub title: String,
    /// What triggers it.
    pub trigger: Trigger,
    /// A hit counts only if this is not 0.
    pub condition: Option<Expression>,
    /// How many hits are passed over before the first stop.
    pub skips: u64,
    /// The message to log instead of stopping.
    pub log: Option<Template>,
    /// How often it was hit.
    pub hits: u64,
}

impl Breakpoint {
    /// A breakpoint that stops at every hit.
    pub fn new(title: impl Into<String>, trigger: Trigger) -> Breakpoint {
        let title = title.into();
        Breakpoint { number: 0, title, trigger, condition: None, skips: 0, log: None, hits: 0 }
    }
}
