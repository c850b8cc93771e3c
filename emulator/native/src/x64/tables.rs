//! Tables that a processor computes instead of looking them up, and the cycles that can be translated.

use gray1_machine::evaluated::{BYTES, Function, Graph, Next, Node, constant};

/// The function of a table for one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Constant(u8),
    Or(u8),
    And(u8),
    Xor(u8),
    /// The opposite of OR.
    Nor(u8),
    Add(u8),
    /// The carry of the sum with this byte.
    Carry(u8),
    /// The upper seven bits.
    Shift,
    /// It has to be looked up.
    Table,
}

impl Kind {
    /// Finds the first function that equals the table for every byte.
    pub fn of(map: &[u8; 256]) -> Kind {
        let [first, last] = [map[0], map[255]];
        let ones = map.iter().filter(|&&byte| byte == 1).count() as u8;
        let all = [
            Kind::Constant(first),
            Kind::Or(first),
            Kind::And(last),
            Kind::Nor(!first),
            Kind::Add(first),
            Kind::Xor(first),
            Kind::Carry(ones),
            Kind::Shift,
        ];
        let gives = |kind: &Kind| (0..=255).zip(map).all(|(byte, cell)| kind.look_up(byte) == Some(*cell));
        all.into_iter().find(gives).unwrap_or(Kind::Table)
    }

    /// Its result for a byte.
    fn look_up(self, byte: u8) -> Option<u8> {
        Some(match self {
            Kind::Constant(other) => other,
            Kind::Or(other) => byte | other,
            Kind::And(other) => byte & other,
            Kind::Xor(other) => byte ^ other,
            Kind::Nor(other) => !(byte | other),
            Kind::Add(other) => byte.wrapping_add(other),
            Kind::Carry(other) => u8::from(byte.overflowing_add(other).1),
            Kind::Shift => byte >> 1,
            Kind::Table => return None,
        })
    }
}

/// The bytes for which a table is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Known(bool),
    Is(u8),
    IsNot(u8),
    /// It has to be looked up.
    Table,
}

impl Condition {
    /// Finds the condition for a table and these bytes.
    pub fn of(map: &[u8; 256], bytes: std::ops::RangeInclusive<u8>) -> Condition {
        let holds = |byte: &u8| map[usize::from(*byte)] != 0;
        let [yes, no]: [Vec<u8>; 2] =
            [bytes.clone().filter(holds).collect(), bytes.filter(|byte| !holds(byte)).collect()];
        match (&*yes, &*no) {
            (_, []) => Condition::Known(true),
            ([], _) => Condition::Known(false),
            (_, &[byte]) => Condition::IsNot(byte),
            (&[byte], _) => Condition::Is(byte),
            _ => Condition::Table,
        }
    }
}

/// Changes and outlets of a cycle that is translated: each may need a register.
const MAX_FUNCTIONS: usize = 4;

/// Whether a cycle can be translated: it shows no more than a byte, has few changes, and all that it names exists.
pub fn fits(graph: &Graph, node: &Node) -> bool {
    let is_node = |node: u32| (node as usize) < graph.nodes.len();
    let (function, follows) = match &node.next {
        Next::Always(next) => (None, is_node(*next)),
        Next::Fork(function, [a, b]) => {
            let halts = a.has_halted || b.has_halted;
            let is_still = node.changes.is_empty() && node.outlets.is_empty();
            let follows = is_node(a.node) && is_node(b.node) && !(a.has_halted && b.has_halted);
            (Some(function), follows && (!halts || is_still))
        }
    };
    let functions = node.changes.iter().chain(&node.outlets).map(|(_, function)| function);
    let is_there = |function: &Function| match *function {
        Function::Copy(_) | Function::Two(..) => true,
        Function::Map(map, _) => usize::from(map) < graph.functions.maps.len(),
        Function::Table(table, places) => {
            let cells = graph.functions.tables.get(usize::from(table)).map_or(0, |table| table.len());
            cells >= if constant(places[2]) == Some(0) { 1 << 16 } else { 1 << 17 }
        }
    };
    let written = node.changes.iter().map(|change| change.0);
    let mut places = functions.clone().chain(function).flat_map(Function::places).chain(written);
    follows
        && usize::from(node.opcode) < 8
        && node.outlets.len() <= 1
        && node.changes.len() + node.outlets.len() <= MAX_FUNCTIONS
        && places.all(|place| usize::from(place) < BYTES)
        && node.changes.iter().all(|change| constant(change.0).is_none())
        && functions.chain(function).all(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_a_processor_computes_are_found() {
        for byte in [0, 1, 2, 0x80, 0xFE, 0xFF] {
            for kind in [
                Kind::Or(byte),
                Kind::And(byte),
                Kind::Xor(byte),
                Kind::Nor(byte),
                Kind::Add(byte),
                Kind::Carry(byte),
                Kind::Shift,
            ] {
                let map = std::array::from_fn(|at| kind.look_up(at as u8).unwrap());
                let found = Kind::of(&map);
                assert!((0..=255).all(|at| found.look_up(at) == kind.look_up(at)), "{kind:?} {found:?}");
            }
        }
        assert_eq!(Kind::of(&std::array::from_fn(|at| (at * at) as u8)), Kind::Table);
    }

    #[test]
    fn conditions_are_compared_with_one_byte_if_that_is_enough() {
        let is_zero = std::array::from_fn(|at| u8::from(at == 0));
        let is_not = std::array::from_fn(|at| u8::from(at != 7));
        let parity = std::array::from_fn(|at| (at.count_ones() & 1) as u8);
        assert_eq!(Condition::of(&is_zero, 0..=255), Condition::Is(0));
        assert_eq!(Condition::of(&is_not, 0..=255), Condition::IsNot(7));
        assert_eq!(Condition::of(&is_not, 0..=1), Condition::Known(true));
        assert_eq!(Condition::of(&parity, 0..=255), Condition::Table);
        assert_eq!(Condition::of(&parity, 0..=1), Condition::IsNot(0));
    }
}
