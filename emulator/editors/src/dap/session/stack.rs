//! The position of the machine: the expansions that led to its instruction, the sources of the program, and locations
//! in them to go to.

use super::client;
use super::instructions::address;
use super::program::Program;
use super::state::Session;
use crate::dap::message::{Answer, Refusal, argument, argument_or_default};
use gray1_debugger::{ExpansionKind, is_built_in};
use serde_json::{Value, json};

const UNKNOWN_FILE: &str = "this file is not part of the program";

pub(super) fn threads(_: &mut Session, _: &Value) -> Answer {
    Ok(json!({ "threads": [{ "id": 1, "name": "Gray-1" }] }))
}

pub(super) fn trace(session: &mut Session, values: &Value) -> Answer {
    let start: u32 = argument_or_default(values, "startFrame")?;
    let levels: u32 = argument_or_default(values, "levels")?;
    let levels = if levels == 0 { usize::MAX } else { levels as usize };
    let frames = session.stack()?;
    let shown: Vec<&Value> = frames.iter().skip(start as usize).take(levels).collect();
    Ok(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
}

pub(super) fn loaded_sources(session: &mut Session, _: &Value) -> Answer {
    let source = session.loaded()?.0.debugger().source();
    let files: Vec<String> = source.files().map(|(file, _)| file.to_owned()).collect();
    let sources: Vec<Value> = files.iter().map(|file| session.source_of(file)).collect();
    Ok(json!({ "sources": sources }))
}

pub(super) fn source(session: &mut Session, values: &Value) -> Answer {
    let file = session.source_file(values)?.ok_or(UNKNOWN_FILE)?;
    let text = session.debugger()?.source().text(&file).ok_or(UNKNOWN_FILE)?;
    Ok(json!({ "content": text, "mimeType": "text/x-gray1" }))
}

pub(super) fn goto_targets(session: &mut Session, values: &Value) -> Answer {
    let line = argument(values, "line")?;
    let file = session.source_file(values)?.ok_or(UNKNOWN_FILE)?;
    let program = session.loaded()?.0;
    let starts = program.debugger().source().line_starts(&file, client::line(line));
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
    /// The path of the `source` of a request.
    pub(super) fn source_path(&self, values: &Value) -> Result<String, Refusal> {
        Ok(values["source"]["path"].as_str().ok_or("a source is named by its `path`")?.to_owned())
    }

    /// The file of the program that is the `source` of a request, by its name for the assembler.
    pub(super) fn source_file(&mut self, values: &Value) -> Result<Option<String>, Refusal> {
        let reference =
            [&values["source"], values].into_iter().find_map(|source| source["sourceReference"].as_u64());
        if let Some(number) = reference.and_then(|reference| reference.checked_sub(1)) {
            let program = self.program.as_ref().ok_or("there is no program yet")?;
            let mut files = program.debugger().source().files().map(|(file, _)| file);
            return Ok(files.nth(number as usize).map(str::to_owned));
        }
        self.file_at(&self.source_path(values)?)
    }

    /// The file of the program with this path.
    pub(super) fn file_at(&mut self, path: &str) -> Result<Option<String>, Refusal> {
        let wanted = self.host.canonical_path(path);
        let program = self.program.as_ref().ok_or("there is no program yet")?;
        let mut files = program.debugger().source().files().map(|(file, _)| file);
        Ok(files.find(|file| self.host.canonical_path(file) == wanted).map(str::to_owned))
    }

    /// A file of the program, for the client. A file that is built into the assembler is not on a disk: the client asks
    /// for its text by its number.
    pub(super) fn source_of(&self, file: &str) -> Value {
        let name = file.rsplit('/').next().unwrap_or(file);
        let program = self.program.as_ref().filter(|_| is_built_in(file));
        let number = program
            .and_then(|program| program.debugger().source().files().position(|(path, _)| path == file));
        if let Some(number) = number {
            return json!({ "name": name, "sourceReference": number + 1, "origin": "the library of gray1" });
        }
        json!({ "name": name, "path": self.host.full_path(file) })
    }

    /// The frames that are shown, the innermost first.
    fn stack(&mut self) -> Result<Vec<Value>, Refusal> {
        let program = self.loaded()?.0;
        let all = program.frames();
        let frames = &all[..all.len().min(program.depth)];
        let sequence = program.sequence();
        let outermost = program.name_of_section(sequence);
        let expansions = frames.iter().filter_map(|frame| frame.expansion.as_ref().map(expansion_name));
        let names = std::iter::once(outermost).chain(expansions);
        // Without a source, one frame without a line shows where the machine is.
        let lines = frames.iter().cloned().map(Some).chain(frames.is_empty().then_some(None));
        let mut frames: Vec<_> =
            lines.zip(names).zip(1..).map(|((frame, name), id)| (id, frame, name, sequence)).collect();
        frames.reverse();
        // The calls, the innermost first, after the frames of the current instruction; their numbers follow too.
        let calls = (frames.len() + 1..).zip(program.debugger().callers()).filter_map(|(id, jump)| {
            let frame = program.debugger().source().frames(jump).last()?.clone();
            Some((id, Some(frame), program.name_of_section(jump), jump))
        });
        frames.extend(calls);
        let shown = frames.into_iter().map(|(id, frame, name, sequence)| {
            let mut shown = json!({
                "id": id,
                "name": name,
                "line": frame.as_ref().map_or(0, |frame| frame.line),
                "column": usize::from(frame.is_some()),
                "instructionPointerReference": address(sequence),
            });
            if let Some(frame) = frame {
                shown["source"] = self.source_of(&frame.file);
            }
            shown
        });
        Ok(shown.collect())
    }
}

impl Program {
    /// An instruction by its nearest label, or by its sequence number.
    pub(super) fn location_name(&self, sequence: u16) -> String {
        let name = self.debugger().source().location_name(sequence);
        name.unwrap_or_else(|| format!("at {sequence}"))
    }

    /// The routine that an instruction belongs to, or else the part of the program: from one label to the next.
    fn name_of_section(&self, sequence: u16) -> String {
        let source = self.debugger().source();
        let label =
            source.routine(sequence).or_else(|| source.nearest_label(sequence).map(|(label, _)| label));
        let file = || source.root().and_then(|root| root.rsplit('/').next());
        label.or_else(file).map_or_else(|| format!("at {sequence}"), str::to_owned)
    }
}

/// The name of a stack frame within an expansion.
fn expansion_name(kind: &ExpansionKind) -> String {
    match kind {
        ExpansionKind::Include => "an included file".to_owned(),
        ExpansionKind::Macro(name) | ExpansionKind::Function(name) => name.to_string(),
        ExpansionKind::Iteration { counter: Some(counter), value } => {
            format!("the iteration with {counter} = {value}")
        }
        ExpansionKind::Iteration { counter: None, value } => format!("iteration {value}, counted from 0"),
    }
}
