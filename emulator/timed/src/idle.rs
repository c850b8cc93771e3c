//! Which lines of a chip do not matter while others are at a level: a latch ignores its input while it is closed.
//!
//! A change of such a line needs no lookup, since what the chip gives is what it gives already. This is read off its table,
//! whatever the chip is for. A few lines are the controls: each makes others idle, at 0 or at 1. Controls are never
//! idle themselves, so whatever is idle at the levels of the controls stays so while other lines move.

use gray1_machine::tables::flips;

/// The maximum number of controls of a chip.
const CONTROLS: usize = 4;

/// The controls of a chip and the lines that they make idle.
#[derive(Clone, Debug, Default)]
pub struct Idle {
    /// The controls, as a mask.
    pub controls: u32,
    /// Each control, by its place in the address, with the lines that are idle while it is at 0 and at 1.
    masks: [(u8, [u32; 2]); CONTROLS],
}

impl Idle {
    /// Derives the idle lines from the table of a chip.
    pub fn of(cells: &[u8]) -> Idle {
        let matters: Vec<[u32; 2]> = (0..cells.len().ilog2()).map(|line| matters(cells, line)).collect();
        let lines = matters.len();
        // The lines that never matter while this one is at this level, and others at whichever.
        let idle_at = |control: usize, level: usize| {
            let idle = |line: &usize| matters[*line][level] >> control & 1 == 0;
            (0..lines).filter(idle).fold(0u32, |mask, line| mask | 1 << line) & !(1 << control)
        };
        let mut candidates: Vec<(u8, [u32; 2])> =
            (0..lines).map(|control| (control as u8, [0, 1].map(|level| idle_at(control, level)))).collect();
        candidates.sort_by_key(|(_, masks)| masks[0].count_ones() + masks[1].count_ones());
        let mut idle = Idle::default();
        for (place, control) in idle.masks.iter_mut().zip(candidates.into_iter().rev()) {
            if control.1 != [0; 2] {
                *place = control;
                idle.controls |= 1 << control.0;
            }
        }
        for mask in idle.masks.iter_mut().flat_map(|(_, masks)| masks) {
            *mask &= !idle.controls;
        }
        idle
    }

    /// The lines that are idle at an address.
    #[inline]
    pub fn lines(&self, address: u32) -> u32 {
        self.masks.iter().fold(0, |lines, (control, masks)| lines | masks[(address >> control & 1) as usize])
    }
}

/// The lines that are at 0, and those that are at 1, at some address where this line makes a difference.
fn matters(cells: &[u8], line: u32) -> [u32; 2] {
    flips(cells, line).fold([0; 2], |[low, high], (address, flipped)| {
        let differs = u32::from(flipped != 0).wrapping_neg();
        [low | !address & differs, high | address & differs]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_machine::board::Board;
    use proptest::prelude::*;

    /// Changes all idle lines one after the other, in any order, and then other lines than the controls.
    fn check(cells: &[u8], mut address: u32) -> Result<(), TestCaseError> {
        let idle = Idle::of(cells);
        let lines = idle.lines(address);
        prop_assert_eq!(lines & idle.controls, 0);
        let data = cells[address as usize];
        for line in (0..u32::BITS).rev().filter(|line| lines >> line & 1 == 1) {
            address ^= 1 << line;
            prop_assert_eq!(idle.lines(address), lines);
            prop_assert_eq!(cells[address as usize], data);
        }
        prop_assert_eq!(cells[(address & !lines) as usize], data);
        Ok(())
    }

    proptest! {
        #[test]
        fn idle_lines_make_no_difference(at: prop::sample::Index, flips in prop::collection::vec(any::<prop::sample::Index>(), 0..4)) {
            for table in &Board::gray1().netlist().tables {
                let mut table = table.clone();
                for flip in &flips {
                    let cell = flip.index(table.len());
                    table[cell] ^= 1;
                }
                check(&table, at.index(table.len()) as u32)?;
            }
        }
    }

    #[test]
    fn a_latch_is_idle_where_it_does_not_look() {
        let board = Board::gray1();
        let latch = Idle::of(board.netlist().table(board.netlist().chip("GREEN0").unwrap()).unwrap());
        // The input, what it holds, and its enable.
        assert_eq!(latch.controls, 1 << 16);
        assert_eq!([latch.lines(0), latch.lines(1 << 16)], [0x00FF, 0xFF00]);
    }
}
