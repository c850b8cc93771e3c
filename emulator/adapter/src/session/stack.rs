//! Where the machine is: the calls of macros and the rounds that led to its instruction, the sources of the program,
//! and places in them to go to.

use super::breakpoints::SourceFile;
use super::memory::address;
use super::{Program, Session};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::{ExpansionKind, Frame};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trace {
    #[serde(default)]
    start_frame: u32,
    #[serde(default)]
    levels: u32,
}

#[derive(Deserialize)]
struct Targets {
    source: SourceFile,
    line: i64,
}

#[derive(Deserialize)]
struct OneSource {
    source: Option<SourceFile>,
}

pub(super) fn threads(_: &mut Session, _: &Value) -> Answer {
    Ok(json!({ "threads": [{ "id": 1, "name": "Gray-1" }] }))
}

pub(super) fn trace(session: &mut Session, values: &Value) -> Answer {
    let Trace { start_frame, levels } = arguments(values)?;
    let levels = if levels == 0 { usize::MAX } else { levels as usize };
    let frames = session.frames()?;
    let shown: Vec<&Value> = frames.iter().skip(start_frame as usize).take(levels).collect();
    Ok(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
}

pub(super) fn loaded_sources(session: &mut Session, _: &Value) -> Answer {
    let source = session.parts()?.0.debugger().source();
    let files: Vec<String> = source.files().map(|(file, _)| file.to_owned()).collect();
    let sources: Vec<Value> = files.iter().map(|file| session.source_of(file)).collect();
    Ok(json!({ "sources": sources }))
}

pub(super) fn source(session: &mut Session, values: &Value) -> Answer {
    let OneSource { source } = arguments(values)?;
    let file = source.map(|source| session.source_file(&source)).transpose()?.flatten();
    let source = session.parts()?.0.debugger().source();
    let text = file.as_deref().and_then(|file| source.text(file));
    let text = text.ok_or("this file is no part of the program")?;
    Ok(json!({ "content": text, "mimeType": "text/x-gray1" }))
}

pub(super) fn goto_targets(session: &mut Session, values: &Value) -> Answer {
    let Targets { source, line } = arguments(values)?;
    let file = session.source_file(&source)?.ok_or("this file is no part of the program")?;
    let (program, _, client) = session.parts()?;
    let source = program.debugger().source();
    let targets = source.line_starts(&file, client.our_line(line)).into_iter().map(|place| {
        json!({
            "id": place,
            "label": program.place_name(place),
            "line": line,
            "instructionPointerReference": address(place),
        })
    });
    Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
}

impl Session {
    /// The file of the program that a client means, as the assembler calls it.
    pub(super) fn source_file(&mut self, source: &SourceFile) -> Result<Option<String>, Refusal> {
        let path = source.path.as_deref().ok_or("a source is named by its `path`")?;
        let wanted = self.world.file(path);
        let program = self.program.as_ref().ok_or("there is no program yet")?;
        let mut files = program.debugger().source().files().map(|(file, _)| file);
        Ok(files.find(|file| self.world.file(file) == wanted).map(str::to_owned))
    }

    /// A file of the program, for the client.
    pub(super) fn source_of(&self, file: &str) -> Value {
        let name = file.rsplit('/').next().unwrap_or(file);
        json!({ "name": name, "path": self.world.full_path(file) })
    }

    /// The lines that led to the instruction, the innermost first.
    fn frames(&mut self) -> Result<Vec<Value>, Refusal> {
        let program = self.parts()?.0;
        let place = program.place();
        let all = program.debugger().source().frames(place);
        let lines = all[..all.len().min(program.depth)].to_vec();
        let outermost = program.part_name(place);
        if lines.is_empty() {
            return Ok(vec![json!({
                "id": 1,
                "name": outermost,
                "line": 0,
                "column": 0,
                "instructionPointerReference": address(place),
            })]);
        }
        let callers = lines.iter().map(|frame| frame.expansion.as_ref().map(expansion_name));
        let names: Vec<String> =
            std::iter::once(outermost).chain(callers.flatten()).take(lines.len()).collect();
        let frame = |(depth, (frame, name)): (usize, (&Frame, &String))| {
            json!({
                "id": depth + 1,
                "name": name,
                "source": self.source_of(&frame.file),
                "line": self.client.line(frame.line),
                "column": self.client.column(0),
                "instructionPointerReference": address(place),
            })
        };
        Ok(lines.iter().zip(&names).enumerate().map(frame).rev().collect())
    }
}

impl Program {
    /// A place for people.
    pub(super) fn place_name(&self, place: u16) -> String {
        let name = self.debugger().source().location_name(place);
        name.unwrap_or_else(|| format!("at {place}"))
    }

    /// The part of the program that a place is in: from one label to the next.
    fn part_name(&self, place: u16) -> String {
        let source = self.debugger().source();
        let name = source.nearest_label(place).map(|(label, _)| label.to_owned());
        let root = source.root().and_then(|root| root.rsplit('/').next());
        name.or(root.map(str::to_owned)).unwrap_or_else(|| format!("at {place}"))
    }
}

/// The name of a stack frame within an expansion.
fn expansion_name(kind: &ExpansionKind) -> String {
    match kind {
        ExpansionKind::Include => "an included file".to_owned(),
        ExpansionKind::Macro(name) => name.to_string(),
        ExpansionKind::Iteration { counter: Some(counter), value } => {
            format!("the iteration with {counter} = {value}")
        }
        ExpansionKind::Iteration { counter: None, value } => format!("iteration {value}, counted from 0"),
    }
}
