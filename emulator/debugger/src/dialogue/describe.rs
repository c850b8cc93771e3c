//! How positions, instructions and meetings are put into words.

use super::Dialogue;
use crate::debugger::{Arrival, Debugger};
use crate::points::{Meeting, Subject};
use gray1_assembler::split_comment;
use gray1_machine::Engine;

impl Dialogue {
    /// Says where the machine is: position, place, registers, line.
    pub(super) fn say_where(&mut self) {
        let machine = self.debugger.machine();
        let registers = machine.registers();
        let place = machine.running();
        self.say(format!(
            "{}  {}  a={:02X} c={}  {}",
            self.debugger.position(),
            self.place(place),
            registers.a,
            u8::from(registers.c),
            self.text_of(place)
        ));
    }

    /// A place in the program: sequence number, label, line.
    pub(super) fn place(&self, place: u16) -> String {
        let source = self.debugger.source();
        let label = source.place_name(place).map_or(String::new(), |name| format!(" {name}"));
        let line = source.line_name(place).map_or(String::new(), |line| format!(" ({line})"));
        format!("pc={place:03X}{label}{line}")
    }

    /// An instruction as its line has it, or as it is disassembled.
    pub(super) fn text_of(&self, place: u16) -> String {
        let source = self.debugger.source();
        let line = source.frames(place).last().and_then(|frame| source.line(&frame.file, frame.line));
        match line {
            Some(line) => split_comment(line).0.split_whitespace().collect::<Vec<_>>().join(" "),
            None => source.image().word(place).to_string(),
        }
    }

    /// Says why a way has ended, and where.
    pub(super) fn say_arrival(&mut self, arrival: &Arrival) {
        match arrival {
            Arrival::Goal => {}
            Arrival::Halted => self.say("halted"),
            Arrival::Beginning => self.say("nothing before: this is the beginning"),
            Arrival::Limit => self.say("not halted yet"),
            Arrival::Met(meetings) => {
                for meeting in meetings {
                    let text = self.meeting(meeting);
                    self.say(text);
                }
            }
        }
        self.say_where();
    }

    fn meeting(&self, meeting: &Meeting) -> String {
        let point = &self.debugger.points()[meeting.place];
        let what = self.debugger.happening(meeting).map_or(String::new(), |what| format!(": {what}"));
        format!("point {}: {}{what}", point.number, point.title)
    }
}

impl Debugger {
    /// What has happened to the byte or the net that a watchpoint is about: `n: 03 -> 32`.
    pub fn happening(&self, meeting: &Meeting) -> Option<String> {
        let (address, old, new) = meeting.values?;
        let values = |width: usize| match old == new {
            true => format!("{new:0width$X}"),
            false => format!("{old:0width$X} -> {new:0width$X}"),
        };
        match &self.points()[meeting.place].subject {
            Subject::Net(name, _) => Some(format!("{name}: {}", values(1))),
            Subject::Ram(..) => Some(format!("{}: {}", self.source().ram_name(address), values(2))),
            Subject::Places(_) => None,
        }
    }
}
