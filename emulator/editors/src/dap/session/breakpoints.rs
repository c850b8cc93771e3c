//! Setting breakpoints: on lines, labels, instructions, and data.
//!
//! Each time a breakpoint changes, the client sends all breakpoints of its kind. One that is sent again unchanged is
//! kept with its hit count. A restart resolves them all again, because the program may have changed.

use super::client_breakpoint::{ClientBreakpoint, Location};
use super::program::Program;
use super::resolve::data_id;
use super::state::Session;
use crate::dap::message::{Answer, Refusal, argument, argument_or_default, arguments};
use gray1_debugger::{Hit, PointOptions};
use serde_json::{Value, json};

pub(super) fn set_on_lines(session: &mut Session, values: &Value) -> Answer {
    let file = session.host.canonical_path(&session.source_path(values)?);
    let is_replaced =
        |location: &Location| matches!(location, Location::Line { file: other, .. } if *other == file);
    session.set_breakpoints(values, is_replaced, |wanted| {
        Ok(Location::Line { file: file.clone(), line: argument(wanted, "line")? })
    })
}

pub(super) fn set_on_labels(session: &mut Session, values: &Value) -> Answer {
    let is_replaced = |location: &Location| matches!(location, Location::Label(_));
    session.set_breakpoints(values, is_replaced, |wanted| Ok(Location::Label(argument(wanted, "name")?)))
}

pub(super) fn set_on_instructions(session: &mut Session, values: &Value) -> Answer {
    let is_replaced = |location: &Location| matches!(location, Location::Instruction { .. });
    session.set_breakpoints(values, is_replaced, |wanted| {
        let reference = argument(wanted, "instructionReference")?;
        Ok(Location::Instruction { reference, offset: argument_or_default(wanted, "offset")? })
    })
}

pub(super) fn set_on_data(session: &mut Session, values: &Value) -> Answer {
    let is_replaced = |location: &Location| matches!(location, Location::Data { .. });
    session.set_breakpoints(values, is_replaced, |wanted| {
        Ok(Location::Data { id: argument(wanted, "dataId")?, access: argument(wanted, "accessType")? })
    })
}

/// There are no exceptions to choose from: a board that does not settle always stops.
pub(super) fn set_on_exceptions(_: &mut Session, _: &Value) -> Answer {
    Ok(json!({ "breakpoints": [] }))
}

pub(super) fn data_info(session: &mut Session, values: &Value) -> Answer {
    let name: String = argument(values, "name")?;
    let name = match argument_or_default(values, "variablesReference")? {
        0 => Ok(name),
        reference => session.expression_for(reference, &name),
    };
    let size: Option<u16> = argument(values, "bytes")?;
    let debugger = session.debugger()?;
    Ok(match name.and_then(|name| data_id(debugger, name.trim(), size)) {
        Ok((id, description)) => json!({
            "dataId": id,
            "description": description,
            "accessTypes": if id.starts_with("ram") { vec!["read", "write"] } else { vec!["write"] },
            "canPersist": true,
        }),
        Err(Refusal(reason)) => json!({ "dataId": null, "description": reason }),
    })
}

impl Session {
    /// Replaces all breakpoints of a kind by the breakpoints of a request.
    fn set_breakpoints(
        &mut self,
        values: &Value,
        is_replaced: impl Fn(&Location) -> bool,
        location: impl Fn(&Value) -> Result<Location, Refusal>,
    ) -> Answer {
        let wanted: Vec<Value> = argument_or_default(values, "breakpoints")?;
        let wanted = wanted.iter().map(|wanted| Ok((location(wanted)?, arguments(wanted)?)));
        let wanted: Vec<(Location, PointOptions)> = wanted.collect::<Result<_, Refusal>>()?;
        let breakpoints = &mut self.loaded()?.0.breakpoints;
        let (mut old, others): (Vec<_>, Vec<_>) =
            std::mem::take(breakpoints).into_iter().partition(|breakpoint| is_replaced(&breakpoint.location));
        *breakpoints = others;
        let mut shown = Vec::new();
        for (location, options) in wanted {
            let same = old.iter().position(|old| old.location == location && old.options == options);
            let breakpoint = match same {
                Some(same) => old.remove(same),
                None => {
                    let last_id = &mut self.loaded()?.0.last_id;
                    *last_id += 1;
                    let id = *last_id;
                    let (number, line, shown) = (None, None, Value::Null);
                    let mut new = ClientBreakpoint { id, location, options, number, line, shown };
                    self.resolve(&mut new)?;
                    new
                }
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
    /// The client's breakpoints among these hits.
    pub(super) fn breakpoints_hit(&self, hits: &[Hit]) -> Vec<&ClientBreakpoint> {
        let by_number =
            |hit: &Hit| self.breakpoints.iter().find(|known| known.number == Some(hit.breakpoint));
        hits.iter().filter_map(by_number).collect()
    }
}
