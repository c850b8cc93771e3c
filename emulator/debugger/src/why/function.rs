//! A data line of a chip as a Boolean function, and the lines that determine its bit at an address.
//!
//! The truth table over the support is small enough to try all combinations of unknown lines.

use gray1_machine::Truth;
use gray1_machine::logic::values;
use std::cell::RefCell;
use std::collections::HashMap;

/// The maximum number of cached results of a function; then its cache is cleared.
const MAX_CACHED: usize = 1 << 16;

/// A data line as a function of the address lines of its chip.
#[derive(Debug)]
pub struct Function {
    table: Truth,
    /// A cache of open lines, by the mask of the known lines and their levels.
    open: RefCell<HashMap<(usize, usize), usize>>,
}

impl Function {
    /// Returns the functions of all data lines of a chip with these cells.
    pub fn all(cells: &[u8], data: usize) -> Vec<Function> {
        let functions = Truth::all(cells, data).into_iter();
        functions.map(|table| Function { table, open: RefCell::default() }).collect()
    }

    /// Returns the bit at an address.
    pub fn at(&self, address: u32) -> bool {
        self.table.at(address)
    }

    /// Returns the lines outside of the mask `known` that can still change the bit; none if the known lines determine it.
    pub fn open_lines(&self, address: u32, known: u32) -> u32 {
        let known = self.table.index(known);
        let index = self.table.index(address) & known;
        let mut cache = self.open.borrow_mut();
        if cache.len() > MAX_CACHED {
            cache.clear();
        }
        let open = cache
            .entry((known, index))
            .or_insert_with(|| self.compute_open_lines(index, self.table.index(u32::MAX) & !known));
        self.table.address(*open)
    }

    /// Computes the free lines that can change the bit.
    fn compute_open_lines(&self, index: usize, free: usize) -> usize {
        let bits = &self.table.bits;
        let is_open = |half: usize| {
            let mut others = values((free & !half) as u32).map(|others| index | others as usize);
            others.any(|others| bits[others] != bits[others | half])
        };
        let halves = (0..self.table.lines.len()).map(|position| 1 << position);
        halves.filter(|half| free & half != 0 && is_open(*half)).fold(0, |mask, half| mask | half)
    }

    /// Whether the bit changes when this line alone is flipped.
    pub fn is_sensitive_to(&self, address: u32, line: usize) -> bool {
        self.at(address) != self.at(address ^ 1 << line)
    }

    /// Returns a minimal set of lines whose levels alone determine the bit: with as few lines of the mask `late` as
    /// possible, then as few lines as possible, then as many lines of the mask `plain` as possible. Among equal sets, the one
    /// with the highest lines is chosen, because the select lines of a chip come last.
    pub fn reasons(&self, address: u32, late: u32, plain: u32) -> u32 {
        let [index, late, plain] = [address, late, plain].map(|lines| self.table.index(lines));
        let bits = &self.table.bits;
        let all = bits.len() - 1;
        // A set of lines is not sufficient if some combination of the other lines changes the bit.
        let mut is_loose: Vec<bool> =
            (0..bits.len()).map(|change| bits[index ^ change] != bits[index]).collect();
        for half in (0..self.table.lines.len()).map(|position| 1 << position) {
            for free in (0..is_loose.len()).filter(|free| free & half != 0) {
                is_loose[free] |= is_loose[free ^ half];
            }
        }
        let fixing = (0..=all).filter(|set| !is_loose[all ^ set]);
        let best = fixing.min_by_key(|set| {
            ((set & late).count_ones(), set.count_ones(), (set & !plain).count_ones(), all - set)
        });
        self.table.address(best.unwrap_or(all))
    }
}
