//! Disassembly of words, with the names of the program.
//!
//! Many constants can have the same value. So the name of a constant is used only if the source line of the word
//! mentions it and it has the value of the operand. Bytes of RAM and labels are named by their address.

use crate::source::{Name, Source};
use gray1_assembler::split_comment;
use gray1_isa::{Operand, Word};

impl Source {
    /// The instruction with this sequence number.
    pub fn instruction(&self, sequence: u16) -> String {
        self.disassembled(self.image().word(sequence), Some(sequence))
    }

    /// The same in the syntax of the assembler: `STA RED+3` instead of `STA RED[3]`.
    pub fn assembler_instruction(&self, sequence: u16) -> String {
        self.instruction(sequence).replace('[', "+").replace(']', "")
    }

    /// A word as an instruction; `sequence` is its sequence number, if the word is part of the program.
    pub fn disassembled(&self, word: Word, sequence: Option<u16>) -> String {
        let row = word.opcode().row();
        let mentioned = sequence.and_then(|sequence| self.mentioned(word, sequence));
        let name = match (row.operand, word.landing()) {
            (Operand::Value, _) if word.m() => mentioned.map(|name| format!("#{name}")),
            (_, Some(landing)) => Some(self.landing_name(landing, sequence)),
            _ => mentioned.map(str::to_owned).or_else(|| self.named_byte(word.x())),
        };
        name.map_or_else(|| word.to_string(), |name| format!("{} {name}", row.mnemonic))
    }

    /// The name that the line of an instruction mentions for its operand; `None` if there is none, or more than one.
    fn mentioned(&self, word: Word, sequence: u16) -> Option<&str> {
        let frame = self.frames(sequence).last()?;
        let code = split_comment(self.line(&frame.file, frame.line)?).0;
        let is_number = word.opcode().row().operand == Operand::Value && word.m();
        let is_meant = |name: Name| match name {
            // A byte can be written as a negative number.
            Name::Constant(value) if is_number => {
                (-128..256).contains(&value) && value & 0xFF == i64::from(word.x())
            }
            Name::Address(address) => !is_number && address == word.x(),
            _ => false,
        };
        let words = code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let mut names: Vec<&str> = words
            .filter_map(|name| self.names.get_key_value(name))
            .filter(|(_, meaning)| is_meant(**meaning))
            .map(|(name, _)| name.as_str())
            .collect();
        names.dedup();
        if let [name] = names[..] { Some(name) } else { None }
    }

    /// The name of a jump's target. Beyond the code of the program, a distance from its last label would be
    /// meaningless.
    fn landing_name(&self, landing: u16, sequence: Option<u16>) -> String {
        let has_line = sequence.is_some_and(|sequence| !self.frames(sequence).is_empty());
        let label = self.nearest_label(landing).filter(|(_, offset)| *offset == 0 || has_line);
        label.and_then(|_| self.location_name(landing)).unwrap_or_else(|| format!("${landing:03X}"))
    }
}
