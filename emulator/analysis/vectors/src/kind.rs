//! The kinds of test cases: each instruction with its operand in each place that behaves differently, and each outcome
//! of a jump.

use gray1_isa::{INSTRUCTIONS, Opcode, Operand};

/// An instruction, and where its operand is or where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The instruction.
    pub opcode: Opcode,
    /// Its operand.
    pub access: Access,
}

/// Where an operand is, or where a jump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// In the word itself.
    Constant,
    /// In RAM where nothing else is.
    Ram,
    /// A row of the display.
    Display,
    /// The output port.
    Port,
    /// The addresses of the pads and keys, and those after them.
    Input,
    /// A jump that is taken.
    Taken,
    /// A jump that is taken, with an M that is not the parity of its target: it lands one further.
    WrongParity,
    /// A jump that is not taken.
    NotTaken,
    /// A jump that lands on itself.
    Halt,
}

impl Kind {
    /// All of them, by opcode.
    pub fn all() -> impl Iterator<Item = Kind> {
        INSTRUCTIONS.iter().flat_map(|row| {
            let opcode = row.opcode;
            Access::of(row.operand).iter().map(move |&access| Kind { opcode, access }).filter(Kind::exists)
        })
    }

    /// The name of its file, without the extension.
    pub fn name(self) -> String {
        let access = match self.access {
            Access::Constant => "constant",
            Access::Ram => "ram",
            Access::Display => "display",
            Access::Port => "port",
            Access::Input => "input",
            Access::Taken => "taken",
            Access::WrongParity => "wrong_parity",
            Access::NotTaken => "not_taken",
            Access::Halt => "halt",
        };
        format!("{}_{access}", self.opcode.row().mnemonic.to_lowercase())
    }

    fn exists(&self) -> bool {
        *self != Kind { opcode: Opcode::Jmp, access: Access::NotTaken }
    }
}

impl Access {
    fn of(operand: Operand) -> &'static [Access] {
        use Access::{Constant, Display, Halt, Input, NotTaken, Port, Ram, Taken, WrongParity};
        match operand {
            Operand::Value => &[Constant, Ram, Display, Port, Input],
            Operand::Address => &[Ram, Display, Port, Input],
            Operand::Target => &[Taken, WrongParity, NotTaken, Halt],
        }
    }
}
