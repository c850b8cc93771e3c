//! Functions: the program's, and the built-in ones that extract parts of texts and values.

use super::{Effect, FORMULA_FUNCTIONS, Origin, Stage};
use crate::build::Build;
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::expansion::{Expansion, ExpansionKind};
use crate::kind::SymbolKind;
use crate::names::Name;
use crate::syntax::{Expression, FUNCTIONS, OperandValue, Statement, StatementKind, WrittenName};
use crate::table::{Binding, Blocker, BoundValue, Context, NoValue, Value, ValueKind};
use gray1_text::counted;

/// The maximum depth of function calls.
const MAX_CALL_DEPTH: usize = 256;

impl Build<'_> {
    /// Calls a function of the program, whose arguments are on the stack.
    pub(super) fn call(
        &mut self,
        written: WrittenName,
        count: usize,
        origin: Origin,
    ) -> Result<Effect, NoValue> {
        let name = match written {
            WrittenName::Plain(name) => name,
            WrittenName::Pasted(pasting) => {
                let stack = &mut self.evaluation.stack;
                let arguments = stack.split_off(stack.len().saturating_sub(count));
                let name = self.paste_from(pasting, origin)?;
                self.evaluation.stack.extend(arguments);
                name
            }
        };
        let (value, context) = self.function(name, count, origin)?;
        Ok(Effect::Call(value, context, self.evaluation.stack.len() - count))
    }

    /// Enters a function of the program with `count` arguments; returns its value, and the context of its names.
    pub(super) fn function(
        &mut self,
        name: Name,
        count: usize,
        origin: Origin,
    ) -> Result<(Expression, Context), NoValue> {
        let Origin { span, context, stage, .. } = origin;
        let meant = self.resolve_name(name, stage, |name| self.table.definitions.contains_key(&name));
        if meant != name {
            self.borrow(name, span, context.expansion);
        }
        let definition = self.table.definitions.get(&meant);
        let definition = definition
            .map(|&(statement, context)| (self.library.syntax.statements[statement as usize], context));
        let Some((Statement { kind: StatementKind::Function(_, wanted, value), span, .. }, context)) =
            definition
        else {
            return self.no_function(name, origin);
        };
        if wanted as usize != count {
            let shown = self.library.names.show(name);
            let wanted = counted(wanted as usize, "argument");
            let message = format!("`{shown}` takes {wanted}, not {count}");
            let label = format!("expected {wanted}");
            let diagnostic = Diagnostic::error(ErrorCode::ArgumentCount, origin.span, message, label);
            self.report_at(diagnostic.related(span, format!("`{shown}` is defined here")), origin);
            return Err(NoValue::Failed);
        }
        if self.evaluation.calls.len() >= MAX_CALL_DEPTH {
            let message = format!("function calls are nested more than {MAX_CALL_DEPTH} deep");
            let label = format!("does `{}` call itself endlessly?", self.library.names.show(name));
            let diagnostic = Diagnostic::error(ErrorCode::EndlessRecursion, origin.span, message, label)
                .help("a function that calls itself needs a `?` to stop");
            self.report_at(diagnostic, origin);
            return Err(NoValue::Failed);
        }
        let kind = ExpansionKind::Function(self.library.names.shared(name));
        self.evaluation.calls.push(Expansion { kind, span: origin.span });
        // Names are looked up where the function is defined; variables have their values at the call.
        let Context { expansion, here, time, .. } = origin.context;
        let context = Context { expansion, here, time, ..context };
        Ok((value, context))
    }

    pub(super) fn no_function<T>(&mut self, name: Name, origin: Origin) -> Result<T, NoValue> {
        let Origin { span, context, stage, .. } = origin;
        let shown = self.library.names.show(name);
        if let Some(entry) = self.global(name, stage) {
            let message = format!("`{shown}` is a {}, not a function", entry.kind.noun());
            let label = "expected the name of a function before `(`";
            return self.fail(ErrorCode::WrongKind, origin, message, label);
        }
        if stage == Stage::Expanding {
            return Err(NoValue::NotYet(Blocker { name, span, region: context.region }));
        }
        let message = format!("there is no function `{shown}`");
        if !self.may_be_lost(name) && self.is_new(span, &message, context.expansion) {
            let own = self.affordable(SymbolKind::Function);
            let of_formulas: &[&str] = if self.evaluation.is_formula { &FORMULA_FUNCTIONS } else { &[] };
            let built_in = FUNCTIONS.iter().chain(of_formulas);
            let built_in: Vec<Name> = built_in.map(|function| self.library.names.intern(function)).collect();
            let meant = self.suggestion(name, &[own, built_in].concat());
            let label = "expected a function made by `.function`";
            let diagnostic = Diagnostic::error(ErrorCode::UnknownFunction, span, message, label);
            let is_of_formulas = FORMULA_FUNCTIONS.contains(&self.library.names.spelling(name));
            let diagnostic = match is_of_formulas {
                true => {
                    diagnostic.help(format!("`{shown}` has a meaning in contracts only, such as `.ensures`"))
                }
                false => diagnostic.did_you_mean(meant.as_deref()),
            };
            self.report_at(diagnostic, origin);
        }
        Err(NoValue::Failed)
    }

    pub(super) fn argument(
        &mut self,
        index: u32,
        may_be_text: bool,
        origin: Origin,
    ) -> Result<Value, NoValue> {
        let argument = self.evaluation.stack.get(origin.arguments + index as usize).copied();
        let argument = argument.ok_or(NoValue::Failed)?;
        if argument.kind == ValueKind::Text && !may_be_text {
            return self.text_argument(origin);
        }
        Ok(argument)
    }

    pub(super) fn text_argument<T>(&mut self, origin: Origin) -> Result<T, NoValue> {
        let message = "this parameter stands for a text here".to_owned();
        self.fail(ErrorCode::WrongKind, origin, message, "expected a value")
    }

    pub(super) fn length(&mut self, origin: Origin) -> Result<Value, NoValue> {
        match self.pop()? {
            Value { number, kind: ValueKind::Text } => {
                return Ok(Value::plain(self.library.syntax.texts[number as usize].len() as i64));
            }
            Value { kind: ValueKind::Table(table), .. } => {
                let sizes = self.values_of_table(table).into_iter().map(|(value, _)| self.size_of(value));
                return Ok(Value::plain(sizes.sum::<usize>() as i64));
            }
            _ => {}
        }
        let message = "`len` of something that is not a text".to_owned();
        let label = "expected a text, a parameter that stands for one, or a table";
        self.fail(ErrorCode::WrongKind, origin, message, label)
    }

    /// Looks up the argument of a macro parameter.
    pub(super) fn parameter(&mut self, name: Name, origin: Origin) -> Result<Binding, NoValue> {
        match self.table.binding(origin.context.scope, name) {
            Some(binding) => Ok(binding),
            None => {
                let message = format!("`{}` is not a parameter here", self.library.names.show(name));
                self.fail(ErrorCode::WrongKind, origin, message, "expected the name of a macro parameter")
            }
        }
    }

    /// Whether the argument of a parameter has a `#`, and its value is known.
    pub(super) fn is_known(&mut self, name: Name, origin: Origin) -> Result<Effect, NoValue> {
        let is_known = match self.parameter(name, origin)? {
            Binding { immediate: true, value: BoundValue::Cell(cell), .. } => {
                match self.settled(cell, origin.stage) {
                    None => return Ok(Effect::Probe(cell)),
                    Some(Err(NoValue::Failed)) => return Err(NoValue::Failed),
                    Some(outcome) => outcome.is_ok(),
                }
            }
            binding => binding.immediate,
        };
        Ok(Effect::Push(Value::plain(i64::from(is_known))))
    }

    /// Looks up a table.
    pub(super) fn find_table(&mut self, name: Name, origin: Origin) -> Option<Name> {
        self.global(name, origin.stage)
            .filter(|entry| entry.kind == SymbolKind::Table)
            .map(|entry| entry.name)
    }

    /// Collects the values of a table, and the contexts of their names.
    fn values_of_table(&mut self, table: Name) -> Vec<(OperandValue, Context)> {
        let definition = self.table.definitions.get(&table).into_iter();
        let statements = definition.chain(self.table.extensions.get(&table).into_iter().flatten());
        let mut values = Vec::new();
        for &(statement, context) in statements {
            let Statement { kind, span, .. } = self.library.syntax.statements[statement as usize];
            let (StatementKind::Table(_, operands) | StatementKind::Extend(_, operands)) = kind else {
                continue;
            };
            let context = Context { file: span.file, ..context };
            let operands = &self.library.syntax.operands[operands.indices()];
            values.extend(operands.iter().map(|operand| (operand.value, context)));
        }
        self.work += values.len() as u64;
        values
    }

    /// The number of values of a table in an operand.
    fn size_of(&self, value: OperandValue) -> usize {
        match value {
            OperandValue::Text(text) => self.library.syntax.texts[text as usize].len(),
            OperandValue::Expression(_) => 1,
        }
    }

    /// Computes a value of a table.
    pub(super) fn value_of_table(
        &mut self,
        table: Name,
        index: i64,
        origin: Origin,
    ) -> Result<Effect, NoValue> {
        let shown = self.library.names.show(table);
        if self.evaluation.frames.len() >= MAX_CALL_DEPTH {
            let message = format!("values of tables are nested more than {MAX_CALL_DEPTH} deep");
            let label = format!("do those of `{shown}` depend on each other?");
            return self.fail(ErrorCode::EndlessRecursion, origin, message, &label);
        }
        let mut size = 0;
        for (value, context) in self.values_of_table(table) {
            let at = usize::try_from(index).ok().and_then(|index| index.checked_sub(size));
            size += self.size_of(value);
            match (value, at) {
                (OperandValue::Expression(expression), Some(0)) => {
                    return Ok(Effect::Evaluate(expression, context));
                }
                (OperandValue::Text(text), Some(at)) => {
                    if let Some(byte) = self.library.syntax.texts[text as usize].as_bytes().get(at) {
                        return Ok(Effect::Push(Value::plain(i64::from(*byte))));
                    }
                }
                _ => {}
            }
        }
        let message = format!("there is no value {index} in the table `{shown}` here");
        let label = match size {
            0 => "it is empty".to_owned(),
            size => format!("expected 0..{}", size - 1),
        };
        self.fail(ErrorCode::OutOfRange, origin, message, &label)
    }

    pub(super) fn byte_of_text(&mut self, base: Value, index: i64, origin: Origin) -> Result<Value, NoValue> {
        if base.kind != ValueKind::Text {
            let diagnostic = Diagnostic::error(ErrorCode::WrongKind, origin.span, "this is not a text", "expected a text before `[`")
                .help("the fourth byte of an array is `list+3`; for an index in A there is `read_at` of lib/array.g1");
            self.report_at(diagnostic, origin);
            return Err(NoValue::Failed);
        }
        let bytes = self.library.syntax.texts[base.number as usize].as_bytes();
        let found = usize::try_from(index).ok().and_then(|index| bytes.get(index));
        match found {
            Some(&byte) => Ok(Value::plain(i64::from(byte))),
            None => {
                let message = format!("there is no byte {index} in this text");
                let label = match bytes.len() {
                    0 => "it is empty".to_owned(),
                    length => format!("expected 0..{}", length - 1),
                };
                self.fail(ErrorCode::OutOfRange, origin, message, &label)
            }
        }
    }

    /// A byte of a constant, or the byte of RAM at this distance.
    pub(super) fn byte(
        &mut self,
        value: Value,
        constant: bool,
        number: i64,
        origin: Origin,
    ) -> Result<Value, NoValue> {
        const BYTES: i64 = 8;
        if !(0..BYTES).contains(&number) {
            let message = format!("there is no byte {number}");
            let label = "expected 0..7 in `byte`, 0 for the lowest";
            return self.fail(ErrorCode::OutOfRange, origin, message, label);
        }
        let is_address = value.kind == ValueKind::Ram || self.evaluation.address_operand == Some(origin.span);
        Ok(match is_address && !constant {
            true => Value { number: value.number.wrapping_add(number), ..value },
            false => Value::plain(value.number >> (8 * number) & 0xFF),
        })
    }
}
