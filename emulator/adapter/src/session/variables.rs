//! What a frame shows: the registers, the bytes of RAM that have names, the display, every net, every chip.

use super::Session;
use super::memory::address;
use super::parts::{ALL, CHANGEABLE, Holder};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::{Debugger, Name, Scan};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Format {
    #[serde(default)]
    hex: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parts {
    variables_reference: i64,
    filter: Option<String>,
    #[serde(default)]
    start: usize,
    #[serde(default)]
    count: usize,
    format: Option<Format>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetPart {
    variables_reference: i64,
    name: String,
    value: String,
    format: Option<Format>,
}

#[derive(Deserialize)]
struct SetExpression {
    expression: String,
    value: String,
    format: Option<Format>,
}

pub(super) fn scopes(session: &mut Session, _: &Value) -> Answer {
    let program = session.parts()?.0;
    let scope = |name: &str, reference: i64, holder: Holder| {
        json!({
            "name": name,
            "variablesReference": reference,
            "namedVariables": program.count(&holder),
            "expensive": matches!(holder, Holder::Nets | Holder::Chips),
        })
    };
    let mut scopes = vec![
        scope("Registers", 1, Holder::Registers),
        scope("RAM", 2, Holder::Names),
        scope("Display", 3, Holder::Display),
        scope("Nets", 4, Holder::Nets),
        scope("Chips", 5, Holder::Chips),
    ];
    scopes[0]["presentationHint"] = "registers".into();
    Ok(json!({ "scopes": scopes }))
}

pub(super) fn variables(session: &mut Session, values: &Value) -> Answer {
    let Parts { variables_reference, filter, start, count, format } = arguments(values)?;
    let (program, _, client) = session.parts()?;
    let holder = program.holder(variables_reference)?;
    let is_indexed = matches!(holder, Holder::Bytes(_));
    let is_wanted = filter.is_none_or(|filter| (filter == "indexed") == is_indexed);
    let all = if is_wanted { program.count(&holder) } else { 0 };
    let count = if count == 0 { all } else { count };
    let hex = is_hex(format.as_ref());
    let shown = (start..all).take(count).filter_map(|index| program.part(&holder, index, hex));
    let shown: Vec<Value> = shown.map(|variable| variable.shown(client)).collect();
    Ok(json!({ "variables": shown }))
}

pub(super) fn set_variable(session: &mut Session, values: &Value) -> Answer {
    let SetPart { variables_reference, name, value, format } = arguments(values)?;
    let written = session.written(variables_reference, &name)?;
    session.assign(&written, &value, is_hex(format.as_ref()))
}

pub(super) fn set_expression(session: &mut Session, values: &Value) -> Answer {
    let SetExpression { expression, value, format } = arguments(values)?;
    session.assign(&expression, &value, is_hex(format.as_ref()))
}

fn is_hex(format: Option<&Format>) -> bool {
    format.is_some_and(|format| format.hex)
}

impl Session {
    /// How a variable is written in an expression.
    pub(super) fn written(&mut self, reference: i64, name: &str) -> Result<String, Refusal> {
        let program = self.parts()?.0;
        let holder = program.holder(reference)?;
        let written = match &holder {
            Holder::Bytes(bytes) if name.starts_with('[') => Some(format!("{}{name}", bytes.name)),
            Holder::Bytes(_) | Holder::Display => None,
            Holder::Nets | Holder::Chip(_) => Some(format!("net.{name}")),
            Holder::Chips => None,
            Holder::Registers | Holder::Names => Some(name.to_owned()),
        };
        Ok(written.ok_or_else(|| format!("`{name}` is not a byte, a register or a net"))?)
    }

    fn assign(&mut self, written: &str, value: &str, hex: bool) -> Answer {
        let written = written.trim();
        let debugger = self.parts()?.0.debugger();
        let name = Scan::new(written).name().unwrap_or("");
        let is_ram = name == ALL || matches!(debugger.source().name(name), Some(Name::Ram(..)));
        if !is_ram && !CHANGEABLE.contains(&written) {
            return Err(format!("`{written}` cannot be changed: a, c, pc and RAM can").into());
        }
        let (mut target, mut value) = (Scan::new(written), Scan::new(without_hexadecimal(value)));
        let edit = debugger.reader().edit(&mut target, &mut value)?;
        self.edit(&[edit])?;
        let (program, outbox, client) = self.parts()?;
        let shown = program.value_of(written, hex)?;
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

/// Whether a text is an expression, from its first letter to its last.
pub(super) fn is_expression(debugger: &Debugger, text: &str) -> bool {
    let mut scan = Scan::new(text);
    debugger.reader().expression(&mut scan).is_ok() && scan.is_at_end()
}
