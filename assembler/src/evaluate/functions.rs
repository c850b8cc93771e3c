//! Functions: the program's, and the built-in ones that extract parts of texts and values.

use super::{Effect, FORMULA_FUNCTIONS, Origin};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::Build;
use crate::expansion::{Expansion, ExpansionKind};
use crate::kind::SymbolKind;
use crate::names::Name;
use crate::syntax::{FUNCTIONS, OperandValue, Statement, StatementKind, WrittenName};
use crate::table::{Binding, Blocker, BoundValue, Context, NoValue, Value, ValueKind};
use gray1_text::counted;

/// The maximum depth of function calls.
const MAX_CALL_DEPTH: usize = 256;

impl Build<'_> {
    /// Calls a function of the program, whose arguments are on the stack.
    pub(super) fn call(&mut self, written: WrittenName, count: usize) -> Result<Effect, NoValue> {
        let name = self.called_name(written, count)?;
        self.enter(name, count)
    }

    /// The name of a called function. If it is pasted, its parts are below the arguments on the stack.
    pub(super) fn called_name(&mut self, written: WrittenName, count: usize) -> Result<Name, NoValue> {
        let pasting = match written {
            WrittenName::Plain(name) => return Ok(name),
            WrittenName::Pasted(pasting) => pasting,
        };
        let stack = &mut self.evaluation.stack;
        let arguments = stack.split_off(stack.len().saturating_sub(count));
        let name = self.paste_from(pasting)?;
        self.evaluation.stack.extend(arguments);
        Ok(name)
    }

    /// Enters a function of the program with `count` arguments.
    pub(super) fn enter(&mut self, name: Name, count: usize) -> Result<Effect, NoValue> {
        let Origin { span, context, .. } = self.evaluation.at;
        let meant = self.resolve_name(name, |name| self.table.definitions.contains_key(&name));
        if meant != name {
            self.borrow(name, span, context.expansion);
        }
        let definition = self.table.definitions.get(&meant);
        let definition = definition
            .map(|&(statement, context)| (self.library.syntax.statements[statement as usize], context));
        let Some((Statement { kind: StatementKind::Function(_, wanted, value), span, .. }, context)) =
            definition
        else {
            return self.no_function(name);
        };
        if wanted as usize != count {
            let shown = self.library.names.show(name);
            let wanted = counted(wanted as usize, "argument");
            let message = format!("`{shown}` takes {wanted}, not {count}");
            let label = format!("expected {wanted}");
            let diagnostic =
                Diagnostic::error(ErrorCode::ArgumentCount, self.evaluation.at.span, message, label);
            self.report_at(diagnostic.related(span, format!("`{shown}` is defined here")));
            return Err(NoValue::Failed);
        }
        if self.evaluation.calls.len() >= MAX_CALL_DEPTH {
            let message = format!("function calls are nested more than {MAX_CALL_DEPTH} deep");
            let label = format!("does `{}` call itself endlessly?", self.library.names.show(name));
            let diagnostic =
                Diagnostic::error(ErrorCode::EndlessRecursion, self.evaluation.at.span, message, label)
                    .help("a function that calls itself needs a `?` to stop");
            self.report_at(diagnostic);
            return Err(NoValue::Failed);
        }
        let kind = ExpansionKind::Function(self.library.names.shared(name));
        self.evaluation.calls.push(Expansion { kind, span: self.evaluation.at.span });
        // Names are looked up where the function is defined; variables have their values at the call.
        let Context { expansion, here, time, .. } = self.evaluation.at.context;
        let context = Context { expansion, here, time, ..context };
        Ok(Effect::Call(value, context, self.evaluation.stack.len() - count))
    }

    pub(super) fn no_function<T>(&mut self, name: Name) -> Result<T, NoValue> {
        let Origin { span, context, .. } = self.evaluation.at;
        let shown = self.library.names.show(name);
        if let Some(entry) = self.global(name) {
            let message = format!("`{shown}` is a {}, not a function", entry.kind.noun());
            let label = "expected the name of a function before `(`";
            return self.fail(ErrorCode::WrongKind, message, label);
        }
        if !self.evaluation.is_final {
            return Err(NoValue::NotYet(Blocker { name, span, region: context.region }));
        }
        let message = format!("there is no function `{shown}`");
        if !self.may_be_lost(name) && self.is_new(span, &message, context.expansion) {
            let own = self.affordable(SymbolKind::Function);
            let of_formulas: &[&str] = if self.evaluation.at.is_formula { &FORMULA_FUNCTIONS } else { &[] };
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
            self.report_at(diagnostic);
        }
        Err(NoValue::Failed)
    }

    pub(super) fn argument(&mut self, index: u32, may_be_text: bool) -> Result<Value, NoValue> {
        let argument = self.evaluation.stack.get(self.evaluation.at.arguments + index as usize).copied();
        let argument = argument.ok_or(NoValue::Failed)?;
        match argument.kind {
            ValueKind::Text if !may_be_text => {
                let message = "this parameter stands for a text here";
                self.fail(ErrorCode::WrongKind, message, "expected a value")
            }
            ValueKind::Terms(terms) => {
                let terms = self.evaluation.formula.terms[terms as usize].clone();
                self.new_terms(terms)
            }
            _ => Ok(argument),
        }
    }

    pub(super) fn length(&mut self) -> Result<Value, NoValue> {
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
        let message = "`len` of something that is not a text";
        let label = "expected a text, a parameter that stands for one, or a table";
        self.fail(ErrorCode::WrongKind, message, label)
    }

    /// Looks up the argument of a macro parameter.
    pub(super) fn parameter(&mut self, name: Name) -> Result<Binding, NoValue> {
        match self.table.binding(self.evaluation.at.context.scope, name) {
            Some(binding) => Ok(binding),
            None => {
                let message = format!("`{}` is not a parameter here", self.library.names.show(name));
                self.fail(ErrorCode::WrongKind, message, "expected the name of a macro parameter")
            }
        }
    }

    /// Whether the argument of a parameter has a `#`, and its value is known.
    pub(super) fn is_known(&mut self, name: Name) -> Result<Effect, NoValue> {
        let is_known = match self.parameter(name)? {
            Binding { immediate: true, value: BoundValue::Cell(cell), .. } => match self.settled(cell) {
                None => return Ok(Effect::Probe(cell)),
                Some(Err(NoValue::Failed)) => return Err(NoValue::Failed),
                Some(outcome) => outcome.is_ok(),
            },
            binding => binding.immediate,
        };
        Ok(Effect::Push(Value::plain(i64::from(is_known))))
    }

    /// Looks up a table.
    pub(super) fn find_table(&mut self, name: Name) -> Option<Name> {
        self.global(name).filter(|entry| entry.kind == SymbolKind::Table).map(|entry| entry.name)
    }

    /// Collects the values that a table has at a place, and the contexts of their names. Before its definition, it has all.
    fn values_of_table(&mut self, table: Name) -> Vec<(OperandValue, Context)> {
        let here = self.evaluation.at.context;
        let Some(&definition) = self.table.definitions.get(&table) else { return Vec::new() };
        let is_visible =
            |(_, context): &&(u32, Context)| context.time < here.time || here.time <= definition.1.time;
        let extensions = self.table.extensions.get(&table).into_iter().flatten().filter(is_visible);
        let mut values = Vec::new();
        for &(statement, context) in [&definition].into_iter().chain(extensions) {
            let Statement { kind, span, .. } = self.library.syntax.statements[statement as usize];
            let (StatementKind::Table(_, operands) | StatementKind::Extend(_, operands)) = kind else {
                continue;
            };
            let context = Context { file: span.file, ..context };
            let operands = &self.library.syntax.operands[operands.indices()];
            values
                .extend(operands.iter().map(|operand| (self.text_or_value(operand.value, context), context)));
        }
        self.work += values.len() as u64;
        values
    }

    /// An operand, as a text if it is a parameter that stands for one.
    fn text_or_value(&self, value: OperandValue, context: Context) -> OperandValue {
        let name = match value {
            OperandValue::Expression(expression) => self.library.syntax.only_name(expression),
            OperandValue::Text(_) => None,
        };
        match name.and_then(|name| self.table.binding(context.scope, name)) {
            Some(Binding { value: BoundValue::Text(text), .. }) => OperandValue::Text(text),
            _ => value,
        }
    }

    /// The number of values of a table in an operand.
    fn size_of(&self, value: OperandValue) -> usize {
        match value {
            OperandValue::Text(text) => self.library.syntax.texts[text as usize].len(),
            OperandValue::Expression(_) => 1,
        }
    }

    /// Computes a value of a table.
    pub(super) fn value_of_table(&mut self, table: Name, index: i64) -> Result<Effect, NoValue> {
        let shown = self.library.names.show(table);
        if self.evaluation.frames.len() >= MAX_CALL_DEPTH {
            let message = format!("values of tables are nested more than {MAX_CALL_DEPTH} deep");
            let label = format!("do those of `{shown}` depend on each other?");
            return self.fail(ErrorCode::EndlessRecursion, message, &label);
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
        self.fail(ErrorCode::OutOfRange, message, &label)
    }

    pub(super) fn byte_of_text(&mut self, base: Value, index: i64) -> Result<Value, NoValue> {
        if base.kind != ValueKind::Text {
            let diagnostic = Diagnostic::error(ErrorCode::WrongKind, self.evaluation.at.span, "this is not a text", "expected a text before `[`")
                .help("the fourth byte of an array is `list+3`; for an index in A there is `read_at` of lib/array.g1");
            self.report_at(diagnostic);
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
                self.fail(ErrorCode::OutOfRange, message, &label)
            }
        }
    }

    /// A byte of a constant, or the byte of RAM at this distance.
    pub(super) fn byte(&mut self, value: Value, constant: bool, number: i64) -> Result<Value, NoValue> {
        const BYTES: i64 = 8;
        if !(0..BYTES).contains(&number) {
            let message = format!("there is no byte {number}");
            let label = "expected 0..7 in `byte`, 0 for the lowest";
            return self.fail(ErrorCode::OutOfRange, message, label);
        }
        let is_address =
            value.kind == ValueKind::Ram || self.evaluation.address_operand == Some(self.evaluation.at.span);
        Ok(match is_address && !constant {
            true => Value { number: value.number.wrapping_add(number), ..value },
            false => Value::plain(value.number >> (8 * number) & 0xFF),
        })
    }
}
