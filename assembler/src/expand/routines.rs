//! Routines without a stack: `.routine name` … `.endroutine`, `call name`, `return`.
//!
//! The machine has no computed jumps, so a routine returns by a chain of decisions on a byte with the call number:
//!
//! ```text
//!   call r     lda #site        r:  …                 with three calls of r:
//!              sta r.site           return                lda r.site
//!              jmp r                                      jz  after call 0
//!                                                         add #-2
//!                                                         jc  after call 2
//!                                                         jmp after call 1
//! ```
//!
//! The length of this code depends on the number of calls, which is known only at the end. So the program is expanded
//! again with the call counts of the previous pass, until they agree.

use super::expander::Expander;
use super::words::{Call, CallCounts, Content, Routine};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::kind::SymbolKind;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Operand, OperandValue, Range, StatementKind, WrittenName};
use crate::table::{CellState, Loss, NoValue, Value, ValueKind};
use gray1_isa::{Opcode, Word};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// The maximum number of calls: the call number is a byte.
const MAX_CALLS: usize = 256;

impl Expander<'_, '_> {
    pub fn routine(&mut self, written: WrittenName, end: u32) {
        if self.routines.current.is_some() {
            let label = "expected `.endroutine` before the next `.routine`";
            self.error(ErrorCode::NestedRoutine, self.span, "a routine inside a routine", label);
            self.skip_broken(self.index, end);
            return self.jump(end + 1);
        }
        let Some((name, spelled)) = self.defined_name(written) else {
            self.skip_broken(self.index, end);
            return self.jump(end + 1);
        };
        self.open_label_region(name);
        let value = Value { number: i64::from(self.code.here), kind: ValueKind::Label };
        let cell = self.define(name, SymbolKind::Routine, value, 0, spelled);
        let planned = self.planned.counts.of(name);
        let number = self.routines.all.len() as u32;
        self.routines.numbers.entry(name).or_insert(number);
        let site_byte = if planned > 1 { self.site_byte(name) } else { 0 };
        let address = self.code.here;
        self.routines.all.push(Routine {
            name,
            address,
            end: address,
            span: self.span,
            expansion: self.context.expansion,
            return_addresses: Vec::new(),
            site_byte,
            return_code: 0,
            planned,
        });
        if planned == 0 {
            // The routine is not assembled. A use of it, or of a name that it defines, is an error.
            self.build.table.cells[cell as usize].state = CellState::Settled(Err(NoValue::Failed));
            self.lose_routine(end);
            return self.jump(end + 1);
        }
        self.routines.current = Some(number);
        self.routines.depth = self.frames.len();
    }

    /// Allocates the byte with the call number of a routine.
    fn site_byte(&mut self, routine: Name) -> u16 {
        let value = self.allocate(1);
        let names = &mut self.build.library.names;
        let site = format!("{}.site", names.spelling(routine));
        let site = match names.is_of_library(routine) {
            true => names.intern_of_library(&site),
            false => names.intern(&site),
        };
        self.define(site, SymbolKind::Ram, value, 1, false);
        value.number as u16
    }

    /// Records the names that the current routine defines as lost, because it is not assembled.
    fn lose_routine(&mut self, end: u32) {
        let library = &self.build.library;
        if library.diagnostics.has_errors() {
            return self.skip_broken(self.index + 1, end);
        }
        let inside = &library.syntax.statements[self.index as usize + 1..end as usize];
        let names = inside.iter().filter_map(|statement| statement.kind.defines()?.plain());
        for name in names.filter(|&name| !library.names.is_local(name)) {
            self.build.table.lose(name, Loss::Unassembled);
        }
    }

    pub fn call_routine(&mut self, operands: Range) {
        let Some((written, span)) = self.only_name_of(operands) else {
            let label = "expected the name of a `.routine`, and nothing else: pass arguments in RAM";
            return self.error(ErrorCode::WrongOperand, self.span, "`call` needs a routine", label);
        };
        let Some(callee) = self.name(written) else { return };
        let defined = &self.build.library.names.defined;
        let callee = self.build.resolve_name(callee, |name| defined[name.index()]);
        self.build.library.names.mentioned[callee.index()] = true;
        if self.planned.counts.of(callee) > 1 {
            let sites = self.routines.sites.entry(callee).or_default();
            let number = Word::constant(Opcode::Lda, *sites as u8);
            *sites += 1;
            self.put_word(Content::Fixed(number), self.span);
            self.put_word(Content::StoreSite(callee), self.span);
        }
        self.put_word(Content::Enter(callee), self.span);
        let caller = self.routines.current.map(|caller| self.routines.all[caller as usize].name);
        self.routines.calls.push(Call {
            caller,
            callee,
            return_address: self.code.here,
            span,
            context: self.context,
        });
    }

    /// The name that is the only operand, and its span.
    pub fn only_name_of(&self, operands: Range) -> Option<(WrittenName, Span)> {
        match self.syntax().operands[operands.indices()] {
            [Operand { immediate: false, value: OperandValue::Expression(value), .. }] => {
                Some((self.syntax().only_written_name(value)?, value.span(self.context.file)))
            }
            _ => None,
        }
    }

    pub fn return_from_routine(&mut self, operands: Range) {
        if operands.len() > 0 {
            let label = "expected nothing after it: pass results in RAM";
            return self.error(ErrorCode::WrongOperand, self.span, "`return` takes no value", label);
        }
        let Some(routine) = self.routines.current else {
            if self.build.library.is_incomplete(false) {
                return;
            }
            let label = "expected this between `.routine` and `.endroutine`";
            let message = "`return` outside a routine";
            return self.error(ErrorCode::ReturnOutsideRoutine, self.span, message, label);
        };
        // Directly before `.endroutine`, control falls through to the code that returns.
        let next = self.syntax().statements.get(self.past_promises(self.index + 1) as usize);
        if matches!(next, Some(next) if matches!(next.kind, StatementKind::EndRoutine)) {
            return;
        }
        match self.routines.all[routine as usize].planned {
            1 => self.leave(Opcode::Jmp, routine, 0),
            _ => self.put_word(Content::Return(routine), self.span),
        }
    }

    /// Emits the code that returns, at the end of a routine.
    pub fn end_routine(&mut self) {
        let Some(number) = self.routines.current.take() else { return };
        let routine = &mut self.routines.all[number as usize];
        routine.return_code = self.code.here;
        let (planned, load) = (routine.planned, Word::ram(Opcode::Lda, routine.site_byte));
        if planned > 1 {
            self.put_word(Content::Fixed(load), self.span);
        }
        self.decide(number, 0, planned.min(MAX_CALLS), 0);
        self.routines.all[number as usize].end = self.code.here;
    }

    /// Emits the return to one of the calls `first..end` of a routine. A is `offset` for the first call, `offset + 1` for
    /// the next, and so on.
    fn decide(&mut self, routine: u32, first: usize, end: usize, offset: u8) {
        if end - first == 1 {
            return self.leave(Opcode::Jmp, routine, first);
        }
        if offset == 0 {
            self.leave(Opcode::Jz, routine, first);
            return self.decide(routine, first + 1, end, 1);
        }
        let middle = first + (end - first) / 2;
        // This makes A zero, and sets the carry, for the call in the middle.
        let step = 0u8.wrapping_sub(offset.wrapping_add((middle - first) as u8));
        self.put_word(Content::Fixed(Word::constant(Opcode::Add, step)), self.span);
        if end - middle == 1 {
            self.leave(Opcode::Jc, routine, middle);
            return self.decide(routine, first, middle, offset.wrapping_add(step));
        }
        let jump = self.code.words.len();
        self.leave(Opcode::Jc, routine, middle);
        self.decide(routine, first, middle, offset.wrapping_add(step));
        if let Some(word) = self.code.words.get_mut(jump) {
            word.content = Content::Fixed(Word::jump(Opcode::Jc, self.code.here as u16));
        }
        self.decide(routine, middle, end, 0);
    }

    fn leave(&mut self, opcode: Opcode, routine: u32, site: usize) {
        self.put_word(Content::Leave { opcode, routine, site }, self.span);
    }

    /// Computes the words that depend on all calls; returns the call counts.
    pub fn settle_calls(&mut self) -> CallCounts {
        let calls = std::mem::take(&mut self.routines.calls);
        self.build.evaluation.is_final = true;
        for call in &calls {
            let Some(&number) = self.routines.numbers.get(&call.callee) else {
                self.unknown_routine(call);
                continue;
            };
            let return_addresses = &mut self.routines.all[number as usize].return_addresses;
            return_addresses.push(call.return_address);
            if return_addresses.len() == MAX_CALLS + 1 {
                let message = format!("`{}` is called too often", self.show(call.callee));
                let label = format!("this is call {}; expected {MAX_CALLS} at most", MAX_CALLS + 1);
                let help = format!(
                    "a second routine that does nothing but `call {}` can be called from {MAX_CALLS} more places",
                    self.show(call.callee)
                );
                let diagnostic = Diagnostic::error(ErrorCode::TooManyCalls, call.span, message, label);
                self.build.report(diagnostic.help(help), call.context.expansion);
            }
        }
        self.refuse_recursion(&calls);
        self.settle_words();
        count_reached(&calls)
    }

    fn settle_words(&mut self) {
        let routine_of =
            |name: Name| self.routines.numbers.get(&name).map(|&number| &self.routines.all[number as usize]);
        for word in &mut self.code.words {
            let bits = match word.content {
                Content::StoreSite(name) => {
                    routine_of(name).map(|routine| Word::ram(Opcode::Sta, routine.site_byte))
                }
                Content::Enter(name) => {
                    routine_of(name).map(|routine| Word::jump(Opcode::Jmp, routine.address as u16))
                }
                Content::Return(routine) => {
                    let return_code = self.routines.all[routine as usize].return_code;
                    Some(Word::jump(Opcode::Jmp, return_code as u16))
                }
                Content::Leave { opcode, routine, site } => {
                    let target = self.routines.all[routine as usize].return_addresses.get(site);
                    Some(Word::jump(opcode, target.map_or(word.address, |&target| target as u16)))
                }
                _ => continue,
            };
            word.content = Content::Fixed(bits.unwrap_or_default());
        }
    }

    fn unknown_routine(&mut self, call: &Call) {
        let shown = self.show(call.callee);
        let message = format!("there is no routine `{shown}`");
        let expansion = call.context.expansion;
        if self.build.may_be_lost(call.callee) || !self.build.is_new(call.span, &message, expansion) {
            return;
        }
        let affordable =
            if self.build.can_afford(self.routines.all.len()) { &self.routines.all[..] } else { &[] };
        let routines: Vec<Name> = affordable.iter().map(|routine| routine.name).collect();
        let label = "expected the name of a `.routine`";
        let diagnostic = Diagnostic::error(ErrorCode::UnknownRoutine, call.span, message, label)
            .did_you_mean(self.build.suggestion(call.callee, &routines).as_deref());
        let known = self.build.global(call.callee);
        let help = known.map(|entry| format!("`{shown}` is a {}", entry.kind.noun()));
        self.build.report(diagnostic.help_if(help), expansion);
    }

    /// Reports recursive routines: a second call before the return would overwrite the number of the first.
    fn refuse_recursion(&mut self, calls: &[Call]) {
        let by_caller = by_caller(calls);
        // The index of each routine on the path; `None` after all its callees have been visited.
        let mut seen: HashMap<Name, Option<usize>> = HashMap::new();
        for start in 0..self.routines.all.len() {
            // The routines on the path, each with the number of calls followed, and the call that led to it.
            let mut path: Vec<(Name, usize, Option<&Call>)> = Vec::new();
            let first = self.routines.all[start].name;
            if let Entry::Vacant(entry) = seen.entry(first) {
                entry.insert(Some(0));
                path.push((first, 0, None));
            }
            while let Some((caller, followed, _)) = path.last_mut() {
                let call = by_caller.get(&Some(*caller)).and_then(|calls| calls.get(*followed));
                *followed += 1;
                let Some(&call) = call else {
                    seen.insert(*caller, None);
                    path.pop();
                    continue;
                };
                match seen.get(&call.callee) {
                    Some(Some(first)) => self.recursion(&path[*first..], call),
                    Some(None) => {}
                    None => {
                        seen.insert(call.callee, Some(path.len()));
                        path.push((call.callee, 0, Some(call)));
                    }
                }
            }
        }
    }

    fn recursion(&mut self, path: &[(Name, usize, Option<&Call>)], last: &Call) {
        let names = path.iter().map(|(name, ..)| *name).chain([last.callee]);
        let circle: Vec<String> = names.map(|name| self.show(name)).collect();
        let message = format!("`{}` calls itself", circle[0]);
        let label = format!("this is circular: {}", circle.join(" → "));
        let mut diagnostic = Diagnostic::error(ErrorCode::RoutineRecursion, last.span, message, label)
            .help("there is no stack: a routine must have returned before it is called again");
        for ((_, _, call), name) in path.iter().zip(&circle).skip(1) {
            if let Some(call) = call {
                diagnostic = diagnostic.related(call.span, format!("`{name}` is called here"));
            }
        }
        self.build.report(diagnostic, last.context.expansion);
    }
}

/// Groups the calls by the routine that contains them.
fn by_caller(calls: &[Call]) -> HashMap<Option<Name>, Vec<&Call>> {
    let mut by_caller: HashMap<Option<Name>, Vec<&Call>> = HashMap::new();
    for call in calls {
        by_caller.entry(call.caller).or_default().push(call);
    }
    by_caller
}

/// Counts the calls of each routine in reached code.
fn count_reached(calls: &[Call]) -> CallCounts {
    let mut counts: HashMap<Name, usize> = HashMap::new();
    let mut callers = vec![None];
    let by_caller = by_caller(calls);
    while let Some(caller) = callers.pop() {
        for call in by_caller.get(&caller).into_iter().flatten() {
            let count = counts.entry(call.callee).or_default();
            *count += 1;
            if *count == 1 {
                callers.push(Some(call.callee));
            }
        }
    }
    CallCounts(Some(counts))
}
