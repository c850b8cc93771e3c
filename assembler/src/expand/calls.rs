//! Macros: their definitions, their calls, and what arguments stand for.

use super::{DEEPEST_CALL, DEEPEST_INCLUDE, Expander, Frame, FrameKind, MacroDefinition};
use crate::diagnostic::Diagnostic;
use crate::evaluate::Stage;
use crate::expansion::{Expansion, ExpansionKind};
use crate::foreign;
use crate::names::{Name, closest, near_mnemonic};
use crate::source::Span;
use crate::syntax::{DIRECTIVES, OperandValue, Range, StatementKind};
use crate::table::{
    Binding, BoundValue, Cell, CellState, Context, Region, RegionTitle, SymbolKind, TableEntry, Value,
};

impl Expander<'_, '_> {
    /// Makes the macros known that stand in a file outside of every block, also in files it includes there, so
    /// that a macro may be called before its definition.
    pub(super) fn look_ahead(&mut self, file: u32, chain: &[Expansion]) {
        if chain.len() > DEEPEST_INCLUDE || !self.seen_ahead.insert(file) {
            return;
        }
        let outline: Vec<u32> = self.build.library.outline(file).collect();
        for index in outline {
            let statement = self.build.library.syntax.statements[index as usize];
            match statement.kind {
                StatementKind::Macro { name, .. } => {
                    self.macros.entry(name).or_insert(MacroDefinition { statement: index, scope: 0 });
                }
                StatementKind::Broken(name) => {
                    self.build.table.broken.insert(name);
                }
                StatementKind::Include(text) => {
                    if let Some(included) = self.build.library.include(text, statement.span, chain) {
                        let here = Expansion { kind: ExpansionKind::Include, span: statement.span };
                        self.look_ahead(included, &[&[here], chain].concat());
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn define_macro(&mut self, name: Name, index: u32, span: Span, context: Context) {
        let cell = self.build.table.known(name, Value::plain(0));
        let plain = context.expansion == 0;
        let entry =
            TableEntry { name, kind: SymbolKind::Macro, cell, size: 0, span: Some(span), context, plain };
        if self.build.table.global(name).is_none() {
            let definition = MacroDefinition { statement: index, scope: context.scope };
            self.macros.insert(name, definition);
        }
        self.enter(entry);
    }

    pub(super) fn call(
        &mut self,
        index: u32,
        name: Name,
        operands: Range,
        span: Span,
        context: Context,
    ) -> Option<u32> {
        let Some(MacroDefinition { statement, scope }) = self.macros.get(&name).copied() else {
            if !self.call_extension(index, name, operands, span, context) {
                self.unknown_statement(name, operands, span, context);
            }
            return None;
        };
        let StatementKind::Macro { parameters, end, .. } =
            self.build.library.syntax.statements[statement as usize].kind
        else {
            return None;
        };
        let definition = self.build.library.syntax.statements[statement as usize].span;
        let shown = self.build.library.names.show(name);
        if parameters.len() != operands.len() {
            let listed = self.build.library.syntax.parameters[parameters.indices()].iter();
            let listed: Vec<&str> =
                listed.map(|&(name, _)| self.build.library.names.spelling(name)).collect();
            let (wanted, given) = (parameters.len(), operands.len());
            let plural = if wanted == 1 { "" } else { "s" };
            let label = match wanted {
                0 => "expected no argument".to_owned(),
                _ => format!("expected {wanted} argument{plural}: {}", listed.join(", ")),
            };
            let diagnostic =
                Diagnostic::error(span, format!("`{shown}` takes {wanted} argument{plural}, not {given}"))
                    .label(label)
                    .related(definition, format!("`{shown}` is defined here"));
            self.build.report(diagnostic, context.expansion);
            self.skip_broken(statement + 1, end);
            return None;
        }
        let depth = self.frames.iter().filter(|frame| matches!(frame.kind, FrameKind::Macro)).count();
        if depth >= DEEPEST_CALL {
            let diagnostic =
                Diagnostic::error(span, format!("macro calls are nested more than {DEEPEST_CALL} deep"))
                    .label(format!("does `{shown}` call itself without end?"))
                    .help("a macro that calls itself must stop by an `.if`");
            self.build.report(diagnostic, context.expansion);
            self.abandon_calls();
            return None;
        }
        let bindings = self.bind(parameters, operands, context);
        let scope = if bindings.is_empty() { scope } else { self.build.table.open_scope(scope, bindings) };
        let title = RegionTitle::Expansion(Some(name), self.here as u16);
        let region = self.build.table.open_region(Region { outer: None, within: context.region, title });
        let expansion = self.open_expansion(
            context.expansion,
            Expansion { kind: ExpansionKind::Macro(self.build.library.names.shared(name)), span },
        );
        let kind = FrameKind::Macro;
        self.frames.push(Frame {
            at: statement + 1,
            end,
            scope,
            region,
            base_region: region,
            expansion,
            kind,
        });
        Some(expansion)
    }

    /// Leaves all macro calls under way: the outermost one is given up.
    fn abandon_calls(&mut self) {
        if let Some(outermost) = self.frames.iter().position(|frame| matches!(frame.kind, FrameKind::Macro)) {
            self.frames.truncate(outermost);
            if outermost < self.routine_depth {
                self.current_routine = None;
            }
        }
        self.build.table.incomplete = true;
    }

    fn bind(&mut self, parameters: Range, operands: Range, context: Context) -> Vec<Binding> {
        let mut bindings = Vec::with_capacity(parameters.len());
        for (parameter, operand) in parameters.indices().zip(operands.indices()) {
            let (name, _) = self.build.library.syntax.parameters[parameter];
            let operand = self.build.library.syntax.operands[operand];
            bindings.push(match operand.value {
                OperandValue::Text(text) => Binding { name, immediate: false, value: BoundValue::Text(text) },
                OperandValue::Expression(expression) => match self.whole_binding(expression, context) {
                    // Handed on as it came, `#` and all.
                    Some(outer) => Binding { name, immediate: outer.immediate || operand.immediate, ..outer },
                    None => {
                        let cell = Cell { name, expression, context, state: CellState::Waiting };
                        let cell = self.build.table.add_cell(cell);
                        let _ = self.build.cell_value(cell, Stage::Expanding);
                        Binding { name, immediate: operand.immediate, value: BoundValue::Cell(cell) }
                    }
                },
            });
        }
        bindings
    }

    fn unknown_statement(&mut self, name: Name, operands: Range, span: Span, context: Context) {
        let names = &self.build.library.names;
        let spelling = names.spelling(name);
        let advice = foreign::advice(spelling);
        let near = if advice.is_some() { None } else { near_mnemonic(spelling) };
        let is_lost = self.build.table.broken.contains(&name)
            || self.build.library.syntax.is_defined_somewhere(name)
            || near.is_none();
        if self.build.may_be_lost(name) && is_lost {
            return;
        }
        let shown = names.show(name);
        let directive = format!(".{}", spelling.to_ascii_lowercase());
        let macros = self.macros.keys().map(|&name| names.spelling(name));
        let meant = match DIRECTIVES.contains(&directive.as_str()) {
            true => Some(directive),
            false => closest(spelling, macros.chain(["call", "return"])).map(str::to_owned).or(near),
        };
        let label = "expected an instruction, a macro, or `:` or `=` behind a new name";
        let mut diagnostic = Diagnostic::error(span, format!("there is no instruction or macro `{shown}`"))
            .label(label)
            .did_you_mean(meant.as_deref());
        let looks_like_label = operands.len() == 0 && meant.is_none();
        if let Some(entry) = self.build.table.global(name) {
            diagnostic = diagnostic.help(format!("`{shown}` is a {}", entry.kind.noun()));
        } else if self.build.library.syntax.is_defined_somewhere(name) {
            diagnostic =
                diagnostic.help("a macro inside of a block must be defined before its call".to_owned());
        } else if let Some(advice) = advice {
            diagnostic = diagnostic.help(advice);
        } else if looks_like_label {
            diagnostic = diagnostic.help(format!("write `{shown}:` for a label"));
            self.build.table.broken.insert(name);
        }
        self.build.report(diagnostic, context.expansion);
    }
}
