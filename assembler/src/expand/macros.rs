//! Macros: definitions, calls, and the binding of arguments.

use super::expander::{Expander, FrameKind, MacroDefinition};
use super::words::Content;
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::expansion::{Expansion, ExpansionKind};
use crate::foreign;
use crate::kind::SymbolKind;
use crate::library::Library;
use crate::names::{Name, near_mnemonic};
use crate::syntax::{
    DIRECTIVES, Expression, Operand, OperandValue, Operation, OperationKind, Parameter, Range, STATEMENTS,
    Statement, StatementKind, WrittenName,
};
use crate::table::{Binding, BoundValue, Context, Loss, NoValue, Region, RegionTitle, Value};
use gray1_isa::Opcode;
use gray1_text::counted;

/// The maximum depth of macro calls.
const MAX_CALL_DEPTH: usize = 256;
/// The maximum depth of included files.
pub(super) const MAX_INCLUDE_DEPTH: usize = 64;

impl Expander<'_, '_> {
    /// Finds the macros that a file, and the files that it includes, define outside blocks, so that a macro may be called
    /// before its definition.
    pub fn look_ahead(&mut self, file: u32, chain: &[Expansion]) {
        if chain.len() > MAX_INCLUDE_DEPTH || !self.files.seen_ahead.insert(file) {
            return;
        }
        let Range { start: mut at, end } = self.build.library.statements(file);
        while at < end {
            let statement = self.syntax().statements[at as usize];
            match statement.kind {
                _ if self.syntax().unclosed.contains(&at) => self.skip_broken(at, statement.end),
                StatementKind::Macro(WrittenName::Plain(name), _) => {
                    self.macros.entry(name).or_insert(MacroDefinition { statement: at, scope: 0 });
                }
                StatementKind::Function(WrittenName::Plain(name), ..)
                | StatementKind::Table(WrittenName::Plain(name), _) => {
                    let context = Context { file: statement.span.file, ..Context::default() };
                    self.build.table.definitions.entry(name).or_insert((at, context));
                }
                StatementKind::Broken(name) => {
                    self.build.table.lose(name, Loss::Broken);
                }
                StatementKind::Include(text) => {
                    if let Some(included) = self.build.library.include(text, statement.span, chain) {
                        let here = Expansion { kind: ExpansionKind::Include, span: statement.span };
                        self.look_ahead(included, &[&[here], chain].concat());
                    }
                }
                _ => {}
            }
            at = statement.end.max(at + 1);
        }
    }

    pub fn define_macro(&mut self, written: WrittenName, end: u32) {
        self.jump(end);
        let Some((name, spelled)) = self.defined_name(written) else { return };
        if self.build.table.global(name).is_none() {
            let definition = MacroDefinition { statement: self.index, scope: self.context.scope };
            self.macros.insert(name, definition);
        }
        self.define(name, SymbolKind::Macro, Value::plain(0), 0, spelled);
    }

    /// Expands a statement that begins with a name other than an instruction.
    pub fn call(&mut self, written: WrittenName, operands: Range) {
        let Some(name) = self.name(written) else { return };
        self.build.library.names.mentioned[name.index()] = true;
        if let Some(definition) = self.macro_of(name, written) {
            return self.call_macro(name, definition, operands);
        }
        let spelling = self.build.library.names.spelling(name);
        if let (WrittenName::Pasted(_), Some(opcode)) = (written, Opcode::from_mnemonic(spelling))
            && let [operand] = self.syntax().operands[operands.indices()]
        {
            return self.put_word(Content::Instruction(opcode, operand), self.span);
        }
        if spelling.eq_ignore_ascii_case("call") {
            self.call_routine(operands);
        } else if spelling.eq_ignore_ascii_case("return") {
            self.return_from_routine(operands);
        } else if spelling.eq_ignore_ascii_case("read_table") {
            self.read_table(operands);
        } else {
            self.unknown_statement(name, operands);
        }
    }

    /// Looks up a macro. In the library, a word such as `call` has its meaning in the language.
    fn macro_of(&mut self, name: Name, written: WrittenName) -> Option<MacroDefinition> {
        let Library { names, .. } = &self.build.library;
        let is_word = written.plain().is_some() && !names.is_of_library(name);
        if is_word && self.build.library.is_of_library(self.context.file) {
            return None;
        }
        let &definition = names.find(name, |name| self.macros.get(&name))?;
        if !self.macros.contains_key(&name) {
            self.build.borrow(name, self.span, self.context.expansion);
        }
        Some(definition)
    }

    fn call_macro(
        &mut self,
        name: Name,
        MacroDefinition { statement, scope }: MacroDefinition,
        operands: Range,
    ) {
        let definition = self.syntax().statements[statement as usize];
        let StatementKind::Macro(_, parameters) = definition.kind else { return };
        let shown = self.show(name);
        let listed = self.syntax().parameters[parameters.indices()].iter();
        let needed = listed.clone().filter(|parameter| parameter.default.is_none()).count();
        if !(needed..=parameters.len()).contains(&operands.len()) {
            let (wanted, given) = (parameters.len(), operands.len());
            let arguments = match needed {
                _ if needed == wanted => counted(wanted, "argument"),
                _ => format!("{needed} to {wanted} arguments"),
            };
            let listed: Vec<&str> =
                listed.map(|parameter| self.build.library.names.spelling(parameter.name)).collect();
            let label = match wanted {
                0 => "expected no argument".to_owned(),
                _ => format!("expected {arguments}: {}", listed.join(", ")),
            };
            let message = format!("`{shown}` takes {arguments}, not {given}");
            let diagnostic = Diagnostic::error(ErrorCode::ArgumentCount, self.span, message, label);
            self.report(diagnostic.related(definition.span, format!("`{shown}` is defined here")));
            return self.skip_broken(statement + 1, definition.end);
        }
        let depth = self.frames.iter().filter(|frame| matches!(frame.kind, FrameKind::Macro)).count();
        if depth >= MAX_CALL_DEPTH {
            let message = format!("macro calls are nested more than {MAX_CALL_DEPTH} deep");
            let label = format!("does `{shown}` call itself endlessly?");
            let diagnostic = Diagnostic::error(ErrorCode::EndlessRecursion, self.span, message, label);
            self.report(diagnostic.help("a macro that calls itself needs an `.if` to stop"));
            return self.abandon_calls();
        }
        let defaults = Context { file: definition.span.file, scope, ..self.context };
        let bindings = self.bind(parameters, operands, defaults);
        let scope = if bindings.is_empty() { scope } else { self.build.table.open_scope(scope, bindings) };
        let title = RegionTitle::Expansion(Some(name), self.code.here as u16);
        let region = Region { outer: None, within: self.context.region, title };
        let kind = ExpansionKind::Macro(self.build.library.names.shared(name));
        let mut context = self.open_expansion(kind, self.span, Context { scope, ..self.context });
        context.region = self.build.table.open_region(region);
        let body = Range { start: statement + 1, end: definition.end };
        self.push_frame(body, context, FrameKind::Macro);
    }

    /// Abandons all macro calls in progress.
    fn abandon_calls(&mut self) {
        if let Some(outermost) = self.frames.iter().position(|frame| matches!(frame.kind, FrameKind::Macro)) {
            self.frames.truncate(outermost);
            self.control.open.retain(|block| block.frames <= outermost);
            if outermost < self.routines.depth {
                self.routines.current = None;
            }
        }
        self.build.table.incomplete = true;
    }

    /// Binds parameters to operands, and the others to their defaults, which belong to the definition's context.
    fn bind(&mut self, parameters: Range, operands: Range, defaults: Context) -> Vec<Binding> {
        let mut bindings = Vec::with_capacity(parameters.len());
        let context = self.context;
        for (index, parameter) in parameters.indices().enumerate() {
            let Parameter { name, is_text, default } = self.syntax().parameters[parameter];
            let given = self.syntax().operands[operands.indices()].get(index).copied();
            let Some(operand) = given.or(default) else { break };
            self.context = if given.is_some() { context } else { defaults };
            let (immediate, value) = match operand.value {
                OperandValue::Expression(expression) if is_text => {
                    let text = self.text_of_name(name, operand, expression);
                    (
                        false,
                        text.map_or_else(
                            || BoundValue::Cell(self.build.table.settled(name, Err(NoValue::Failed))),
                            BoundValue::Text,
                        ),
                    )
                }
                OperandValue::Text(text) => (false, BoundValue::Text(text)),
                OperandValue::Expression(expression) => match self.whole_binding(expression) {
                    // It is passed on unchanged, with its `#`.
                    Some(outer) => (outer.immediate || operand.immediate, outer.value),
                    None => {
                        let immediate = operand.immediate || self.is_byte_of_constant(expression);
                        let cell = self.build.table.add_cell(name, expression, self.context);
                        let _ = self.build.cell_value(cell);
                        (immediate, BoundValue::Cell(cell))
                    }
                },
            };
            bindings.push(Binding { name, immediate, value });
        }
        self.context = context;
        bindings
    }

    /// The text of an argument, which may be a bare name.
    fn text_of_name(&mut self, parameter: Name, operand: Operand, expression: Expression) -> Option<u32> {
        if let Some(text) = self.text_of(operand) {
            return Some(text);
        }
        let written = self.syntax().only_written_name(expression);
        let Some(written) =
            written.filter(|_| !operand.immediate && self.whole_binding(expression).is_none())
        else {
            let message = format!("`{}` stands for a name", self.show(parameter));
            let label = "expected a name, or a text in quotes";
            self.error(ErrorCode::NameExpected, operand.span, message, label);
            return None;
        };
        let name = self.name(written)?;
        let text = self.build.library.names.spelling(name).to_owned();
        self.build.library.syntax.texts.push(text);
        Some(self.build.library.syntax.texts.len() as u32 - 1)
    }

    /// Whether an argument is a byte of a parameter whose argument has a `#`.
    fn is_byte_of_constant(&self, expression: Expression) -> bool {
        let [.., Operation { kind: OperationKind::Byte { name: Some(name), .. }, start, .. }] =
            self.syntax().operations(expression)
        else {
            return false;
        };
        let binding = self.build.table.binding(self.context.scope, *name);
        *start == expression.start && binding.is_some_and(|binding| binding.immediate)
    }

    fn unknown_statement(&mut self, name: Name, operands: Range) {
        let spelling = self.build.library.names.shared(name);
        let is_defined = self.build.library.names.defined[name.index()];
        let advice = foreign::advice(&spelling);
        let near = if advice.is_some() { None } else { near_mnemonic(&spelling) };
        let lost = self.build.table.lost(name);
        let is_lost = lost >= Some(Loss::Broken) || is_defined || near.is_none();
        if self.build.may_be_lost(name) && is_lost && lost != Some(Loss::PerhapsLabel) {
            return;
        }
        let message = format!("there is no instruction or macro `{}`", self.show(name));
        if !self.build.is_new(self.span, &message, self.context.expansion) {
            return;
        }
        let label = "expected an instruction, a macro, or `:` or `=` after a new name";
        let diagnostic = Diagnostic::error(ErrorCode::UnknownStatement, self.span, message, label);
        if DIRECTIVES.contains(&format!(".{}", spelling.to_ascii_lowercase()).as_str()) {
            self.lose_operand(operands);
        }
        let diagnostic = if self.build.table.binding(self.context.scope, name).is_some() {
            let shown = self.show(name);
            diagnostic.help(format!(
                "`{shown}` is a parameter: `{{{shown}}}` is the instruction or macro that it names"
            ))
        } else if let Some(help) = self.defined_otherwise(name, SymbolKind::Macro).or(advice) {
            if operands.len() == 0 {
                self.build.table.lose(name, Loss::PerhapsLabel);
            }
            diagnostic.help(help)
        } else if let Some(meant) = self.intended_statement(name, &spelling).or(near) {
            diagnostic.did_you_mean(Some(&meant))
        } else if operands.len() == 0 || self.is_call(operands) {
            self.build.table.lose(name, Loss::PerhapsLabel);
            diagnostic.help(format!("write `{}:` for a label", self.show(name)))
        } else {
            diagnostic
        };
        self.report(diagnostic);
    }

    /// Records the first operand of an unknown statement as lost: it may be the name that should have been defined.
    fn lose_operand(&mut self, operands: Range) {
        let first = Range { end: operands.end.min(operands.start + 1), ..operands };
        if let Some((WrittenName::Plain(name), _)) = self.only_name_of(first) {
            self.build.table.lose(name, Loss::Broken);
        }
    }

    /// Whether the only operand is the name of a macro, as in `loop not`.
    fn is_call(&self, operands: Range) -> bool {
        let Some((WrittenName::Plain(name), _)) = self.only_name_of(operands) else { return false };
        self.build.library.names.find(name, |name| self.macros.get(&name)).is_some()
    }

    /// Describes a name whose kind is not `wanted`, or that is defined too late.
    pub fn defined_otherwise(&mut self, name: Name, wanted: SymbolKind) -> Option<String> {
        let shown = self.show(name);
        let defined = &self.build.library.names.defined;
        let name = self.build.resolve_name(name, |name| defined[name.index()]);
        let known = self.build.table.global(name).map(|entry| entry.kind);
        let is_later = known.is_none() && self.build.library.names.defined[name.index()];
        let is_affordable = is_later && self.build.can_afford(self.build.library.syntax.statements.len());
        let statements = if is_affordable { &self.syntax().statements[..] } else { &[] };
        let kind = known.or_else(|| {
            let defines =
                |statement: &&Statement| statement.kind.defines().and_then(WrittenName::plain) == Some(name);
            statements.iter().find(defines).and_then(|statement| statement.kind.symbol_kind())
        })?;
        Some(match kind {
            SymbolKind::Routine => format!("`{shown}` is a routine: write `call {shown}`"),
            SymbolKind::Table if wanted != kind => {
                format!("`{shown}` is a table: write `read_table {shown}`")
            }
            kind if kind == wanted => {
                format!("a {} inside a block must be defined before it is used", kind.noun())
            }
            kind => format!("`{shown}` is a {}", kind.noun()),
        })
    }

    /// Suggests a replacement for the first word of a misspelt statement.
    fn intended_statement(&mut self, name: Name, spelling: &str) -> Option<String> {
        let directive = format!(".{}", spelling.to_ascii_lowercase());
        if DIRECTIVES.contains(&directive.as_str()) {
            return Some(directive);
        }
        if !self.build.can_afford(self.macros.len()) {
            return None;
        }
        let own = STATEMENTS.map(|word| self.build.library.names.intern(word));
        let known: Vec<Name> = self.macros.keys().copied().chain(own).collect();
        self.build.suggestion(name, &known)
    }
}
