//! Levels and orders of lines in words.

use super::names::Names;
use super::wanted::Rule;
use crate::Refusal;
use crate::asked::{Reached, Tried};
use crate::verdict::and;
use gray1_machine::netlist::{ChipId, NetId, Netlist, number};
use gray1_proof::{Explorer, Levels, Trouble};
use std::cell::RefCell;

/// The most steps of an order that are told one by one.
const MOST_STEPS: usize = 24;

/// The levels of a board in words: those of its switches, or of its lamps.
pub struct Tell<'a> {
    pub names: &'a Names,
    pub netlist: &'a Netlist,
    /// The last move that was tried, and the levels before it: if it is the last one of all, it shows what is wrong.
    pub tried: RefCell<Option<Try>>,
    /// The orders in which that went wrong, if orders make a difference.
    pub orders: RefCell<Vec<Vec<Reached>>>,
}

/// Levels of all nets, and what is set.
type Try = (Vec<bool>, Vec<(NetId, bool)>);

impl Tell<'_> {
    /// Notes a move that is tried: the levels before it, if the board is at rest, and what is set.
    pub fn tries(&self, levels: Option<&[bool]>, moves: Vec<(NetId, bool)>) {
        *self.tried.borrow_mut() = Some((levels.unwrap_or_default().to_vec(), moves));
    }

    /// Notes the orders in which the last move goes wrong.
    pub fn goes_wrong(&self, explorer: &Explorer, from: &Levels, inputs: &[NetId], trouble: &Trouble) {
        let orders: &[Vec<(NetId, ChipId)>] = match trouble {
            Trouble::TwoEnds { orders, .. } => orders,
            Trouble::Endless { order } => std::slice::from_ref(order),
            Trouble::TooLarge => &[],
        };
        let reached = |(&(net, chip), (at, levels)): (&(NetId, ChipId), (u32, Levels))| Reached {
            net: self.netlist.nets[net].name.clone(),
            chip: self.netlist.chips[chip].name.clone(),
            at,
            levels: self.named(levels),
        };
        let replayed = |order: &Vec<(NetId, ChipId)>| {
            let order = &order[..order.len().min(MOST_STEPS)];
            order.iter().zip(explorer.replayed(from, inputs, order)).map(reached).collect()
        };
        *self.orders.borrow_mut() = orders.iter().map(replayed).collect();
    }

    fn named(&self, levels: Levels) -> Vec<(String, bool)> {
        self.netlist.nets.iter().map(|net| net.name.clone()).zip(levels).collect()
    }

    /// The last move that was tried.
    pub fn last(&self) -> Option<Tried> {
        let named = |(net, level): (NetId, bool)| (self.netlist.nets[net].name.clone(), level);
        let (levels, moves) = self.tried.take()?;
        let moves = moves.into_iter().map(named).collect();
        Some(Tried { levels: self.named(levels), moves, orders: self.orders.take() })
    }

    /// The value of a name: `Q = 1`, `S = 5 (101)`.
    pub fn value(&self, name: usize, levels: &[bool]) -> String {
        let nets = self.names.nets(name, self.netlist);
        let value = number(levels, &nets);
        format!("{} = {}", self.names.name(name), shown(value, nets.len()))
    }

    /// Refuses a lamp that does not show this value.
    pub fn compare(
        &self,
        lamp: usize,
        levels: &[bool],
        expected: u32,
        place: impl Fn() -> String,
    ) -> Result<(), Refusal> {
        let nets = self.names.nets(lamp, self.netlist);
        if number(levels, &nets) == expected {
            return Ok(());
        }
        let (is, expected) = (self.value(lamp, levels), shown(expected, nets.len()));
        Err(format!("{} leads to {is}, expected {expected}.", place()).into())
    }

    /// Refuses a lamp that breaks a rule after a move from levels to others.
    pub fn expects(
        &self,
        rule: &Rule,
        before: &[bool],
        after: &[bool],
        place: impl Fn() -> String,
    ) -> Result<(), Refusal> {
        match rule.expected(self.names, self.netlist, before)? {
            Some(expected) => self.compare(rule.lamp, after, expected, place),
            None => {
                let is = self.value(rule.lamp, before);
                Err(format!("Your board can be at {is} at rest, which is not in the list.").into())
            }
        }
    }

    /// `A = 1 and B = 0`: all switches, or all lamps.
    pub fn all(&self, switches: bool, levels: &[bool]) -> String {
        let told = self.names.covering(switches).map(|name| self.value(name, levels));
        and(&told.collect::<Vec<_>>())
    }

    /// A state of rest: its switches, its lamps, and what else the board keeps in loops.
    pub fn state(&self, levels: &[bool]) -> String {
        format!("With {}, where {}", self.all(true, levels), self.all(false, levels))
    }

    /// Switches that take another level: `E is set to 0`.
    pub fn moved(&self, from: &[bool], inputs: &[NetId]) -> String {
        let to = |&net: &NetId| format!("{} is set to {}", self.netlist.nets[net].name, u8::from(!from[net]));
        and(&inputs.iter().map(to).collect::<Vec<_>>())
    }

    /// Why a move has no single end.
    pub fn trouble(&self, trouble: &Trouble) -> String {
        match trouble {
            Trouble::TwoEnds { orders, ends } => {
                let [one, other] = [0, 1].map(|end| {
                    let differs = |net: &NetId| ends[0][*net] != ends[1][*net];
                    let nets = self.netlist.listing.iter().copied().filter(differs);
                    let level = |net: NetId| {
                        format!("{} = {}", self.netlist.nets[net].name, u8::from(ends[end][net]))
                    };
                    let levels = and(&nets.map(level).collect::<Vec<_>>());
                    format!("  {levels}, if {}", self.order(&orders[end]))
                });
                format!("where it ends depends on which line is first:\n\n{one}\n{other}")
            }
            Trouble::Endless { order } => {
                format!("it never comes to rest:\n\n  {}, and so on for ever", self.order(order))
            }
            Trouble::TooLarge => {
                "so much can happen that this was not tried to the end: use fewer lines".to_owned()
            }
        }
    }

    /// An order of lines: `E reaches N, then N reaches Y`.
    fn order(&self, order: &[(NetId, ChipId)]) -> String {
        let reach = |&(net, chip): &(NetId, ChipId)| {
            format!("{} reaches {}", self.netlist.nets[net].name, self.netlist.chips[chip].name)
        };
        let mut steps: Vec<String> = order.iter().take(MOST_STEPS).map(reach).collect();
        if order.len() > MOST_STEPS {
            steps.push("…".to_owned());
        }
        if steps.is_empty() { "nothing moves any more".to_owned() } else { steps.join(", then ") }
    }
}

/// A number on so many lines: a level as it is, others in binary too.
pub fn shown(value: u32, lines: usize) -> String {
    if lines == 1 { value.to_string() } else { format!("{value} ({value:0lines$b})") }
}
