//! Commands that show the current state of the machine.

use super::state::{Dialogue, Result};
use crate::breakpoint::Breakpoint;
use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::model::Variable;
use crate::scanner::Scanner;
use gray1_isa::memory_map::{DISPLAY_SIZE, RAM_BYTES, WORKING_RAM_END};
use gray1_machine::Engine;
use gray1_text::{visible, visible_lines};
use serde_json::json;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

/// Bytes of RAM in a row.
const ROW: u16 = 16;
/// Lines of source shown before and after the current one.
const AROUND: usize = 3;

pub(super) fn print(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let start = scanner.offset();
    if is_word(scanner) {
        let address = dialogue.debugger.parser_here(None).address(scanner)?;
        scanner.end()?;
        let machine = dialogue.debugger.machine();
        let value = [0, 1].map(|byte| machine.reads((address + byte).min(RAM_BYTES as u16 - 1)));
        let value = u16::from_le_bytes(value);
        dialogue.say(format!("{} = {value} (${value:04X})", scanner.since(start)));
        dialogue.reply.value = Some(i64::from(value));
        return Ok(());
    }
    let expression = dialogue.debugger.parser_here(None).expression(scanner)?;
    scanner.end()?;
    let (source, machine) = (dialogue.debugger.source(), dialogue.debugger.machine());
    let value = expression.value(machine)?;
    let hint = expression.hint(source, machine).map_or(String::new(), |hint| format!("; {hint}"));
    dialogue.say(format!("{} = {value} (${value:02X}){hint}", scanner.since(start)));
    dialogue.reply.value = Some(value);
    Ok(())
}

/// Takes `word` if it is followed by the address of two bytes, the low one first.
fn is_word(scanner: &mut Scanner) -> bool {
    let mut ahead = scanner.clone();
    let is_word = ahead.take_word("word") && ahead.name().is_some();
    is_word && scanner.take_word("word")
}

pub(super) fn display(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    if scanner.take_word("none") {
        scanner.end()?;
        dialogue.displayed.clear();
        return Ok(());
    }
    let start = scanner.offset();
    let expression = dialogue.expression(scanner)?;
    scanner.end()?;
    dialogue.displayed.push((scanner.since(start).to_owned(), expression));
    Ok(())
}

pub(super) fn location(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    scanner.end()?;
    dialogue.reply.text += &dialogue.location_line();
    Ok(())
}

pub(super) fn points(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    scanner.end()?;
    let Dialogue { debugger, reply, .. } = dialogue;
    let mut rows = Vec::new();
    for Breakpoint { number, title, hits, .. } in debugger.breakpoints() {
        let _ = writeln!(reply.text, "  {number:>3}  {title}, hits: {hits}");
        rows.push(json!({ "number": number, "title": title, "hits": hits }));
    }
    if rows.is_empty() {
        dialogue.say("no points");
    }
    dialogue.set_field("points", rows);
    Ok(())
}

pub(super) fn show(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    let offset = scanner.offset();
    match scanner.word().unwrap_or("") {
        "registers" => scanner.end().map(|()| dialogue.registers()),
        "ram" => dialogue.ram(scanner),
        "board" => dialogue.board(scanner),
        "display" => scanner.end().map(|()| dialogue.display()),
        "source" => scanner.end().map(|()| dialogue.listing()),
        "output" => scanner.end().map(|()| dialogue.output()),
        "stack" => scanner.end().map(|()| dialogue.stack()),
        "points" | "breakpoints" => points(dialogue, scanner, interrupt),
        _ => Err(DebugError::input(
            offset,
            "expected `registers`, `ram`, `board`, `display`, `source`, `output` or `stack`",
        )),
    }
}

impl Dialogue {
    fn registers(&mut self) {
        let machine = self.debugger.machine();
        let registers = machine.registers();
        let (sequence, a, c) = (machine.running(), registers.a, u8::from(registers.c));
        let halted = if machine.halted() { ", halted" } else { "" };
        self.say(format!("a=${a:02X} ({a})  c={c}  {}{halted}", self.instruction(sequence)));
    }

    /// Shows the bytes of a range, or of all names in RAM.
    fn ram(&mut self, scanner: &mut Scanner) -> Result {
        if !scanner.is_at_end() {
            let (first, last) = self.debugger.parser_here(None).range(scanner)?;
            scanner.end()?;
            for start in (first..=last).step_by(usize::from(ROW)) {
                let bytes = self.debugger.ram_text(start..=last.min(start + ROW - 1));
                self.say(format!("  {start:03X}  {bytes}"));
            }
            return Ok(());
        }
        let variables = self.debugger.source().variables();
        for Variable { address, size, name } in variables {
            if address < WORKING_RAM_END {
                let bytes = self.debugger.ram_text(address..=address + size.min(ROW) - 1);
                let more = if size > ROW { " …" } else { "" };
                self.say(format!("  {address:03X}  {name:<12} {bytes}{more}"));
            }
        }
        Ok(())
    }

    /// Shows each chip with its address and data, or one chip with its nets.
    fn board(&mut self, scanner: &mut Scanner) -> Result {
        let wanted = self.chip(scanner)?;
        scanner.end()?;
        let (board, machine) = (self.debugger.board(), self.debugger.machine());
        let mut text = String::new();
        for (id, chip) in board.chips.iter().enumerate() {
            if wanted.as_ref().is_some_and(|name| chip.name() != name) {
                continue;
            }
            let [address, data] = self.debugger.chip_values(id);
            let _ = writeln!(text, "  {:<8} {address:>5} -> {data}", chip.name());
            if wanted.is_some() {
                for net in chip.reads().chain(chip.data().names()) {
                    let _ = writeln!(text, "    {net:<8} {}", machine.net(net).unwrap_or(0));
                }
            }
        }
        self.reply.text += &text;
        Ok(())
    }

    fn display(&mut self) {
        for row in 0..DISPLAY_SIZE {
            let text = self.debugger.display_row(row).unwrap_or_default();
            self.say(format!("  {text}"));
        }
    }

    /// Shows the current line and the lines around it.
    fn listing(&mut self) {
        let sequence = self.debugger.machine().running();
        let source = self.debugger.source();
        let Some(frame) = source.frames(sequence).last() else {
            let text = format!("  {sequence:03X}  {}", self.source_text(sequence));
            return self.say(text);
        };
        let mut text = format!("{}:\n", visible(&frame.file));
        for number in frame.line.saturating_sub(AROUND).max(1)..=frame.line + AROUND {
            let Some(line) = source.line(&frame.file, number) else { break };
            let mark = if number == frame.line { '>' } else { ' ' };
            let _ = writeln!(text, "{}", format!("{mark} {number:>4}  {}", visible_lines(line)).trim_end());
        }
        self.reply.text += &text;
    }

    /// Shows the output of the program so far.
    fn output(&mut self) {
        let (output, sent) = self.debugger.history().output();
        let (bytes, dropped) = output.until(sent);
        let text = String::from_utf8_lossy(bytes).into_owned();
        if dropped > 0 {
            self.say(format!("({dropped} earlier bytes are not kept)"));
        }
        self.reply.text += &text;
        if !text.is_empty() && !text.ends_with('\n') {
            self.reply.text.push('\n');
        }
    }
}

impl Debugger {
    /// Bytes of RAM, in hexadecimal.
    fn ram_text(&self, addresses: RangeInclusive<u16>) -> String {
        let bytes: Vec<String> =
            addresses.map(|address| format!("{:02X}", self.machine().ram(address))).collect();
        bytes.join(" ")
    }
}
