//! From what a client writes of a breakpoint to a point of the debugger.

use crate::message::Refusal;
use gray1_debugger::{Access, Breakpoint, Debugger, Name, Scan, Template, Trigger};
use serde::Deserialize;

/// What every kind of breakpoint may have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Terms {
    condition: Option<String>,
    hit_condition: Option<String>,
    log_message: Option<String>,
}

pub(super) fn point(
    debugger: &Debugger,
    trigger: Trigger,
    title: String,
    terms: &Terms,
) -> Result<Breakpoint, Refusal> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let reader = debugger.reader();
    let mut point = Breakpoint::new(title, trigger);
    if let Some(text) = given(&terms.condition) {
        let mut scan = Scan::new(&text);
        point.condition = Some(reader.expression(&mut scan)?);
        scan.end()?;
    }
    if let Some(text) = given(&terms.hit_condition) {
        point.skips = skips(&text)?;
    }
    if let Some(text) = given(&terms.log_message) {
        point.log = Some(Template::read(&text, &reader)?);
    }
    Ok(point)
}

/// How often a breakpoint is passed over: `3` and `>= 3` stop from the third time on, `> 3` from the fourth.
fn skips(text: &str) -> Result<u64, Refusal> {
    let text = text.trim();
    let (number, less) = match text.strip_prefix(">=").or_else(|| text.strip_prefix('>')) {
        Some(number) if text.starts_with(">=") => (number, 1),
        Some(number) => (number, 0),
        None => (text, 1),
    };
    let number: u64 = number
        .trim()
        .parse()
        .map_err(|_| format!("`{text}` is no hit count: write a number, as in `3`, `>= 3` or `> 3`"))?;
    Ok(number.saturating_sub(less))
}

/// What can be watched under a name: its mark for the client, and how it is called.
pub(super) fn data(
    debugger: &Debugger,
    written: &str,
    size: Option<u16>,
) -> Result<(String, String), Refusal> {
    let name = written.trim();
    let (machine, source) = (debugger.machine(), debugger.source());
    // The registers are chips of their own, on buses of these names.
    let bus = [("a", "A"), ("c", "C"), ("pc", "PC")].iter().find(|(register, _)| *register == name);
    let net = bus.map(|(_, bus)| *bus).or(name.strip_prefix("net."));
    let net = net.or(Some(name).filter(|name| source.name(name).is_none()));
    if let Some(net) = net.filter(|net| machine.probe(net).is_some()) {
        return Ok((format!("net:{net}"), format!("net {net}")));
    }
    let mut scan = Scan::new(name);
    let first = debugger.reader().address(&mut scan)?;
    scan.end()?;
    let own = match source.name(name) {
        Some(Name::Ram(_, size)) => size,
        _ => 1,
    };
    let last = first.saturating_add(size.unwrap_or(own).max(1) - 1).min(0xFFF);
    Ok((format!("ram:{first}:{last}"), name.to_owned()))
}

/// What a mark stands for.
pub(super) fn subject_of(debugger: &Debugger, id: &str, access: Access) -> Result<Trigger, Refusal> {
    let unknown = || format!("`{id}` is no data to watch: ask `dataBreakpointInfo`");
    if let Some(net) = id.strip_prefix("net:") {
        let probe = debugger.machine().probe(net).ok_or_else(unknown)?;
        return Ok(Trigger::Net(net.to_owned(), probe));
    }
    let range = id.strip_prefix("ram:").and_then(|range| range.split_once(':'));
    let (first, last) = range.ok_or_else(unknown)?;
    let address = |text: &str| text.parse().ok().filter(|&address: &u16| address < 0x1000);
    match (address(first), address(last)) {
        (Some(first), Some(last)) if first <= last => Ok(Trigger::Ram(first, last, access)),
        _ => Err(unknown().into()),
    }
}
