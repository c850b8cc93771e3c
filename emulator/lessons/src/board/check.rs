//! Checks a board against its requirements.

use super::beats;
use super::exploration::Exploration;
use super::interface::Interface;
use super::reporter::Reporter;
use super::requirements::{Goal, Requirements};
use crate::Refusal;
use crate::refusal::refuse;
use crate::verdict::Verdict;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use gray1_proof::Explorer;
use std::cell::RefCell;

impl Requirements {
    /// Checks a board. Returns a description of the result, or the first fault. Stores the failing move in the verdict.
    pub fn check(
        &self,
        interface: &Interface,
        board: &Board,
        verdict: &mut Verdict,
    ) -> Result<String, Refusal> {
        let reporter = Reporter {
            names: &interface.names,
            netlist: board.netlist(),
            last_move: RefCell::default(),
            orders: RefCell::default(),
        };
        let result = self.check_all(interface, board, &reporter);
        verdict.tried = reporter.take_move().filter(|_| result.is_err());
        result
    }

    fn check_all(
        &self,
        interface: &Interface,
        board: &Board,
        reporter: &Reporter,
    ) -> Result<String, Refusal> {
        let netlist = reporter.netlist;
        if let Some(ram) = netlist.chips.iter().find(|chip| chip.is_ram()) {
            refuse!("{} is a RAM: this level allows only ROMs.", ram.name);
        }
        if !self.strobes.is_empty() {
            return beats::check(self, interface, board, reporter);
        }
        let nets = |lamps: Vec<usize>| -> Vec<NetId> {
            lamps.into_iter().flat_map(|lamp| interface.names.nets(lamp, netlist)).collect()
        };
        let staying = self.rules.iter().filter(|rule| matches!(rule.goal, Goal::Stays)).map(|rule| rule.lamp);
        let steady = nets(self.steady.clone());
        let watched = [nets(staying.collect()), steady.clone()].concat();
        let explorer = Explorer::new(netlist, &watched).ok_or(
            "This board is too large to explore: the chips that keep a state, and the chips that lead to one of them, have \
             more than 64 address lines together.",
        )?;
        Exploration { explorer: &explorer, interface, requirements: self, reporter, steady: &steady }.check()
    }
}
