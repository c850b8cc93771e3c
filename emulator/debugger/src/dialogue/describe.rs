//! The wording of positions, instructions and stops.

use super::state::Dialogue;
use crate::debugger::StopReason;
use crate::place::Place;
use gray1_machine::Engine;

impl Dialogue {
    /// The state of the machine in a line: position, location, registers, source.
    pub(super) fn location_line(&self) -> String {
        let machine = self.debugger.machine();
        let (registers, sequence) = (machine.registers(), machine.running());
        format!(
            "{}  {}  a={:02X} c={}  {}{}\n",
            self.debugger.position(),
            self.instruction(sequence),
            registers.a,
            u8::from(registers.c),
            self.source_text(sequence),
            self.called_from()
        )
    }

    /// The routine that the machine is in, and where it was called: `; in inner, called at line 12 in outer`.
    fn called_from(&self) -> String {
        let source = self.debugger.source();
        let Some(routine) = source.routine(self.debugger.machine().running()) else { return String::new() };
        self.debugger.calls().fold(format!("  ; in {routine}"), |text, (line, routine)| {
            let within = routine.map_or(String::new(), |routine| format!(" in {routine}"));
            format!("{text}, called at line {line}{within}")
        })
    }

    /// Prints the call stack, the innermost call first: the current instruction, and the calling instructions.
    pub(super) fn stack(&mut self) {
        let now = self.debugger.machine().running();
        let stack: Vec<u16> = std::iter::once(now).chain(self.debugger.callers()).collect();
        let places: Vec<Place> =
            stack.iter().map(|&sequence| self.debugger.source().place(sequence)).collect();
        self.set_field("stack", places);
        for sequence in stack {
            let routine = self.debugger.source().routine(sequence).unwrap_or("-");
            let line =
                format!("  {routine:<16} {}  {}", self.instruction(sequence), self.source_text(sequence));
            self.say(line);
        }
    }

    /// An instruction: its sequence number, label and line.
    pub(super) fn instruction(&self, sequence: u16) -> String {
        let source = self.debugger.source();
        let label = source.location_name(sequence).map_or(String::new(), |name| format!(" {name}"));
        let line = source.line_name(sequence).map_or(String::new(), |line| format!(" ({line})"));
        format!("pc={sequence:03X}{label}{line}")
    }

    /// The source text of an instruction, or its disassembly.
    pub(super) fn source_text(&self, sequence: u16) -> String {
        let source = self.debugger.source();
        source.line_text(sequence).unwrap_or_else(|| source.instruction(sequence))
    }

    /// Reports why the machine has stopped, and where.
    pub(super) fn say_stop(&mut self, reason: &StopReason) {
        match reason {
            StopReason::Target => {}
            StopReason::Halted => {
                let stuck = self.debugger.stuck();
                self.say(stuck.map_or("halted".to_owned(), |why| format!("halted: {why}")));
            }
            StopReason::Beginning => self.say("this is the beginning of the run"),
            StopReason::Limit => self.say("not halted yet"),
            StopReason::Breakpoints(hits) => {
                for hit in hits {
                    self.say(format!("point {}: {}", hit.breakpoint, self.debugger.describe_hit(hit)));
                }
                self.debugger.remove_temporary(hits);
            }
        }
        for index in 0..self.displayed.len() {
            let (text, expression) = &self.displayed[index];
            let text = match expression.value(self.debugger.machine()) {
                Ok(value) => format!("  {text} = {value} (${value:02X})"),
                Err(error) => format!("  {text}: {error}"),
            };
            self.say(text);
        }
        self.reply.location = Some(self.location_line());
    }
}
