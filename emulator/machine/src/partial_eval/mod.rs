//! Partial evaluation of the board for the program in its ROM.
//!
//! ```text
//!   logic      levels that are not known, as expressions: tables reduced to the lines that matter
//!   layout     the state that a board keeps from one cycle to the next, and its places
//!   cycle      one cycle of the board, looked up chip by chip with expressions in place of levels
//!   bytes      expressions of bits as functions of bytes: copies, sums, tables
//!   words      the cycles that have been evaluated; the line that decides what follows
//!   blocks     cycles that follow each other, joined; steps: what they do; finish: in which order
//!   interpret  runs blocks
//!   compiled   all cycles as machine code, which a crate above makes from their graph
//! ```
//!
//! While the counter is known, so are the program word, the outputs of the decoders, the latches that open and the next
//! count, by the tables of the board. The rest of a cycle depends on RAM, registers and inputs. All of this follows from
//! tables and wiring; nothing here knows an instruction or the purpose of a chip.
//!
//! **Why the result is that of the board.** A cycle is evaluated by the general rule, from a board at rest, for all
//! values of what the board keeps. It is used only if it settles, whatever these are; so it fails for none, and on a
//! confluent board there is only one result. The last cycle of each run is left to the chips. It begins with every net
//! that it depends on, so it leaves every net at its correct level.

mod blocks;
mod bytes;
mod compiled;
mod cycle;
mod finish;
mod interpret;
mod layout;
mod logic;
mod steps;
mod words;

use crate::board::netlist::Netlist;
use crate::engine::{OutputSink, Store};
use crate::evaluated::{BYTES, Bytes, CONSTANTS, Translator};
use crate::pack::Pack;
use crate::plain::PlainEngine;
use crate::wires::{Data, Levels};
use blocks::{Block, block};
use compiled::{Compiled, compile};
use cycle::{Contents, program};
use interpret::{Pause, Program};
use layout::{Layout, is_at_rest};
use rustc_hash::FxHashMap;
use words::{Grown, Words};

/// The maximum number of cycles of one call, so that they fit the records of stores and a board that is worth compiling
/// is compiled.
const MAX_CYCLES: u64 = 1 << 24;
/// The maximum number of blocks.
const MAX_BLOCKS: usize = 1 << 14;

/// The cost of evaluating a cycle, and of running one chip by chip and evaluated, roughly in nanoseconds. No more is
/// spent on evaluation than on running the machine, so that it pays even in short runs.
const EVALUATED: u64 = 60_000;
const BY_CHIPS: u64 = 70;
const EVALUATED_CYCLE: u64 = 4;
/// Compile after this many interpreted cycles, and retry at the same interval.
const COMPILED_AFTER: u64 = 4_000_000;

/// A board, evaluated as far as its program has run.
pub(crate) struct PartialEvaluator {
    layout: Layout,
    program: [Vec<u8>; 2],
    words: Words,
    blocks: Vec<Block>,
    code: Program,
    known: FxHashMap<u64, Option<u32>>,
    bytes: Box<Bytes>,
    stores: Vec<Store>,
    /// The instructions run in this call, by opcode.
    executed: [u64; 8],
    /// The time that may be spent on evaluation.
    budget: u64,
    compiled: Option<Compiled>,
    translator: Option<Translator>,
    /// The number of interpreted cycles after which to compile.
    compile_threshold: u64,
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

impl PartialEvaluator {
    /// Prepares to evaluate the board of this engine, which has to be between two cycles. `None` if that is not possible.
    /// The translator comes with a flag: eager or lazy compilation.
    pub fn of(engine: &PlainEngine, translator: Option<(Translator, bool)>) -> Option<PartialEvaluator> {
        let layout = Layout::of(engine)?;
        let is_eager = translator.is_some_and(|(_, is_eager)| is_eager);
        let PlainEngine { netlist, pack, cells, .. } = engine;
        let mut bytes = Box::new([0; BYTES]);
        for (constant, byte) in (0..=255).zip(&mut bytes[usize::from(CONSTANTS)..]) {
            *byte = constant;
        }
        Some(PartialEvaluator {
            layout,
            program: program(netlist, pack, cells),
            words: Words::new()?,
            blocks: Vec::new(),
            code: Program::default(),
            known: FxHashMap::default(),
            bytes,
            stores: Vec::new(),
            executed: [0; 8],
            budget: if is_eager { u64::MAX } else { 0 },
            compiled: None,
            translator: translator.map(|(translator, _)| translator),
            compile_threshold: if is_eager { 0 } else { COMPILED_AFTER },
        })
    }

    /// Credits the machine with cycles that it has run chip by chip.
    pub fn credit(&mut self, cycles: u64) {
        self.budget = self.budget.saturating_add(cycles.saturating_mul(BY_CHIPS));
    }

    /// Runs up to this many cycles. May stop earlier, between any two cycles, and stops before the machine halts. After
    /// at least one more cycle, chip by chip, every net is correct. Returns the number of cycles run.
    pub fn run(&mut self, machine: Machine, cycles: u64, outside: &mut dyn OutputSink) -> u64 {
        let Machine { netlist, pack, levels, cells, cycle, executed } = machine;
        let board = (netlist, pack);
        if !is_at_rest(pack, levels, cells) {
            return 0;
        }
        let mut key = self.layout.key_of(pack, levels);
        if self.compile_threshold == 0 {
            self.compile(board, key);
        }
        if !self.begins_at(key) && self.block(board, key).is_none() {
            return 0;
        }
        self.layout.load(pack, levels, cells, &mut self.bytes);
        let all = cycles.min(MAX_CYCLES);
        let (mut left, end) = (all, cycle + all);
        loop {
            if let Some(compiled) = &mut self.compiled {
                compiled.run(&mut key, &mut left, end, (&mut self.bytes, &mut self.executed), outside);
            }
            let Some(at) = self.block(board, key) else { break };
            // As soon as there is machine code for what follows, that continues.
            let most = if self.compiled.is_some() { left.min(blocks::MAX_CYCLES) } else { left };
            let mut rest = most;
            key = self.interpret(board, at, &mut rest, end - left + most, outside);
            left -= most - rest;
            self.compile_threshold = self.compile_threshold.saturating_sub(most - rest);
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
        outside: &mut dyn OutputSink,
    ) -> u64 {
        let mut paid = *left;
        loop {
            let PartialEvaluator { words, code, bytes, stores, .. } = self;
            let pause = code.run(&words.functions, bytes, at, left, stores);
            outside.all_stored(end, stores);
            stores.clear();
            self.budget = self.budget.saturating_add((paid - *left) * EVALUATED_CYCLE);
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

    /// Compiles all cycles that can follow from this key, if the budget allows it.
    fn compile(&mut self, board: Board, key: u64) {
        let Some(translator) = self.translator else { return };
        // Blocks end where machine code begins, so they are joined again.
        self.forget_blocks();
        self.compile_threshold = COMPILED_AFTER;
        let PartialEvaluator { words, layout, program, budget, compiled, .. } = self;
        // Each time, another register turns out to be needed.
        while let Err(Grown) =
            compile(words, &contents(board, program), layout, translator, (key, *budget / EVALUATED))
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
        if self.blocks.len() == MAX_BLOCKS || self.words.evaluated() * EVALUATED > self.budget {
            return None;
        }
        let PartialEvaluator { words, layout, program, compiled, .. } = self;
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
                self.compile_threshold =
                    if self.compiled.take().is_some() { 0 } else { self.compile_threshold };
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
        let PartialEvaluator { words, layout, program, blocks, code, compiled, .. } = self;
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
