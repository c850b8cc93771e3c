//! A whole graph as machine code: the frame around it, and one tree after the other.

use super::path::Path;
use super::tables::{Kind, fits};
use super::translator::{Entry, Translator};
use crate::forest::forest;
use crate::uses::Needs;
use dynasmrt::x64::Assembler;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, ExecutableBuffer, dynasm};
use gray1_machine::evaluated::Graph;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// Bytes reserved for code, and for each node: more than any program needs, because growing the buffer could fail, and
/// the assembler would panic then. Memory that is not used costs nothing.
const CAPACITY: usize = 1 << 16;
const NODE: usize = 1 << 10;
/// A program, translated.
pub struct Translation {
    pub buffer: ExecutableBuffer,
    /// The code that is called: it jumps to the entry whose address it is given.
    pub start: AssemblyOffset,
    /// The entries, by node.
    pub entries: Vec<Option<AssemblyOffset>>,
    /// The number of cycles on the longest path through a tree.
    pub longest: u32,
    /// Large tables that the code reads.
    _tables: Vec<Arc<[u8]>>,
}

/// Translates a whole graph.
pub fn translate(graph: &Graph) -> io::Result<Translation> {
    let nodes = graph.nodes.iter().map(|node| node.as_ref().filter(|node| fits(graph, node)).cloned());
    let graph = &Graph { nodes: nodes.collect(), functions: graph.functions, homes: graph.homes };
    let forest = forest(graph);
    let mut ops = Assembler::new_with_capacity(CAPACITY + NODE * graph.nodes.len())?;
    let mut heads = vec![None; graph.nodes.len()];
    for root in forest.roots().filter(|root| !root.steps.is_empty()) {
        let at = root.steps[0] as usize;
        let (label, needs) = (ops.new_dynamic_label(), Needs::of(graph, &forest, root));
        heads[at] = Some(Entry { label, needs });
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
