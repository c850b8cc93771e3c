//! Expressions, and input to the debug console, where all commands of the dialogue also work.

use super::client::line;
use super::job::Outcome;
use super::program::{Program, Standing};
use super::state::{Needs, Session};
use super::variables::frame_of;
use crate::dap::message::{Answer, argument};
use gray1_debugger::{COMMANDS, DebugError, expected_words};
use serde_json::{Value, json};

/// Maximum number of completions offered.
const MAX_COMPLETIONS: usize = 200;

pub(super) fn evaluate(session: &mut Session, values: &Value) -> Answer {
    let expression: String = argument(values, "expression")?;
    let frame = frame_of(values)?;
    let program = session.loaded()?.0;
    // Some clients do not mark what was typed into the console.
    let is_console = values["context"].is_null() || values["context"] == "repl";
    if is_console && !program.is_for_value(&expression) {
        session.check(Needs::Stop)?;
        return session.command(expression);
    }
    Ok(program.value_of(&expression, frame)?.result("result"))
}

pub(super) fn completions(session: &mut Session, values: &Value) -> Answer {
    let text: String = argument(values, "text")?;
    let program = session.loaded()?.0;
    let line = argument::<Option<i64>>(values, "line")?.map_or(0, |at| line(at) - 1);
    let column: usize = argument::<i64>(values, "column")?.saturating_sub(1).try_into().unwrap_or(0);
    let wide: Vec<u16> = text.lines().nth(line).unwrap_or("").encode_utf16().take(column).collect();
    let before = String::from_utf16_lossy(&wide);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let head = before.trim_end_matches(is_part);
    let begun = &before[head.len()..];
    let (words, _) = expected_words(COMMANDS.iter().map(|command| command.usage), head);
    let words = words.into_iter().map(|word| (word, "keyword"));
    let debugger = program.debugger();
    let names = debugger.source().names().map(|(name, _)| (name, "variable"));
    let mut nets: Vec<(&str, &str)> =
        debugger.machine().netlist().names().map(|name| (name, "value")).collect();
    nets.sort_unstable();
    let all = words.chain(names).chain(nets).filter(|(name, _)| name.starts_with(begun));
    let start = head.encode_utf16().count() + 1;
    let length = begun.len(); // ASCII only
    let targets = all
        .take(MAX_COMPLETIONS)
        .map(|(name, kind)| json!({ "label": name, "type": kind, "start": start, "length": length }));
    Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
}

impl Program {
    /// Whether the input is an expression. The full name of a command is always that command; any other text that can
    /// be parsed as an expression is one; the rest may be an abbreviated command.
    fn is_for_value(&self, text: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or("");
        let is_command = COMMANDS.iter().any(|command| command.name() == first);
        !is_command && self.debugger().parser_here(None).whole(text).is_ok()
    }
}

impl Session {
    /// Carries out a command of the dialogue.
    fn command(&mut self, line: String) -> Answer {
        let standing = self.loaded()?.0.standing();
        self.begin_job(Some(standing), move |program, link| {
            let listener = link.share();
            program.dialogue.set_listener(Some(Box::new(move |message| listener.log(message))));
            let (reply, result) = program.dialogue.line(&line, &link.interrupt);
            program.dialogue.set_listener(None);
            Outcome::Replied(reply.to_string(), result)
        });
        self.soon()
    }

    /// Answers with the reply of a command, and tells the client what the command has changed.
    pub(super) fn reply(
        &mut self,
        before: Standing,
        was_announced: bool,
        reply: &str,
        result: Result<(), DebugError>,
    ) -> Answer {
        self.tell_changes(&before, was_announced)?;
        self.drop_removed_breakpoints()?;
        if self.loaded()?.0.dialogue.is_over() {
            self.finish();
        }
        if let Err(error) = result {
            if !reply.is_empty() {
                self.say("console", reply);
            }
            return Err(error.into());
        }
        Ok(json!({ "result": reply, "variablesReference": 0 }))
    }
}
