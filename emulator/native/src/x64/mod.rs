//! From traces to machine code for x86-64. Assembling is safe: this file only writes bytes.
//!
//! ```text
//!   rdi   the bytes, as `FastEngine` numbers them        eax   A at an entry
//!   r8d   cycles left, without those of this trace       r9d   C, 0 or 1, when it is there
//!   r10   where the next store outside is written down   xmm0  instructions run, a lane for each opcode
//!   eax ecx edx ebx ebp esi r11d-r15d   A and bytes of RAM, in any of these; the upper 24 bits are 0
//! ```
//!
//! An entry takes the cycles of its whole trace off `r8d`, and leaves if there are not as many: the code counts cycles
//! there, and stops only there and in front of a jump to itself. Within a trace nobody looks at RAM or at registers, so a byte may wait in a
//! register, inverted or not, and a store may be left out if another follows before the next way out.

#![allow(clippy::useless_conversion, clippy::semicolon_if_nothing_returned)] // in what `dynasm!` makes

mod call;
mod path;
mod registers;
mod value;

pub use call::Code;

use crate::traces::traces;
use dynasmrt::x64::Assembler;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, ExecutableBuffer, dynasm};
use gray1_isa::{Image, PROGRAM_WORDS};
use path::Path;
use std::collections::BTreeMap;
use std::io;
use value::{Carry, Place, Value};

/// Registers for A and for bytes of RAM: eax, ecx, edx, ebx, ebp, esi, r11d to r15d.
const POOL: [u8; 11] = [0, 1, 2, 3, 5, 6, 11, 12, 13, 14, 15];
/// Bytes of code: more than any program takes.
const CAPACITY: usize = 1 << 20;
/// Where A is at an entry.
const A: u8 = POOL[0];

/// A program, translated.
struct Translation {
    buffer: ExecutableBuffer,
    /// Begins at any entry, given its address.
    start: AssemblyOffset,
    /// By sequence number.
    entries: Box<[Option<AssemblyOffset>; PROGRAM_WORDS]>,
}

/// Translates a whole program.
fn translate(image: &Image) -> io::Result<Translation> {
    let traces = traces(image);
    // Whatever does not fit is moved, and then the assembler can only panic.
    let mut ops = Assembler::new_with_capacity(CAPACITY)?;
    let mut labels = [None; PROGRAM_WORDS];
    for trace in &traces {
        labels[usize::from(trace.steps[0].at)] = Some(ops.new_dynamic_label());
    }
    let (out, start) = (ops.new_dynamic_label(), ops.offset());
    frame(&mut ops, out);
    let mut translator = Translator { ops, labels, out, counts: BTreeMap::new(), exits: Vec::new() };
    let mut entries = Box::new([None; PROGRAM_WORDS]);
    for (index, trace) in traces.iter().enumerate() {
        let entry = usize::from(trace.steps[0].at);
        entries[entry] = Some(translator.ops.offset());
        let behind = traces.get(index + 1).map(|trace| trace.steps[0].at);
        Path::translate(&mut translator, trace, behind);
    }
    translator.write_exits();
    translator.write_counts();
    let buffer = translator.ops.finalize().map_err(|_| io::Error::other("the code is still in use"))?;
    Ok(Translation { buffer, start, entries })
}

/// What is around the traces: called with a `Run` and an entry, it loads the registers and goes there; `out` stores them
/// again, with the sequence number that was put into `ecx`.
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

/// How often each instruction is run, by opcode.
type Counts = [u16; 8];

struct Translator {
    ops: Assembler,
    /// The entries, by sequence number.
    labels: [Option<DynamicLabel>; PROGRAM_WORDS],
    out: DynamicLabel,
    /// What is added to the counters, behind the code.
    counts: BTreeMap<Counts, DynamicLabel>,
    /// The ways out of traces, behind all traces.
    exits: Vec<(DynamicLabel, Exit)>,
}

/// A way out of a trace: what is where, and what is to be done.
#[derive(Clone, Copy)]
struct Exit {
    a: Value,
    carry: Carry,
    /// Cycles that were taken off and are not run.
    unused: usize,
    counts: Counts,
    to: u16,
    /// The program has to go on elsewhere: the next word is a jump to itself, or there are too few cycles.
    leaves: bool,
}

impl Translator {
    /// Goes on elsewhere; without a jump where that is the trace behind.
    fn leave(&mut self, exit: Exit, behind: Option<u16>) {
        let ops = &mut self.ops;
        match (exit.carry.place, exit.carry.known) {
            (Place::Register, _) => {}
            (Place::Flag, None) => dynasm!(ops ; .arch x64 ; setb r9b),
            (_, known) => dynasm!(ops ; .arch x64 ; mov r9d, i32::from(known.unwrap_or_default())),
        }
        match exit.a {
            Value::Constant(byte) => dynasm!(ops ; .arch x64 ; mov eax, i32::from(byte)),
            Value::Register { number, inverted } => {
                if number != A {
                    dynasm!(ops ; .arch x64 ; mov eax, Rd(number));
                }
                if inverted {
                    dynasm!(ops ; .arch x64 ; not al);
                }
            }
        }
        if exit.unused != 0 {
            dynasm!(ops ; .arch x64 ; add r8d, exit.unused as i32);
        }
        if exit.counts != [0; 8] {
            let counts = *self.counts.entry(exit.counts).or_insert_with(|| ops.new_dynamic_label());
            dynasm!(ops ; .arch x64 ; paddw xmm0, [=>counts]);
        }
        match self.labels[usize::from(exit.to)].filter(|_| !exit.leaves) {
            Some(_) if behind == Some(exit.to) => {}
            Some(entry) => dynasm!(ops ; .arch x64 ; jmp =>entry),
            None => dynasm!(ops ; .arch x64 ; mov ecx, i32::from(exit.to) ; jmp =>self.out),
        }
    }

    fn write_exits(&mut self) {
        for (label, exit) in std::mem::take(&mut self.exits) {
            dynasm!(self.ops ; .arch x64 ; =>label);
            self.leave(exit, None);
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
