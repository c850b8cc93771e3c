//! Translates one tree, cycle by cycle, trace by trace.

use super::tables::Condition;
use super::trace_state::{Cached, Exit, TraceState};
use super::translator::{Entry, Translator};
use super::value::{BIT, BYTE, Value};
use crate::forest::{Forest, Trace, follow};
use crate::uses::Uses;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use gray1_machine::evaluated::{Branch, Function, Graph, Next, Node};

/// The translation of a tree, at a point in one of its traces.
pub struct Path<'a, 'b> {
    pub on: &'a mut Translator<'b>,
    pub graph: &'a Graph<'b>,
    forest: &'a Forest,
    pub uses: Uses,
    /// Number of cycles of the tree before this trace.
    before: usize,
    pub now: TraceState,
    /// The new values of a cycle, which are not in their places yet.
    pub pending: Vec<(u16, Value)>,
    /// Registers that are in use until the end of the cycle.
    pub held: Vec<u8>,
    /// Whether the only function of this cycle may overwrite its operand.
    pub is_single: bool,
    /// The exits of its traces that have not been translated yet.
    open: Vec<(DynamicLabel, Exit)>,
}

/// A comparison that has been made.
enum Comparison {
    Known(bool),
    /// The carry flag is set if it holds, or if it does not.
    Carry(bool),
    /// The zero flag is set if it holds, or if it does not.
    Zero(bool),
}

impl<'a, 'b> Path<'a, 'b> {
    /// Translates a whole tree, given the trace that it begins with.
    pub fn translate(on: &'a mut Translator<'b>, graph: &'a Graph<'b>, forest: &'a Forest, root: &'a Trace) {
        if let Some(Entry { label, .. }) = on.heads[root.steps[0] as usize] {
            dynasm!(on.ops ; .arch x64 ; =>label);
        }
        let home = |(place, number)| Cached {
            place,
            value: Value::of(number),
            is_unsaved: false,
            until: usize::MAX,
        };
        let cache = graph.homes.into_iter().zip([BYTE, BIT]).map(home).collect();
        let now = TraceState { cache, zero: None, home_bit: None, counts: [0; 8], stores: 0 };
        let mut path = Path {
            on,
            graph,
            forest,
            uses: Uses::default(),
            before: 0,
            now,
            pending: Vec::new(),
            held: Vec::new(),
            is_single: true,
            open: Vec::new(),
        };
        path.trace(root);
        while let Some((label, exit)) = path.open.pop() {
            dynasm!(path.on.ops ; .arch x64 ; =>label);
            path.go(exit);
        }
    }

    /// Translates one trace.
    fn trace(&mut self, trace: &'a Trace) {
        (self.uses, self.before) = (Uses::of(self.graph, &trace.steps), trace.before);
        let (from_the_start, homes) = (&self.uses.from_the_start, self.graph.homes);
        self.now.cache.retain_mut(|cached| {
            if homes.contains(&cached.place) {
                return true;
            }
            let until = from_the_start.get(&cached.place);
            cached.until = until.copied().unwrap_or_default();
            until.is_some()
        });
        for (at, &number) in trace.steps.iter().enumerate() {
            if let Some(node) = &self.graph.nodes[number as usize]
                && self.step(at, number, node)
            {
                return;
            }
        }
        let exit = self.exit(trace.steps.len(), trace.next);
        self.go(exit);
    }

    /// Continues in another trace of this tree, or at an entry.
    fn go(&mut self, exit: Exit) {
        match self.forest.branch(exit.to).filter(|_| !exit.halts) {
            Some(branch) => {
                self.now = exit.now;
                self.trace(branch);
            }
            None => self.on.leave(exit, self.graph.homes),
        }
    }

    /// Translates one cycle. Returns whether the trace ends with it.
    fn step(&mut self, at: usize, number: u32, node: &Node) -> bool {
        self.now.cache.retain(|cached| cached.until >= at);
        let side = follow(&node.next).1;
        let mut decides = None;
        if let Next::Fork(function, _) = node.next
            && !node.changes.is_empty()
        {
            // The deciding byte is computed before it changes.
            self.is_single = false;
            let value = self.compute(at, function);
            decides = Some(self.copy(value));
        }
        self.compute_all(at, node);
        let shown = node.outlets.len();
        for index in shown..self.pending.len() {
            let (place, value) = self.pending[index];
            self.put(at, place, value);
        }
        for index in 0..shown {
            let (address, value) = self.pending[index];
            self.show(at, address, value);
        }
        self.pending.clear();
        self.held.clear();
        let is_done = match (&node.next, side) {
            (Next::Fork(function, _), Some((when, to))) => {
                let compared = match decides {
                    Some(value) => self.test(value),
                    None => self.compare(at, *function),
                };
                self.fork(at, number, node, (compared, when, to, *function))
            }
            _ => false,
        };
        self.now.counts[usize::from(node.opcode)] += 1;
        is_done
    }

    /// Translates an exit of the trace that is taken if the comparison gives `when`. Returns whether it is always taken.
    fn fork(
        &mut self,
        at: usize,
        number: u32,
        node: &Node,
        (compared, when, to, function): (Comparison, bool, Branch, Function),
    ) -> bool {
        let mut exit = match to.has_halted {
            true => self.exit(at, number),
            false => self.exit(at + 1, to.node),
        };
        exit.halts = to.has_halted;
        if !exit.halts {
            exit.now.counts[usize::from(node.opcode)] += 1;
        }
        let jumps_if = match compared {
            Comparison::Known(holds) if holds == when => {
                self.go(exit);
                return true;
            }
            Comparison::Known(_) => return false,
            Comparison::Carry(holds) | Comparison::Zero(holds) => holds == when,
        };
        let label = self.on.ops.new_dynamic_label();
        match (compared, jumps_if) {
            (Comparison::Carry(_), true) => dynasm!(self.on.ops ; .arch x64 ; jb =>label),
            (Comparison::Carry(_), false) => dynasm!(self.on.ops ; .arch x64 ; jae =>label),
            (_, true) => dynasm!(self.on.ops ; .arch x64 ; jz =>label),
            (_, false) => dynasm!(self.on.ops ; .arch x64 ; jnz =>label),
        }
        if node.changes.is_empty() {
            self.learn(function, when, &mut exit.now);
        }
        self.open.push((label, exit));
        false
    }

    /// Records the state on both sides of a fork.
    fn learn(&mut self, function: Function, when: bool, there: &mut TraceState) {
        let (place, condition) = self.condition(function);
        let known = |holds: bool| match (condition, holds) {
            (Condition::Is(byte), true) | (Condition::IsNot(byte), false) => Some(byte),
            // A bit has only one other value.
            (Condition::Is(byte), false) | (Condition::IsNot(byte), true) if place == self.graph.homes[1] => {
                Some(1 - byte)
            }
            _ => None,
        };
        if let Some(byte) = known(when) {
            there.learn(place, byte);
        }
        if let Some(byte) = known(!when) {
            self.now.learn(place, byte);
        }
    }

    /// The place of the deciding byte, and the bytes for which its function is not 0.
    fn condition(&self, function: Function) -> (u16, Condition) {
        let bytes = |place| if place == self.graph.homes[1] { 0..=1 } else { 0..=255 };
        match function {
            Function::Copy(place) => (place, Condition::IsNot(0)),
            Function::Map(map, place) => {
                let map = &self.graph.functions.maps[usize::from(map)];
                (place, Condition::of(map, bytes(place)))
            }
            Function::Two(_, [place, _]) | Function::Table(_, [place, ..]) => (place, Condition::Table),
        }
    }

    /// Compares the deciding byte before any place changes.
    fn compare(&mut self, at: usize, function: Function) -> Comparison {
        let (place, condition) = self.condition(function);
        let (is, byte) = match condition {
            Condition::Known(holds) => return Comparison::Known(holds),
            Condition::Is(byte) => (true, byte),
            Condition::IsNot(byte) => (false, byte),
            Condition::Table => {
                self.is_single = false;
                let value = self.compute(at, function);
                self.held.clear();
                return self.test(value);
            }
        };
        if let Some(value) = self.now.cache.iter().find(|cached| cached.place == place)
            && value.value == Value::Flag
        {
            return Comparison::Carry((byte == 1) == is); // the flag is 0 or 1
        }
        let operand = self.operand(at, place);
        let value = self.load(operand);
        self.held.clear();
        match value {
            Value::Constant(known) => Comparison::Known((known == byte) == is),
            Value::Register { number, inverted } => {
                let byte = if inverted { !byte } else { byte };
                if byte != 0 || self.now.zero != Some(number) {
                    self.clobber(at);
                    match byte {
                        0 => dynasm!(self.on.ops ; .arch x64 ; test Rb(number), Rb(number)),
                        _ => dynasm!(self.on.ops ; .arch x64 ; cmp Rb(number), byte as i8),
                    }
                    self.now.zero = Some(number).filter(|_| byte == 0);
                }
                Comparison::Zero(is)
            }
            Value::Flag => Comparison::Carry(is),
        }
    }

    /// Compares a value with 0.
    fn test(&mut self, value: Value) -> Comparison {
        match value {
            Value::Constant(known) => Comparison::Known(known != 0),
            Value::Flag => Comparison::Carry(true),
            Value::Register { number, inverted } => {
                self.settle_flag();
                match inverted {
                    false => dynasm!(self.on.ops ; .arch x64 ; test Rb(number), Rb(number)),
                    true => dynasm!(self.on.ops ; .arch x64 ; cmp Rb(number), -1),
                }
                self.now.zero = None;
                Comparison::Zero(false)
            }
        }
    }

    /// The exit after `done` cycles.
    fn exit(&self, done: usize, to: u32) -> Exit {
        Exit { now: self.now.clone(), ran: self.before + done, to, halts: false }
    }

    /// Records a byte that is shown.
    fn show(&mut self, at: usize, address: u16, value: Value) {
        let (element, since) = (8 * self.now.stores, (self.before + at) as i32);
        let what = since << 16 | i32::from(address);
        let value = self.upright(value);
        dynasm!(self.on.ops ; .arch x64 ; mov [r10 + element], r8d);
        let ops = &mut self.on.ops;
        match value.register() {
            None => {
                let byte = if let Value::Constant(byte) = value { byte } else { 0 };
                dynasm!(ops ; .arch x64 ; mov DWORD [r10 + element + 4], i32::from(byte) << 24 | what);
            }
            Some(number) => dynasm!(ops
                ; .arch x64
                ; mov DWORD [r10 + element + 4], what
                ; mov [r10 + element + 7], Rb(number)
            ),
        }
        self.now.stores += 1;
    }

    /// Puts a new value in its place.
    fn put(&mut self, at: usize, place: u16, value: Value) {
        self.now.cache.retain(|cached| cached.place != place);
        if self.graph.homes.contains(&place) {
            self.now.cache.push(Cached { place, value, is_unsaved: false, until: usize::MAX });
            return;
        }
        let written = self.uses.written(at, place);
        let mut value = value;
        if !written.is_dead {
            value = self.upright(value);
            let (ops, place) = (&mut self.on.ops, i32::from(place));
            match value {
                Value::Constant(byte) => dynasm!(ops ; .arch x64 ; mov BYTE [rdi + place], byte as i8),
                Value::Register { number, .. } => dynasm!(ops ; .arch x64 ; mov [rdi + place], Rb(number)),
                Value::Flag => dynasm!(ops ; .arch x64 ; setb BYTE [rdi + place]),
            }
        }
        if written.until > at {
            self.now.cache.push(Cached { place, value, is_unsaved: written.is_dead, until: written.until });
        }
    }

    /// Inverts the register of a value if the value is inverted.
    fn upright(&mut self, value: Value) -> Value {
        match value {
            Value::Register { number, inverted: true } => {
                self.invert(number);
                Value::of(number)
            }
            value => value,
        }
    }
}
