//! Turns breakpoints of the client into breakpoints of the debugger.

use super::client;
use super::client_breakpoint::{ClientBreakpoint, Location};
use super::instructions::{address, reference};
use super::state::Session;
use crate::dap::message::Refusal;
use gray1_debugger::{Access, Breakpoint, Debugger, Scanner, Trigger, sequence_number};
use gray1_isa::memory_map::RAM_BYTES;
use serde_json::{Value, json};

impl Session {
    /// Adds a breakpoint to the debugger, or tells the client why that is not possible.
    pub(super) fn resolve(&mut self, breakpoint: &mut ClientBreakpoint) -> Result<(), Refusal> {
        (breakpoint.number, breakpoint.line) = (None, None);
        breakpoint.shown = match self.resolved(breakpoint) {
            Ok((resolved, mut shown)) => {
                breakpoint.number = Some(self.debugger()?.add_breakpoint(resolved));
                shown["verified"] = true.into();
                shown
            }
            Err(Refusal(message)) => json!({ "verified": false, "message": message, "reason": "failed" }),
        };
        breakpoint.shown["id"] = breakpoint.id.into();
        Ok(())
    }

    /// The breakpoint for the debugger, and its description for the client.
    fn resolved(&mut self, breakpoint: &mut ClientBreakpoint) -> Result<(Breakpoint, Value), Refusal> {
        let file = match &breakpoint.location {
            Location::Line { file, .. } => self.file_at(file)?,
            _ => None,
        };
        let program = self.loaded()?.0;
        if program.launch.no_debug {
            return Err("this program was launched without debugging".into());
        }
        let debugger = program.debugger();
        let source = debugger.source();
        let mut shown = json!({});
        let (title, trigger) = match &breakpoint.location {
            Location::Line { file: path, line } => {
                let file = file.ok_or_else(|| format!("{path} is not part of this program"))?;
                let wanted = client::line(*line);
                let line = source.line_from(&file, wanted);
                let line = line.ok_or_else(|| format!("no instruction on line {wanted} or after it"))?;
                shown["line"] = line.into();
                let trigger = Trigger::Instructions(source.line_starts(&file, line));
                breakpoint.line = Some((file.clone(), line));
                (format!("{file}:{line}"), trigger)
            }
            Location::Label(name) => {
                let location = Scanner::whole(name, |scanner| debugger.parser().location(scanner))?;
                (name.clone(), Trigger::Instructions(location))
            }
            Location::Instruction { reference: base, offset } => {
                let number = reference(base)?.saturating_add(*offset);
                let sequence = sequence_number(number).ok_or("sequence numbers are 0 to 4095")?;
                shown["instructionReference"] = address(sequence).into();
                (format!("at {sequence}"), Trigger::Instructions(vec![sequence]))
            }
            Location::Data { id, access } => {
                let trigger = match access.as_deref() {
                    Some("read") => trigger_of(debugger, id, Access::Read),
                    Some("write") | None => trigger_of(debugger, id, Access::Write),
                    Some(_) => None,
                };
                let unknown = || format!("`{id}` cannot be watched like this: ask `dataBreakpointInfo`");
                (id.clone(), trigger.ok_or_else(unknown)?)
            }
        };
        let mut resolved = Breakpoint::new(title, trigger);
        debugger.restrict(&mut resolved, &breakpoint.options)?;
        Ok((resolved, shown))
    }
}

/// The `dataId` of the RAM or net with a name, and its description. `size` replaces the size of the name.
pub(super) fn data_id(
    debugger: &Debugger,
    name: &str,
    size: Option<u16>,
) -> Result<(String, String), Refusal> {
    let (first, own_last) = match Scanner::whole(name, |scanner| debugger.parser().changing(scanner))? {
        Trigger::Net(net, _) => return Ok((format!("net:{net}"), format!("net {net}"))),
        Trigger::Ram(first, last, _) => (first, last),
        _ => return Err("only RAM and nets change".into()),
    };
    let last = size.map_or(own_last, |size| first.saturating_add(size.max(1) - 1).min(RAM_BYTES as u16 - 1));
    Ok((format!("ram:{first}:{last}"), name.to_owned()))
}

/// The trigger for a `dataId`.
fn trigger_of(debugger: &Debugger, id: &str, access: Access) -> Option<Trigger> {
    if let Some(net) = id.strip_prefix("net:") {
        let name = format!("net.{net}");
        let trigger = debugger.parser().changing(&mut Scanner::new(&name)).ok()?;
        return Some(trigger).filter(|_| access != Access::Read);
    }
    let (first, last) = id.strip_prefix("ram:")?.split_once(':')?;
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last && usize::from(last) < RAM_BYTES).then_some(Trigger::Ram(first, last, access))
}
