//! A data line of a chip as a function of the address lines, and which of these determine its bit at an address.
//!
//! A bit depends on few lines: a bit of a latch depends on its input, its own output and the enable. A function is a
//! table over these lines only, which is small enough to try all combinations of unknown lines.

use std::cell::RefCell;
use std::collections::HashMap;

/// The cache of a function is cleared when it has this many entries.
const MOST_KNOWN: usize = 1 << 16;

/// A data line as a function of the address lines of its chip.
#[derive(Debug)]
pub struct Function {
    /// The lines on which the bit depends at some address, in ascending order.
    lines: Vec<usize>,
    /// The bit for each combination of their levels.
    bits: Vec<bool>,
    /// A cache: the lines that still matter when some are known, by the mask of the known lines and their levels.
    heard: RefCell<HashMap<(usize, usize), usize>>,
}

impl Function {
    /// The functions of all data lines of a chip with this table.
    pub fn all(cells: &[u8], data: usize) -> Vec<Function> {
        // For each address line, the data lines that it can change.
        let moves: Vec<u8> = (0..cells.len().ilog2())
            .map(|line| {
                let pairs = cells.chunks_exact(2 << line).map(|pair| pair.split_at(1 << line));
                let changes =
                    pairs.flat_map(|(low, high)| low.iter().zip(high)).map(|(low, high)| low ^ high);
                changes.fold(0, |moves, change| moves | change)
            })
            .collect();
        let function = |bit: usize| {
            let lines: Vec<usize> = (0..moves.len()).filter(|&line| moves[line] >> bit & 1 == 1).collect();
            let cell = |index| cells[spread(&lines, index) as usize];
            let bits = (0..1 << lines.len()).map(|index| cell(index) >> bit & 1 == 1).collect();
            Function { lines, bits, heard: RefCell::default() }
        };
        (0..data).map(function).collect()
    }

    /// The bit at an address.
    pub fn at(&self, address: u32) -> bool {
        self.bits[self.index(address)]
    }

    /// The lines outside of the mask `known` that can still change the bit; none if the known lines determine it.
    pub fn hears(&self, address: u32, known: u32) -> u32 {
        let known = self.index(known);
        let index = self.index(address) & known;
        let mut heard = self.heard.borrow_mut();
        if heard.len() > MOST_KNOWN {
            heard.clear();
        }
        let heard = heard
            .entry((known, index))
            .or_insert_with(|| self.heard_of(index, self.index(u32::MAX) & !known));
        spread(&self.lines, *heard)
    }

    /// The free lines that can change the bit.
    fn heard_of(&self, index: usize, free: usize) -> usize {
        let hears = |half: usize| {
            subsets(free & !half).any(|others| self.bits[index | others] != self.bits[index | others | half])
        };
        let halves = (0..self.lines.len()).map(|position| 1 << position);
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
        let [index, late, plain] = [address, late, plain].map(|lines| self.index(lines));
        let all = self.bits.len() - 1;
        // A set of lines is not sufficient if some combination of the other lines changes the bit.
        let mut is_loose: Vec<bool> =
            (0..self.bits.len()).map(|change| self.bits[index ^ change] != self.bits[index]).collect();
        for half in (0..self.lines.len()).map(|position| 1 << position) {
            for free in (0..is_loose.len()).filter(|free| free & half != 0) {
                is_loose[free] |= is_loose[free ^ half];
            }
        }
        let fixing = (0..=all).filter(|set| !is_loose[all ^ set]);
        let best = fixing.min_by_key(|set| {
            ((set & late).count_ones(), set.count_ones(), (set & !plain).count_ones(), all - set)
        });
        spread(&self.lines, best.unwrap_or(all))
    }

    /// The levels of the relevant lines, packed into an index.
    fn index(&self, address: u32) -> usize {
        self.lines
            .iter()
            .zip(0..)
            .fold(0, |index, (line, position)| index | (address as usize >> line & 1) << position)
    }
}

/// The inverse of [`Function::index`]: moves the bits of an index to the positions of the lines.
fn spread(lines: &[usize], index: usize) -> u32 {
    lines
        .iter()
        .zip(0..)
        .fold(0, |address, (line, position)| address | ((index >> position & 1) as u32) << line)
}

/// Every subset of a mask.
fn subsets(mask: usize) -> impl Iterator<Item = usize> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != mask).then(|| subset.wrapping_sub(mask) & mask);
        Some(subset)
    })
}
