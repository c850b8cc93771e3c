//! The board, evaluated for the program in its ROM: how the chips engine runs ahead of its own lookups.
//!
//! ```text
//!   logic      levels that are not known, as expressions: tables reduced to the lines that matter
//!   places     where the bytes of a machine are
//!   layout     what a board keeps from one cycle to the next, and at which place
//!   cycle      one cycle of the board, looked up chip by chip with expressions in place of levels
//!   bytes      expressions of bits as functions of bytes: copies, sums, tables
//!   words      the cycles that have been evaluated; the line that decides what follows
//!   blocks     cycles that follow each other, joined; steps: what they do; finish: in which order
//!   interpret  runs blocks
//!   compiled   all cycles as machine code, which a crate above makes from their graph
//! ```
//!
//! While the counter is known, so are the program word, what the decoders make of it, which latches open and what the
//! counter does next: the tables of the board say so. What is left of a cycle is what depends on RAM, registers and
//! inputs. All of this follows from tables and wiring; nothing here knows an instruction or the purpose of a chip.
//!
//! **Why the result is that of the board.** A cycle is evaluated by the general rule, from a board at rest, for all
//! values of what the board keeps. It is used only if it settles, whatever these are; so it fails for none, and on a
//! board for which the order of lookups makes no difference, there is only one result. The last cycle of each run is
//! left to the chips. It begins with every net that it depends on, so it leaves every net as it should be.

mod blocks;
mod bytes;
mod compiled;
mod cycle;
mod finish;
mod graph;
mod interpret;
mod layout;
mod logic;
mod places;
mod steps;
mod words;

use crate::engine::{Outside, Store};
use crate::netlist::Netlist;
use crate::pack::Pack;
use crate::plain::PlainEngine;
use crate::wires::{Data, Levels};
use blocks::{Block, block};
pub use bytes::{Function, Functions, Two};
use compiled::{Compiled, compile};
use cycle::{Contents, program};
pub use graph::{BYTES, Bytes, Code, Graph, Next, Node, Running, To, Translator};
use interpret::{Pause, Program};
use layout::{Layout, is_at_rest};
pub use places::constant;
use places::{CONSTANTS, PLACES};
use rustc_hash::FxHashMap;
use words::{Grown, Words};

/// The cycles of one call at most: they fit the records of stores, and a board that is worth translating is translated.
const MOST_CYCLES: u64 = 1 << 24;
/// The maximum number of blocks.
const MOST_BLOCKS: usize = 1 << 14;

/// What evaluating a cycle costs, and what a cycle takes chip by chip and ahead, in a rough unit of a nanosecond. No
/// more is spent on evaluation than on running the machine, so that it pays even in short runs.
const EVALUATED: u64 = 60_000;
const BY_CHIPS: u64 = 70;
const RUN_AHEAD: u64 = 4;
/// After so many cycles that were interpreted, machine code is made, and again if there was none for as many.
const COMPILED_AFTER: u64 = 4_000_000;

/// A board, evaluated as far as its program has run.
pub(crate) struct Ahead {
    layout: Layout,
    program: [Vec<u8>; 2],
    words: Words,
    blocks: Vec<Block>,
    code: Program,
    known: FxHashMap<u64, Option<u32>>,
    bytes: Box<[u8; PLACES]>,
    stores: Vec<Store>,
    /// The instructions run in this call, by opcode.
    executed: [u64; 8],
    /// The time that may be spent on evaluation.
    earned: u64,
    compiled: Option<Compiled>,
    translator: Option<Translator>,
    /// How many cycles are still interpreted before machine code is made.
    patience: u64,
}

/// The netlist of a board, and the same packed.
type Board<'a> = (&'a Netlist, &'a Pack);

/// A machine between two cycles.
pub(crate) struct Machine<'a> {
    pub netlist: &'a Netlist,
    pub pack: &'a Pack,
    pub levels: &'a mut Levels,
    pub cells: &'a mut [Data],
    pub cycle: u64,
    pub executed: &'a mut [u64; 8],
}

impl Ahead {
    /// Prepares to evaluate the board of this engine, which has to be between two cycles. `None` if that is not possible.
    /// With the translator comes whether it is used at once, or when that begins to pay.
    pub fn of(engine: &PlainEngine, translator: Option<(Translator, bool)>) -> Option<Ahead> {
        let layout = Layout::of(engine)?;
        let is_at_once = translator.is_some_and(|(_, is_at_once)| is_at_once);
        let PlainEngine { netlist, pack, cells, .. } = engine;
        let mut bytes = Box::new([0; PLACES]);
        for (constant, byte) in (0..=255).zip(&mut bytes[usize::from(CONSTANTS)..]) {
            *byte = constant;
        }
        Some(Ahead {
            layout,
            program: program(netlist, pack, cells),
            words: Words::new()?,
            blocks: Vec::new(),
            code: Program::default(),
            known: FxHashMap::default(),
            bytes,
            stores: Vec::new(),
            executed: [0; 8],
            earned: if is_at_once { u64::MAX } else { 0 },
            compiled: None,
            translator: translator.map(|(translator, _)| translator),
            patience: if is_at_once { 0 } else { COMPILED_AFTER },
        })
    }

    /// Tells that the machine has run these cycles chip by chip.
    pub fn has_run(&mut self, cycles: u64) {
        self.earned = self.earned.saturating_add(cycles.saturating_mul(BY_CHIPS));
    }

    /// Runs up to this many cycles. It may stop before, between any two cycles; and it does before the machine halts.
    /// After at least one more cycle, chip by chip, every net is right. Returns how many were run.
    pub fn run(&mut self, machine: Machine, cycles: u64, outside: &mut dyn Outside) -> u64 {
        let Machine { netlist, pack, levels, cells, cycle, executed } = machine;
        let board = (netlist, pack);
        if !is_at_rest(pack, levels, cells) {
            return 0;
        }
        let mut key = self.layout.key_of(pack, levels);
        if self.patience == 0 {
            self.compile(board, key);
        }
        if !self.begins_at(key) && self.block(board, key).is_none() {
            return 0;
        }
        self.layout.load(pack, levels, cells, &mut self.bytes);
        let all = cycles.min(MOST_CYCLES);
        let (mut left, end) = (all, cycle + all);
        loop {
            if let Some(compiled) = &mut self.compiled {
                compiled.run(&mut key, &mut left, end, (&mut self.bytes, &mut self.executed), outside);
            }
            let Some(at) = self.block(board, key) else { break };
            // As soon as there is machine code for what follows, that continues.
            let most = if self.compiled.is_some() { left.min(blocks::MOST_CYCLES) } else { left };
            let mut rest = most;
            key = self.interpret(board, at, &mut rest, end - left + most, outside);
            left -= most - rest;
            self.patience = self.patience.saturating_sub(most - rest);
            if rest == most {
                break;
            }
        }
        self.count();
        for (executed, more) in executed.iter_mut().zip(std::mem::take(&mut self.executed)) {
            *executed += more;
        }
        self.layout.store(pack, levels, cells, key, &self.bytes);
        all - left
    }

    /// Interprets blocks from this one on, for up to `left` cycles, which would end at cycle `end`. Returns the key of the
    /// cycle that follows.
    fn interpret(
        &mut self,
        board: Board,
        mut at: u32,
        left: &mut u64,
        end: u64,
        outside: &mut dyn Outside,
    ) -> u64 {
        let mut paid = *left;
        loop {
            let Ahead { words, code, bytes, stores, .. } = self;
            let pause = code.run(&words.functions, bytes, at, left, stores);
            outside.all_stored(end, stores);
            stores.clear();
            self.earned = self.earned.saturating_add((paid - *left) * RUN_AHEAD);
            paid = *left;
            match pause {
                Pause::Full(next) => at = next,
                Pause::Short(next) => return self.blocks[next as usize].key,
                Pause::End(last, side) => {
                    let key = self.blocks[last as usize].keys[side];
                    if self.begins_at(key) {
                        return key;
                    }
                    let Some(next) = self.block(board, key) else { return key };
                    self.link(board, last, side, next);
                    at = next;
                }
            }
        }
    }

    /// Makes machine code for all that can follow from this key, if the time for that has been earned.
    fn compile(&mut self, board: Board, key: u64) {
        let Some(translator) = self.translator else { return };
        // Blocks end where machine code begins, so they are joined again.
        self.forget_blocks();
        self.patience = COMPILED_AFTER;
        let Ahead { words, layout, program, earned, compiled, .. } = self;
        // Each time, another register turns out to be needed.
        while let Err(Grown) =
            compile(words, &contents(board, program), layout, translator, (key, *earned / EVALUATED))
                .map(|code| *compiled = code)
        {}
    }

    /// Whether machine code begins at the cycle with this key.
    fn begins_at(&self, key: u64) -> bool {
        self.compiled.as_ref().is_some_and(|compiled| compiled.begins_at(key))
    }

    /// The block that begins with this key, joined if necessary. `None` if there cannot be one, or not yet.
    fn block(&mut self, board: Board, key: u64) -> Option<u32> {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.blocks.len() == MOST_BLOCKS || self.words.evaluated() * EVALUATED > self.earned {
            return None;
        }
        let Ahead { words, layout, program, compiled, .. } = self;
        let begins_at = |key: u64| compiled.as_ref().is_some_and(|compiled| compiled.begins_at(key));
        match block(words, &contents(board, program), layout, key, &[], &begins_at) {
            Ok(block) => {
                let number = block.is_some().then_some(self.blocks.len() as u32);
                block.iter().for_each(|block| self.code.add(block));
                self.blocks.extend(block);
                self.known.insert(key, number);
                number
            }
            Err(Grown) => {
                self.forget_blocks();
                // The machine code does not keep the new register.
                self.patience = if self.compiled.take().is_some() { 0 } else { self.patience };
                None
            }
        }
    }

    /// Forgets all blocks, whose keys may end or begin elsewhere now.
    fn forget_blocks(&mut self) {
        self.count();
        self.blocks.clear();
        self.code = Program::default();
        self.known.clear();
    }

    /// Makes a block follow another one. When all blocks are known that can follow, bytes that they all overwrite are
    /// left out.
    fn link(&mut self, board: Board, last: u32, side: usize, next: u32) {
        self.code.link(last, side, next);
        let block = &self.blocks[last as usize];
        let following = |key: &u64| self.known.get(key).copied().flatten();
        let [Some(a), Some(b)] = [0, 1].map(|side| following(&block.keys[side])) else { return };
        let [a, b] = [a, b].map(|number| &self.blocks[number as usize].overwrites);
        let dead: Vec<u16> = a.iter().filter(|place| b.contains(place)).copied().collect();
        let Ahead { words, layout, program, blocks, code, compiled, .. } = self;
        let key = blocks[last as usize].key;
        let begins_at = |key: u64| compiled.as_ref().is_some_and(|compiled| compiled.begins_at(key));
        let contents = &contents(board, program);
        if let Ok(Some(lean)) = blocks::block(words, contents, layout, key, &dead, &begins_at) {
            code.set_lean(last, &lean);
        }
    }

    /// Counts the instructions of the blocks that have been run.
    fn count(&mut self) {
        for (block, times) in self.blocks.iter().zip(self.code.take_times()) {
            for (all, &opcodes) in self.executed.iter_mut().zip(&block.opcodes) {
                *all += times * u64::from(opcodes);
            }
        }
    }
}

fn contents<'a>((netlist, pack): Board<'a>, program: &'a [Vec<u8>; 2]) -> Contents<'a> {
    Contents { netlist, pack, program: [&program[0], &program[1]] }
}
