//! Describes states, moves and orders of events, and records the last move for the verdict.

use super::names::Names;
use super::requirements::Rule;
use crate::Refusal;
use crate::board_data::{Arrival, FailingMove};
use crate::verdict::join_and;
use gray1_machine::netlist::{ChipId, NetId, Netlist, number};
use gray1_proof::{Explorer, Levels, Trouble};
use std::cell::RefCell;

/// The maximum number of events of an order that are listed.
const MAX_LISTED_EVENTS: usize = 24;

/// Describes states and moves of a board.
pub struct Reporter<'a> {
    pub names: &'a Names,
    pub netlist: &'a Netlist,
    /// The last move. After a check has failed, this is the move that shows the fault.
    pub last_move: RefCell<Option<RecordedMove>>,
    /// The orders in which the last move fails, if the order matters.
    pub orders: RefCell<Vec<Vec<Arrival>>>,
}

/// The levels of all nets before a move, and the switches that are set.
type RecordedMove = (Vec<bool>, Vec<(NetId, bool)>);

impl Reporter<'_> {
    /// Records a move: the levels before it, if the board is in a stable state, and the switches that are set.
    pub fn record_move(&self, levels: Option<&[bool]>, moves: Vec<(NetId, bool)>) {
        *self.last_move.borrow_mut() = Some((levels.unwrap_or_default().to_vec(), moves));
    }

    /// Records the orders in which the last move fails.
    pub fn record_orders(&self, explorer: &Explorer, from: &Levels, inputs: &[NetId], trouble: &Trouble) {
        let orders: &[Vec<(NetId, ChipId)>] = match trouble {
            Trouble::TwoEnds { orders, .. } => orders,
            Trouble::Endless { order } => std::slice::from_ref(order),
            Trouble::TooLarge => &[],
        };
        let arrival = |(&(net, chip), (at, levels)): (&(NetId, ChipId), (u32, Levels))| Arrival {
            net: self.netlist.nets[net].name.clone(),
            chip: self.netlist.chips[chip].name.clone(),
            at,
            levels: self.name_levels(levels),
        };
        let replayed = |order: &Vec<(NetId, ChipId)>| {
            let order = &order[..order.len().min(MAX_LISTED_EVENTS)];
            order.iter().zip(explorer.replayed(from, inputs, order)).map(arrival).collect()
        };
        *self.orders.borrow_mut() = orders.iter().map(replayed).collect();
    }

    fn name_levels(&self, levels: Levels) -> Vec<(String, bool)> {
        self.netlist.nets.iter().map(|net| net.name.clone()).zip(levels).collect()
    }

    /// Takes the last recorded move.
    pub fn take_move(&self) -> Option<FailingMove> {
        let with_name = |(net, level): (NetId, bool)| (self.netlist.nets[net].name.clone(), level);
        let (levels, moves) = self.last_move.take()?;
        let moves = moves.into_iter().map(with_name).collect();
        Some(FailingMove { levels: self.name_levels(levels), moves, orders: self.orders.take() })
    }

    /// Describes the value of a name: `Q = 1`, `S = 5 (101)`.
    pub fn describe_value(&self, name: usize, levels: &[bool]) -> String {
        let nets = self.names.nets(name, self.netlist);
        let value = number(levels, &nets);
        format!("{} = {}", self.names.name(name), format_number(value, nets.len()))
    }

    /// Fails if a lamp does not have this value.
    pub fn expect_value(
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
        let (found, expected) = (self.describe_value(lamp, levels), format_number(expected, nets.len()));
        Err(format!("{} leads to {found}, expected {expected}.", place()).into())
    }

    /// Fails if a lamp breaks a rule in a move from `before` to `after`.
    pub fn expect_rule(
        &self,
        rule: &Rule,
        before: &[bool],
        after: &[bool],
        place: impl Fn() -> String,
    ) -> Result<(), Refusal> {
        match rule.expected(self.names, self.netlist, before)? {
            Some(expected) => self.expect_value(rule.lamp, after, expected, place),
            None => {
                let found = self.describe_value(rule.lamp, before);
                Err(format!("Your board can be at {found} at rest, which is not in the list.").into())
            }
        }
    }

    /// Describes all switches, or all lamps: `A = 1 and B = 0`.
    pub fn describe_nets(&self, switches: bool, levels: &[bool]) -> String {
        let values = self.names.disjoint(switches).map(|name| self.describe_value(name, levels));
        join_and(&values.collect::<Vec<_>>())
    }

    /// Describes a stable state by its switches and its lamps.
    pub fn describe_state(&self, levels: &[bool]) -> String {
        format!("With {}, where {}", self.describe_nets(true, levels), self.describe_nets(false, levels))
    }

    /// Describes a change of switches: `E is set to 0`.
    pub fn describe_move(&self, from: &[bool], inputs: &[NetId]) -> String {
        let set =
            |&net: &NetId| format!("{} is set to {}", self.netlist.nets[net].name, u8::from(!from[net]));
        join_and(&inputs.iter().map(set).collect::<Vec<_>>())
    }

    /// Describes why a move has no unique end.
    pub fn describe_trouble(&self, trouble: &Trouble) -> String {
        match trouble {
            Trouble::TwoEnds { orders, ends } => {
                let [one, other] = [0, 1].map(|end| {
                    let differs = |net: &NetId| ends[0][*net] != ends[1][*net];
                    let nets = self.netlist.listing.iter().copied().filter(differs);
                    let level = |net: NetId| {
                        format!("{} = {}", self.netlist.nets[net].name, u8::from(ends[end][net]))
                    };
                    let levels = join_and(&nets.map(level).collect::<Vec<_>>());
                    format!("  {levels}, if {}", self.describe_order(&orders[end]))
                });
                format!("where it ends depends on which line is first:\n\n{one}\n{other}")
            }
            Trouble::Endless { order } => {
                format!("it never comes to rest:\n\n  {}, and so on for ever", self.describe_order(order))
            }
            Trouble::TooLarge => "there are too many orders to explore them all: use fewer lines".to_owned(),
        }
    }

    /// Describes an order of events: `E reaches N, then N reaches Y`.
    fn describe_order(&self, order: &[(NetId, ChipId)]) -> String {
        let event = |&(net, chip): &(NetId, ChipId)| {
            format!("{} reaches {}", self.netlist.nets[net].name, self.netlist.chips[chip].name)
        };
        let mut steps: Vec<String> = order.iter().take(MAX_LISTED_EVENTS).map(event).collect();
        if order.len() > MAX_LISTED_EVENTS {
            steps.push("…".to_owned());
        }
        if steps.is_empty() { "nothing else moves".to_owned() } else { steps.join(", then ") }
    }
}

/// Formats a number. If it has more than one line, adds the binary digits.
pub fn format_number(value: u32, lines: usize) -> String {
    if lines == 1 { value.to_string() } else { format!("{value} ({value:0lines$b})") }
}
