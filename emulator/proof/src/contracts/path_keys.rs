//! Path keys: bytes that tell the paths through a program apart, because they only ever hold constants. Examples are the
//! numbers of calls, or what a program remembers of the last key.

use crate::contracts::access::reads;
use crate::contracts::flow::next_words;
use gray1_isa::memory_map::INPUTS;
use gray1_isa::{Image, Opcode};
use std::collections::{BTreeMap, BTreeSet};

/// A byte that tells paths apart.
pub struct PathKey {
    pub address: u16,
    /// The words at which the byte is live: it may be read before it is stored again.
    pub live_at: BTreeSet<u16>,
}

/// Returns the path keys, sorted by address: the bytes to which only constants are stored, and which are read.
pub fn path_keys(image: &Image, from: u16) -> Vec<PathKey> {
    let is_constant = constant_accumulator(image, from);
    let mut predecessors: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
    for &at in is_constant.keys() {
        next_words(image, at).for_each(|next| predecessors.entry(next).or_default().push(at));
    }
    let is_read = |at: u16| reads(image.word(at)) && image.word(at).x() < INPUTS;
    let is_store = |at: u16| image.word(at).opcode() == Opcode::Sta;
    let address = |at: u16| image.word(at).x();
    let words = || is_constant.keys().copied();
    let read: BTreeSet<u16> = words().filter(|&at| is_read(at)).map(address).collect();
    let varying: BTreeSet<u16> =
        words().filter(|&at| is_store(at) && !is_constant[&at]).map(address).collect();
    let key = |&key: &u16| {
        let mut left: Vec<u16> = words().filter(|&at| is_read(at) && address(at) == key).collect();
        let mut live_at = BTreeSet::new();
        while let Some(at) = left.pop() {
            if live_at.insert(at) {
                let before = predecessors.get(&at).into_iter().flatten().copied();
                left.extend(before.filter(|&at| !(is_store(at) && address(at) == key)));
            }
        }
        PathKey { address: key, live_at }
    };
    read.difference(&varying).map(key).collect()
}

/// Determines for each reachable word whether A is a constant there, on all paths.
fn constant_accumulator(image: &Image, from: u16) -> BTreeMap<u16, bool> {
    let mut is_constant: BTreeMap<u16, bool> = BTreeMap::from([(from, false)]);
    let mut left = vec![from];
    while let Some(at) = left.pop() {
        let word = image.word(at);
        let constant = match word.opcode() {
            Opcode::Lda => word.m(),
            Opcode::Nor | Opcode::Add => word.m() && is_constant[&at],
            Opcode::Shr => false,
            Opcode::Sta | Opcode::Jmp | Opcode::Jc | Opcode::Jz => is_constant[&at],
        };
        for next in next_words(image, at) {
            let before = is_constant.insert(next, constant && is_constant.get(&next) != Some(&false));
            if before != Some(is_constant[&next]) {
                left.push(next);
            }
        }
    }
    is_constant
}
