//! Whether a board does what it is to do.

use super::beats;
use super::given::Given;
use super::tell::Tell;
use super::walk::Walk;
use super::wanted::{Goal, Wanted};
use crate::Refusal;
use crate::verdict::Verdict;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use gray1_proof::Explorer;
use std::cell::RefCell;

impl Wanted {
    /// Says what was found to be right, or the first thing that is wrong; the verdict gets the move that shows it.
    pub fn check(&self, given: &Given, board: &Board, verdict: &mut Verdict) -> Result<String, Refusal> {
        let tell = Tell {
            names: &given.names,
            netlist: board.netlist(),
            tried: RefCell::default(),
            orders: RefCell::default(),
        };
        let found = self.check_all(given, board, &tell);
        verdict.tried = tell.last().filter(|_| found.is_err());
        found
    }

    fn check_all(&self, given: &Given, board: &Board, tell: &Tell) -> Result<String, Refusal> {
        let netlist = tell.netlist;
        if let Some(ram) = netlist.chips.iter().find(|chip| chip.is_ram()) {
            return Err(format!("{} is a RAM: this level is about ROMs.", ram.name).into());
        }
        if !self.strobes.is_empty() {
            return beats::check(self, given, board, tell);
        }
        let nets = |lamps: Vec<usize>| -> Vec<NetId> {
            lamps.into_iter().flat_map(|lamp| given.names.nets(lamp, netlist)).collect()
        };
        let staying = self.rules.iter().filter(|rule| matches!(rule.goal, Goal::Stays)).map(|rule| rule.lamp);
        let steady = nets(self.steady.clone());
        let watched = [nets(staying.collect()), steady.clone()].concat();
        let explorer = Explorer::new(netlist, &watched).ok_or(
            "This board is too large to try everything: the chips that keep something, or lead to one that does, have more \
             than 64 address lines together.",
        )?;
        Walk { explorer: &explorer, given, wanted: self, tell, steady: &steady }.check()
    }
}
