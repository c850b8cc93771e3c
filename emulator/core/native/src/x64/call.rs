//! Calls translated programs. This is the only unsafe code of the project.

#![allow(unsafe_code)]

use super::{Translation, translate};
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::{Outside, Parts, Store};
use std::io;
use std::mem::offset_of;

/// Maximum number of cycles of one call: no 16-bit counter overflows, and there is room to record every store.
pub const CHUNK: u64 = 0x8000;

/// A program that can be called.
pub struct Code {
    translation: Translation,
    /// Records the stores to the display and to the port during a call.
    stores: Box<[Store]>,
}

/// The arguments and results of a call. `frame`, in `mod.rs`, depends on the offsets of the fields.
#[repr(C)]
struct Run {
    bytes: *mut u8,
    stores: *mut Store,
    left: u32,
    a: u32,
    c: u32,
    pc: u32,
    counts: [u16; 8],
}

const _: () =
    assert!(offset_of!(Run, stores) == 8 && offset_of!(Run, left) == 16 && offset_of!(Run, counts) == 32);
const _: () = assert!(
    size_of::<Store>() == 8
        && offset_of!(Store, address) == 4
        && offset_of!(Store, since) == 6
        && offset_of!(Store, byte) == 7
);

impl Code {
    /// Translates a program, which will stop before these places, by sequence number.
    pub fn new(image: &Image, is_stop: &[bool; PROGRAM_WORDS]) -> io::Result<Code> {
        let stores = vec![Store::default(); CHUNK as usize].into_boxed_slice();
        Ok(Code { translation: translate(image, is_stop)?, stores })
    }

    /// Runs up to this many cycles, `CHUNK` at most. Stops before a taken jump to itself, before the given places, and
    /// if the next tree might be longer than the remaining cycles. Runs no cycle from a word at which no tree begins.
    /// Returns the number of cycles run.
    pub fn run(&mut self, parts: Parts, cycles: u64, outside: &mut dyn Outside) -> u64 {
        let entry = self.translation.entries[usize::from(parts.registers.pc) % PROGRAM_WORDS];
        let cycles = cycles.min(CHUNK) as u32;
        // The cycles of the longest tree are held in reserve, so the code can count cycles after running a tree.
        let reserve = self.translation.longest;
        let (Some(entry), Some(left)) = (entry, cycles.checked_sub(reserve)) else { return 0 };
        let mut run = Run {
            bytes: parts.bytes.as_mut_ptr(),
            stores: self.stores.as_mut_ptr(),
            left,
            a: u32::from(parts.registers.a),
            c: u32::from(parts.registers.c),
            pc: 0,
            counts: [0; 8],
        };
        let buffer = &self.translation.buffer;
        let (start, entry) = (buffer.ptr(self.translation.start), buffer.ptr(entry));
        // SAFETY: `start` is the beginning of `frame`, in a buffer that is executable and outlives the call. It is written
        // for this calling convention and these two arguments, and preserves the registers that the convention asks for.
        let start = unsafe {
            std::mem::transmute::<*const u8, unsafe extern "sysv64" fn(*mut Run, *const u8)>(start)
        };
        // SAFETY: `entry` is the beginning of a tree in the same buffer. Besides its own constants and
        // what it pushes, the code accesses memory in three ways: the fields of `run`; the bytes, at places below their
        // number; and `stores`, one element for each store of the program, of which there are as many as cycles at most,
        // and no more cycles are run than there are elements.
        unsafe { start(&mut run, entry) };
        // The subtraction wraps around if the reserve was used.
        let ran = left.wrapping_sub(run.left);
        // SAFETY: both point into `self.stores`, and the code moves the pointer by whole elements.
        let stored = unsafe { run.stores.offset_from(self.stores.as_ptr()) } as usize;
        outside.all_stored(*parts.cycle + u64::from(left), &self.stores[..stored]);
        *parts.cycle += u64::from(ran);
        parts.registers.pc = run.pc as u16;
        (parts.registers.a, parts.registers.c) = (run.a as u8, run.c != 0);
        for (executed, count) in parts.executed.iter_mut().zip(run.counts) {
            *executed += u64::from(count);
        }
        u64::from(ran)
    }
}
