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
use gray1_assembler::{Operator, PrefixOperator, closest};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use gray1_machine::{ChipsEngine, Probe};

/// An expression that has been parsed.
#[derive(Clone, Debug)]
pub struct Expression(Node);

#[derive(Clone, Debug)]
enum Node {
    Number(i64),
    Register(&'static Register),
    Ram(Box<Node>),
    Net(Probe),
    Prefix(&'static PrefixOperator, Box<Node>),
    Infix(&'static Operator, Box<[Node; 2]>),
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

static REGISTERS: [Register; 6] = [
    ("a", |machine| i64::from(machine.registers().a)),
    ("c", |machine| i64::from(machine.registers().c)),
    ("pc", |machine| i64::from(machine.running())),
    ("cycle", |machine| i64::try_from(machine.cycle()).unwrap_or(i64::MAX)),
    ("phase", |machine| i64::from(machine.phase())),
    ("halted", |machine| i64::from(machine.halted() && machine.phase() == 0)),
];

/// The maximum depth of nested expressions, because the parser is recursive.
const MAX_DEPTH: usize = 100;
/// The maximum length of an expression in bytes: a chain of operators makes a tree as deep as the chain is long, and
/// evaluation is recursive.
const MAX_LENGTH: usize = 4096;

impl Expression {
    /// Its value on this machine.
    pub fn value(&self, machine: &ChipsEngine) -> Result<i64, DebugError> {
        self.0.value(machine)
    }

    /// Whether its value is not 0.
    pub(crate) fn holds(&self, machine: &dyn View) -> Result<bool, DebugError> {
        Ok(self.0.value(machine)? != 0)
    }

    /// The bytes of RAM that it depends on; `None` if it depends on anything else.
    pub(crate) fn stored_bytes(&self) -> Option<Vec<u16>> {
        let mut addresses = Vec::new();
        self.0.depends_on_ram(&mut addresses).then_some(addresses)
    }

    /// A hint for users who expect a sum such as `RED+3` to be the byte at that address, as it is in a program.
    pub fn hint(&self, source: &Source, machine: &ChipsEngine) -> Option<String> {
        let Node::Infix(operator, nodes) = &self.0 else { return None };
        let (Node::Ram(address), Node::Number(index)) = (&nodes[0], &nodes[1]) else { return None };
        let Node::Number(first) = **address else { return None };
        let (first, index) = (address_of(first).ok()?, u16::try_from(*index).ok()?);
        if operator.sign != "+" || index == 0 || index >= source.room(first) {
            return None;
        }
        let byte = machine.reads(first + index);
        Some(format!("the byte `{}` is {byte} (${byte:02X})", source.ram_name(first + index)))
    }

    /// Whether its value can change within a cycle.
    pub(crate) fn looks_at_phases(&self) -> bool {
        self.0.looks_at_phases()
    }
}

impl Node {
    fn value(&self, machine: &dyn View) -> Result<i64, DebugError> {
        Ok(match self {
            Node::Number(number) => *number,
            Node::Register((_, read)) => read(machine),
            Node::Ram(address) => i64::from(machine.reads(address_of(address.value(machine)?)?)),
            Node::Net(probe) => i64::from(machine.net(probe).ok_or(DebugError::NoBoard)?),
            Node::Prefix(operator, node) => (operator.apply)(node.value(machine)?)?,
            Node::Infix(operator, nodes) => {
                (operator.apply)(nodes[0].value(machine)?, nodes[1].value(machine)?)?
            }
            Node::Element(block, index) => {
                let index = index.value(machine)?;
                if !(0..i64::from(block.size)).contains(&index) {
                    let (name, room) = (block.name.clone(), block.size);
                    return Err(DebugError::Element { name, index, room });
                }
                i64::from(block.first) + index
            }
        })
    }

    /// Whether the value depends on bytes of RAM alone; adds their addresses.
    fn depends_on_ram(&self, addresses: &mut Vec<u16>) -> bool {
        match self {
            Node::Number(_) => true,
            Node::Register(_) | Node::Net(_) | Node::Element(..) => false,
            Node::Ram(address) => {
                let address = address.fixed_address().filter(|&address| address < INPUTS);
                addresses.extend(address);
                address.is_some()
            }
            Node::Prefix(_, node) => node.depends_on_ram(addresses),
            Node::Infix(_, nodes) => nodes.iter().all(|node| node.depends_on_ram(addresses)),
        }
    }

    /// The address, if it does not depend on the machine's state.
    fn fixed_address(&self) -> Option<u16> {
        match self {
            Node::Number(address) => address_of(*address).ok(),
            Node::Element(block, index) => match **index {
                Node::Number(index) if (0..i64::from(block.size)).contains(&index) => {
                    Some(block.first + index as u16)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn looks_at_phases(&self) -> bool {
        match self {
            Node::Number(_) => false,
            Node::Register((name, _)) => *name == "phase",
            Node::Net(_) => true,
            Node::Ram(node) | Node::Prefix(_, node) | Node::Element(_, node) => node.looks_at_phases(),
            Node::Infix(_, nodes) => nodes.iter().any(Node::looks_at_phases),
        }
    }
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
        Ok(Expression(self.parse(scanner, false)?))
    }

    /// Parses an address of RAM.
    pub fn address(&self, scanner: &mut Scanner) -> Result<u16, DebugError> {
        let offset = scanner.offset();
        let value = self.parse(scanner, true)?.value(self.machine);
        value.and_then(address_of).map_err(|error| DebugError::input(offset, error.to_string()))
    }

    /// Parses the name of a net or a bus.
    pub fn net(&self, scanner: &mut Scanner) -> Result<(String, Probe), DebugError> {
        let offset = scanner.offset();
        let name = require(scanner.name(), offset, "expected the name of a net or a bus")?;
        Ok((name.to_owned(), self.probe(name, offset)?))
    }

    /// Parses an expression, or the address of a byte.
    fn parse(&self, scanner: &mut Scanner, is_address: bool) -> Result<Node, DebugError> {
        let offset = scanner.offset();
        if scanner.rest().len() > MAX_LENGTH {
            let message = format!("this is too long: write at most {MAX_LENGTH} bytes");
            return Err(DebugError::input(offset, message));
        }
        self.infix(scanner, 0, is_address, 0)
    }

    /// Parses operators of at least this precedence, and their operands.
    fn infix(
        &self,
        scanner: &mut Scanner,
        weakest: u8,
        is_address: bool,
        depth: usize,
    ) -> Result<Node, DebugError> {
        let mut left = self.operand(scanner, is_address, depth)?;
        loop {
            scanner.offset();
            let rest = scanner.rest();
            let (sign, operator) = match Operator::at(rest) {
                None if rest.starts_with('=') => ("=", Operator::at("==")),
                operator => (operator.map_or("", |operator| operator.sign), operator),
            };
            let operator = operator.filter(|operator| operator.precedence >= weakest);
            let Some(operator) = operator else { return Ok(left) };
            scanner.take(sign);
            let right = self.infix(scanner, operator.precedence + 1, is_address, depth + 1)?;
            left = Node::Infix(operator, Box::new([left, right]));
        }
    }

    fn operand(&self, scanner: &mut Scanner, is_address: bool, depth: usize) -> Result<Node, DebugError> {
        let offset = scanner.offset();
        if depth > MAX_DEPTH {
            return Err(DebugError::input(offset, "this expression is nested too deeply"));
        }
        if let Some(operator) = PrefixOperator::at(scanner.rest()) {
            scanner.take(operator.sign);
            return Ok(Node::Prefix(operator, Box::new(self.operand(scanner, is_address, depth + 1)?)));
        }
        if scanner.take("(") {
            let node = self.infix(scanner, 0, is_address, depth + 1)?;
            scanner.expect(")")?;
            return Ok(node);
        }
        if let Some(number) = scanner.number()? {
            return Ok(Node::Number(number));
        }
        let name = require(scanner.name(), offset, "expected a number, a name or `(`")?;
        self.named(name, offset, scanner, is_address, depth)
    }

    fn named(
        &self,
        name: &str,
        offset: usize,
        scanner: &mut Scanner,
        is_address: bool,
        depth: usize,
    ) -> Result<Node, DebugError> {
        // Within a larger address expression, such as `ram[cycle + 1]`, any name may be used as a number.
        let is_byte = is_address && depth == 0;
        let index = |scanner: &mut Scanner, is_address| {
            let index = self.infix(scanner, 0, is_address, depth + 1)?;
            scanner.expect("]").map(|()| Box::new(index))
        };
        if name == "ram" && scanner.take("[") {
            let address = index(scanner, true)?;
            return Ok(if is_byte { *address } else { Node::Ram(address) });
        }
        let register = REGISTERS.iter().find(|(register, _)| *register == name);
        let number = match (name.strip_prefix("net."), register, self.meaning(name)) {
            (Some(net), ..) => Node::Net(self.probe(net, offset)?),
            (_, Some(register), _) => Node::Register(register),
            (.., Some(Name::Constant(value))) => return Ok(Node::Number(value)),
            (.., Some(Name::Label(_))) if is_address => {
                let message = format!("`{name}` is a label: the program is not in RAM");
                return Err(DebugError::input(offset, message));
            }
            (.., Some(Name::Label(sequence))) => return Ok(Node::Number(i64::from(sequence))),
            (.., Some(Name::Ram(first, _) | Name::Address(first))) => {
                let address = if scanner.take("[") {
                    let block = Block { name: name.to_owned(), first, size: self.source.room(first) };
                    Node::Element(Box::new(block), index(scanner, false)?)
                } else {
                    Node::Number(i64::from(first))
                };
                return Ok(if is_address { address } else { Node::Ram(Box::new(address)) });
            }
            (None, None, None) => {
                Node::Net(self.machine.probe(name).ok_or_else(|| self.unknown(name, offset))?)
            }
        };
        // Otherwise `set cycle = 5` would take the number of the cycle as an address and change the byte there.
        let message = || format!("`{name}` is not a byte of RAM; `ram[{name}]` is the byte at that address");
        if is_byte { Err(DebugError::input(offset, message())) } else { Ok(number) }
    }

    /// What a name stands for. A local name hides one of the program.
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
