//! The wires of the board in the order in which every phase of a vector lists their levels: a bus as one number, and
//! the wires that belong to no bus one by one.

use gray1_machine::ChipsEngine;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use serde::Serialize;

/// A bus, or a single net.
#[derive(Debug, Serialize)]
pub struct Signal {
    /// Its name on the board.
    pub name: String,
    /// Its nets, the lowest first.
    pub nets: Vec<String>,
    /// Its purpose.
    pub about: String,
    #[serde(skip)]
    numbers: Vec<NetId>,
}

impl Signal {
    /// The number on it.
    fn level(&self, machine: &ChipsEngine) -> u16 {
        self.numbers.iter().rev().fold(0, |number, &net| number << 1 | u16::from(machine.level(net)))
    }
}

/// All nets as buses and single nets, each net once, in the order of the board file.
pub fn signals(board: &Board) -> Vec<Signal> {
    let netlist = board.netlist();
    let mut signals = Vec::new();
    for group in board.inputs.iter().chain(&board.nets) {
        for net in group.nets.names().iter().filter_map(|name| netlist.net(name)) {
            let bus = netlist.buses().find(|(_, nets)| nets.contains(&net));
            let (name, numbers) = bus.unwrap_or((&netlist.nets[net].name, std::slice::from_ref(&net)));
            if numbers.first() == Some(&net) {
                signals.push(Signal {
                    name: name.to_owned(),
                    nets: numbers.iter().map(|&net| netlist.nets[net].name.clone()).collect(),
                    about: group.about.clone(),
                    numbers: numbers.to_vec(),
                });
            }
        }
    }
    signals
}

/// The levels of all these signals.
pub(crate) fn levels(signals: &[Signal], machine: &ChipsEngine) -> Vec<u16> {
    signals.iter().map(|signal| signal.level(machine)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_net_of_the_board_is_there_once() {
        let board = Board::gray1();
        let mut nets: Vec<String> = signals(&board).into_iter().flat_map(|signal| signal.nets).collect();
        let mut all: Vec<String> = board.netlist().nets.iter().map(|net| net.name.clone()).collect();
        nets.sort_unstable();
        all.sort_unstable();
        assert_eq!(nets, all);
    }
}
