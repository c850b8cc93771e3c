//! Calls translated programs. This is the only unsafe code of the project.

#![allow(unsafe_code)]

use super::translate::{Translation, translate};
use dynasmrt::AssemblyOffset;
use gray1_machine::evaluated::{Code, Graph, Running};
use gray1_machine::{OutputSink, Store};
use std::io;
use std::mem::offset_of;

/// Maximum number of cycles of one call: no 16-bit counter overflows, and there is room to record every store.
pub const CHUNK: u64 = 0x8000;

/// A program that can be called.
pub struct CompiledGraph {
    translation: Translation,
    /// The bytes shown during a call.
    stores: Box<[Store]>,
}

/// The arguments and results of a call. `frame`, in `translate.rs`, depends on the offsets of the fields.
#[repr(C)]
struct Call {
    bytes: *mut u8,
    stores: *mut Store,
    left: u32,
    node: u32,
    unused: u64,
    counts: [u16; 8],
}

const _: () = assert!(
    offset_of!(Call, stores) == 8
        && offset_of!(Call, left) == 16
        && offset_of!(Call, node) == 20
        && offset_of!(Call, counts) == 32
);
const _: () = assert!(
    size_of::<Store>() == 8
        && offset_of!(Store, address) == 4
        && offset_of!(Store, since) == 6
        && offset_of!(Store, byte) == 7
);

impl CompiledGraph {
    /// Translates a graph.
    pub fn new(graph: &Graph) -> io::Result<CompiledGraph> {
        let stores = vec![Store::default(); CHUNK as usize].into_boxed_slice();
        Ok(CompiledGraph { translation: translate(graph)?, stores })
    }

    fn entry(&self, node: u32) -> Option<AssemblyOffset> {
        self.translation.entries.get(node as usize).copied().flatten()
    }
}

impl Code for CompiledGraph {
    fn begins_at(&self, node: u32) -> bool {
        self.entry(node).is_some()
    }

    /// Runs `CHUNK` cycles at most. Also stops before nodes at which no tree begins, and if the next tree might be longer
    /// than the remaining cycles.
    fn run(&mut self, machine: Running, node: u32, cycles: u64, outside: &mut dyn OutputSink) -> (u64, u32) {
        let Running { bytes, cycle, executed } = machine;
        let entry = self.entry(node);
        let cycles = cycles.min(CHUNK) as u32;
        // The cycles of the longest tree are held in reserve, so the code can count cycles after running a tree.
        let reserve = self.translation.longest;
        let (Some(entry), Some(left)) = (entry, cycles.checked_sub(reserve)) else { return (0, node) };
        let mut call = Call {
            bytes: bytes.as_mut_ptr(),
            stores: self.stores.as_mut_ptr(),
            left,
            node,
            unused: 0,
            counts: [0; 8],
        };
        let buffer = &self.translation.buffer;
        let (start, entry) = (buffer.ptr(self.translation.start), buffer.ptr(entry));
        // SAFETY: `start` is the beginning of `frame`, in a buffer that is executable and outlives the call. It is written
        // for this calling convention and these two arguments, and preserves the registers that the convention asks for.
        let start = unsafe {
            std::mem::transmute::<*const u8, unsafe extern "sysv64" fn(*mut Call, *const u8)>(start)
        };
        // SAFETY: `entry` is the beginning of a tree in the same buffer. Besides its own constants, the tables that the
        // translation keeps, and what it pushes, the code accesses memory in three ways: the fields of `call`; the bytes,
        // at places below their number; and `stores`, one element for each byte shown, of which there are no more in a
        // cycle than one, and no more cycles are run than there are elements.
        unsafe { start(&mut call, entry) };
        // The subtraction wraps around if the reserve was used.
        let ran = left.wrapping_sub(call.left);
        // SAFETY: both point into `self.stores`, and the code moves the pointer by whole elements.
        let stored = unsafe { call.stores.offset_from(self.stores.as_ptr()) } as usize;
        outside.all_stored(cycle + u64::from(left), &self.stores[..stored]);
        for (executed, count) in executed.iter_mut().zip(call.counts) {
            *executed += u64::from(count);
        }
        (u64::from(ran), call.node)
    }
}
