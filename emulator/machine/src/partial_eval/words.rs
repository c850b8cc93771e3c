//! The cycles that have been evaluated: what each does to the bytes of the machine, and which cycle comes next.

use super::cycle::{Contents, Evaluated, evaluate};
use super::layout::{Layout, Source};
use super::logic::{Level, Logic};
use crate::evaluated::{Function, Functions};
use gray1_isa::memory_map::{GREEN, OUT};
use gray1_isa::{PROGRAM_WORDS, from_gray};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// No more cycles than this are evaluated: every word of a program, four times.
const MAX_CYCLES: usize = 16_384;

/// The effect of a cycle on the bytes of the machine. All functions are of the bytes at its beginning.
pub(super) struct Cycle {
    /// The opcode of its instruction.
    pub opcode: u8,
    /// The registers and the cells of RAM that get another value.
    pub changes: Vec<(u16, Function)>,
    /// The outlets that it opens, as the addresses that belong to them, and the bytes that they show.
    pub outlets: Vec<(u16, Function)>,
    pub next: Next,
}

/// The keys of the cycles that can follow, and whether the counter is the same there: then the machine has halted.
pub(super) enum Next {
    Always(Following),
    /// The second one follows if this function is not 0.
    Fork(Function, [Following; 2]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Following {
    pub key: u64,
    pub has_halted: bool,
    /// Whether the counter has counted by one, as it usually does.
    pub is_next: bool,
}

/// Evaluates cycles when they are met, and keeps them.
#[derive(Default)]
pub(super) struct Words {
    logic: Logic,
    pub functions: Functions,
    cycles: FxHashMap<u64, Option<Arc<Cycle>>>,
    /// For each register, whether some cycle depends on its value. The others are not kept up to date.
    pub needed: Vec<bool>,
}

/// A register turned out to be needed that has not been kept up to date.
pub(super) struct Grown;

impl Words {
    pub fn new() -> Option<Words> {
        let mut words = Words::default();
        // The first table changes nothing.
        words.functions.map(std::array::from_fn(|byte| byte as u8))?;
        Some(words)
    }

    /// The number of cycles evaluated.
    pub fn evaluated(&self) -> u64 {
        self.cycles.len() as u64
    }

    /// The cycle with this key; `None` if it cannot be evaluated.
    pub fn cycle(
        &mut self,
        contents: &Contents,
        layout: &Layout,
        key: u64,
    ) -> Result<Option<Arc<Cycle>>, Grown> {
        if let Some(cycle) = self.cycles.get(&key) {
            return Ok(cycle.clone());
        }
        if self.cycles.len() == MAX_CYCLES {
            return Ok(None);
        }
        let evaluated = evaluate(contents, layout, &mut self.logic, key);
        let cycle = match evaluated {
            None => None,
            Some(evaluated) => match self.needs_more(layout, &evaluated) {
                Some(true) => {
                    self.cycles.clear();
                    return Err(Grown);
                }
                Some(false) => self.as_bytes(contents, layout, key, &evaluated).map(Arc::new),
                None => None,
            },
        };
        self.cycles.insert(key, cycle.clone());
        Ok(cycle)
    }

    /// Adds the registers that this cycle depends on to those that are needed. Returns whether there are new ones; `None`
    /// if it depends on a level about which nothing can be said.
    fn needs_more(&mut self, layout: &Layout, evaluated: &Evaluated) -> Option<bool> {
        let kept = layout.sources.iter().zip(&evaluated.levels);
        let kept = kept.filter(|(source, _)| **source != Source::Derived).map(|(_, level)| level);
        let stored = evaluated.stores.iter().flat_map(|store| &store.1);
        let shown = evaluated.outlets.iter().flat_map(|outlet| &outlet.1);
        self.needed.resize(layout.registers.len(), false);
        let mut is_new = false;
        for (place, _) in self.logic.leaves(kept.chain(stored).chain(shown).copied())? {
            if let Some(register) = Layout::register(place) {
                is_new |= !std::mem::replace(&mut self.needed[register], true);
            }
        }
        Some(is_new)
    }

    fn as_bytes(
        &mut self,
        contents: &Contents,
        layout: &Layout,
        key: u64,
        evaluated: &Evaluated,
    ) -> Option<Cycle> {
        let Words { logic, functions, needed, .. } = self;
        let mut function = |levels: &[Level]| functions.of(logic, levels, |place| layout.width(place));
        let mut changes = Vec::new();
        for ((place, nets), _) in layout.placed().zip(needed.iter()).filter(|(_, is_needed)| **is_needed) {
            let levels: Vec<Level> = nets.iter().map(|&net| evaluated.levels[net]).collect();
            changes.push((nets.len(), place, function(&levels)?));
        }
        for (place, levels) in &evaluated.stores {
            changes.push((levels.len(), *place, function(levels)?));
        }
        changes.retain(|&(_, place, function)| function != Function::Copy(place));
        // Single bits first: a carry is computed before the sum takes the place of what it is computed from.
        changes.sort_by_key(|change| change.0);
        let mut outlets = Vec::new();
        for (number, levels) in &evaluated.outlets {
            let address = number.checked_sub(1).map_or(OUT, |row| GREEN + row as u16);
            outlets.push((address, function(levels)?));
        }
        let next = match following(contents, layout, key, evaluated)? {
            (keys, None) => Next::Always(keys[0]),
            (keys, Some(level)) => Next::Fork(function(&[level])?, keys),
        };
        let changes = changes.into_iter().map(|(_, place, function)| (place, function)).collect();
        Some(Cycle { opcode: evaluated.opcode, changes, outlets, next })
    }
}

/// The key after a cycle, if one level, which is returned, is 0 and if it is 1. `None` if it depends on more.
fn following(
    contents: &Contents,
    layout: &Layout,
    key: u64,
    evaluated: &Evaluated,
) -> Option<([Following; 2], Option<Level>)> {
    let (mut keys, mut decides) = ([0u64; 2], None::<Level>);
    for (bit, &net) in layout.key.iter().enumerate() {
        let level = evaluated.levels[net];
        let sides = match level.known() {
            Some(level) => [level; 2],
            None => {
                let upright = level.inverted_if(level.is_inverted());
                if *decides.get_or_insert(upright) != upright {
                    return None;
                }
                [level.is_inverted(), !level.is_inverted()]
            }
        };
        for (key, side) in keys.iter_mut().zip(sides) {
            *key |= u64::from(side) << bit;
        }
    }
    let counter = |key: u64| {
        let bits = contents.netlist.panel.counter.iter().map(move |&net| match layout.sources[net] {
            Source::Key(bit) => Some(key >> bit & 1),
            _ => None,
        });
        let bits = bits.collect::<Option<Vec<u64>>>()?;
        Some(from_gray(bits.iter().rev().fold(0, |count, bit| count << 1 | *bit as u16)))
    };
    let before = counter(key)?;
    let following = |key: u64| {
        let count = counter(key)?;
        let is_next = count == (before + 1) % PROGRAM_WORDS as u16;
        Some(Following { key, has_halted: count == before, is_next })
    };
    Some(([following(keys[0])?, following(keys[1])?], decides))
}
