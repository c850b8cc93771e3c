//! Cycles that follow each other, joined to blocks. What they do together is worked out again, so that bytes that are
//! overwritten are not computed, and bytes are not copied more often than necessary.

use super::bytes::{Function, Functions, Two};
use super::layout::{CONSTANTS, Layout, PLACES};
use super::words::{Cycle, Following, Grown, Next, Words};
use super::cycle::Contents;

/// The maximum number of cycles in a block.
pub(super) const MOST_CYCLES: u64 = 64;

/// What a block does in one step, on the bytes of the machine. All places are less than [`PLACES`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub code: Code,
    /// Where the result goes.
    pub to: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    /// The number of a table.
    pub table: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The byte at `a`.
    Copy,
    /// What the table has for the byte at `a`.
    Map,
    /// A function of the bytes at `a` and `b`.
    Two(Two),
    /// Their sum; its carry goes to `c`.
    SumAndCarry,
    /// What a large table has for the bytes at `a` and `b` and the bit at `c`.
    Table,
    /// The byte at `a` is shown: `to` is the address, and `b` the cycle of the block.
    Show,
}

/// Cycles that follow each other.
pub(super) struct Block {
    /// The key of its first cycle.
    pub key: u64,
    /// The number of its cycles.
    pub cycles: u64,
    pub ops: Box<[Op]>,
    /// The table, and the place of the byte for which it is 0 or not, which decides between two ways out.
    pub decides: Option<(u16, u16)>,
    /// The keys of the cycles that follow.
    pub keys: [u64; 2],
    /// The blocks that follow, as far as there are some.
    pub next: [Option<u32>; 2],
    /// How often each instruction is run in it.
    pub opcodes: [u8; 8],
    /// How often it has been run since that was last counted.
    pub runs: u64,
}

/// Joins the cycles from this key on. `None` if the first one cannot be run here: it cannot be evaluated, or the machine
/// may halt in it, or the cycle that follows cannot be evaluated.
pub(super) fn block(
    words: &mut Words,
    contents: &Contents,
    layout: &Layout,
    first: u64,
) -> Result<Option<Block>, Grown> {
    let (mut builder, mut key, mut opcodes, mut fork) = (Builder::default(), first, [0; 8], None);
    'cycles: while builder.cycles < MOST_CYCLES {
        let Some(cycle) = words.cycle(contents, layout, key)? else { break };
        let all = match &cycle.next {
            Next::Always(following) => std::slice::from_ref(following),
            Next::Fork(_, following) => following,
        };
        // Where the engine stops, the cycle that follows has to be known: only then does the rest of the board follow.
        for Following { key, has_halted } in all {
            if *has_halted || words.cycle(contents, layout, *key)?.is_none() {
                break 'cycles;
            }
        }
        opcodes[usize::from(cycle.opcode % 8)] += 1;
        let Some(decides) = builder.add(&mut words.functions, &cycle) else { return Ok(None) };
        match (&cycle.next, decides) {
            (Next::Always(following), _) => key = following.key,
            (Next::Fork(_, following), Some(Value::Initial(constant))) if is_constant(constant) => {
                key = following[usize::from(constant != CONSTANTS)].key;
            }
            (Next::Fork(_, following), decides) => {
                fork = decides.map(|value| (value, following.map(|following| following.key)));
                break;
            }
        }
    }
    if builder.cycles == 0 {
        return Ok(None);
    }
    let cycles = builder.cycles;
    let (decides, keys) = match fork {
        Some((value, keys)) => (Some(value), keys),
        None => (None, [key; 2]),
    };
    let finished = builder.finish(&mut words.functions, layout.end(), decides);
    Ok(finished.map(|(ops, decides)| {
        Block { key: first, cycles, ops, decides, keys, next: [None; 2], opcodes, runs: 0 }
    }))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Value {
    /// The byte at a place at the beginning of the block.
    Initial(u16),
    /// The result of a step.
    Step(usize),
}

/// The function of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Map(u16),
    Two(Two),
    Table(u16),
}

/// A block that is being joined.
#[derive(Default)]
struct Builder {
    cycles: u64,
    steps: Vec<(How, [Value; 3])>,
    /// The places that have another value than at the beginning.
    now: Vec<(u16, Value)>,
    shown: Vec<(u16, Value, u16)>,
}

/// Whether the byte at this place never changes.
fn is_constant(place: u16) -> bool {
    place.checked_sub(CONSTANTS).is_some_and(|value| value < 256)
}

/// The constant at this place.
fn constant(place: Value) -> Option<u8> {
    match place {
        Value::Initial(place) if is_constant(place) => Some((place - CONSTANTS) as u8),
        _ => None,
    }
}

fn of_constant(value: u8) -> Value {
    Value::Initial(CONSTANTS + u16::from(value))
}

impl Builder {
    /// Adds a cycle. Returns the value that decides what follows; `None` if there are too many tables.
    fn add(&mut self, functions: &mut Functions, cycle: &Cycle) -> Option<Option<Value>> {
        let mut now = Vec::new();
        for &(place, function) in &cycle.changes {
            now.push((place, self.value(functions, function)?));
        }
        for &(address, function) in &cycle.outlets {
            let value = self.value(functions, function)?;
            self.shown.push((address, value, self.cycles as u16));
        }
        let decides = match cycle.next {
            Next::Fork(function, _) => Some(self.value(functions, function)?),
            Next::Always(_) => None,
        };
        for (place, value) in now {
            self.now.retain(|known| known.0 != place);
            if value != Value::Initial(place) {
                self.now.push((place, value));
            }
        }
        self.cycles += 1;
        Some(decides)
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
                    (None, None) => Some(self.step(How::Two(two), [a.min(b), a.max(b), of_constant(0)])),
                }
            }
            Function::Table(table, places) => {
                let values = places.map(|place| self.read(place));
                Some(self.step(How::Table(table), values))
            }
        }
    }

    fn with_constant(&mut self, functions: &mut Functions, two: Two, known: u8, value: Value) -> Option<Value> {
        let map = functions.map(std::array::from_fn(|byte| two.of(known, byte as u8)))?;
        self.map(functions, map, value)
    }

    fn map(&mut self, functions: &mut Functions, map: u16, value: Value) -> Option<Value> {
        let table = functions.maps[usize::from(map)];
        if let Some(known) = constant(value) {
            return Some(of_constant(table[usize::from(known)]));
        }
        let (map, value) = match value {
            Value::Step(step) if let (How::Map(first), of) = self.steps[step] => {
                let first = functions.maps[usize::from(first)];
                (functions.map(first.map(|byte| table[usize::from(byte)]))?, of[0])
            }
            _ => (map, value),
        };
        if functions.maps[usize::from(map)].iter().enumerate().all(|(at, &byte)| at == usize::from(byte)) {
            return Some(value);
        }
        Some(self.step(How::Map(map), [value, of_constant(0), of_constant(0)]))
    }

    /// The number of a step, which may have been made before.
    fn step(&mut self, how: How, of: [Value; 3]) -> Value {
        let known = self.steps.iter().position(|step| *step == (how, of));
        Value::Step(known.unwrap_or_else(|| {
            self.steps.push((how, of));
            self.steps.len() - 1
        }))
    }

    /// The steps in the order in which they are made; places from `end` on are free. Also returns the table and the
    /// place that decide what follows.
    fn finish(
        mut self,
        functions: &mut Functions,
        end: u16,
        decides: Option<Value>,
    ) -> Option<(Box<[Op]>, Option<(u16, u16)>)> {
        let decides = match decides {
            Some(Value::Step(step)) if let (How::Map(map), of) = self.steps[step] => Some((map, of[0])),
            Some(value) => Some((functions.map(std::array::from_fn(|byte| byte as u8))?, value)),
            None => None,
        };
        self.now.sort_unstable();
        let late = self.now.iter().map(|known| known.1).chain(self.shown.iter().map(|shown| shown.1));
        let late: Vec<Value> = late.chain(decides.map(|decides| decides.1)).collect();
        let places = Places::of(&self, &late, end);
        let mut ops: Vec<Op> = places.saved.iter().map(|&(from, to)| Op::copy(to, from)).collect();
        for (index, (how, of)) in self.steps.iter().enumerate() {
            let Some(to) = places.homes[index] else { continue };
            let [a, b, c] = of.map(|value| places.of_value(value, false));
            match (*how, ops.last_mut()) {
                // The carry has just been computed from the same bytes.
                (How::Two(Two::Sum), Some(last))
                    if last.code == Code::Two(Two::Carry) && (last.a, last.b) == (a, b) =>
                {
                    *last = Op { code: Code::SumAndCarry, to, a, b, c: last.to, table: 0 };
                }
                (How::Map(table), _) => ops.push(Op { code: Code::Map, to, a, b, c, table }),
                (How::Two(two), _) => ops.push(Op { code: Code::Two(two), to, a, b, c, table: 0 }),
                (How::Table(table), _) => ops.push(Op { code: Code::Table, to, a, b, c, table }),
            }
        }
        for &(address, value, cycle) in &self.shown {
            let a = places.of_value(value, true);
            ops.push(Op { code: Code::Show, to: address, a, b: cycle, c: 0, table: 0 });
        }
        for &(place, value) in &self.now {
            let from = places.of_value(value, true);
            if from != place {
                ops.push(Op::copy(place, from));
            }
        }
        let decides = decides.map(|(map, value)| (map, places.of_value(value, true)));
        (usize::from(places.end) <= PLACES).then(|| (ops.into(), decides))
    }
}

impl Op {
    fn copy(to: u16, a: u16) -> Op {
        Op { code: Code::Copy, to, a, b: 0, c: 0, table: 0 }
    }
}

/// Where the values of a block are.
struct Places {
    /// The place of the result of each step; `None` if it is not needed.
    homes: Vec<Option<u16>>,
    /// Bytes that are still needed after their places have been overwritten, and their copies.
    saved: Vec<(u16, u16)>,
    end: u16,
}

impl Places {
    /// `late` are the values that are read after all steps.
    fn of(builder: &Builder, late: &[Value], end: u16) -> Places {
        let Builder { steps, now, .. } = builder;
        let mut is_needed = vec![false; steps.len()];
        let need = |value: &Value, is_needed: &mut Vec<bool>| {
            if let Value::Step(step) = value {
                is_needed[*step] = true;
            }
        };
        late.iter().for_each(|value| need(value, &mut is_needed));
        for step in (0..steps.len()).rev() {
            if is_needed[step] {
                steps[step].1.iter().for_each(|value| need(value, &mut is_needed));
            }
        }
        let mut places = Places { homes: vec![None; steps.len()], saved: Vec::new(), end };
        for value in late {
            if let Value::Initial(place) = value
                && now.iter().any(|known| known.0 == *place)
                && places.saved.iter().all(|saved| saved.0 != *place)
            {
                places.saved.push((*place, places.end));
                places.end += 1;
            }
        }
        let is_read_after = |place: u16, step: usize| {
            let mut later = steps.iter().zip(&is_needed).skip(step + 1);
            later.any(|((_, of), is_needed)| *is_needed && of.contains(&Value::Initial(place)))
        };
        for step in (0..steps.len()).filter(|&step| is_needed[step]) {
            let mut finals = now.iter().filter(|known| known.1 == Value::Step(step));
            let home = finals.find(|known| !is_read_after(known.0, step)).map(|known| known.0);
            places.homes[step] = Some(home.unwrap_or_else(|| {
                places.end += 1;
                places.end - 1
            }));
        }
        places
    }

    fn of_value(&self, value: Value, is_late: bool) -> u16 {
        match value {
            Value::Initial(place) => {
                let saved = self.saved.iter().find(|saved| is_late && saved.0 == place);
                saved.map_or(place, |saved| saved.1)
            }
            Value::Step(step) => self.homes[step].unwrap_or_default(),
        }
    }
}
