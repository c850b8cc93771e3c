//! The board at the beginning of a run: powered up with everything at 0, and reset.

use super::board::{Result, SymbolicBoard};
use crate::limits::Limits;
use gray1_machine::PHASES;
use gray1_machine::logic::{FALSE, TRUE};
use gray1_machine::netlist::{Holds, Netlist};

/// The minimum number of phases for which the reset line is held; the same as in the chips engine.
const RESET_PHASES: usize = 4 * PHASES;

impl<'a> SymbolicBoard<'a> {
    /// Creates the board at the beginning of its first cycle. Nothing is known about the program, whose first word is
    /// on the nets. `None` if its clock does not run during the reset, or if something might have been stored.
    pub fn power_up(netlist: &'a Netlist, limits: &Limits) -> Result<Option<SymbolicBoard<'a>>> {
        let mut board = SymbolicBoard::new(netlist, limits, None)?;
        let panel = &netlist.panel;
        let live = vec![true; netlist.nets.len()];
        board.has_blank_memory = true;
        board.changed.fill(true);
        for net in [panel.oscillator[0], panel.sequence[1], panel.reset[0]] {
            board.set(net, TRUE);
        }
        board.flip(&[], &live)?;
        let is_last = |board: &SymbolicBoard| board.on(&panel.sequence) == [FALSE, TRUE];
        for phase in 0.. {
            if phase >= RESET_PHASES && is_last(&board) {
                break;
            }
            if phase > RESET_PHASES + PHASES {
                return Ok(None);
            }
            board.flip(&panel.oscillator, &live)?;
        }
        board.flip(&panel.reset, &live)?;
        board.flip(&panel.oscillator, &live)?;
        let stored = board.lookups.iter().any(|lookup| {
            let chip = &netlist.chips[lookup.chip];
            matches!(chip.holds, Holds::Ram { .. })
                && lookup.reads.last().is_some_and(|&write| write != FALSE)
        });
        Ok((!stored).then_some(board))
    }
}
