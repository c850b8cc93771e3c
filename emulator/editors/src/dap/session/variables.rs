//! The scopes of a frame: the registers, the bytes of RAM that have names, the display, every net, every chip.

use super::state::Session;
use super::values::{ALL, BYTES, CHANGEABLE, CHIPS, LOCALS, SCOPES};
use crate::dap::message::{Answer, Refusal, argument, argument_or_default};
use gray1_debugger::{Name, Scanner};
use serde_json::{Value, json};

pub(super) fn scopes(session: &mut Session, values: &Value) -> Answer {
    let frame = frame_of(values)?;
    let program = session.loaded()?.0;
    let scope = |(name, reference): (&str, i64)| {
        let mut scope = json!({
            "name": name,
            "variablesReference": reference,
            "namedVariables": program.variables(reference)?.len(),
            "expensive": name == "Nets" || name == "Chips",
        });
        if name == "Locals" || name == "Registers" {
            scope["presentationHint"] = name.to_lowercase().into();
        }
        Ok(scope)
    };
    let locals = frame.and_then(|frame| Some(("Locals", LOCALS.checked_add(i64::try_from(frame).ok()?)?)));
    let locals = locals
        .filter(|(_, reference)| program.variables(*reference).is_ok_and(|variables| !variables.is_empty()));
    let scopes = locals.into_iter().chain(SCOPES.into_iter().zip(1..)).map(scope);
    Ok(json!({ "scopes": scopes.collect::<Result<Vec<Value>, Refusal>>()? }))
}

/// The index of the frame that a request names, if it does. Frames are numbered from 1, the outermost first.
pub(super) fn frame_of(values: &Value) -> Result<Option<usize>, Refusal> {
    let id: Option<i64> = argument(values, "frameId")?;
    Ok(id.and_then(|id| usize::try_from(id.checked_sub(1)?).ok()))
}

pub(super) fn variables(session: &mut Session, values: &Value) -> Answer {
    let filter: Option<String> = argument(values, "filter")?;
    let start: usize = argument_or_default(values, "start")?;
    let count: usize = argument_or_default(values, "count")?;
    let reference = argument(values, "variablesReference")?;
    let mut variables = session.loaded()?.0.variables(reference)?;
    if filter.is_some_and(|filter| (filter == "indexed") != (BYTES..CHIPS).contains(&reference)) {
        variables.clear();
    }
    let count = if count == 0 { usize::MAX } else { count };
    let shown = variables.into_iter().skip(start).take(count).map(|variable| variable.shown());
    Ok(json!({ "variables": shown.collect::<Vec<_>>() }))
}

pub(super) fn set_variable(session: &mut Session, values: &Value) -> Answer {
    let name: String = argument(values, "name")?;
    let expression = session.expression_for(argument(values, "variablesReference")?, &name)?;
    session.assign(&expression, values)
}

pub(super) fn set_expression(session: &mut Session, values: &Value) -> Answer {
    session.assign(&argument::<String>(values, "expression")?, values)
}

/// The index of the frame that a local variable belongs to.
fn frame_of_locals(values: &Value) -> Option<usize> {
    usize::try_from(values["variablesReference"].as_i64()?.checked_sub(LOCALS)?).ok()
}

impl Session {
    /// The expression that evaluates to a variable.
    pub(super) fn expression_for(&mut self, reference: i64, name: &str) -> Result<String, Refusal> {
        let variables = self.loaded()?.0.variables(reference)?;
        let variable = variables.into_iter().find(|variable| variable.name == name);
        let expression = variable.and_then(|variable| variable.expression);
        Ok(expression.ok_or_else(|| format!("`{name}` is not a byte, a register or a net"))?)
    }

    /// Assigns the `value` of a request.
    fn assign(&mut self, expression: &str, values: &Value) -> Answer {
        let value: String = argument(values, "value")?;
        let expression = expression.trim();
        let frame = frame_of(values)?.or_else(|| frame_of_locals(values));
        let parser = self.loaded()?.0.parser(frame);
        let name = Scanner::new(expression).name().unwrap_or("");
        let meaning = parser.meaning(name);
        let is_ram = name == ALL || matches!(meaning, Some(Name::Ram(..) | Name::Address(_)));
        if !is_ram && !CHANGEABLE.contains(&expression) {
            return Err(format!("`{expression}` cannot be changed: a, c, pc and RAM can").into());
        }
        let mut value = Scanner::new(without_hexadecimal(&value));
        let edit = parser.edit(&mut Scanner::new(expression), &mut value)?;
        self.edit(edit)?;
        Ok(self.loaded()?.0.value_of(expression, frame)?.result("value"))
    }
}

/// Removes the hexadecimal part: values are shown as `50 ($32)`, and may be entered in this form.
fn without_hexadecimal(value: &str) -> &str {
    let value = value.trim();
    value.strip_suffix(')').and_then(|rest| rest.split_once(" ($")).map_or(value, |(number, _)| number)
}
