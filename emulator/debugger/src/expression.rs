//! Expressions over the machine: registers, RAM, nets, and the names of the program.
//!
//! Numbers and operators are those of the assembler; a single `=` compares, as `==` does. A name in RAM stands for the
//! byte there, `name[i]` for the byte `i` places after it, and `ram[x]` for the byte at an address. Within `ram[]`, and
//! where a command expects an address, a name in RAM is the address itself. An input has the value that a program would
//! read. `net.NAME` is a net or a bus; `net.` may be omitted if the program has no such name.

use crate::error::{DebugError, did_you_mean, require};
use crate::scanner::Scanner;
use crate::source::{Name, Source};
use crate::view::View;
use gray1_assembler::closest;
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use gray1_machine::{ChipsEngine, Probe};
use gray1_text::{Expression as Tree, Grammar, GrammarError, Operation, Operator};

/// An expression that has been parsed.
#[derive(Clone, Debug)]
pub struct Expression(Node);

type Node = Tree<Place>;

/// A value of the machine.
#[derive(Clone, Debug)]
enum Place {
    Register(&'static Register),
    Ram(Box<Node>),
    Net(Probe),
    /// The address of the byte with this index in a block.
    Element(Box<Block>, Box<Node>),
}

/// The bytes that a name stands for.
#[derive(Clone, Debug)]
struct Block {
    name: String,
    first: u16,
    size: u16,
}

/// The numbers that can be read from the machine.
type Register = (&'static str, fn(&dyn View) -> i64);

const REGISTERS: &[Register] = &[
    ("a", |machine| i64::from(machine.registers().a)),
    ("c", |machine| i64::from(machine.registers().c)),
    ("pc", |machine| i64::from(machine.running())),
    ("cycle", |machine| i64::try_from(machine.cycle()).unwrap_or(i64::MAX)),
    ("phase", |machine| i64::from(machine.phase())),
    ("halted", |machine| i64::from(machine.halted() && machine.phase() == 0)),
];

impl Expression {
    /// Its value on this machine.
    pub fn value(&self, machine: &ChipsEngine) -> Result<i64, DebugError> {
        value(&self.0, machine)
    }

    /// Whether its value is not 0.
    pub(crate) fn holds(&self, machine: &dyn View) -> Result<bool, DebugError> {
        Ok(value(&self.0, machine)? != 0)
    }

    /// The bytes of RAM that it depends on; `None` if it depends on anything else.
    pub(crate) fn stored_bytes(&self) -> Option<Vec<u16>> {
        let mut addresses = Vec::new();
        depends_on_ram(&self.0, &mut addresses).then_some(addresses)
    }

    /// A hint for users who expect a sum such as `RED+3` to be the byte at that address, as it is in a program.
    pub fn hint(&self, source: &Source, machine: &ChipsEngine) -> Option<String> {
        let Tree::Operation(Operation::Infix(Operator { sign: "+", .. }), operands) = &self.0 else {
            return None;
        };
        let [Tree::Name(Place::Ram(address)), Tree::Number(index)] = &operands[..] else { return None };
        let Tree::Number(first) = **address else { return None };
        let (first, index) = (address_of(first).ok()?, u16::try_from(*index).ok()?);
        if index == 0 || index >= source.room(first) {
            return None;
        }
        let byte = machine.reads(first + index);
        Some(format!("the byte `{}` is {byte} (${byte:02X})", source.ram_name(first + index)))
    }

    /// Whether its value can change within a cycle.
    pub(crate) fn looks_at_phases(&self) -> bool {
        looks_at_phases(&self.0)
    }
}

fn value(node: &Node, machine: &dyn View) -> Result<i64, DebugError> {
    node.evaluate(&mut |place: &Place| {
        Ok(match place {
            Place::Register((_, read)) => read(machine),
            Place::Ram(address) => i64::from(machine.reads(address_of(value(address, machine)?)?)),
            Place::Net(probe) => i64::from(machine.net(probe).ok_or(DebugError::NoBoard)?),
            Place::Element(block, index) => {
                let index = value(index, machine)?;
                if !(0..i64::from(block.size)).contains(&index) {
                    let (name, room) = (block.name.clone(), block.size);
                    return Err(DebugError::Element { name, index, room });
                }
                i64::from(block.first) + index
            }
        })
    })
}

/// Whether the value depends on bytes of RAM alone; adds their addresses.
fn depends_on_ram(node: &Node, addresses: &mut Vec<u16>) -> bool {
    node.parts().into_iter().all(|part| match part {
        Tree::Name(Place::Ram(address)) => {
            let address = fixed_address(address).filter(|&address| address < INPUTS);
            addresses.extend(address);
            address.is_some()
        }
        Tree::Name(_) => false,
        Tree::Number(_) | Tree::Operation(..) => true,
    })
}

/// The address, if it does not depend on the machine's state.
fn fixed_address(node: &Node) -> Option<u16> {
    match node {
        Tree::Number(address) => address_of(*address).ok(),
        Tree::Name(Place::Element(block, index)) => match **index {
            Tree::Number(index) if (0..i64::from(block.size)).contains(&index) => {
                Some(block.first + index as u16)
            }
            _ => None,
        },
        _ => None,
    }
}

fn looks_at_phases(node: &Node) -> bool {
    node.parts().into_iter().any(|part| match part {
        Tree::Name(Place::Register((name, _))) => *name == "phase",
        Tree::Name(Place::Net(_)) => true,
        Tree::Name(Place::Ram(inner) | Place::Element(_, inner)) => looks_at_phases(inner),
        Tree::Number(_) | Tree::Operation(..) => false,
    })
}

/// A value as an address of RAM.
fn address_of(value: i64) -> Result<u16, DebugError> {
    let address = u16::try_from(value).ok().filter(|&address| usize::from(address) < RAM_BYTES);
    address.ok_or(DebugError::Address(value))
}

/// A parser for expressions with the names of a program and the nets of a board.
pub struct Parser<'a> {
    pub(crate) source: &'a Source,
    pub(crate) machine: &'a ChipsEngine,
    /// Parameters and counters, whose values are valid in one expansion only.
    pub(crate) locals: Vec<(String, Name)>,
    /// Those of the enclosing frames, for names that have no other meaning: a macro does not see the names of its
    /// caller, but the user may want to.
    pub(crate) around: Vec<(String, Name)>,
}

impl Parser<'_> {
    /// Parses a text that is an expression and nothing else.
    pub fn whole(&self, text: &str) -> Result<Expression, DebugError> {
        Scanner::whole(text, |scanner| self.expression(scanner))
    }

    /// Parses an expression; other text may follow it.
    pub fn expression(&self, scanner: &mut Scanner) -> Result<Expression, DebugError> {
        Ok(Expression(Reading { parser: self, scanner, is_address: false }.expression(0)?))
    }

    /// Parses an address of RAM.
    pub fn address(&self, scanner: &mut Scanner) -> Result<u16, DebugError> {
        let offset = scanner.offset();
        let address = Reading { parser: self, scanner, is_address: true }.expression(0)?;
        value(&address, self.machine)
            .and_then(address_of)
            .map_err(|error| DebugError::input(offset, error.to_string()))
    }

    /// Parses the name of a net or a bus.
    pub fn net(&self, scanner: &mut Scanner) -> Result<(String, Probe), DebugError> {
        let offset = scanner.offset();
        let name = require(scanner.name(), offset, "expected the name of a net or a bus")?;
        Ok((name.to_owned(), self.probe(name, offset)?))
    }

    /// Looks up a name. A local name hides one of the program.
    pub fn meaning(&self, name: &str) -> Option<Name> {
        let among = |locals: &[(String, Name)]| {
            locals.iter().find(|(local, _)| local == name).map(|(_, meaning)| *meaning)
        };
        let label = || self.source.name(self.source.local_label(name, self.machine.running())?);
        let known = among(&self.locals).or_else(|| self.source.name(name)).or_else(label);
        known.or_else(|| among(&self.around))
    }

    fn probe(&self, net: &str, offset: usize) -> Result<Probe, DebugError> {
        self.machine.probe(net).ok_or_else(|| {
            let near = did_you_mean(closest(net, self.machine.netlist().names()));
            DebugError::input(offset, format!("the board has no net or bus `{net}`{near}"))
        })
    }

    fn unknown(&self, name: &str, offset: usize) -> DebugError {
        let registers = REGISTERS.iter().map(|(name, _)| *name);
        let names = registers.chain(self.source.names().map(|(name, _)| name));
        let near = did_you_mean(closest(name, names.chain(self.machine.netlist().names())));
        DebugError::input(offset, format!("there is no name `{name}`{near}"))
    }
}

/// A scanner that reads an expression, or the address of a byte.
struct Reading<'a, 'm, 't> {
    parser: &'a Parser<'m>,
    scanner: &'a mut Scanner<'t>,
    is_address: bool,
}

impl Grammar for Reading<'_, '_, '_> {
    type Name = Place;
    type Error = DebugError;

    fn rest(&mut self) -> &str {
        self.scanner.offset();
        self.scanner.rest()
    }

    fn advance(&mut self, length: usize) {
        self.scanner.advance(length);
    }

    fn error(&mut self, error: GrammarError) -> DebugError {
        DebugError::input(self.scanner.offset(), error.to_string())
    }

    /// A single `=` compares, too.
    fn operator(&mut self) -> Option<(usize, &'static Operator)> {
        let rest = self.rest();
        match Operator::at(rest) {
            None if rest.starts_with('=') => Operator::at("==").map(|equal| (1, equal)),
            operator => operator.map(|operator| (operator.sign.len(), operator)),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, DebugError> {
        let offset = self.scanner.offset();
        if let Some(number) = self.scanner.number()? {
            return Ok(Tree::Number(number));
        }
        let Some(name) = self.scanner.name() else { return Err(self.error(GrammarError::NoValue)) };
        self.named(name, offset, depth)
    }
}

impl Reading<'_, '_, '_> {
    fn named(&mut self, name: &str, offset: usize, depth: usize) -> Result<Node, DebugError> {
        let (parser, is_address) = (self.parser, self.is_address);
        // Within a larger address expression, such as `ram[cycle + 1]`, any name may be used as a number.
        let is_byte = is_address && depth == 0;
        if name == "ram" && self.scanner.take("[") {
            let address = self.index(true, depth)?;
            return Ok(if is_byte { *address } else { Tree::Name(Place::Ram(address)) });
        }
        let register = REGISTERS.iter().find(|(register, _)| *register == name);
        let place = match (name.strip_prefix("net."), register, parser.meaning(name)) {
            (Some(net), ..) => Place::Net(parser.probe(net, offset)?),
            (_, Some(register), _) => Place::Register(register),
            (.., Some(Name::Constant(value))) => return Ok(Tree::Number(value)),
            (.., Some(Name::Label(_))) if is_address => {
                let message = format!("`{name}` is a label: the program is not in RAM");
                return Err(DebugError::input(offset, message));
            }
            (.., Some(Name::Label(sequence))) => return Ok(Tree::Number(i64::from(sequence))),
            (.., Some(Name::Ram(first, _) | Name::Address(first))) => {
                let address = if self.scanner.take("[") {
                    let block = Block { name: name.to_owned(), first, size: parser.source.room(first) };
                    Tree::Name(Place::Element(Box::new(block), self.index(false, depth)?))
                } else {
                    Tree::Number(i64::from(first))
                };
                return Ok(if is_address { address } else { Tree::Name(Place::Ram(Box::new(address))) });
            }
            (None, None, None) => {
                let probe = parser.machine.probe(name);
                Place::Net(probe.ok_or_else(|| parser.unknown(name, offset))?)
            }
        };
        // Otherwise `set cycle = 5` would take the number of the cycle as an address and change the byte there.
        let message = || format!("`{name}` is not a byte of RAM; `ram[{name}]` is the byte at that address");
        if is_byte { Err(DebugError::input(offset, message())) } else { Ok(Tree::Name(place)) }
    }

    /// Parses an index up to the closing bracket.
    fn index(&mut self, is_address: bool, depth: usize) -> Result<Box<Node>, DebugError> {
        let (parser, scanner) = (self.parser, &mut *self.scanner);
        let mut reading = Reading { parser, scanner, is_address };
        let index = reading.expression(depth + 1)?;
        reading.expect("]").map(|()| Box::new(index))
    }
}
