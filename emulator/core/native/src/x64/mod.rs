//! Translates trees to machine code for x86-64. This is safe code: it only writes bytes.
//!
//! ```text
//!   rdi   the bytes of the machine                       eax   the home of a byte: A, on the Gray-1
//!   r8d   cycles left, without the reserve               r9d   the home of a bit, 0 or 1: the carry
//!   r10   where the next byte that is shown is recorded  xmm0  instructions run, a lane for each opcode
//!   eax ecx edx ebx ebp esi r11d-r15d   bytes, in any of these; the upper 24 bits are 0
//! ```
//!
//! Each way out of a tree subtracts the cycles that were run from `r8d`, and leaves the code if it becomes negative. It
//! exceeds the limit by at most the longest way through a tree, which is held in reserve. Within a tree the bytes cannot
//! be observed, so one may stay in a register, inverted or not, and need not be stored if it is overwritten before the
//! next way out.

#![allow(clippy::useless_conversion, clippy::semicolon_if_nothing_returned)] // in what `dynasm!` makes

mod call;
mod compute;
mod path;
mod registers;
mod tables;
mod value;

pub use call::Translated;

use crate::forest::forest;
use crate::uses::Needs;
use dynasmrt::x64::Assembler;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, ExecutableBuffer, dynasm};
use gray1_machine::evaluated::{Functions, Graph};
use path::{Exit, Path};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use tables::{Kind, fits};
use value::Value;

/// Registers for bytes: eax, ecx, edx, ebx, ebp, esi, r11d to r15d.
const POOL: [u8; 11] = [0, 1, 2, 3, 5, 6, 11, 12, 13, 14, 15];
/// Bytes reserved for code, and for each node: more than any program needs, because growing the buffer could fail, and
/// the assembler would panic then. Memory that is not used costs nothing.
const CAPACITY: usize = 1 << 16;
const NODE: usize = 1 << 10;
/// The registers of the homes at an entry.
const BYTE: u8 = POOL[0];
const BIT: u8 = 9;

/// A program, translated.
struct Translation {
    buffer: ExecutableBuffer,
    /// The code that is called: it jumps to the entry whose address it is given.
    start: AssemblyOffset,
    /// The entries, by node.
    entries: Vec<Option<AssemblyOffset>>,
    /// Number of cycles on the longest way through a tree.
    longest: u32,
    /// Large tables that the code reads.
    _tables: Vec<Arc<[u8]>>,
}

/// Translates a whole graph, whose code is left before each of these nodes.
fn translate(graph: &Graph, is_stop: &[bool]) -> io::Result<Translation> {
    let nodes = graph.nodes.iter().map(|node| node.as_ref().filter(|node| fits(graph, node)).cloned());
    let graph = &Graph { nodes: nodes.collect(), functions: graph.functions, homes: graph.homes };
    let mut is_entry = is_stop.to_vec();
    is_entry.iter_mut().take(1).for_each(|first| *first = true);
    let forest = forest(graph, &is_entry);
    let mut ops = Assembler::new_with_capacity(CAPACITY + NODE * graph.nodes.len())?;
    let mut heads = vec![None; graph.nodes.len()];
    for root in forest.roots().filter(|root| !root.steps.is_empty()) {
        let at = root.steps[0] as usize;
        let (label, needs) = (ops.new_dynamic_label(), Needs::of(graph, &forest, root));
        heads[at] = Some(Entry { label, needs, is_stop: is_stop[at] });
    }
    let (out, start) = (ops.new_dynamic_label(), ops.offset());
    frame(&mut ops, out, graph.homes);
    let kinds = graph.functions.maps.iter().map(Kind::of).collect();
    let functions = graph.functions;
    let (counts, maps) = (BTreeMap::new(), BTreeMap::new());
    let mut translator = Translator { ops, heads, out, counts, maps, functions, kinds };
    let mut entries = vec![None; graph.nodes.len()];
    for root in forest.roots() {
        dynasm!(translator.ops ; .arch x64 ; .align 16);
        entries[root.steps[0] as usize] = Some(translator.ops.offset());
        Path::translate(&mut translator, graph, &forest, root);
    }
    translator.write_constants();
    let longest =
        forest.traces.iter().map(|trace| trace.before + trace.steps.len()).max().unwrap_or_default() as u32;
    let buffer = translator.ops.finalize().map_err(|_| io::Error::other("the code is still in use"))?;
    Ok(Translation { buffer, start, entries, longest, _tables: functions.tables.clone() })
}

/// The code around the traces. Called with a `Call` and an entry, it loads the registers and jumps to the entry. `out`
/// stores the registers again, and the node that was put into `ecx`.
fn frame(ops: &mut Assembler, out: DynamicLabel, homes: [u16; 2]) {
    let [byte, bit] = homes.map(i32::from);
    dynasm!(ops
        ; .arch x64
        ; push rbx ; push rbp ; push r12 ; push r13 ; push r14 ; push r15 ; push rdi
        ; mov rdx, rsi
        ; mov r10, [rdi + 8]
        ; mov r8d, [rdi + 16]
        ; movdqu xmm0, [rdi + 32]
        ; mov rdi, [rdi]
        ; movzx eax, BYTE [rdi + byte]
        ; movzx r9d, BYTE [rdi + bit]
        ; jmp rdx
        ; =>out
        ; mov [rdi + byte], al
        ; mov [rdi + bit], r9b
        ; pop rdi
        ; mov [rdi + 8], r10
        ; mov [rdi + 16], r8d
        ; mov [rdi + 20], ecx
        ; movdqu [rdi + 32], xmm0
        ; pop r15 ; pop r14 ; pop r13 ; pop r12 ; pop rbp ; pop rbx
        ; ret
    );
}

/// The number of instructions run, by opcode.
type Counts = [u16; 8];

/// The beginning of a tree.
#[derive(Clone, Copy)]
struct Entry {
    label: DynamicLabel,
    needs: Needs,
    is_stop: bool,
}

struct Translator<'a> {
    ops: Assembler,
    /// The entries, by node.
    heads: Vec<Option<Entry>>,
    out: DynamicLabel,
    /// The constants that are added to the counters, placed after the code.
    counts: BTreeMap<Counts, DynamicLabel>,
    /// The maps that are looked up, by number, likewise.
    maps: BTreeMap<u16, DynamicLabel>,
    functions: &'a Functions,
    /// What a processor computes instead of looking maps up.
    kinds: Vec<Kind>,
}

impl Translator<'_> {
    /// Continues at an entry if enough cycles are left and the run may not be stopped there; otherwise leaves the code.
    fn leave(&mut self, Exit { now, ran, to, halts }: Exit, homes: [u16; 2]) {
        let entry = self.heads[to as usize].filter(|entry| !halts && !entry.is_stop);
        // Values that the entry does not need are put in their places only when the code is left.
        let Needs([needs_byte, needs_bit]) = entry.map_or(Needs::ALL, |entry| entry.needs);
        let [byte, bit] = homes.map(|home| now.value(home));
        // The flag does not last, and the register of the byte may be that of the bit.
        let is_bit_first = needs_bit || !matches!(bit, Value::Constant(_));
        let is_home = matches!(bit, Value::Constant(byte) if now.home_bit == Some(byte));
        if is_bit_first && !is_home {
            self.home_bit(bit);
        }
        if needs_byte {
            self.home(BYTE, byte);
        }
        let ops = &mut self.ops;
        if now.counts != [0; 8] {
            let counts = *self.counts.entry(now.counts).or_insert_with(|| ops.new_dynamic_label());
            dynasm!(ops ; .arch x64 ; paddw xmm0, [=>counts]);
        }
        if now.stores != 0 {
            dynasm!(ops ; .arch x64 ; add r10, 8 * now.stores);
        }
        dynasm!(ops ; .arch x64 ; sub r8d, BYTE ran as i8);
        if let Some(Entry { label, .. }) = entry {
            dynasm!(ops ; .arch x64 ; jae =>label);
        }
        if !is_bit_first && !is_home {
            self.home_bit(bit);
        }
        if !needs_byte {
            self.home(BYTE, byte);
        }
        dynasm!(self.ops ; .arch x64 ; mov ecx, to as i32 ; jmp =>self.out);
    }

    /// Moves the bit to its home.
    fn home_bit(&mut self, bit: Value) {
        match bit {
            Value::Flag => dynasm!(self.ops ; .arch x64 ; setb r9b),
            bit => self.home(BIT, bit),
        }
    }

    /// Moves a value to a register.
    fn home(&mut self, to: u8, value: Value) {
        match value {
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov Rd(to), i32::from(byte)),
            Value::Register { number, inverted } => {
                if number != to {
                    dynasm!(self.ops ; .arch x64 ; mov Rd(to), Rd(number));
                }
                if inverted {
                    dynasm!(self.ops ; .arch x64 ; not Rb(to));
                }
            }
            Value::Flag => {}
        }
    }

    fn write_constants(&mut self) {
        dynasm!(self.ops ; .arch x64 ; .align 16);
        for (counts, label) in &self.counts {
            dynasm!(self.ops ; .arch x64 ; =>*label);
            for count in counts {
                self.ops.push_u16(*count);
            }
        }
        for (&map, label) in &self.maps {
            dynasm!(self.ops ; .arch x64 ; =>*label);
            self.ops.extend(&self.functions.maps[usize::from(map)]);
        }
    }
}
