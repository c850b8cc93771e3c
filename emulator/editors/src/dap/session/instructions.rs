//! The program as instructions. A reference of the protocol is a sequence number.

use super::state::Session;
use crate::dap::message::{Answer, Refusal, argument, argument_or_default};
use gray1_debugger::sequence_number;
use gray1_isa::PROGRAM_WORDS;
use serde_json::{Value, json};

/// Maximum number of instructions listed at once.
const MAX_INSTRUCTIONS: i64 = 4 * PROGRAM_WORDS as i64;

/// A sequence number as a reference for the client.
pub(super) fn address(number: u16) -> String {
    format!("0x{number:03x}")
}

/// The number that a reference stands for.
pub(super) fn reference(text: &str) -> Result<i64, Refusal> {
    let digits = text.trim();
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    Ok(number.map_err(|_| format!("`{text}` is not an address"))?)
}

pub(super) fn disassemble(session: &mut Session, values: &Value) -> Answer {
    let first = reference(&argument::<String>(values, "memoryReference")?)?;
    let offset: i64 = argument_or_default(values, "offset")?;
    let first =
        first.saturating_add(offset).saturating_add(argument_or_default(values, "instructionOffset")?);
    let count = argument::<i64>(values, "instructionCount")?.clamp(0, MAX_INSTRUCTIONS);
    let instructions = (0..count).map(|index| session.instruction(first.saturating_add(index)));
    let instructions = instructions.collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "instructions": instructions }))
}

impl Session {
    /// The instruction with this number, or a placeholder outside the program.
    fn instruction(&mut self, number: i64) -> Result<Value, Refusal> {
        let Some(sequence) = sequence_number(number) else {
            return Ok(json!({
                "address": outside_address(number),
                "instruction": "outside of the program",
                "presentationHint": "invalid",
            }));
        };
        let source = self.debugger()?.source();
        let mut shown = json!({
            "address": address(sequence),
            "instructionBytes": format!("{:04X}", source.image().word(sequence).0),
            "instruction": source.instruction(sequence),
        });
        if let Some(label) = source.label(sequence) {
            shown["symbol"] = label.into();
        }
        if let Some(frame) = source.frames(sequence).last().cloned() {
            shown["location"] = self.source_of(&frame.file);
            shown["line"] = frame.line.into();
        }
        Ok(shown)
    }
}

/// A number that lies outside the program; negative numbers are written in decimal.
fn outside_address(at: i64) -> String {
    if at < 0 { at.to_string() } else { format!("{at:#05x}") }
}
