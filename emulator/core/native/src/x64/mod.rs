//! Translates trees to machine code for x86-64. This is safe code: it only writes bytes.
//!
//! ```text
//!   rdi   the bytes, as `FastEngine` numbers them        eax   A at an entry
//!   r8d   cycles left, without the reserve               r9d   C, 0 or 1, when it is in a register
//!   r10   where the next outside store is recorded       xmm0  instructions run, a lane for each opcode
//!   eax ecx edx ebx ebp esi r11d-r15d   A and bytes of RAM, in any of these; the upper 24 bits are 0
//! ```
//!
//! Each way out of a tree subtracts the cycles that were run from `r8d`, and leaves the code if it becomes negative. It
//! exceeds the limit by at most the longest way through a tree, which is held in reserve. Within a tree RAM and
//! registers cannot be observed, so a byte may stay in a register, inverted or not, and a store may be left out if
//! another to the same address follows before the next way out.

#![allow(clippy::useless_conversion, clippy::semicolon_if_nothing_returned)] // in what `dynasm!` makes

mod call;
mod path;
mod registers;
mod value;

pub use call::Code;

use crate::ahead::Needs;
use crate::traces::forest;
use dynasmrt::x64::Assembler;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, ExecutableBuffer, dynasm};
use gray1_isa::{Image, PROGRAM_WORDS};
use path::{Exit, Path};
use std::collections::BTreeMap;
use std::io;
use value::{Carry, Place, Value};

/// Registers for A and for bytes of RAM: eax, ecx, edx, ebx, ebp, esi, r11d to r15d.
const POOL: [u8; 11] = [0, 1, 2, 3, 5, 6, 11, 12, 13, 14, 15];
/// Bytes reserved for code: more than any program needs.
const CAPACITY: usize = 1 << 20;
/// The register of A at an entry.
const A: u8 = POOL[0];

/// A program, translated.
struct Translation {
    buffer: ExecutableBuffer,
    /// The code that is called: it jumps to the entry whose address it is given.
    start: AssemblyOffset,
    /// The entries, by sequence number.
    entries: Box<[Option<AssemblyOffset>; PROGRAM_WORDS]>,
    /// Number of words on the longest way through a tree.
    longest: u32,
}

/// Translates a whole program, whose code is left before each of these places.
fn translate(image: &Image, is_stop: &[bool; PROGRAM_WORDS]) -> io::Result<Translation> {
    let forest = forest(image, is_stop);
    // The capacity is enough for any program: growing the buffer could fail, and the assembler would panic then.
    let mut ops = Assembler::new_with_capacity(CAPACITY)?;
    let mut heads = Box::new([None; PROGRAM_WORDS]);
    for root in forest.roots() {
        let at = usize::from(root.steps[0].at);
        let (label, needs) = (ops.new_dynamic_label(), Needs::of(&forest, root));
        heads[at] = Some(Entry { label, needs, is_stop: is_stop[at] });
    }
    let (out, start) = (ops.new_dynamic_label(), ops.offset());
    frame(&mut ops, out);
    let mut translator = Translator { ops, heads, out, counts: BTreeMap::new() };
    let mut entries = Box::new([None; PROGRAM_WORDS]);
    for root in forest.roots() {
        entries[usize::from(root.steps[0].at)] = Some(translator.ops.offset());
        Path::translate(&mut translator, &forest, root);
    }
    translator.write_counts();
    let longest =
        forest.traces.iter().map(|trace| trace.before + trace.steps.len()).max().unwrap_or_default() as u32;
    let buffer = translator.ops.finalize().map_err(|_| io::Error::other("the code is still in use"))?;
    Ok(Translation { buffer, start, entries, longest })
}

/// The code around the traces. Called with a `Run` and an entry, it loads the registers and jumps to the entry. `out`
/// stores the registers again, and the sequence number that was put into `ecx`.
fn frame(ops: &mut Assembler, out: DynamicLabel) {
    dynasm!(ops
        ; .arch x64
        ; push rbx ; push rbp ; push r12 ; push r13 ; push r14 ; push r15 ; push rdi
        ; mov rdx, rsi
        ; mov r10, [rdi + 8]
        ; mov r8d, [rdi + 16]
        ; mov eax, [rdi + 20]
        ; mov r9d, [rdi + 24]
        ; movdqu xmm0, [rdi + 32]
        ; mov rdi, [rdi]
        ; jmp rdx
        ; =>out
        ; pop rdi
        ; mov [rdi + 8], r10
        ; mov [rdi + 16], r8d
        ; mov [rdi + 20], eax
        ; mov [rdi + 24], r9d
        ; mov [rdi + 28], ecx
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

struct Translator {
    ops: Assembler,
    /// The entries, by sequence number.
    heads: Box<[Option<Entry>; PROGRAM_WORDS]>,
    out: DynamicLabel,
    /// The constants that are added to the counters, placed after the code.
    counts: BTreeMap<Counts, DynamicLabel>,
}

impl Translator {
    /// Continues at an entry if enough cycles are left and the run may not be stopped there; otherwise leaves the code.
    fn leave(&mut self, Exit { now, ran, to, halts }: Exit) {
        let entry = self.heads[usize::from(to)].filter(|entry| !halts && !entry.is_stop);
        // Values that the entry does not need are put in their places only when the code is left.
        let needs = entry.map_or(Needs::ALL, |entry| entry.needs);
        let carry_first = needs.c || now.carry.known.is_none();
        if carry_first {
            self.carry(now.carry);
        }
        if needs.a {
            self.accumulator(now.a);
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
        if !carry_first {
            self.carry(now.carry);
        }
        if !needs.a {
            self.accumulator(now.a);
        }
        dynasm!(self.ops ; .arch x64 ; mov ecx, i32::from(to) ; jmp =>self.out);
    }

    /// Moves the carry to its place at an entry.
    fn carry(&mut self, carry: Carry) {
        match (carry.place, carry.known) {
            (Place::Register, _) => {}
            (Place::Flag, None) => dynasm!(self.ops ; .arch x64 ; setb r9b),
            (_, known) => dynasm!(self.ops ; .arch x64 ; mov r9d, i32::from(known.unwrap_or_default())),
        }
    }

    /// Moves A to its place at an entry.
    fn accumulator(&mut self, a: Value) {
        match a {
            Value::Constant(byte) => dynasm!(self.ops ; .arch x64 ; mov eax, i32::from(byte)),
            Value::Register { number, inverted } => {
                if number != A {
                    dynasm!(self.ops ; .arch x64 ; mov eax, Rd(number));
                }
                if inverted {
                    dynasm!(self.ops ; .arch x64 ; not al);
                }
            }
        }
    }

    fn write_counts(&mut self) {
        dynasm!(self.ops ; .arch x64 ; .align 16);
        for (counts, label) in &self.counts {
            dynasm!(self.ops ; .arch x64 ; =>*label);
            for count in counts {
                self.ops.push_u16(*count);
            }
        }
    }
}
