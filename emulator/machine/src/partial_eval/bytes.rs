//! Expressions of bits as functions of whole bytes.
//!
//! The levels of a register depend on the bits of one or two bytes. Their function is computed for all values of these
//! bytes; if it is what a processor computes with one instruction, such as a sum, it is replaced by that, and otherwise
//! it stays a table. So it does not matter from how many chips a sum comes, or in which way.

use super::logic::{Level, Logic, Node};
use crate::evaluated::{CONSTANTS, Function, Functions, Shape, Two};
use rustc_hash::FxHashMap;

/// The maximum number of tables for two bytes, which have 64 or 128 KB each.
const MAX_TABLES: usize = 64;

impl Functions {
    /// The function of these levels, lowest first. `width` gives the number of bits of the byte at a place. `None` if
    /// they depend on too much, or on unknown levels.
    pub(super) fn of(
        &mut self,
        logic: &Logic,
        levels: &[Level],
        width: impl Fn(u16) -> usize,
    ) -> Option<Function> {
        let is_bit = |(bit, level): (usize, &Level), place: u16| {
            !level.is_inverted() && *logic.node(level.node()) == Node::Leaf(place, bit as u8)
        };
        if let Some(&Node::Leaf(place, 0)) = levels.first().map(|level| logic.node(level.node()))
            && levels.len() == width(place)
            && levels.iter().enumerate().all(|bit| is_bit(bit, place))
        {
            return Some(Function::Copy(place));
        }
        let leaves = logic.leaves(levels.iter().copied())?;
        let mut places: Vec<u16> = leaves.iter().map(|&(place, _)| place).collect();
        places.dedup();
        if places.is_empty() {
            let bits = (0..).zip(levels);
            let value =
                bits.fold(0, |value, (bit, level)| value | u16::from(level.known() == Some(true)) << bit);
            return Some(Function::Copy(CONSTANTS + value));
        }
        // Of three places, one has to be a single bit, which comes last.
        let is_single = |place: &u16| leaves.iter().all(|leaf| leaf.0 != *place || leaf.1 == 0);
        if places.len() > 2 {
            let single = places.iter().position(is_single)?;
            let place = places.remove(single);
            places.push(place);
        }
        if places.len() > 3 {
            return None;
        }
        let shape = self.shape(logic, levels, &places)?;
        Some(match (shape, &*places) {
            (Shape::Map(map), &[a]) => Function::Map(map, a),
            (Shape::Two(two), &[a, b]) => Function::Two(two, [a, b]),
            (Shape::Table(table), &[a, b]) => Function::Table(table, [a, b, CONSTANTS]),
            (Shape::Table(table), &[a, b, c]) => Function::Table(table, [a, b, c]),
            _ => return None,
        })
    }

    fn shape(&mut self, logic: &Logic, levels: &[Level], places: &[u16]) -> Option<Shape> {
        let mut numbering = Numbering { logic, places, nodes: Vec::new(), key: vec![places.len() as u32] };
        for level in levels {
            let node = numbering.visit(level.node());
            numbering.key.push(node << 1 | u32::from(level.is_inverted()));
        }
        let Numbering { nodes, key, .. } = numbering;
        if let Some(shape) = self.shapes.get(&key) {
            return Some(*shape);
        }
        let values = values(logic, levels, places, &nodes);
        let shape = match places.len() {
            1 => Shape::Map(self.map(values.try_into().ok()?)?),
            _ => {
                let is = |two: &Two| {
                    let mut values = (0..).zip(&values);
                    places.len() == 2
                        && values.all(|(at, &value): (usize, _)| two.of(at as u8, (at >> 8) as u8) == value)
                };
                match Two::ALL.into_iter().find(is) {
                    Some(two) => Shape::Two(two),
                    None if self.tables.len() == MAX_TABLES => return None,
                    None => {
                        self.tables.push(values.into());
                        Shape::Table(self.tables.len() as u16 - 1)
                    }
                }
            }
        };
        self.shapes.insert(key, shape);
        Some(shape)
    }
}

/// Numbers expressions in the order in which they are needed, apart from the places of their bytes.
struct Numbering<'a> {
    logic: &'a Logic,
    places: &'a [u16],
    nodes: Vec<u32>,
    key: Vec<u32>,
}

impl Numbering<'_> {
    /// Expressions are as deep as a board has chips in a row, so the recursion is not deep.
    fn visit(&mut self, node: u32) -> u32 {
        if let Some(number) = self.nodes.iter().position(|&known| known == node) {
            return number as u32;
        }
        match self.logic.node(node) {
            Node::Low | Node::Unknown(_) => self.key.push(u32::MAX),
            Node::Leaf(place, bit) => {
                let place = self.places.iter().position(|known| known == place).unwrap_or_default() as u32;
                self.key.push(u32::MAX - 1 - (place << 8 | u32::from(*bit)));
            }
            Node::Gate { truth, lines } => {
                let lines: Vec<u32> = lines.iter().map(|&line| self.visit(line)).collect();
                self.key.extend([*truth, lines.len() as u32]);
                self.key.extend(lines);
            }
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
}

/// The bytes that levels make, for all values of the bytes at these places: the first place has the lowest bits of the
/// index. `nodes` are the expressions, each after those that it needs.
fn values(logic: &Logic, levels: &[Level], places: &[u16], nodes: &[u32]) -> Vec<u8> {
    let lines = if places.len() > 2 { 17 } else { 8 * places.len() };
    let words = (1usize << lines) / 64;
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let row_of = |node: u32| nodes.iter().position(|&known| known == node).unwrap_or_default();
    for &node in nodes {
        let row = match logic.node(node) {
            Node::Low | Node::Unknown(_) => vec![0; words],
            Node::Leaf(place, bit) => {
                let place = places.iter().position(|known| known == place).unwrap_or_default();
                (0..words).map(|word| counting(word, 8 * place + usize::from(*bit))).collect()
            }
            Node::Gate { truth, lines } => {
                let lines: Vec<usize> = lines.iter().map(|&line| row_of(line)).collect();
                let truth = logic.truth(*truth);
                let choices = choices(truth, lines.len());
                let mut chosen = vec![0, u64::MAX];
                let choose = |word: usize| {
                    chosen.truncate(2);
                    for &(line, low, high) in &choices {
                        let level = rows[lines[line]][word];
                        chosen.push(chosen[low] & !level | chosen[high] & level);
                    }
                    chosen[chosen.len() - 1]
                };
                (0..words).map(choose).collect()
            }
        };
        rows.push(row);
    }
    let rows: Vec<(&Vec<u64>, u64)> =
        levels.iter().map(|level| (&rows[row_of(level.node())], u64::from(level.is_inverted()))).collect();
    let mut values = Vec::with_capacity(1 << lines);
    for word in 0..words {
        for byte in 0..8 {
            let bits = rows.iter().zip((0..64).step_by(8)).fold(0, |bits, ((row, is_inverted), shift)| {
                let row = row[word] ^ 0u64.wrapping_sub(*is_inverted);
                bits | (row >> (8 * byte) & 0xFF) << shift
            });
            values.extend(transposed(bits).to_le_bytes());
        }
    }
    values
}

/// Transposes a square of 8 by 8 bits.
fn transposed(mut square: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let swapped = (square ^ square >> shift) & mask;
        square ^= swapped ^ swapped << shift;
    }
    square
}

/// A bit of 64 numbers that follow each other.
fn counting(word: usize, bit: usize) -> u64 {
    const LOW: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    LOW.get(bit).copied().unwrap_or_else(|| if word >> (bit - 6) & 1 == 1 { u64::MAX } else { 0 })
}

/// A table as choices that lines make, each between the results of two earlier ones; the first two results are 0 and 1,
/// and the last one is what the table gives.
fn choices(truth: &[u64], lines: usize) -> Vec<(usize, usize, usize)> {
    let mut results: Vec<usize> =
        (0..1usize << lines).map(|at| (truth[at / 64] >> (at % 64) & 1) as usize).collect();
    let (mut choices, mut known) = (Vec::new(), FxHashMap::default());
    for line in 0..lines {
        let pairs = results.chunks(2).map(|pair| match *pair {
            [low, high] if low != high => *known.entry((line, low, high)).or_insert_with(|| {
                choices.push((line, low, high));
                choices.len() + 1
            }),
            _ => pair[0],
        });
        results = pairs.collect();
    }
    choices
}
