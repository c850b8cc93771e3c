//! Where the machine is: the expansions that led to its instruction, the sources of the program, and locations in them
//! to go to.

use super::memory::address;
use super::state::{Program, Session};
use crate::message::{Answer, Refusal, arguments};
use gray1_debugger::ExpansionKind;
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

/// A source of the client.
#[derive(Deserialize)]
pub(super) struct SourceFile {
    pub path: Option<String>,
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
    let frames = session.stack()?;
    let shown: Vec<&Value> = frames.iter().skip(start_frame as usize).take(levels).collect();
    Ok(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
}

pub(super) fn loaded_sources(session: &mut Session, _: &Value) -> Answer {
    let source = session.loaded()?.0.debugger().source();
    let files: Vec<String> = source.files().map(|(file, _)| file.to_owned()).collect();
    let sources: Vec<Value> = files.iter().map(|file| session.source_of(file)).collect();
    Ok(json!({ "sources": sources }))
}

pub(super) fn source(session: &mut Session, values: &Value) -> Answer {
    let OneSource { source } = arguments(values)?;
    let file = source.map(|source| session.source_file(&source)).transpose()?.flatten();
    let source = session.loaded()?.0.debugger().source();
    let text = file.as_deref().and_then(|file| source.text(file));
    let text = text.ok_or("this file is no part of the program")?;
    Ok(json!({ "content": text, "mimeType": "text/x-gray1" }))
}

pub(super) fn goto_targets(session: &mut Session, values: &Value) -> Answer {
    let Targets { source, line } = arguments(values)?;
    let file = session.source_file(&source)?.ok_or("this file is no part of the program")?;
    let (program, _, client) = session.loaded()?;
    let starts = program.debugger().source().line_starts(&file, client.our_line(line));
    let targets = starts.into_iter().map(|sequence| {
        json!({
            "id": sequence,
            "label": program.location_name(sequence),
            "line": line,
            "instructionPointerReference": address(sequence),
        })
    });
    Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
}

impl Session {
    /// The file of the program that a client means, as the assembler calls it.
    pub(super) fn source_file(&mut self, source: &SourceFile) -> Result<Option<String>, Refusal> {
        let path = source.path.as_deref().ok_or("a source is named by its `path`")?;
        let wanted = self.host.canonical_path(path);
        let program = self.program.as_ref().ok_or("there is no program yet")?;
        let mut files = program.debugger().source().files().map(|(file, _)| file);
        Ok(files.find(|file| self.host.canonical_path(file) == wanted).map(str::to_owned))
    }

    /// A file of the program, for the client.
    pub(super) fn source_of(&self, file: &str) -> Value {
        let name = file.rsplit('/').next().unwrap_or(file);
        json!({ "name": name, "path": self.host.full_path(file) })
    }

    /// The frames that are shown, the innermost first.
    fn stack(&mut self) -> Result<Vec<Value>, Refusal> {
        let program = self.loaded()?.0;
        let all = program.frames();
        let frames = all[..all.len().min(program.depth)].to_vec();
        let outermost = program.section_name();
        let pointer = address(program.sequence());
        if frames.is_empty() {
            let frame = json!({ "id": 1, "name": outermost, "line": 0, "column": 0 });
            return Ok(vec![with_pointer(frame, &pointer)]);
        }
        let expansions = frames.iter().filter_map(|frame| frame.expansion.as_ref().map(expansion_name));
        let names = std::iter::once(outermost).chain(expansions);
        let shown = frames.iter().zip(names).zip(1..).map(|((frame, name), id)| {
            let frame = json!({
                "id": id,
                "name": name,
                "source": self.source_of(&frame.file),
                "line": self.client.line(frame.line),
                "column": self.client.column(0),
            });
            with_pointer(frame, &pointer)
        });
        let shown: Vec<Value> = shown.collect();
        Ok(shown.into_iter().rev().collect())
    }
}

fn with_pointer(mut frame: Value, pointer: &str) -> Value {
    frame["instructionPointerReference"] = pointer.into();
    frame
}

impl Program {
    /// An instruction by its nearest label, or by its sequence number.
    pub(super) fn location_name(&self, sequence: u16) -> String {
        let name = self.debugger().source().location_name(sequence);
        name.unwrap_or_else(|| format!("at {sequence}"))
    }

    /// The part of the program that the instruction is in: from one label to the next.
    fn section_name(&self) -> String {
        let (source, sequence) = (self.debugger().source(), self.sequence());
        let label = source.nearest_label(sequence).map(|(label, _)| label);
        let file = || source.root().and_then(|root| root.rsplit('/').next());
        label.or_else(file).map_or_else(|| format!("at {sequence}"), str::to_owned)
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
