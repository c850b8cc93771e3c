//! `source`: commands from a file, as if they were typed.
//!
//! The first command that fails ends the file. A file can include others, relative to itself, so that scripts can share
//! their setup.

use super::state::{Dialogue, Result, ScriptReader, Scripts, Shortfall};
use crate::error::{DebugError, check_interrupt, ensure, require};
use crate::scanner::Scanner;
use gray1_assembler::beside;
use std::sync::atomic::AtomicBool;

/// The maximum depth of nested files. Deeper nesting is taken for a cycle through different paths to the same file.
const MAX_NESTING: usize = 16;

impl Dialogue {
    /// Lets `source` read files. `from` is the file that the commands of this dialogue come from, if any.
    pub fn set_reader(&mut self, reader: ScriptReader, from: Option<&str>) {
        self.scripts = Some(Scripts { reader, open: from.map(str::to_owned).into_iter().collect() });
    }

    /// Carries out the commands of a file up to the first that fails. Its error is prefixed with file, line and column.
    fn carry_out_file(&mut self, path: &str, text: &str, interrupt: &AtomicBool) -> Result {
        for (number, line) in (1..).zip(text.lines()) {
            check_interrupt(interrupt)?;
            self.reply.text += &self.reply.location.take().unwrap_or_default();
            self.tell();
            let result = self.carry_out(line, interrupt);
            let message = match (result, self.reply.shortfall) {
                (Ok(()), None) => None,
                (Ok(()), Some(Shortfall::Limit)) => return Ok(()),
                (Ok(()), Some(missed @ Shortfall::Missed)) => {
                    self.reply.shortfall = None;
                    Some(format!("{path}:{number}:1: {}", missed.of(line)))
                }
                (Err(DebugError::Interrupted), _) => return Err(DebugError::Interrupted),
                (Err(error), _) => Some(format!("{path}:{number}:{}: {error}", error.column(line))),
            };
            if let Some(message) = message {
                return Err(DebugError::input(0, message));
            }
            if self.is_over {
                break;
            }
        }
        Ok(())
    }

    /// Passes the reply so far to the listener, if there is one, since a file can take a long time.
    fn tell(&mut self) {
        if let Some(listener) = &mut self.listener {
            self.reply.text.lines().for_each(listener);
            self.reply.text.clear();
        }
    }
}

pub(super) fn source(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let path =
        if scanner.rest().starts_with('"') { scanner.string()? } else { scanner.take_rest().to_owned() };
    scanner.end()?;
    ensure(!path.is_empty(), offset, "expected the name of a file with commands")?;
    let scripts = dialogue.scripts.as_mut();
    let scripts = require(scripts, offset, "there are no files here to read commands from")?;
    let path = beside(scripts.open.last().map(String::as_str), &path);
    if scripts.open.contains(&path) || scripts.open.len() >= MAX_NESTING {
        let message = format!("`{path}` cannot be read while it is being read: these files name each other");
        return Err(DebugError::input(offset, message));
    }
    let text = (scripts.reader)(&path).map_err(|message| DebugError::input(offset, message))?;
    scripts.open.push(path.clone());
    let result = dialogue.carry_out_file(&path, &text, interrupt);
    dialogue.scripts.iter_mut().for_each(|scripts| drop(scripts.open.pop()));
    // In the line that includes the file, the error is at the name of the file.
    result.map_err(|error| match error {
        DebugError::Input { message, .. } => DebugError::input(offset, message),
        error => error,
    })
}
