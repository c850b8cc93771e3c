//! A data line of a chip as a function of the address lines, and which of these determine its bit at an address.
//!
//! A function is a table over the few lines that matter, which is small enough to try all combinations of unknown lines.

use gray1_logic::values;
use gray1_machine::Truth;
use std::cell::RefCell;
use std::collections::HashMap;

/// The cache of a function is cleared when it has this many entries.
const MOST_KNOWN: usize = 1 << 16;

/// A data line as a function of the address lines of its chip.
#[derive(Debug)]
pub struct Function {
    truth: Truth,
    /// A cache: the lines that still matter when some are known, by the mask of the known lines and their levels.
    heard: RefCell<HashMap<(usize, usize), usize>>,
}

impl Function {
    /// The functions of all data lines of a chip with this table.
    pub fn all(cells: &[u8], data: usize) -> Vec<Function> {
        let functions = Truth::all(cells, data).into_iter();
        functions.map(|truth| Function { truth, heard: RefCell::default() }).collect()
    }

    /// The bit at an address.
    pub fn at(&self, address: u32) -> bool {
        self.truth.at(address)
    }

    /// The lines outside of the mask `known` that can still change the bit; none if the known lines determine it.
    pub fn hears(&self, address: u32, known: u32) -> u32 {
        let known = self.truth.index(known);
        let index = self.truth.index(address) & known;
        let mut heard = self.heard.borrow_mut();
        if heard.len() > MOST_KNOWN {
            heard.clear();
        }
        let heard = heard
            .entry((known, index))
            .or_insert_with(|| self.heard_of(index, self.truth.index(u32::MAX) & !known));
        self.truth.address(*heard)
    }

    /// The free lines that can change the bit.
    fn heard_of(&self, index: usize, free: usize) -> usize {
        let bits = &self.truth.bits;
        let hears = |half: usize| {
            let mut others = values((free & !half) as u32).map(|others| index | others as usize);
            others.any(|others| bits[others] != bits[others | half])
        };
        let halves = (0..self.truth.lines.len()).map(|position| 1 << position);
        halves.filter(|half| free & half != 0 && hears(*half)).fold(0, |mask, half| mask | half)
    }

    /// Whether the bit changes when this line alone is flipped.
    pub fn hangs_on(&self, address: u32, line: usize) -> bool {
        self.at(address) != self.at(address ^ 1 << line)
    }

    /// A set of lines whose levels alone determine the bit. It has as few lines of the mask `late` as possible, and
    /// then as few lines as possible. Among several such sets, it is the one with the most `plain` lines, and then the
    /// one with the highest lines, because the select lines of a chip come last.
    pub fn reasons(&self, address: u32, late: u32, plain: u32) -> u32 {
        let [index, late, plain] = [address, late, plain].map(|lines| self.truth.index(lines));
        let bits = &self.truth.bits;
        let all = bits.len() - 1;
        // A set of lines is not sufficient if some combination of the other lines changes the bit.
        let mut is_loose: Vec<bool> =
            (0..bits.len()).map(|change| bits[index ^ change] != bits[index]).collect();
        for half in (0..self.truth.lines.len()).map(|position| 1 << position) {
            for free in (0..is_loose.len()).filter(|free| free & half != 0) {
                is_loose[free] |= is_loose[free ^ half];
            }
        }
        let fixing = (0..=all).filter(|set| !is_loose[all ^ set]);
        let best = fixing.min_by_key(|set| {
            ((set & late).count_ones(), set.count_ones(), (set & !plain).count_ones(), all - set)
        });
        self.truth.address(best.unwrap_or(all))
    }
}
