//! Runs blocks, one after the other, on the bytes of the machine.

use super::blocks::{Block, Code, MOST_CYCLES};
use super::bytes::{Functions, Two};
use super::layout::PLACES;
use crate::engine::Store;

/// The maximum number of stores that are recorded before they are reported.
const MOST_STORES: usize = 4096;

/// Why a run of blocks has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    /// The next block has more cycles than are left.
    Short(u32),
    /// There is no block yet after this one, on this side.
    End(u32, usize),
    /// The stores have to be reported.
    Full(u32),
}

/// Runs blocks from this one on, for up to `left` cycles. Adds what is shown to `stores`, whose cycles are counted as
/// those left.
pub(super) fn run(
    blocks: &mut [Block],
    functions: &Functions,
    bytes: &mut [u8; PLACES],
    mut at: u32,
    left: &mut u64,
    stores: &mut Vec<Store>,
) -> Pause {
    loop {
        let block = &mut blocks[at as usize];
        if *left < block.cycles {
            return Pause::Short(at);
        }
        if stores.len() > MOST_STORES - MOST_CYCLES as usize * 32 {
            return Pause::Full(at);
        }
        block.runs += 1;
        for op in &block.ops {
            let [a, b] = [op.a, op.b].map(|place| bytes[usize::from(place) % PLACES]);
            let result = match op.code {
                Code::Copy => a,
                Code::Map => functions.maps[usize::from(op.table)][usize::from(a)],
                Code::Two(Two::Sum) => Two::Sum.of(a, b),
                Code::Two(Two::Carry) => Two::Carry.of(a, b),
                Code::Two(Two::Nor) => Two::Nor.of(a, b),
                Code::Two(Two::And) => Two::And.of(a, b),
                Code::Two(Two::Or) => Two::Or.of(a, b),
                Code::Two(Two::Xor) => Two::Xor.of(a, b),
                Code::SumAndCarry => {
                    bytes[usize::from(op.c) % PLACES] = Two::Carry.of(a, b);
                    Two::Sum.of(a, b)
                }
                Code::Table => {
                    let table = &functions.tables[usize::from(op.table)];
                    let c = bytes[usize::from(op.c) % PLACES];
                    table[usize::from(a) | usize::from(b) << 8 | usize::from(c & 1) << 16]
                }
                Code::Show => {
                    stores.push(Store { left: *left as u32, address: op.to, since: op.b as u8, byte: a });
                    continue;
                }
            };
            bytes[usize::from(op.to) % PLACES] = result;
        }
        *left -= block.cycles;
        let side = block.decides.map_or(0, |(map, place)| {
            usize::from(functions.maps[usize::from(map)][usize::from(bytes[usize::from(place) % PLACES])] != 0)
        });
        match block.next[side] {
            Some(next) => at = next,
            None => return Pause::End(at, side),
        }
    }
}
