//! Runs blocks, one after the other, on the bytes of the machine.

use super::blocks::{Block, MAX_CYCLES};
use super::steps::{Code, Op};
use crate::engine::Store;
use crate::evaluated::{BYTES, Bytes, CONSTANTS, Functions, Two};

/// Stores are reported when there are more than this.
const MANY_STORES: usize = 2048;
/// The number of a block that is not known yet.
const NONE: u32 = u32::MAX;

/// Blocks, as they are run.
#[derive(Default)]
pub(super) struct Program {
    runs: Vec<Run>,
    ops: Vec<Op>,
    /// The runs of each block since they were last counted.
    times: Vec<u64>,
}

struct Run {
    cycles: u32,
    /// The blocks that follow.
    next: [u32; 2],
    full: Steps,
    /// If another block certainly follows: then bytes that this one overwrites at once are left out.
    lean: Steps,
}

#[derive(Clone, Copy)]
struct Steps {
    first: u32,
    end: u32,
    /// The table and the place that decide between the blocks that follow.
    map: u16,
    place: u16,
}

/// The reason why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    /// The next block has more cycles than are left.
    Short(u32),
    /// There is no block yet after this one, on this side.
    End(u32, usize),
    /// The stores have to be reported.
    Full(u32),
}

impl Program {
    /// Adds a block. Its number is that of the blocks added before.
    pub fn add(&mut self, block: &Block) {
        let full = self.steps(block);
        self.runs.push(Run { cycles: block.cycles as u32, next: [NONE; 2], full, lean: full });
        self.times.push(0);
    }

    fn steps(&mut self, block: &Block) -> Steps {
        let first = self.ops.len() as u32;
        self.ops.extend(&block.ops);
        // Without a decision, both sides lead to the same block.
        let (map, place) = block.decides.unwrap_or((0, CONSTANTS));
        Steps { first, end: self.ops.len() as u32, map, place }
    }

    /// Makes a block follow another one, on this side.
    pub fn link(&mut self, last: u32, side: usize, next: u32) {
        self.runs[last as usize].next[side] = next;
    }

    /// Sets what a block does if another block certainly follows.
    pub fn set_lean(&mut self, number: u32, lean: &Block) {
        self.runs[number as usize].lean = self.steps(lean);
    }

    /// Takes the number of runs of each block since the last call.
    pub fn take_times(&mut self) -> impl Iterator<Item = u64> {
        self.times.iter_mut().map(std::mem::take)
    }

    /// Runs blocks from this one on, for up to `left` cycles. Adds what is shown to `stores`.
    pub fn run(
        &mut self,
        functions: &Functions,
        bytes: &mut Bytes,
        mut at: u32,
        left: &mut u64,
        stores: &mut Vec<Store>,
    ) -> Pause {
        let Program { runs, ops, times } = self;
        loop {
            let run = &runs[at as usize];
            if *left < u64::from(run.cycles) {
                return Pause::Short(at);
            }
            if stores.len() > MANY_STORES {
                return Pause::Full(at);
            }
            times[at as usize] += 1;
            let before = *left;
            *left -= u64::from(run.cycles);
            let steps = if *left < MAX_CYCLES { &run.full } else { &run.lean };
            for op in &ops[steps.first as usize..steps.end as usize] {
                step(op, functions, bytes, before as u32, stores);
            }
            let decides = bytes[usize::from(steps.place) % BYTES];
            // A branch, and not an index, so that the processor predicts what follows and does not wait for the byte.
            if functions.maps[usize::from(steps.map)][usize::from(decides)] != 0 {
                let [_, next] = run.next;
                if next == NONE {
                    return Pause::End(at, 1);
                }
                at = next;
            } else {
                let [next, _] = run.next;
                if next == NONE {
                    return Pause::End(at, 0);
                }
                at = next;
            }
        }
    }
}

#[inline(always)]
fn step(op: &Op, functions: &Functions, bytes: &mut Bytes, left: u32, stores: &mut Vec<Store>) {
    let [a, b] = [op.a, op.b].map(|place| bytes[usize::from(place) % BYTES]);
    let result = match op.code {
        Code::Copy => a,
        Code::Map => functions.maps[usize::from(op.table)][usize::from(a)],
        Code::Two(two) => two.of(a, b),
        Code::SumAndCarry => {
            bytes[usize::from(op.c) % BYTES] = Two::Carry.of(a, b);
            Two::Sum.of(a, b)
        }
        Code::Table => {
            let c = bytes[usize::from(op.c) % BYTES];
            let index = usize::from(a) | usize::from(b) << 8 | usize::from(c & 1) << 16;
            functions.tables[usize::from(op.table)][index]
        }
        Code::Show => {
            stores.push(Store { left, address: op.table, since: op.b as u8, byte: a });
            bytes[usize::from(op.c) % BYTES] = a;
            a
        }
    };
    bytes[usize::from(op.to) % BYTES] = result;
}
