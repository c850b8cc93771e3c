//! What a frame shows: the registers, the bytes of RAM that have names, the display, every net, every chip.

use super::memory::address;
use super::state::Session;
use super::values::{ALL, BYTES, CHANGEABLE, CHIPS, SCOPES};
use crate::message::{Answer, Refusal, argument, argument_or_default};
use gray1_debugger::{Name, Scanner};
use serde_json::{Value, json};

pub(super) fn scopes(session: &mut Session, _: &Value) -> Answer {
    let program = session.loaded()?.0;
    let scope = |(name, reference)| {
        Ok(json!({
            "name": name,
            "variablesReference": reference,
            "namedVariables": program.variables(reference, false)?.len(),
            "expensive": reference > 3,
        }))
    };
    let scopes = SCOPES.into_iter().zip(1..).map(scope);
    let mut scopes = scopes.collect::<Result<Vec<Value>, Refusal>>()?;
    scopes[0]["presentationHint"] = "registers".into();
    Ok(json!({ "scopes": scopes }))
}

pub(super) fn variables(session: &mut Session, values: &Value) -> Answer {
    let filter: Option<String> = argument(values, "filter")?;
    let start: usize = argument_or_default(values, "start")?;
    let count: usize = argument_or_default(values, "count")?;
    let reference = argument(values, "variablesReference")?;
    let (program, _, client) = session.loaded()?;
    let mut variables = program.variables(reference, is_hex(values))?;
    if filter.is_some_and(|filter| (filter == "indexed") != (BYTES..CHIPS).contains(&reference)) {
        variables.clear();
    }
    let count = if count == 0 { usize::MAX } else { count };
    let shown = variables.into_iter().skip(start).take(count).map(|variable| variable.shown(client));
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

/// Whether the values of a response should be hexadecimal.
pub(super) fn is_hex(values: &Value) -> bool {
    values["format"]["hex"] == true
}

impl Session {
    /// The expression that stands for a variable.
    pub(super) fn expression_for(&mut self, reference: i64, name: &str) -> Result<String, Refusal> {
        let variables = self.loaded()?.0.variables(reference, false)?;
        let variable = variables.into_iter().find(|variable| variable.name == name);
        let expression = variable.and_then(|variable| variable.expression);
        Ok(expression.ok_or_else(|| format!("`{name}` is not a byte, a register or a net"))?)
    }

    /// Assigns the `value` of a request.
    fn assign(&mut self, expression: &str, values: &Value) -> Answer {
        let value: String = argument(values, "value")?;
        let expression = expression.trim();
        let debugger = self.debugger()?;
        let name = Scanner::new(expression).name().unwrap_or("");
        let is_ram = name == ALL || matches!(debugger.source().name(name), Some(Name::Ram(..)));
        if !is_ram && !CHANGEABLE.contains(&expression) {
            return Err(format!("`{expression}` cannot be changed: a, c, pc and RAM can").into());
        }
        let mut value = Scanner::new(without_hexadecimal(&value));
        let edit = debugger.parser().edit(&mut Scanner::new(expression), &mut value)?;
        self.edit(&[edit])?;
        let (program, outbox, client) = self.loaded()?;
        let shown = program.value_of(expression, is_hex(values))?;
        if let Some(first) = shown.memory.filter(|_| client.supports_memory_event) {
            let range = json!({ "memoryReference": address(first), "offset": 0, "count": 1 });
            outbox.event("memory", range);
        }
        Ok(shown.result("value", client))
    }
}

/// Values are shown as `50 ($32)`, and may be given like that.
fn without_hexadecimal(value: &str) -> &str {
    let value = value.trim();
    value.strip_suffix(')').and_then(|rest| rest.split_once(" ($")).map_or(value, |(number, _)| number)
}
