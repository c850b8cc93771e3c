//! Expansion: executes the statements, calls macros, repeats loops, includes files, assigns an address to every label, RAM
//! name and word, and produces a list of words.
//!
//! The expander has its own stack of frames, so no program can overflow the call stack.

mod blocks;
mod branch;
mod broken;
mod comparisons;
mod conditions;
mod control;
mod definitions;
mod expander;
mod hidden;
mod macros;
mod promises;
mod routines;
mod sequences;
mod tables;
mod tree;
mod words;

use words::ElsePart;
pub(crate) use words::{
    Assertion, ComparisonEnd, Content, ContractOwner, ExpandedStatement, PlacedPromise, PlacedWord, Plan,
    Routine,
};

use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::{Build, MAX_WORK};
use crate::kind::SymbolKind;
use crate::names::shorten_message;
use crate::syntax::{Statement, StatementKind, WrittenName};
use crate::table::Context;
use expander::{Code, Expander};
use gray1_isa::PROGRAM_WORDS;

/// The work of a statement, in addition to the operations of its expressions.
const STATEMENT_WORK: u64 = 16;

/// A program whose words have their addresses.
pub(crate) struct PlacedProgram<'a> {
    pub build: Build<'a>,
    pub words: Vec<PlacedWord>,
    pub statements: Vec<ExpandedStatement>,
    pub assertions: Vec<Assertion>,
    pub promises: Vec<PlacedPromise>,
    pub routines: Vec<Routine>,
    /// The places where a comparison has changed A.
    pub compared: Vec<ComparisonEnd>,
    /// The results of this pass.
    pub plan: Plan,
}

/// Expands the program of the file `root`. `planned` has the results of the previous pass.
pub(crate) fn expand<'a>(build: Build<'a>, root: u32, planned: &Plan) -> PlacedProgram<'a> {
    let mut expander = Expander::new(build, planned);
    expander.look_ahead(root, &[]);
    expander.open_file(root, Context::default());
    expander.run();
    expander.check_unread_tables();
    expander.check_length();
    expander.note_targets();
    let counts = expander.settle_calls();
    let Expander { build, code, assertions, promises, routines, control, .. } = expander;
    let plan = Plan { counts, otherwise: control.otherwise, keeps_order: planned.keeps_order };
    let (Code { words, statements, compared, .. }, routines) = (code, routines.all);
    PlacedProgram { build, words, statements, assertions, promises, routines, compared, plan }
}

impl PlacedProgram<'_> {
    /// Whether a routine was assembled for a wrong number of calls, or a `.when` for a wrong length.
    pub fn needs_another_pass(&self, planned: &Plan) -> bool {
        let Plan { counts, otherwise, keeps_order } = &self.plan;
        let as_planned = |(index, found): (usize, &Option<ElsePart>)| {
            *found == planned.otherwise.get(index).copied().flatten()
        };
        !self.routines.is_empty() && *counts != planned.counts
            || !keeps_order && !otherwise.iter().enumerate().all(as_planned)
    }
}

impl Expander<'_, '_> {
    fn run(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if self.build.work > MAX_WORK {
                return self.give_up();
            }
            if self.build.is_stopped() {
                self.build.table.incomplete = true;
                return self.frames.clear();
            }
            if frame.at == frame.end {
                self.finish_frame();
                continue;
            }
            self.index = frame.at;
            frame.at += 1;
            let statement = self.build.library.syntax.statements[self.index as usize];
            self.span = statement.span;
            self.context = Context {
                file: statement.span.file,
                scope: frame.scope,
                region: frame.region,
                expansion: frame.expansion,
                here: self.code.here.min(PROGRAM_WORDS as u32) as u16,
                time: self.build.table.time,
            };
            self.build.work += STATEMENT_WORK;
            self.execute(statement);
        }
    }

    fn give_up(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        if std::mem::replace(&mut self.build.gave_up, true) {
            return self.frames.clear();
        }
        let node = &self.build.expansions[frame.expansion as usize];
        // At the end of a loop's body or of a file, the error belongs to the loop or the include.
        let (span, expansion) = match self.syntax().statements.get(frame.at as usize) {
            Some(statement) if frame.at < frame.end => (statement.span, frame.expansion),
            _ => (node.expansion.span, node.parent),
        };
        let message = "this program expands endlessly, or far too much";
        let diagnostic =
            Diagnostic::error(ErrorCode::TooMuchWork, span, message, "the assembler gave up here")
                .help("look at the loops and macro calls that lead here: a program has 4,096 words");
        self.build.report(diagnostic, expansion);
        self.build.table.incomplete = true;
        self.frames.clear();
    }

    fn execute(&mut self, Statement { span, kind, end, next }: Statement) {
        if self.syntax().unclosed.contains(&self.index) {
            self.skip_broken(self.index, end);
            return self.jump(end);
        }
        let (first_word, first_expansion) =
            (self.code.words.len() as u32, self.build.expansions.len() as u32);
        let expansion = self.context.expansion;
        match kind {
            StatementKind::Label(name) => self.label(name),
            StatementKind::Constant { name, value, default } => self.constant(name, value, default),
            StatementKind::Variable(name, value) => self.variable(name, value),
            StatementKind::Function(name, ..) => self.definition(name, SymbolKind::Function),
            StatementKind::Table(name, _) => self.definition(name, SymbolKind::Table),
            StatementKind::Extend(name, _) => self.extend_table(name),
            StatementKind::While(_) | StatementKind::RepeatUntil(_) => self.open_loop_of_program(kind, end),
            StatementKind::When(condition) => self.when(condition, next),
            StatementKind::WhenElse => self.when_else(end),
            StatementKind::EndControl => self.end_control(),
            StatementKind::Break | StatementKind::Continue => self.jump_in_loop(kind),
            StatementKind::Instruction(opcode, operand) => {
                self.put_word(Content::Instruction(opcode, operand), span);
            }
            StatementKind::Word(value) => self.put_word(Content::Raw(value), value.span(span.file)),
            StatementKind::Ram(name, count) => self.ram(name, count),
            StatementKind::Org(target) => self.org(target),
            StatementKind::Assert(condition, text) => self.assertion(condition, text),
            StatementKind::Promise(..) | StatementKind::Modifies(_) => self.promise(self.index),
            StatementKind::Fail(text) => {
                let text = shorten_message(&self.syntax().texts[text as usize]);
                self.error(ErrorCode::ProgramError, span, text, "the program reports this here");
            }
            StatementKind::Call(name, operands) => self.call(name, operands),
            StatementKind::Include(text) => self.include(text),
            StatementKind::Once => self.once(),
            StatementKind::If(condition) => self.branch(condition, next, end),
            StatementKind::Elif(condition) => {
                // An earlier branch was taken, or the head of the block was not understood.
                if condition.is_none() {
                    self.skip_broken(self.index + 1, end);
                }
                self.jump(end);
            }
            StatementKind::Else => self.jump(end),
            StatementKind::Repeat(count, counter) => self.repeat(count, counter, end),
            StatementKind::For(counter, over) => self.iterate(counter, over, end),
            StatementKind::Macro(name, _) => self.define_macro(name, end),
            StatementKind::Routine(name) => self.routine(name, end),
            StatementKind::EndRoutine => self.end_routine(),
            StatementKind::Broken(name) => self.broken(name),
            StatementKind::End => return,
        }
        self.list_statement(kind, expansion, first_word, first_expansion);
    }

    /// Records an executed statement for the listing.
    fn list_statement(&mut self, kind: StatementKind, expansion: u32, first_word: u32, first_expansion: u32) {
        let (span, end_word) = (self.span, self.code.words.len() as u32);
        let opened = self.build.expansions.len() as u32 > first_expansion;
        // From other files, the listing shows only statements that produce something.
        let adds_nothing = match kind {
            StatementKind::Macro(..) | StatementKind::Once => true,
            kind if kind.is_promise() => true,
            StatementKind::Include(_) => !opened,
            StatementKind::Routine(_) => self.routines.current.is_none(),
            _ => false,
        };
        if span.file != 0 && adds_nothing {
            return;
        }
        let call = opened.then_some(first_expansion);
        let begins_block = match kind {
            StatementKind::Label(WrittenName::Plain(name)) => !self.build.library.names.is_local(name),
            StatementKind::Label(WrittenName::Pasted(_)) | StatementKind::Routine(_) => true,
            _ => false,
        };
        self.code.statements.push(ExpandedStatement {
            span,
            expansion,
            first_word,
            end_word,
            call,
            begins_block,
        });
    }
}
