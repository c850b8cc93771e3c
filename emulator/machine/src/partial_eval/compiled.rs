//! The evaluated board as machine code: all cycles that can follow from one, translated by a crate above this one.

use super::cycle::Contents;
use super::layout::{Layout, SPARE};
use super::words::{self, Following, Grown, Words};
use crate::engine::OutputSink;
use crate::evaluated::{Branch, Bytes, Code, Function, Functions, Graph, Next, Node, Running, Translator};
use rustc_hash::FxHashMap;

/// No more cycles than this are translated: every word of a program, twice.
const MAX_NODES: usize = 8_192;

/// Machine code for the cycles with these keys.
pub(super) struct Compiled {
    code: Box<dyn Code>,
    keys: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
}

/// The keys reached so far, and their numbers.
#[derive(Default)]
struct KeyNumbers {
    keys: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
}

impl KeyNumbers {
    fn number(&mut self, key: u64) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.keys.len() as u32 - 1
        })
    }
}

/// Translates all cycles that can follow from the one with this key. `None` if that is not possible on this computer, or
/// if more than `most` cycles would have to be evaluated for it.
pub(super) fn compile(
    words: &mut Words,
    contents: &Contents,
    layout: &Layout,
    translator: Translator,
    (first, most): (u64, u64),
) -> Result<Option<Compiled>, Grown> {
    let (mut reached, mut nodes) = (KeyNumbers::default(), Vec::new());
    reached.number(first);
    while nodes.len() < reached.keys.len().min(MAX_NODES) {
        let cycle = words.cycle(contents, layout, reached.keys[nodes.len()])?;
        let node = cycle.and_then(|cycle| {
            let mut to = |following: &Following| Branch {
                node: reached.number(following.key),
                has_halted: following.has_halted,
            };
            let next = match &cycle.next {
                words::Next::Always(following) if following.has_halted => return None,
                words::Next::Always(following) => Next::Always(to(following).node),
                words::Next::Fork(function, sides) => {
                    // Code is faster if it goes on where the run usually does.
                    let opposite =
                        if sides[1].is_next { opposite(&mut words.functions, *function) } else { None };
                    match opposite {
                        Some(opposite) => Next::Fork(opposite, [to(&sides[1]), to(&sides[0])]),
                        None => Next::Fork(*function, [to(&sides[0]), to(&sides[1])]),
                    }
                }
            };
            let (changes, outlets) = (cycle.changes.clone(), cycle.outlets.clone());
            Some(Node { opcode: cycle.opcode % 8, changes, outlets, next })
        });
        nodes.push(node);
        if words.evaluated() > most {
            return Ok(None);
        }
    }
    nodes.resize_with(reached.keys.len(), || None);
    // The cycle after the last has to be known: only then do all nets follow from the kept ones.
    let is_known: Vec<bool> = nodes.iter().map(Option::is_some).collect();
    for node in &mut nodes {
        let leads_on = |to: &Branch| to.has_halted || is_known[to.node as usize];
        let is_followed = node.as_ref().is_some_and(|node| match &node.next {
            Next::Always(next) => is_known[*next as usize],
            Next::Fork(_, sides) => sides.iter().all(leads_on),
        });
        *node = node.take().filter(|_| is_followed);
    }
    let homes = [8, 1].map(|width| home(layout, &nodes, width));
    let graph = Graph { functions: &words.functions, nodes, homes };
    let KeyNumbers { keys, numbers } = reached;
    Ok(translator(&graph).map(|code| Compiled { code, keys, numbers }))
}

/// A function that is 0 where this one is not, if it depends on one byte.
fn opposite(functions: &mut Functions, function: Function) -> Option<Function> {
    let (map, place) = match function {
        Function::Copy(place) => (std::array::from_fn(|byte| byte as u8), place),
        Function::Map(map, place) => (functions.maps[usize::from(map)], place),
        Function::Two(..) | Function::Table(..) => return None,
    };
    Some(Function::Map(functions.map(map.map(|byte| u8::from(byte == 0)))?, place))
}

/// The place of the register with this number of bits that is changed most often.
fn home(layout: &Layout, nodes: &[Option<Node>], width: usize) -> u16 {
    let changes = nodes.iter().flatten().flat_map(|node| &node.changes);
    let places = layout.placed().filter(|(_, nets)| nets.len() == width).map(|(place, _)| place);
    let most = places.max_by_key(|place| changes.clone().filter(|change| change.0 == *place).count());
    most.unwrap_or(SPARE - width as u16)
}

impl Compiled {
    /// Whether code begins at the cycle with this key.
    pub fn begins_at(&self, key: u64) -> bool {
        self.numbers.get(&key).is_some_and(|node| self.code.begins_at(*node))
    }

    /// Runs cycles from this key on, as long as there is code for them.
    pub fn run(
        &mut self,
        key: &mut u64,
        left: &mut u64,
        end: u64,
        (bytes, executed): (&mut Bytes, &mut [u64; 8]),
        outside: &mut dyn OutputSink,
    ) {
        let Some(&(mut node)) = self.numbers.get(key) else { return };
        loop {
            let machine = Running { bytes, cycle: end - *left, executed };
            let (ran, next) = self.code.run(machine, node, *left, outside);
            if ran == 0 {
                break;
            }
            (*left, node) = (*left - ran, next);
        }
        *key = self.keys[node as usize];
    }
}
