//! `why`: the causes of a level at the current position.

use super::state::{Dialogue, Result};
use crate::causes::{Depth, USUAL_DEPTH};
use crate::error::require;
use crate::scanner::Scanner;
use std::sync::atomic::AtomicBool;

pub(super) fn why(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let question = dialogue.debugger.parser_here(None).question(scanner)?;
    let mut depth = Depth { steps: USUAL_DEPTH, follows_control: false };
    if scanner.take_word("depth") {
        let offset = scanner.offset();
        depth.steps = require(scanner.count()?, offset, "expected a number of steps after `depth`")? as usize;
    }
    scanner.end()?;
    let answer = dialogue.debugger.why(question, depth, interrupt)?;
    let text = dialogue.debugger.describe_causes(&answer);
    let rows = dialogue.debugger.cause_rows(&answer);
    dialogue.set_field("steps", rows);
    dialogue.reply.text += &text;
    Ok(())
}
