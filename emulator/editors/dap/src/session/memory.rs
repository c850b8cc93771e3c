//! RAM as bytes, and the program as instructions.
//!
//! These are two memories: a reference means a byte of RAM when memory is read or written, and a sequence number when
//! instructions are listed.

use super::state::Session;
use crate::message::{Answer, Refusal, argument, argument_or_default};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gray1_debugger::{Edit, sequence_number};
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use serde_json::{Value, json};

/// Maximum number of instructions listed at once.
const MAX_INSTRUCTIONS: i64 = 4 * PROGRAM_WORDS as i64;

/// An address or a sequence number as a reference for the client.
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

/// The number at which a request begins: a reference plus an offset.
fn start_of(values: &Value) -> Result<i64, Refusal> {
    let offset: i64 = argument_or_default(values, "offset")?;
    Ok(reference(&argument::<String>(values, "memoryReference")?)?.saturating_add(offset))
}

pub(super) fn read(session: &mut Session, values: &Value) -> Answer {
    let first = start_of(values)?;
    let count = argument::<i64>(values, "count")?.clamp(0, RAM_BYTES as i64);
    let start = usize::try_from(first).map_or(RAM_BYTES, |first| first.min(RAM_BYTES));
    let end = (start + count as usize).min(RAM_BYTES);
    let machine = session.debugger()?.machine();
    let bytes: Vec<u8> = (start..end).map(|at| machine.reads(at as u16)).collect();
    // For addresses below 0, the answer has the number of bytes to skip before asking again.
    let missing = if first < 0 { count.min(first.saturating_neg()) } else { count - bytes.len() as i64 };
    Ok(json!({ "address": anywhere(first), "data": STANDARD.encode(&bytes), "unreadableBytes": missing }))
}

pub(super) fn write(session: &mut Session, values: &Value) -> Answer {
    let data: String = argument(values, "data")?;
    let bytes = STANDARD.decode(data.trim()).map_err(|error| format!("`data` is not base64: {error}"))?;
    let first = start_of(values)?;
    let room = i64::from(INPUTS).saturating_sub(first).clamp(0, bytes.len() as i64) as usize;
    if first < 0 || (room < bytes.len() && values["allowPartial"] != true) {
        let message =
            "only RAM can be written, 0x000 to 0xff7; the inputs after it are changed by `press` and `keys`";
        return Err(message.into());
    }
    // With the bytes first, `zip` never takes an address that has no byte.
    let edits: Vec<Edit> =
        bytes[..room].iter().zip(first..).map(|(byte, address)| Edit::Ram(address as u16, *byte)).collect();
    session.edit(&edits)?;
    let (_, outbox, client) = session.loaded()?;
    if client.supports_memory_event {
        let range = json!({ "memoryReference": anywhere(first), "offset": 0, "count": room });
        outbox.event("memory", range);
    }
    Ok(json!({ "bytesWritten": room }))
}

pub(super) fn disassemble(session: &mut Session, values: &Value) -> Answer {
    let first = start_of(values)?.saturating_add(argument_or_default(values, "instructionOffset")?);
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
                "address": anywhere(number),
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

/// A number that may lie outside the memory; negative numbers are written in decimal.
fn anywhere(at: i64) -> String {
    if at < 0 { at.to_string() } else { format!("{at:#05x}") }
}
