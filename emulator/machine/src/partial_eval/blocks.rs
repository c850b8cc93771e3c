//! Cycles that follow each other, joined to blocks. What they do together is worked out again, so that bytes that are
//! overwritten are not computed, and bytes are not copied more often than necessary.

use super::cycle::Contents;
use super::finish::{OrderedSteps, finish};
use super::layout::Layout;
use super::steps::{Op, Step, StepKind, Value};
use super::words::{Cycle, Following, Grown, Next, Words};
use crate::evaluated::{self, CONSTANTS, Function, Functions, Two};

/// The maximum number of cycles in a block.
pub(super) const MAX_CYCLES: u64 = 64;

/// Cycles that follow each other.
pub(super) struct Block {
    /// The key of its first cycle.
    pub key: u64,
    /// The number of its cycles.
    pub cycles: u64,
    pub ops: Vec<Op>,
    /// The table, and the place of the byte for which it is 0 or not, which decides between two exits.
    pub decides: Option<(u16, u16)>,
    /// The keys of the cycles that follow.
    pub keys: [u64; 2],
    /// Its instruction counts, by opcode.
    pub opcodes: [u8; 8],
    /// The places that it overwrites without reading them before.
    pub overwrites: Vec<u16>,
}

/// Joins the cycles from this key on. `None` if the first one cannot be run here: it cannot be evaluated, or the machine
/// may halt in it, or the cycle that follows cannot be evaluated. The bytes at the places `dead` are overwritten before
/// anything reads them after this block. It ends before the keys for which `is_end` holds.
pub(super) fn block(
    words: &mut Words,
    contents: &Contents,
    layout: &Layout,
    first: u64,
    dead: &[u16],
    is_end: &dyn Fn(u64) -> bool,
) -> Result<Option<Block>, Grown> {
    let (mut builder, mut key, mut opcodes, mut fork) = (Builder::default(), first, [0; 8], None);
    'cycles: while builder.cycles < MAX_CYCLES && (builder.cycles == 0 || !is_end(key)) {
        let Some(cycle) = words.cycle(contents, layout, key)? else { break };
        let all = match &cycle.next {
            Next::Always(following) => std::slice::from_ref(following),
            Next::Fork(_, following) => following,
        };
        // The cycle after the last has to be known: only then do all nets follow from the kept ones.
        for Following { key, has_halted, .. } in all {
            if *has_halted || words.cycle(contents, layout, *key)?.is_none() {
                break 'cycles;
            }
        }
        opcodes[usize::from(cycle.opcode % 8)] += 1;
        let Some(decides) = builder.add(&mut words.functions, &cycle) else { return Ok(None) };
        let is_known = decides.and_then(|(map, value)| {
            Some(words.functions.maps[usize::from(map)][usize::from(constant(value)?)] != 0)
        });
        match (&cycle.next, is_known) {
            (Next::Always(following), _) => key = following.key,
            (Next::Fork(_, following), Some(side)) => key = following[usize::from(side)].key,
            (Next::Fork(_, following), None) => {
                fork = decides.map(|decides| (decides, following.map(|following| following.key)));
                break;
            }
        }
    }
    if builder.cycles == 0 {
        return Ok(None);
    }
    let cycles = builder.cycles;
    let (decides, keys) = match fork {
        Some((decides, keys)) => (Some(decides), keys),
        None => (None, [key; 2]),
    };
    let finished = finish(&builder.steps, &builder.now, layout.end(), decides, dead);
    Ok(finished.map(|OrderedSteps { ops, decides, overwrites }| Block {
        key: first,
        cycles,
        ops,
        decides,
        keys,
        opcodes,
        overwrites,
    }))
}

/// A block that is being joined.
#[derive(Default)]
struct Builder {
    cycles: u64,
    steps: Vec<Step>,
    /// The places that have another value than at the beginning.
    now: Vec<(u16, Value)>,
}

/// The constant at this place.
fn constant(place: Value) -> Option<u8> {
    match place {
        Value::Initial(place) => evaluated::constant(place),
        Value::Step(_) => None,
    }
}

fn of_constant(value: u8) -> Value {
    Value::Initial(CONSTANTS + u16::from(value))
}

impl Builder {
    /// Adds a cycle. Returns the table and the value that decide what follows, if something does; `None` if there are too
    /// many tables.
    fn add(&mut self, functions: &mut Functions, cycle: &Cycle) -> Option<Option<(u16, Value)>> {
        let mut now = Vec::new();
        for &(place, function) in &cycle.changes {
            now.push((place, self.value(functions, function)?));
        }
        let mut shown = Vec::new();
        for &(address, function) in &cycle.outlets {
            shown.push((address, self.value(functions, function)?));
        }
        let decides = match cycle.next {
            Next::Fork(Function::Map(map, place), _) => Some((map, self.read(place))),
            // The first table changes nothing.
            Next::Fork(function, _) => Some((0, self.value(functions, function)?)),
            Next::Always(_) => None,
        };
        for (address, value) in shown {
            self.push(StepKind::Show(address, self.cycles as u16), value);
        }
        for (place, value) in now {
            self.now.retain(|known| known.0 != place);
            if value != Value::Initial(place) {
                self.now.push((place, value));
                self.push(StepKind::Keep(place), value);
            }
        }
        self.cycles += 1;
        Some(decides)
    }

    fn push(&mut self, how: StepKind, value: Value) {
        self.steps.push((how, [value, of_constant(0), of_constant(0)]));
    }

    fn read(&self, place: u16) -> Value {
        self.now.iter().find(|known| known.0 == place).map_or(Value::Initial(place), |known| known.1)
    }

    fn value(&mut self, functions: &mut Functions, function: Function) -> Option<Value> {
        match function {
            Function::Copy(place) => Some(self.read(place)),
            Function::Map(map, place) => {
                let value = self.read(place);
                self.map(functions, map, value)
            }
            Function::Two(two, places) => {
                let [a, b] = places.map(|place| self.read(place));
                match (constant(a), constant(b)) {
                    (Some(a), Some(b)) => Some(of_constant(two.of(a, b))),
                    (Some(known), None) => self.with_constant(functions, two, known, b),
                    (None, Some(known)) => self.with_constant(functions, two, known, a),
                    (None, None) => Some(self.step(StepKind::Two(two), [a.min(b), a.max(b), of_constant(0)])),
                }
            }
            Function::Table(table, places) => {
                let values = places.map(|place| self.read(place));
                Some(self.step(StepKind::Table(table), values))
            }
        }
    }

    fn with_constant(
        &mut self,
        functions: &mut Functions,
        two: Two,
        known: u8,
        value: Value,
    ) -> Option<Value> {
        let map = functions.map(std::array::from_fn(|byte| two.of(known, byte as u8)))?;
        self.map(functions, map, value)
    }

    fn map(&mut self, functions: &mut Functions, map: u16, value: Value) -> Option<Value> {
        let table = functions.maps[usize::from(map)];
        if let Some(known) = constant(value) {
            return Some(of_constant(table[usize::from(known)]));
        }
        let (map, value) = match value {
            Value::Step(step) if let (StepKind::Map(first), of) = self.steps[step] => {
                let first = functions.maps[usize::from(first)];
                (functions.map(first.map(|byte| table[usize::from(byte)]))?, of[0])
            }
            _ => (map, value),
        };
        if functions.maps[usize::from(map)].iter().enumerate().all(|(at, &byte)| at == usize::from(byte)) {
            return Some(value);
        }
        Some(self.step(StepKind::Map(map), [value, of_constant(0), of_constant(0)]))
    }

    /// The number of a step, which may have been made before.
    fn step(&mut self, how: StepKind, of: [Value; 3]) -> Value {
        let known = self.steps.iter().position(|step| *step == (how, of));
        Value::Step(known.unwrap_or_else(|| {
            self.steps.push((how, of));
            self.steps.len() - 1
        }))
    }
}
