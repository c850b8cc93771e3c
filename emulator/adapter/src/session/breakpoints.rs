//! Setting breakpoints: on lines, labels, instructions, and data.
//!
//! Each time a breakpoint changes, the client sends all breakpoints of its kind. One that is sent again unchanged stays
//! what it is, and keeps the hits it has counted. A restart resolves them all again, because the program may have
//! changed.

use super::client_breakpoint::{ClientBreakpoint, Location, Options};
use super::resolve::Data;
use super::stack::SourceFile;
use super::state::{Program, Session};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::Hit;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct OnLines {
    source: SourceFile,
    #[serde(default)]
    breakpoints: Vec<OnLine>,
}

#[derive(Deserialize)]
struct List<T> {
    breakpoints: Vec<T>,
}

#[derive(Deserialize)]
struct OnLine {
    line: i64,
    #[serde(flatten)]
    options: Options,
}

#[derive(Deserialize)]
struct OnLabel {
    name: String,
    #[serde(flatten)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OnInstruction {
    instruction_reference: String,
    #[serde(default)]
    offset: i64,
    #[serde(flatten)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OnData {
    data_id: String,
    access_type: Option<String>,
    #[serde(flatten)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DataInfo {
    name: String,
    #[serde(default)]
    variables_reference: i64,
    #[serde(default)]
    as_address: bool,
    bytes: Option<u16>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Locations {
    source: SourceFile,
    line: i64,
    end_line: Option<i64>,
}

pub(super) fn set_on_lines(session: &mut Session, values: &Value) -> Answer {
    let OnLines { source, breakpoints } = arguments(values)?;
    let path = source.path.ok_or("a source is named by its `path`")?;
    let file = session.host.canonical_path(&path);
    let wanted = breakpoints.into_iter().map(|OnLine { line, options }| {
        let file = file.clone();
        (Location::Line { file, line }, options)
    });
    let is_replaced =
        |location: &Location| matches!(location, Location::Line { file: other, .. } if *other == file);
    session.set_breakpoints(is_replaced, wanted.collect())
}

pub(super) fn set_on_labels(session: &mut Session, values: &Value) -> Answer {
    let List { breakpoints } = arguments(values)?;
    let wanted = breakpoints.into_iter().map(|OnLabel { name, options }| (Location::Label(name), options));
    session.set_breakpoints(|location| matches!(location, Location::Label(_)), wanted.collect())
}

pub(super) fn set_on_instructions(session: &mut Session, values: &Value) -> Answer {
    let List { breakpoints } = arguments(values)?;
    let wanted = breakpoints.into_iter().map(|OnInstruction { instruction_reference, offset, options }| {
        (Location::Instruction { reference: instruction_reference, offset }, options)
    });
    session.set_breakpoints(|location| matches!(location, Location::Instruction { .. }), wanted.collect())
}

pub(super) fn set_on_data(session: &mut Session, values: &Value) -> Answer {
    let List { breakpoints } = arguments(values)?;
    let wanted = breakpoints.into_iter().map(|OnData { data_id, access_type, options }| {
        (Location::Data { id: data_id, access: access_type }, options)
    });
    session.set_breakpoints(|location| matches!(location, Location::Data { .. }), wanted.collect())
}

/// There are no exceptions to choose from: a board that does not settle always stops.
pub(super) fn set_on_exceptions(_: &mut Session, _: &Value) -> Answer {
    Ok(json!({ "breakpoints": [] }))
}

pub(super) fn data_info(session: &mut Session, values: &Value) -> Answer {
    let DataInfo { name, variables_reference, as_address, bytes } = arguments(values)?;
    let name = match variables_reference {
        0 => Ok(name),
        reference => session.expression_for(reference, &name),
    };
    let debugger = session.debugger()?;
    let size = bytes.filter(|_| as_address);
    Ok(match name.and_then(|name| Data::named(debugger, name.trim(), size)) {
        Ok((data, description)) => json!({
            "dataId": data.to_string(),
            "description": description,
            "accessTypes": if matches!(data, Data::Ram(..)) { vec!["read", "write"] } else { vec!["write"] },
            "canPersist": true,
        }),
        Err(Refusal(reason)) => json!({ "dataId": null, "description": reason }),
    })
}

pub(super) fn locations(session: &mut Session, values: &Value) -> Answer {
    let Locations { source, line, end_line } = arguments(values)?;
    let file = session.source_file(&source)?;
    let (program, _, client) = session.loaded()?;
    let Some(file) = file else { return Ok(json!({ "breakpoints": [] })) };
    let (first, last) = (client.our_line(line), client.our_line(end_line.unwrap_or(line)));
    let lines = program.debugger().source().code_lines(&file);
    let lines = lines.into_iter().filter(|line| (first..=last).contains(line));
    let found: Vec<Value> = lines.map(|line| json!({ "line": client.line(line) })).collect();
    Ok(json!({ "breakpoints": found }))
}

impl Session {
    /// Replaces all breakpoints of a kind.
    fn set_breakpoints(
        &mut self,
        is_replaced: impl Fn(&Location) -> bool,
        wanted: Vec<(Location, Options)>,
    ) -> Answer {
        let breakpoints = &mut self.loaded()?.0.breakpoints;
        let (mut old, others): (Vec<_>, Vec<_>) =
            std::mem::take(breakpoints).into_iter().partition(|breakpoint| is_replaced(&breakpoint.location));
        *breakpoints = others;
        let mut shown = Vec::new();
        for (location, options) in wanted {
            let same = old.iter().position(|old| old.location == location && old.options == options);
            let breakpoint = match same {
                Some(same) => old.remove(same),
                None => self.new_breakpoint(location, options)?,
            };
            shown.push(breakpoint.shown.clone());
            self.loaded()?.0.breakpoints.push(breakpoint);
        }
        let debugger = self.debugger()?;
        for number in old.iter().filter_map(|breakpoint| breakpoint.number) {
            debugger.remove_breakpoints(Some(number));
        }
        Ok(json!({ "breakpoints": shown }))
    }

    fn new_breakpoint(&mut self, location: Location, options: Options) -> Result<ClientBreakpoint, Refusal> {
        let program = self.loaded()?.0;
        program.last_id += 1;
        let (id, shown) = (program.last_id, Value::Null);
        let mut breakpoint = ClientBreakpoint { id, location, options, number: None, line: None, shown };
        self.resolve(&mut breakpoint)?;
        Ok(breakpoint)
    }

    /// Resolves all breakpoints again after the program has been loaded again.
    pub(super) fn renew_breakpoints(&mut self) -> Result<(), Refusal> {
        let mut breakpoints = std::mem::take(&mut self.loaded()?.0.breakpoints);
        for breakpoint in &mut breakpoints {
            self.resolve(breakpoint)?;
            self.outbox.event("breakpoint", json!({ "reason": "changed", "breakpoint": breakpoint.shown }));
        }
        self.loaded()?.0.breakpoints = breakpoints;
        Ok(())
    }

    /// Drops the breakpoints that were removed in the debugger by a command.
    pub(super) fn drop_removed_breakpoints(&mut self) -> Result<(), Refusal> {
        let (Program { dialogue, breakpoints, .. }, outbox, _) = self.loaded()?;
        breakpoints.retain(|breakpoint| {
            let is_there =
                breakpoint.number.is_none_or(|number| dialogue.debugger().breakpoint(number).is_some());
            if !is_there {
                let breakpoint = json!({ "id": breakpoint.id, "verified": false });
                outbox.event("breakpoint", json!({ "reason": "removed", "breakpoint": breakpoint }));
            }
            is_there
        });
        Ok(())
    }
}

impl Program {
    /// The client's breakpoints among those that were hit.
    pub(super) fn breakpoints_hit(&self, hits: &[Hit]) -> Vec<&ClientBreakpoint> {
        let by_number =
            |hit: &Hit| self.breakpoints.iter().find(|known| known.number == Some(hit.breakpoint));
        hits.iter().filter_map(by_number).collect()
    }
}
