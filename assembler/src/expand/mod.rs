//! Expansion: walks through the statements, calls macros, repeats loops, includes files, gives every label
//! and RAM name its place, and leaves a list of placed words.
//!
//! The walk keeps its own stack of frames, so no program can overflow the real one.

mod blocks;
mod calls;
mod lost;
mod places;
mod routines;
mod words;

pub(crate) use routines::{CallCounts, Routine};
pub(crate) use words::{Content, PlacedWord, Step};

use crate::build::Build;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{NoValue, Stage};
use crate::expansion::{Expansion, ExpansionNode};
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{DefinedName, Expression, Statement, StatementKind};
use crate::table::{Blocker, Context, Value};
use gray1_isa::PROGRAM_WORDS;
use std::collections::{HashMap, HashSet};
use words::Occupied;

/// Macro calls may be nested this deeply.
const DEEPEST_CALL: usize = 256;
/// Included files may be nested this deeply.
const DEEPEST_INCLUDE: usize = 64;
/// How much a program may ask for before it is taken for one that never ends.
const MOST_WORK: u64 = 12_000_000;
/// What a statement counts for, beside the operations of its expressions.
const STATEMENT_WORK: u64 = 16;
/// What loading a file counts for.
const FILE_WORK: u64 = 20_000;

/// A program whose words have their places.
pub(crate) struct Expanded<'a> {
    pub build: Build<'a>,
    pub words: Vec<PlacedWord>,
    pub steps: Vec<Step>,
    pub assertions: Vec<Assertion>,
    pub routines: Vec<Routine>,
    /// How often each routine is called, in code that is itself reached.
    pub counts: CallCounts,
}

/// An `.assert` that needs names which come later.
#[derive(Clone, Copy)]
pub(crate) struct Assertion {
    pub condition: Expression,
    pub text: Option<u32>,
    pub context: Context,
}

/// Expands the program of the file `root`. `counts` is how often each routine was called last time round.
pub(crate) fn expand<'a>(build: Build<'a>, root: u32, counts: &CallCounts) -> Expanded<'a> {
    let mut expander = Expander {
        build,
        frames: Vec::new(),
        here: 0,
        next_ram: 0,
        words: Vec::new(),
        steps: Vec::new(),
        assertions: Vec::new(),
        macros: HashMap::new(),
        once: HashSet::new(),
        seen_ahead: HashSet::new(),
        occupied: Occupied::new(),
        in_trouble: false,
        ram_full: false,
        routines: Vec::new(),
        routine_numbers: HashMap::new(),
        calls: Vec::new(),
        current_routine: None,
        routine_depth: 0,
        planned: counts,
    };
    expander.look_ahead(root, &[]);
    expander.open_file(root, Context { file: root, ..crate::table::TOP });
    expander.run();
    let counts = expander.count_calls();
    let Expander { build, words, steps, assertions, routines, .. } = expander;
    Expanded { build, words, steps, assertions, routines, counts }
}

struct Expander<'a, 'c> {
    build: Build<'a>,
    frames: Vec<Frame>,
    /// Where the next word goes; 4,096 or more when the program is too long.
    here: u32,
    next_ram: u16,
    words: Vec<PlacedWord>,
    steps: Vec<Step>,
    assertions: Vec<Assertion>,
    macros: HashMap<Name, MacroDefinition>,
    /// Files that asked not to be included twice.
    once: HashSet<u32>,
    /// Files whose macros are known already.
    seen_ahead: HashSet<u32>,
    occupied: Occupied,
    /// Whether the last word had no place: the next one without a place is not reported again.
    in_trouble: bool,
    ram_full: bool,
    routines: Vec<Routine>,
    routine_numbers: HashMap<Name, u32>,
    calls: Vec<routines::Call>,
    current_routine: Option<u32>,
    /// How many frames there were when it began.
    routine_depth: usize,
    planned: &'c CallCounts,
}

/// Statements being walked through.
struct Frame {
    at: u32,
    end: u32,
    scope: u32,
    region: u32,
    /// The region it began in.
    base_region: u32,
    expansion: u32,
    kind: FrameKind,
}

enum FrameKind {
    File(u32),
    Macro,
    Loop(blocks::Loop),
}

#[derive(Clone, Copy)]
struct MacroDefinition {
    statement: u32,
    scope: u32,
}

impl Expander<'_, '_> {
    fn run(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            let index = frame.at;
            if self.build.work > MOST_WORK {
                self.give_up();
                return;
            }
            if index == frame.end {
                self.finish_frame();
                continue;
            }
            frame.at += 1;
            self.build.work += STATEMENT_WORK;
            let statement = self.build.library.syntax.statements[index as usize];
            self.execute(index, statement);
        }
    }

    fn give_up(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let node = &self.build.expansions[frame.expansion as usize];
        // At the end of a loop's body or a file it is that loop or include which asks for too much.
        let (span, expansion) = match self.build.library.syntax.statements.get(frame.at as usize) {
            Some(statement) if frame.at < frame.end => (statement.span, frame.expansion),
            _ => (node.expansion.span, node.parent),
        };
        let diagnostic = Diagnostic::error(span, "this program expands without end, or to far too much")
            .label("the assembler gave up here")
            .help("look at the loops and macro calls that lead here: a program has 4,096 words");
        self.build.report(diagnostic, expansion);
        self.build.table.incomplete = true;
        self.frames.clear();
    }

    fn execute(&mut self, index: u32, statement: Statement) {
        let first_word = self.words.len() as u32;
        let context = self.context(statement.span);
        let mut call = None;
        match statement.kind {
            StatementKind::Label(name) => self.label(name, statement.span, context),
            StatementKind::Constant { name, value, default } => {
                self.constant(name, value, default, statement.span, context);
            }
            StatementKind::Instruction { opcode, operand } => {
                self.place(Content::Instruction { opcode, operand }, context, statement.span);
            }
            StatementKind::Word(value) => self.place(Content::Raw(value), context, value.span(context.file)),
            StatementKind::Ram { name, count } => self.ram(name, count, statement.span, context),
            StatementKind::Org(target) => self.org(target, context),
            StatementKind::Assert { condition, text } => {
                self.assertion(Assertion { condition, text, context });
            }
            StatementKind::Fail(text) => {
                let text = self.build.library.syntax.texts[text as usize].clone();
                let diagnostic = Diagnostic::error(statement.span, text).label("the program says so here");
                self.build.report(diagnostic, context.expansion);
            }
            StatementKind::Call { name, operands } => {
                call = self.call(index, name, operands, statement.span, context);
            }
            StatementKind::Include(text) => call = self.include(text, statement.span, context),
            StatementKind::Once => self.once(statement.span, context),
            StatementKind::If { condition, next, end } => self.branch(index, condition, next, end, context),
            StatementKind::Elif { condition, end, .. } => {
                // Reached from above: a branch was taken, or the head of a block was not understood.
                if condition.operations.len() == 0 {
                    self.skip_broken(index + 1, end);
                }
                self.jump(end);
            }
            StatementKind::Else { end } => self.jump(end),
            StatementKind::Repeat { count, counter, end } => self.repeat(index, count, counter, end, context),
            StatementKind::For { counter, over, end } => self.iterate(index, counter, over, end, context),
            StatementKind::Macro { name, end, .. } => {
                self.define_macro(name, index, statement.span, context);
                self.jump(end);
            }
            StatementKind::Routine { name, end } => self.routine(index, name, end, statement.span, context),
            StatementKind::EndRoutine => self.end_routine(statement.span, context),
            StatementKind::Broken(name) => self.broken(name),
            StatementKind::EndIf | StatementKind::EndLoop | StatementKind::EndMacro => return,
        }
        let end_word = self.words.len() as u32;
        let begins_block = match statement.kind {
            StatementKind::Label(DefinedName::Plain(name)) => !self.build.library.names.is_local(name),
            StatementKind::Label(DefinedName::Pasted(_)) | StatementKind::Routine { .. } => true,
            _ => false,
        };
        let expansion = context.expansion;
        self.steps.push(Step { span: statement.span, expansion, first_word, end_word, call, begins_block });
    }

    /// What expressions of a statement in the current frame depend on.
    fn context(&self, span: Span) -> Context {
        let here = self.here.min(PROGRAM_WORDS as u32) as u16;
        match self.frames.last() {
            Some(Frame { scope, region, expansion, .. }) => {
                Context { file: span.file, scope: *scope, region: *region, expansion: *expansion, here }
            }
            None => Context { file: span.file, here, ..crate::table::TOP },
        }
    }

    /// Continues the current frame at another statement.
    fn jump(&mut self, to: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = to;
        }
    }

    fn open_expansion(&mut self, parent: u32, expansion: Expansion) -> u32 {
        let first_word = self.words.len() as u32;
        self.build.expansions.push(ExpansionNode { parent, expansion, first_word, end_word: first_word });
        self.build.expansions.len() as u32 - 1
    }

    /// A value that must be known by now; what keeps it from being known is reported.
    fn known(&mut self, expression: Expression, context: Context, who: &str) -> Option<Value> {
        match self.build.evaluate(expression, context, Stage::Expanding) {
            Ok(value) => Some(value),
            Err(NoValue::Failed) => None,
            Err(NoValue::NotYet(Blocker { name, span, .. })) => {
                let library = &self.build.library;
                if library.syntax.is_defined_somewhere(name) && !self.build.table.broken.contains(&name) {
                    let shown = library.names.show(name);
                    let place = expression.span(context.file);
                    let inside =
                        span.file == place.file && place.start <= span.start && span.end <= place.end;
                    let mut diagnostic = Diagnostic::error(
                        if inside { span } else { place },
                        format!("the value of `{shown}` is not known yet"),
                    )
                    .label(format!("{who} needs a value that is known by then"))
                    .help(format!(
                        "define `{shown}` before this line: the answer decides what code there is"
                    ));
                    if !inside {
                        diagnostic = diagnostic.related(span, format!("`{shown}` is asked for here"));
                    }
                    self.build.report(diagnostic, context.expansion);
                } else {
                    self.build.unknown_name(name, span, context);
                }
                None
            }
        }
    }
}

impl Expanded<'_> {
    /// Whether some routine's code was made for another number of calls than it has.
    pub fn needs_another_pass(&self, planned: &CallCounts) -> bool {
        !self.routines.is_empty() && self.counts != *planned
    }
}
