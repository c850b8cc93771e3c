//! Breakpoints: in lines, at labels, at instructions, and on data.
//!
//! A client sends all breakpoints of a kind each time one of them changes. One that it sends again as it was stays
//! what it is, with the hits it has counted. A restart resolves all of them anew: the program may have changed.

use super::points::{data, point, subject_of};
use super::{Program, Session};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::{Access, Breakpoint, Debugger, Frame, Hit, Name, Trigger};
use gray1_isa::PROGRAM_WORDS;
use serde::Deserialize;
use serde_json::{Value, json};

/// All breakpoints that the client has set.
#[derive(Default)]
pub(super) struct Breakpoints {
    entries: Vec<Entry>,
    ids: i64,
}

/// What a breakpoint is on.
#[derive(Clone, PartialEq)]
enum Kind {
    /// A line of this file.
    Source(String),
    Label,
    Instruction,
    Data,
}

struct Entry {
    id: i64,
    kind: Kind,
    /// The breakpoint as the client has described it.
    wish: Value,
    /// The number of its point, if there could be one.
    point: Option<usize>,
    /// What the client is told of it.
    shown: Value,
}

#[derive(Deserialize)]
struct InLine {
    line: i64,
}

#[derive(Deserialize)]
struct AtLabel {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AtInstruction {
    instruction_reference: String,
    #[serde(default)]
    offset: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OnData {
    data_id: String,
    access_type: Option<String>,
}

/// The file of a request.
#[derive(Deserialize)]
pub(super) struct SourceFile {
    pub path: Option<String>,
}

#[derive(Deserialize)]
struct InSource {
    source: SourceFile,
    #[serde(default)]
    breakpoints: Vec<Value>,
}

#[derive(Deserialize)]
struct OfOneKind {
    breakpoints: Vec<Value>,
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

pub(super) fn set_in_source(session: &mut Session, values: &Value) -> Answer {
    let InSource { source, breakpoints } = arguments(values)?;
    for wish in &breakpoints {
        arguments::<InLine>(wish)?;
    }
    let path = source.path.ok_or("a source is named by its `path`")?;
    let file = session.world.file(&path);
    session.set_breakpoints(&Kind::Source(file), breakpoints)
}

pub(super) fn set_at_labels(session: &mut Session, values: &Value) -> Answer {
    set::<AtLabel>(session, values, &Kind::Label)
}

pub(super) fn set_at_instructions(session: &mut Session, values: &Value) -> Answer {
    set::<AtInstruction>(session, values, &Kind::Instruction)
}

pub(super) fn set_at_data(session: &mut Session, values: &Value) -> Answer {
    set::<OnData>(session, values, &Kind::Data)
}

/// There are no exceptions to choose from: a board that does not settle always stops.
pub(super) fn set_at_exceptions(_: &mut Session, _: &Value) -> Answer {
    Ok(json!({ "breakpoints": [] }))
}

pub(super) fn data_info(session: &mut Session, values: &Value) -> Answer {
    let DataInfo { name, variables_reference, as_address, bytes } = arguments(values)?;
    let written = match variables_reference {
        0 => Ok(name),
        reference => session.written(reference, &name),
    };
    let debugger = session.parts()?.0.debugger();
    let size = bytes.filter(|_| as_address);
    Ok(match written.and_then(|written| data(debugger, &written, size)) {
        Ok((id, description)) => {
            let is_ram = !id.starts_with("net:");
            let accesses: &[&str] = if is_ram { &["read", "write"] } else { &["write"] };
            json!({
                "dataId": id, "description": description, "accessTypes": accesses, "canPersist": true,
            })
        }
        Err(Refusal(reason)) => json!({ "dataId": null, "description": reason }),
    })
}

pub(super) fn locations(session: &mut Session, values: &Value) -> Answer {
    let Locations { source, line, end_line } = arguments(values)?;
    let file = session.source_file(&source)?;
    let (program, _, client) = session.parts()?;
    let Some(file) = file else { return Ok(json!({ "breakpoints": [] })) };
    let (first, last) = (client.our_line(line), client.our_line(end_line.unwrap_or(line)));
    let lines = program.code_lines(&file).into_iter().filter(|line| (first..=last).contains(line));
    let found: Vec<Value> = lines.map(|line| json!({ "line": client.line(line) })).collect();
    Ok(json!({ "breakpoints": found }))
}

/// Sets all breakpoints of a kind; each must be of this form.
fn set<T: for<'a> Deserialize<'a>>(session: &mut Session, values: &Value, kind: &Kind) -> Answer {
    let OfOneKind { breakpoints } = arguments(values)?;
    for wish in &breakpoints {
        arguments::<T>(wish)?;
    }
    session.set_breakpoints(kind, breakpoints)
}

impl Session {
    fn set_breakpoints(&mut self, kind: &Kind, wishes: Vec<Value>) -> Answer {
        let breakpoints = &mut self.parts()?.0.breakpoints;
        let (mut old, others): (Vec<Entry>, Vec<Entry>) =
            std::mem::take(&mut breakpoints.entries).into_iter().partition(|entry| entry.kind == *kind);
        breakpoints.entries = others;
        let mut shown = Vec::new();
        for wish in wishes {
            let entry = match old.iter().position(|entry| entry.wish == wish) {
                Some(same) => old.remove(same),
                None => self.new_breakpoint(kind.clone(), wish)?,
            };
            shown.push(entry.shown.clone());
            self.parts()?.0.breakpoints.entries.push(entry);
        }
        let debugger = self.parts()?.0.debugger_mut();
        for point in old.iter().filter_map(|entry| entry.point) {
            debugger.remove_breakpoints(Some(point));
        }
        Ok(json!({ "breakpoints": shown }))
    }

    fn new_breakpoint(&mut self, kind: Kind, wish: Value) -> Result<Entry, Refusal> {
        let program = self.parts()?.0;
        program.breakpoints.ids += 1;
        let id = program.breakpoints.ids;
        let mut entry = Entry { id, kind, wish, point: None, shown: Value::Null };
        self.resolve(&mut entry)?;
        Ok(entry)
    }

    /// After the program has been loaded again.
    pub(super) fn renew_breakpoints(&mut self) -> Result<(), Refusal> {
        let mut entries = std::mem::take(&mut self.parts()?.0.breakpoints.entries);
        for entry in &mut entries {
            self.resolve(entry)?;
            self.outbox.event("breakpoint", json!({ "reason": "changed", "breakpoint": entry.shown }));
        }
        self.parts()?.0.breakpoints.entries = entries;
        Ok(())
    }

    /// Breakpoints whose points somebody has removed by a command are gone.
    pub(super) fn drop_removed_breakpoints(&mut self) -> Result<(), Refusal> {
        let (program, outbox, _) = self.parts()?;
        let points = program.dialogue.debugger().breakpoints();
        program.breakpoints.entries.retain(|entry| {
            let is_there = entry.point.is_none_or(|number| points.iter().any(|point| point.number == number));
            if !is_there {
                let breakpoint = json!({ "id": entry.id, "verified": false });
                outbox.event("breakpoint", json!({ "reason": "removed", "breakpoint": breakpoint }));
            }
            is_there
        });
        Ok(())
    }

    /// Sets the point of a breakpoint, or says why there can be none.
    fn resolve(&mut self, entry: &mut Entry) -> Result<(), Refusal> {
        let result = self.point(&entry.kind, &entry.wish);
        entry.point = None;
        entry.shown = match result {
            Ok((point, mut shown)) => {
                entry.point = Some(self.parts()?.0.debugger_mut().add_breakpoint(point));
                shown["verified"] = true.into();
                shown
            }
            Err(Refusal(message)) => json!({ "verified": false, "message": message, "reason": "failed" }),
        };
        entry.shown["id"] = entry.id.into();
        Ok(())
    }

    /// The point that a breakpoint asks for, and where it is.
    fn point(&mut self, kind: &Kind, wish: &Value) -> Result<(Breakpoint, Value), Refusal> {
        let source =
            SourceFile { path: if let Kind::Source(path) = kind { Some(path.clone()) } else { None } };
        let file = if source.path.is_some() { self.source_file(&source)? } else { None };
        let (program, _, client) = self.parts()?;
        if program.launch.no_debug {
            return Err("this program was launched without debugging".into());
        }
        let debugger = program.debugger();
        let mut shown = json!({});
        let (subject, title) = match kind {
            Kind::Source(path) => {
                let file = file.ok_or_else(|| format!("{path} is no part of this program"))?;
                let wanted = client.our_line(arguments::<InLine>(wish)?.line);
                let line = program.code_lines(&file).into_iter().find(|&line| line >= wanted);
                let line = line.ok_or_else(|| format!("no instruction in line {wanted} or behind it"))?;
                shown["line"] = client.line(line).into();
                (Trigger::Instructions(debugger.source().line_starts(&file, line)), format!("{file}:{line}"))
            }
            Kind::Label => {
                let AtLabel { name } = arguments(wish)?;
                match debugger.source().name(&name) {
                    Some(Name::Label(place)) => (Trigger::Instructions(vec![place]), name),
                    _ => return Err(format!("there is no label or routine `{name}`").into()),
                }
            }
            Kind::Instruction => {
                let AtInstruction { instruction_reference, offset } = arguments(wish)?;
                let place = super::memory::reference(&instruction_reference)?.saturating_add(offset);
                let place = u16::try_from(place).ok().filter(|&place| usize::from(place) < PROGRAM_WORDS);
                let place = place.ok_or("sequence numbers are 0 to 4095")?;
                shown["instructionReference"] = super::memory::address(place).into();
                (Trigger::Instructions(vec![place]), format!("at {place}"))
            }
            Kind::Data => {
                let OnData { data_id, access_type } = arguments(wish)?;
                let access =
                    if access_type.as_deref() == Some("read") { Access::Read } else { Access::Write };
                (subject_of(debugger, &data_id, access)?, data_id)
            }
        };
        Ok((point(debugger, subject, title, &arguments(wish)?)?, shown))
    }
}

impl Breakpoints {
    /// What has been met, in a word, and which breakpoints of the client these are.
    pub fn met(&self, hits: &[Hit]) -> (&'static str, Vec<i64>) {
        let numbers = hits.iter().map(|hit| hit.breakpoint);
        let entries: Vec<&Entry> = numbers
            .filter_map(|number| self.entries.iter().find(|entry| entry.point == Some(number)))
            .collect();
        let reason = match entries.first().map(|entry| &entry.kind) {
            Some(Kind::Label) => "function breakpoint",
            Some(Kind::Instruction) => "instruction breakpoint",
            Some(Kind::Data) => "data breakpoint",
            Some(Kind::Source(_)) | None => "breakpoint",
        };
        (reason, entries.iter().map(|entry| entry.id).collect())
    }

    /// How deep in the nest of its instruction the line of a breakpoint is: what is within that has not been entered.
    pub fn depth(&self, debugger: &Debugger, hits: &[Hit]) -> Option<usize> {
        let frames = debugger.source().frames(debugger.machine().running());
        let titles = hits.iter().filter_map(|hit| Some(&debugger.breakpoint(hit.breakpoint)?.title));
        let depths = titles.filter_map(|title| {
            let is_line = |frame: &Frame| *title == format!("{}:{}", frame.file, frame.line);
            frames.iter().position(is_line)
        });
        depths.min().map(|depth| depth + 1)
    }
}

impl Program {
    /// The lines of a file that instructions come from, in order.
    pub(super) fn code_lines(&self, file: &str) -> Vec<usize> {
        let source = self.debugger().source();
        let frames = (0..PROGRAM_WORDS as u16).flat_map(|place| source.frames(place));
        let mut lines: Vec<usize> =
            frames.filter(|frame| frame.file == file).map(|frame| frame.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}
