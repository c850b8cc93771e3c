//! Routines without a stack: `.routine name` … `.endroutine`, `call name`, `return`.
//!
//! The machine cannot jump to an address it has computed, so a routine returns through a chain of decisions on
//! a byte that says where it was called from:
//!
//! ```text
//!   call r     lda #site        r:  …                 with three calls of r:
//!              sta r.site           return                lda r.site
//!              jmp r                                      jz  behind call 0
//!                                                         add #-2
//!                                                         jc  behind call 2
//!                                                         jmp behind call 1
//! ```
//!
//! How long these pieces are depends on how often the routine is called, which is known only at the end: the
//! program is expanded again with the counts of the last time, until they agree.

use super::{Content, Expander};
use crate::diagnostic::{Diagnostic, Related};
use crate::names::{Name, closest};
use crate::source::Span;
use crate::syntax::{Operand, OperandValue, OperationKind, Range, StatementKind};
use crate::table::{CellState, Context, SymbolKind, TableEntry, Value, ValueKind};
use gray1_isa::{Opcode, Word};
use std::collections::HashMap;

/// How often each routine is called from code that is itself reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCounts(HashMap<Name, usize>, bool);

/// The site byte can tell this many calls apart.
const MOST_SITES: usize = 256;

/// A routine, and where its calls continue.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub name: Name,
    pub address: u32,
    /// Where each call continues.
    pub behind_calls: Vec<u32>,
    site_byte: u16,
    /// Where its way back begins.
    tree: u32,
    /// How many calls its code is made for.
    planned: usize,
}

/// A `call` somewhere.
pub(super) struct Call {
    caller: Option<Name>,
    callee: Name,
    behind: u32,
    span: Span,
    context: Context,
}

impl CallCounts {
    /// Until something is known, every routine is taken to be called twice.
    fn planned(&self, name: Name) -> usize {
        if self.1 { self.0.get(&name).copied().unwrap_or(0) } else { 2 }
    }
}

impl Expander<'_, '_> {
    pub(super) fn routine(&mut self, index: u32, name: Name, end: u32, span: Span, context: Context) {
        if self.current_routine.is_some() {
            let diagnostic = Diagnostic::error(span, "a routine inside of a routine")
                .label("expected `.endroutine` before the next `.routine`");
            self.build.report(diagnostic, context.expansion);
            self.skip_broken(index, end);
            return self.jump(end + 1);
        }
        let planned = self.planned.planned(name);
        let mut context = context;
        context.region = self.open_label_region(name);
        let value = Value { number: i64::from(self.here), kind: ValueKind::Label };
        let cell = self.build.table.known(name, value);
        if planned == 0 {
            // Not assembled: whoever jumps there without a call is told so.
            self.build.table.cells[cell as usize].state = CellState::Failed;
        }
        let plain = context.expansion == 0;
        self.enter(TableEntry {
            name,
            kind: SymbolKind::Routine,
            cell,
            size: 0,
            span: Some(span),
            context,
            plain,
        });
        let number = self.routines.len() as u32;
        let mut routine =
            Routine { name, address: self.here, behind_calls: Vec::new(), site_byte: 0, tree: 0, planned };
        self.routine_numbers.entry(name).or_insert(number);
        if planned == 0 {
            self.routines.push(routine);
            self.skip_broken(index + 1, end);
            return self.jump(end + 1);
        }
        if planned > 1 {
            routine.site_byte = self.allocate(1, span, context);
            let spelling = format!("{}.site", self.build.library.names.spelling(name));
            let site_name = self.build.library.names.intern(&spelling);
            let value = Value { number: i64::from(routine.site_byte), kind: ValueKind::Ram };
            let cell = self.build.table.known(site_name, value);
            let (name, kind) = (site_name, SymbolKind::Ram);
            self.enter(TableEntry { name, kind, cell, size: 1, span: Some(span), context, plain: false });
        }
        self.routines.push(routine);
        self.current_routine = Some(number);
        self.routine_depth = self.frames.len();
    }

    pub(super) fn end_routine(&mut self, span: Span, context: Context) {
        if let Some(number) = self.current_routine.take() {
            self.decision_tree(number, span, context);
        }
    }

    /// `call name` and `return`; false when the statement is neither.
    pub(super) fn call_extension(
        &mut self,
        index: u32,
        name: Name,
        operands: Range,
        span: Span,
        context: Context,
    ) -> bool {
        let spelling = self.build.library.names.spelling(name);
        if spelling.eq_ignore_ascii_case("call") {
            let operands = self.build.library.syntax.operands[operands.indices()].to_vec();
            self.call_routine(&operands, span, context);
        } else if spelling.eq_ignore_ascii_case("return") && operands.len() == 0 {
            self.return_from(index, span, context);
        } else {
            return false;
        }
        true
    }

    fn call_routine(&mut self, operands: &[Operand], span: Span, context: Context) {
        let named = match operands {
            [Operand { immediate: false, value: OperandValue::Expression(value), .. }] => {
                match self.build.library.syntax.operations(*value) {
                    [operation] => match operation.kind {
                        OperationKind::Name(name) => Some((name, value.span(context.file))),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((callee, place)) = named else {
            let diagnostic = Diagnostic::error(span, "`call` needs a routine")
                .label("expected the name of a `.routine`, and nothing else: arguments travel in RAM");
            return self.build.report(diagnostic, context.expansion);
        };
        let caller = self.current_routine.map(|caller| self.routines[caller as usize].name);
        let planned = self.planned.planned(callee);
        if planned > 1 {
            // Which number, and which byte, is settled when all calls are known.
            self.place(Content::Site { call: self.calls.len() as u32 }, context, span);
            self.place(Content::SiteByte { call: self.calls.len() as u32 }, context, span);
        }
        self.place(Content::Enter(self.calls.len() as u32), context, span);
        let behind = self.here;
        self.calls.push(Call { caller, callee, behind, span: place, context });
    }

    fn return_from(&mut self, index: u32, span: Span, context: Context) {
        let Some(number) = self.current_routine else {
            let diagnostic = Diagnostic::error(span, "`return` outside of a routine")
                .label("expected this between `.routine` and `.endroutine`");
            return self.build.report(diagnostic, context.expansion);
        };
        // Right before the end of the routine the decisions follow anyway.
        let next = self.build.library.syntax.statements.get(index as usize + 1);
        if !matches!(next, Some(next) if matches!(next.kind, StatementKind::EndRoutine)) {
            self.place(Content::Return { routine: number }, context, span);
        }
    }

    /// The way back, at the end of a routine.
    fn decision_tree(&mut self, number: u32, span: Span, context: Context) {
        let Routine { planned, site_byte, .. } = self.routines[number as usize];
        self.routines[number as usize].tree = self.here;
        if planned == 1 {
            return self.leave(Opcode::Jmp, number, 0, span, context);
        }
        let load = Word::ram(Opcode::Lda, site_byte);
        self.place(Content::Fixed(load), context, span);
        // Each entry: where its `jc` stands, the first and past the last site, and what A is for the first site.
        let mut waiting = vec![(None, 0, planned.min(MOST_SITES), 0)];
        while let Some((jump, first, end, offset)) = waiting.pop() {
            if let Some(jump) = jump {
                let target: u32 = self.here;
                if let Some(word) = self.words.iter_mut().rev().find(|word| u32::from(word.address) == jump) {
                    word.content = Content::Fixed(Word::jump(Opcode::Jc, target as u16));
                }
            }
            self.decide(number, (first, end, offset), &mut waiting, span, context);
        }
    }

    fn decide(
        &mut self,
        number: u32,
        (mut first, end, mut offset): (usize, usize, u8),
        waiting: &mut Vec<(Option<u32>, usize, usize, u8)>,
        span: Span,
        context: Context,
    ) {
        let mut end = end;
        while end - first > 1 {
            if offset == 0 {
                self.leave(Opcode::Jz, number, first as u32, span, context);
                first += 1;
                offset = 1;
                continue;
            }
            let middle = first + (end - first) / 2;
            // A is `offset` for the first site; make it 0, with a carry, for the middle one.
            let step = 0u8.wrapping_sub(offset.wrapping_add((middle - first) as u8));
            self.place(Content::Fixed(Word::constant(Opcode::Add, step)), context, span);
            if end - middle == 1 {
                self.leave(Opcode::Jc, number, middle as u32, span, context);
            } else {
                waiting.push((Some(self.here), middle, end, 0));
                self.place(Content::Fixed(Word::jump(Opcode::Jc, 0)), context, span);
            }
            offset = offset.wrapping_add(step);
            end = middle;
        }
        self.leave(Opcode::Jmp, number, first as u32, span, context);
    }

    fn leave(&mut self, opcode: Opcode, routine: u32, site: u32, span: Span, context: Context) {
        self.place(Content::Leave { opcode, routine, site }, context, span);
    }

    /// Counts the calls, numbers them, and settles the words that depend on it.
    pub(super) fn count_calls(&mut self) -> CallCounts {
        let mut calls = std::mem::take(&mut self.calls);
        let mut reached: Vec<Name> = Vec::new();
        let mut counts: HashMap<Name, usize> = HashMap::new();
        let mut callers = vec![None];
        while let Some(caller) = callers.pop() {
            for call in calls.iter().filter(|call| call.caller == caller) {
                *counts.entry(call.callee).or_default() += 1;
                if !reached.contains(&call.callee) {
                    reached.push(call.callee);
                    callers.push(Some(call.callee));
                }
            }
        }
        let mut sites: HashMap<Name, usize> = HashMap::new();
        let mut settled = Vec::new();
        for call in &mut calls {
            let known = self.routine_numbers.get(&call.callee).copied();
            let Some(number) = known else {
                self.unknown_routine(call);
                settled.push(None);
                continue;
            };
            let site = sites.entry(call.callee).or_default();
            if *site == MOST_SITES {
                let shown = self.build.library.names.show(call.callee);
                let diagnostic = Diagnostic::error(call.span, format!("`{shown}` is called too often"))
                    .label(format!("this is call {}; expected {MOST_SITES} at most", MOST_SITES + 1));
                self.build.report(diagnostic, call.context.expansion);
            }
            self.routines[number as usize].behind_calls.push(call.behind);
            settled.push(Some((number, *site as u8)));
            *site += 1;
        }
        self.settle(&settled);
        self.refuse_recursion(&calls);
        CallCounts(counts, true)
    }

    fn settle(&mut self, calls: &[Option<(u32, u8)>]) {
        let nowhere = Content::Fixed(Word::default());
        let of = |call: u32| calls[call as usize];
        for word in &mut self.words {
            word.content = match word.content {
                Content::Site { call } => {
                    of(call).map_or(nowhere, |(_, site)| Content::Fixed(Word::constant(Opcode::Lda, site)))
                }
                Content::SiteByte { call } => of(call).map_or(nowhere, |(routine, _)| {
                    Content::Fixed(Word::ram(Opcode::Sta, self.routines[routine as usize].site_byte))
                }),
                Content::Enter(call) => of(call).map_or(nowhere, |(routine, _)| {
                    Content::Fixed(Word::jump(Opcode::Jmp, self.routines[routine as usize].address as u16))
                }),
                Content::Return { routine } => {
                    let Routine { planned, tree, .. } = self.routines[routine as usize];
                    match planned {
                        1 => Content::Leave { opcode: Opcode::Jmp, routine, site: 0 },
                        _ => Content::Fixed(Word::jump(Opcode::Jmp, tree as u16)),
                    }
                }
                other => other,
            };
            if let Content::Leave { opcode, routine, site } = word.content {
                let behind = self.routines[routine as usize].behind_calls.get(site as usize);
                let target = behind.copied().unwrap_or_else(|| u32::from(word.address));
                word.content = Content::Fixed(Word::jump(opcode, target as u16));
            }
        }
    }

    fn unknown_routine(&mut self, call: &Call) {
        if self.build.may_be_lost(call.callee) {
            return;
        }
        let names = &self.build.library.names;
        let shown = names.show(call.callee);
        let routines = self.routine_numbers.keys().map(|&name| names.spelling(name));
        let mut diagnostic = Diagnostic::error(call.span, format!("there is no routine `{shown}`"))
            .label("expected the name of a `.routine`")
            .did_you_mean(closest(names.spelling(call.callee), routines));
        if let Some(entry) = self.build.table.global(call.callee) {
            diagnostic = diagnostic.help(format!("`{shown}` is a {}", entry.kind.noun()));
        }
        self.build.report(diagnostic, call.context.expansion);
    }

    /// A routine that is called while it runs would forget where it was called from first.
    fn refuse_recursion(&mut self, calls: &[Call]) {
        let mut by_caller: HashMap<Name, Vec<&Call>> = HashMap::new();
        for call in calls {
            if let Some(caller) = call.caller {
                by_caller.entry(caller).or_default().push(call);
            }
        }
        let none = Vec::new();
        let mut done: Vec<Name> = Vec::new();
        for start in self.routines.iter().map(|routine| routine.name).collect::<Vec<_>>() {
            let mut path: Vec<(Name, usize, Option<&Call>)> = vec![(start, 0, None)];
            while let Some((caller, next, _)) = path.last_mut() {
                let call = by_caller.get(caller).unwrap_or(&none).get(*next).copied();
                let caller = *caller;
                *next += 1;
                let Some(call) = call else {
                    done.push(caller);
                    path.pop();
                    continue;
                };
                if let Some(first) = path.iter().position(|(name, ..)| *name == call.callee) {
                    let names = &self.build.library.names;
                    let circle = path[first..].iter().map(|(name, ..)| names.show(*name));
                    let circle: Vec<String> = circle.chain([names.show(call.callee)]).collect();
                    let mut diagnostic =
                        Diagnostic::error(call.span, format!("`{}` calls itself", circle[0]))
                            .label(format!("this leads in a circle: {}", circle.join(" → ")))
                            .help(
                                "there is no stack: a routine must have returned before it is called again",
                            );
                    diagnostic.related = path[first + 1..]
                        .iter()
                        .filter_map(|(name, _, call)| {
                            let text = format!("`{}` is called here", names.show(*name));
                            call.map(|call| Related { span: call.span, text, chain: Vec::new() })
                        })
                        .collect();
                    self.build.report(diagnostic, call.context.expansion);
                } else if !done.contains(&call.callee) {
                    path.push((call.callee, 0, Some(call)));
                }
            }
        }
    }
}
