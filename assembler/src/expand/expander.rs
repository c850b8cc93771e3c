//! The state of the expander, and the methods that its modules share: frames, expansions, values, errors.

use super::branch::Branch;
use super::words::{
    Assertion, Call, ComparisonEnd, ElsePart, ExpandedStatement, PlacedPromise, PlacedWord, Plan, Routine,
};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::Build;
use crate::expansion::{Expansion, ExpansionKind, ExpansionNode};
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Range, Syntax};
use crate::table::{Binding, Blocker, Context, NoValue, Value};
use gray1_isa::PROGRAM_WORDS;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) struct Expander<'a, 'c> {
    pub build: Build<'a>,
    pub planned: &'c Plan,
    pub frames: Vec<Frame>,
    /// The current statement: its index, its position in the source, and the context of its expressions.
    pub index: u32,
    pub span: Span,
    pub context: Context,
    pub code: Code,
    pub ram: RamUse,
    pub routines: Routines,
    pub control: Control,
    pub files: Files,
    pub assertions: Vec<Assertion>,
    pub promises: Vec<PlacedPromise>,
    /// The macros, in the order in which their names are first mentioned, so that suggestions are deterministic.
    pub macros: BTreeMap<Name, MacroDefinition>,
    /// The code of the tables that have been read; `None` for a table with errors.
    pub tables: HashMap<Name, Option<Rc<Branch>>>,
}

/// The words so far, the statements from which they come, and the labels that do not occur in the source.
#[derive(Default)]
pub(super) struct Code {
    /// The address of the next word; 4,096 or more if the program is too long.
    pub here: u32,
    pub words: Vec<PlacedWord>,
    pub statements: Vec<ExpandedStatement>,
    /// For each address, the index of its word.
    pub word_at: Vec<Option<u32>>,
    /// Set if the last word had no free address: the next such word is not reported.
    pub in_trouble: bool,
    /// The first word beyond the last address, and its expansion.
    pub beyond: Option<(Span, u32)>,
    pub words_beyond: usize,
    /// The number of `.org` statements so far.
    pub orgs: u32,
    /// The labels of control blocks and tables.
    pub hidden: Vec<HiddenLabel>,
    /// The ends of comparisons, and the labels that these comparisons jump to.
    pub compared: Vec<ComparisonEnd>,
    pub compared_labels: Vec<(usize, usize)>,
}

/// A label that does not occur in the source.
#[derive(Debug, Default)]
pub(super) struct HiddenLabel {
    pub address: Option<u32>,
    /// The jumps to it, until its address is known.
    pub waiting: Vec<u32>,
}

#[derive(Default)]
pub(super) struct RamUse {
    /// The first free byte.
    pub next: u16,
    pub is_full: bool,
    /// The temporary byte of comparisons and tables, once it is allocated.
    pub compared_byte: Option<u16>,
}

/// The routines so far, and the calls of them.
#[derive(Default)]
pub(super) struct Routines {
    pub all: Vec<Routine>,
    pub numbers: HashMap<Name, u32>,
    pub calls: Vec<Call>,
    /// The number of calls of each routine so far.
    pub sites: HashMap<Name, usize>,
    pub current: Option<u32>,
    /// The number of frames at the beginning of the current routine.
    pub depth: usize,
}

/// The control blocks: those whose conditions are evaluated at run time.
#[derive(Default)]
pub(super) struct Control {
    pub open: Vec<ControlBlock>,
    /// The else part of each `.when` that is shorter with its parts swapped, as found in this pass.
    pub otherwise: Vec<Option<ElsePart>>,
    /// The number of words so far that swapping will save in the next pass.
    pub saved: i64,
}

/// A control block that is open.
pub(super) struct ControlBlock {
    /// The number of frames when it was opened.
    pub frames: usize,
    /// The index of the innermost loop among the open blocks, possibly this one.
    pub innermost_loop: Option<usize>,
    pub span: Span,
    pub context: Context,
    pub end: usize,
    /// For a loop, the target of `.continue`, and the code at the end with the target of its jump.
    pub again: usize,
    pub closing: Option<(Branch, usize)>,
    /// For a `.when`, the label of the else part or of the end.
    pub otherwise: Option<usize>,
    /// For a `.when` that is shorter with its parts swapped, their order.
    pub order: Option<Order>,
    /// Set for a `.when` whose condition constants have decided.
    pub is_decided: bool,
}

/// The order of the parts of a `.when`.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// The number of the block among all such blocks.
    pub number: usize,
    /// The number of `.org` statements before it.
    pub orgs: u32,
    pub is_reversed: bool,
    /// The address of the else part, and, if the parts are swapped, the address after both.
    pub otherwise: u32,
    pub behind: u32,
    /// The words that swapping saves, not counting the jumps to the end; and the words saved before this block.
    pub saves: i64,
    pub saved_before: i64,
}

#[derive(Default)]
pub(super) struct Files {
    /// Files with `.once`.
    pub once: HashSet<u32>,
    /// Files that have been searched for macros.
    pub seen_ahead: HashSet<u32>,
}

/// A range of statements that is being expanded.
pub(super) struct Frame {
    pub at: u32,
    pub end: u32,
    pub scope: u32,
    pub region: u32,
    /// The region at its beginning.
    pub base_region: u32,
    pub expansion: u32,
    pub kind: FrameKind,
}

pub(super) enum FrameKind {
    File(u32),
    Macro,
    Loop(Loop),
}

/// A `.repeat` or `.for` in progress.
pub(super) struct Loop {
    pub counter: Option<Name>,
    pub next: i64,
    /// The increment of `next`, and the number of remaining iterations.
    pub step: i64,
    pub rounds: u64,
    /// The text over whose bytes it iterates; then `next` is an index.
    pub text: Option<u32>,
    pub span: Span,
    /// The first statement of its body.
    pub body: u32,
    /// The context of the statement that began it.
    pub context: Context,
}

#[derive(Clone, Copy)]
pub(super) struct MacroDefinition {
    pub statement: u32,
    pub scope: u32,
}

impl<'a, 'c> Expander<'a, 'c> {
    pub fn new(build: Build<'a>, planned: &'c Plan) -> Expander<'a, 'c> {
        Expander {
            build,
            planned,
            frames: Vec::new(),
            index: 0,
            span: Span::default(),
            context: Context::default(),
            code: Code { word_at: vec![None; PROGRAM_WORDS], ..Code::default() },
            ram: RamUse::default(),
            routines: Routines::default(),
            control: Control::default(),
            files: Files::default(),
            assertions: Vec::new(),
            promises: Vec::new(),
            macros: BTreeMap::new(),
            tables: HashMap::new(),
        }
    }

    pub fn syntax(&self) -> &Syntax {
        &self.build.library.syntax
    }

    pub fn show(&self, name: Name) -> String {
        self.build.library.names.show(name)
    }

    /// Reports an error of the current statement.
    pub fn error(
        &mut self,
        code: ErrorCode,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, span, message, label));
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.build.report(diagnostic, self.context.expansion);
    }

    /// Expands these statements before the current frame continues.
    pub fn push_frame(&mut self, statements: Range, context: Context, kind: FrameKind) {
        let Context { scope, region, expansion, .. } = context;
        let base_region = match kind {
            FrameKind::File(_) => self.frames.last().map_or(0, |frame| frame.base_region),
            _ => region,
        };
        let Range { start: at, end } = statements;
        self.frames.push(Frame { at, end, scope, region, base_region, expansion, kind });
    }

    /// Continues the current frame at another statement.
    pub fn jump(&mut self, to: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = to;
        }
    }

    /// Opens an expansion within that of `context`; returns the context of its statements.
    pub fn open_expansion(&mut self, kind: ExpansionKind, span: Span, context: Context) -> Context {
        let (parent, first_word) = (context.expansion, self.code.words.len() as u32);
        let expansion = Expansion { kind, span };
        let (scope, end_word) = (context.scope, first_word);
        self.build.expansions.push(ExpansionNode { parent, expansion, scope, first_word, end_word });
        Context { expansion: self.build.expansions.len() as u32 - 1, ..context }
    }

    /// The binding of a parameter, if an expression is nothing else.
    pub fn whole_binding(&self, expression: Expression) -> Option<Binding> {
        self.build.table.binding(self.context.scope, self.syntax().only_name(expression)?)
    }

    /// Evaluates an expression whose value must be known by now, or reports an error.
    pub fn known(&mut self, expression: Expression, needed_by: &str) -> Option<Value> {
        let Blocker { name, span, .. } = match self.build.evaluate(expression, self.context) {
            Ok(value) => return Some(value),
            Err(NoValue::Failed) => return None,
            Err(NoValue::NotYet(blocker)) => blocker,
        };
        if self.build.table.lost(name).is_some() || !self.build.library.names.defined[name.index()] {
            self.build.unknown_name(name, span, self.context);
            return None;
        }
        let shown = self.show(name);
        let whole = expression.span(self.context.file);
        let is_inside = span.file == whole.file && whole.start <= span.start && span.end <= whole.end;
        let asked = if is_inside { span } else { whole };
        let message = format!("the value of `{shown}` is not known yet");
        let label = format!("{needed_by} needs a value that is known by then");
        let mut diagnostic = Diagnostic::error(ErrorCode::NotKnownYet, asked, message, label)
            .help(format!("define `{shown}` before this line: its value decides what code there is"));
        if !is_inside {
            diagnostic = diagnostic.related(span, format!("`{shown}` is needed here"));
        }
        self.report(diagnostic);
        None
    }
}
