//! Expressions over the machine: registers, RAM, nets, and the names of the program.
//!
//! Numbers and operators are the assembler's. A name of RAM stands for the byte there, `name[i]` for one further on,
//! and `ram[x]` for the byte at an address; within those brackets, and where a command wants an address, a name of
//! RAM is the address itself. An input reads as it does for a program. `net.NAME` is a net or a bus, `net.` may be left out where no name of the program
//! is in the way. A single `=` compares, as `==` does.

use crate::error::{DebugError, did_you_mean};
use crate::scan::Scan;
use crate::source::{Name, Source};
use gray1_assembler::{Operator, PrefixOperator, closest};
use gray1_machine::{ChipsEngine, Engine, Probe};

/// An expression that has been understood.
#[derive(Clone, Debug)]
pub struct Expression(Node);

#[derive(Clone, Debug)]
enum Node {
    Number(i64),
    Register(Register),
    Ram(Box<Node>),
    Net(Probe),
    Prefix(&'static PrefixOperator, Box<Node>),
    Infix(&'static Operator, Box<[Node; 2]>),
    /// A byte so many bytes behind the first of a name of RAM.
    Element(u16, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Register {
    A,
    C,
    Pc,
    Cycle,
    Phase,
    Halted,
}

const REGISTERS: [(&str, Register); 6] = [
    ("a", Register::A),
    ("c", Register::C),
    ("pc", Register::Pc),
    ("cycle", Register::Cycle),
    ("phase", Register::Phase),
    ("halted", Register::Halted),
];

/// Expressions may be nested this deeply.
const DEEPEST: usize = 100;
/// A line is not longer, in bytes, where an expression is read.
const LONGEST: usize = 4096;

impl Expression {
    /// Its value on this machine.
    pub fn value(&self, machine: &ChipsEngine) -> Result<i64, DebugError> {
        self.0.value(machine)
    }

    /// Whether its value is not 0.
    pub fn holds(&self, machine: &ChipsEngine) -> Result<bool, DebugError> {
        Ok(self.value(machine)? != 0)
    }

    /// Whether its value can change within a cycle.
    pub fn looks_at_phases(&self) -> bool {
        self.0.looks_at_phases()
    }
}

impl Node {
    fn value(&self, machine: &ChipsEngine) -> Result<i64, DebugError> {
        Ok(match self {
            Node::Number(number) => *number,
            Node::Register(register) => register.value(machine),
            Node::Ram(address) => i64::from(machine.reads((address.value(machine)? & 0xFFF) as u16)),
            Node::Net(probe) => i64::from(machine.read(probe)),
            Node::Prefix(operator, node) => (operator.apply)(node.value(machine)?)?,
            Node::Infix(operator, nodes) => {
                (operator.apply)(nodes[0].value(machine)?, nodes[1].value(machine)?)?
            }
            Node::Element(first, index) => i64::from(*first).wrapping_add(index.value(machine)?),
        })
    }

    fn looks_at_phases(&self) -> bool {
        match self {
            Node::Number(_) => false,
            Node::Register(register) => *register == Register::Phase,
            Node::Net(_) => true,
            Node::Ram(node) | Node::Prefix(_, node) | Node::Element(_, node) => node.looks_at_phases(),
            Node::Infix(_, nodes) => nodes.iter().any(Node::looks_at_phases),
        }
    }
}

impl Register {
    fn value(self, machine: &ChipsEngine) -> i64 {
        match self {
            Register::A => i64::from(machine.registers().a),
            Register::C => i64::from(machine.registers().c),
            Register::Pc => i64::from(machine.running()),
            Register::Cycle => i64::try_from(machine.cycle()).unwrap_or(i64::MAX),
            Register::Phase => i64::from(machine.phase_number()),
            Register::Halted => i64::from(machine.halted() && machine.phase_number() == 0),
        }
    }
}

/// A chain of operators is as deep as it is long, and its value is found by going down.
fn short_enough(scan: &Scan) -> Result<(), DebugError> {
    if scan.rest().len() > LONGEST {
        return Err(DebugError::input(scan.at(), format!("this is too long: write at most {LONGEST} bytes")));
    }
    Ok(())
}

/// Who understands expressions: the names of the program, and the nets of the board.
pub struct Reader<'a> {
    /// The program.
    pub source: &'a Source,
    /// The machine, for its nets.
    pub machine: &'a ChipsEngine,
}

impl Reader<'_> {
    /// Reads an expression; what follows it is left.
    pub fn expression(&self, scan: &mut Scan) -> Result<Expression, DebugError> {
        short_enough(scan)?;
        Ok(Expression(self.climb(scan, 0, false, 0)?))
    }

    /// Reads an address of RAM.
    pub fn address(&self, scan: &mut Scan) -> Result<u16, DebugError> {
        short_enough(scan)?;
        let at = scan.at();
        let value = self.climb(scan, 0, true, 0)?.value(self.machine)?;
        u16::try_from(value)
            .ok()
            .filter(|&address| address < 0x1000)
            .ok_or_else(|| DebugError::input(at, format!("{value} is not an address: they are 0 to 4095")))
    }

    fn climb(&self, scan: &mut Scan, weakest: u8, addresses: bool, depth: usize) -> Result<Node, DebugError> {
        if depth > DEEPEST {
            return Err(DebugError::input(scan.at(), "this expression is nested too deeply"));
        }
        let mut left = self.term(scan, addresses, depth)?;
        loop {
            scan.space();
            let rest = scan.rest();
            let (sign, operator) = match Operator::at(rest) {
                None if rest.starts_with('=') => ("=", Operator::at("==")),
                operator => (operator.map_or("", |operator| operator.sign), operator),
            };
            let operator = operator.filter(|operator| operator.precedence >= weakest);
            let Some(operator) = operator else { return Ok(left) };
            scan.take(sign);
            let right = self.climb(scan, operator.precedence + 1, addresses, depth + 1)?;
            left = Node::Infix(operator, Box::new([left, right]));
        }
    }

    fn term(&self, scan: &mut Scan, addresses: bool, depth: usize) -> Result<Node, DebugError> {
        scan.space();
        if depth > DEEPEST {
            return Err(DebugError::input(scan.at(), "this expression is nested too deeply"));
        }
        if let Some(operator) = PrefixOperator::at(scan.rest()) {
            scan.take(operator.sign);
            return Ok(Node::Prefix(operator, Box::new(self.term(scan, addresses, depth + 1)?)));
        }
        if scan.take("(") {
            let node = self.climb(scan, 0, addresses, depth + 1)?;
            scan.expect(")")?;
            return Ok(node);
        }
        if let Some(number) = scan.number()? {
            return Ok(Node::Number(number));
        }
        let at = scan.at();
        match scan.name() {
            Some(name) => self.named(name, at, scan, addresses, depth),
            None => Err(DebugError::input(at, "expected a number, a name or `(`")),
        }
    }

    fn named(
        &self,
        name: &str,
        at: usize,
        scan: &mut Scan,
        addresses: bool,
        depth: usize,
    ) -> Result<Node, DebugError> {
        if name == "ram" && scan.take("[") {
            let address = self.climb(scan, 0, true, depth + 1)?;
            scan.expect("]")?;
            // Where a byte is asked for, `ram[x]` is that byte, as `n` is; deeper down it is what the byte holds.
            return Ok(if addresses && depth == 0 { address } else { Node::Ram(Box::new(address)) });
        }
        // A number that the machine makes is no byte by itself: `set cycle = 5` is a slip.
        let as_number = |node| match addresses && depth == 0 {
            false => Ok(node),
            true => Err(DebugError::input(
                at,
                format!("`{name}` is no byte of RAM; `ram[{name}]` is the one at that address"),
            )),
        };
        if let Some(net) = name.strip_prefix("net.") {
            let probe = self.machine.probe(net).ok_or_else(|| self.no_net(net, at))?;
            return as_number(Node::Net(probe));
        }
        if let Some((_, register)) = REGISTERS.iter().find(|(register, _)| *register == name) {
            return as_number(Node::Register(*register));
        }
        match self.source.name(name) {
            Some(Name::Constant(value)) => Ok(Node::Number(value)),
            Some(Name::Label(place)) => Ok(Node::Number(i64::from(place))),
            Some(Name::Ram(first, _)) => {
                let mut address = Node::Number(i64::from(first));
                if scan.take("[") {
                    let index = self.climb(scan, 0, false, depth + 1)?;
                    scan.expect("]")?;
                    address = Node::Element(first, Box::new(index));
                }
                Ok(if addresses { address } else { Node::Ram(Box::new(address)) })
            }
            None => match self.machine.probe(name) {
                Some(probe) => as_number(Node::Net(probe)),
                None => Err(self.unknown(name, at)),
            },
        }
    }

    /// Clips on a net or a bus.
    pub fn net(&self, scan: &mut Scan) -> Result<(String, Probe), DebugError> {
        scan.space();
        let at = scan.at();
        let name = scan.name().ok_or_else(|| DebugError::input(at, "expected the name of a net or a bus"))?;
        let probe = self.machine.probe(name).ok_or_else(|| self.no_net(name, at))?;
        Ok((name.to_owned(), probe))
    }

    fn no_net(&self, name: &str, at: usize) -> DebugError {
        let near = closest(name, self.machine.netlist().names());
        DebugError::input(at, format!("the board has no net or bus `{name}`{}", did_you_mean(near)))
    }

    fn unknown(&self, name: &str, at: usize) -> DebugError {
        let registers = REGISTERS.iter().map(|(name, _)| *name);
        let names = registers.chain(self.source.names().map(|(name, _)| name));
        let near = closest(name, names.chain(self.machine.netlist().names()));
        DebugError::input(at, format!("there is no name `{name}`{}", did_you_mean(near)))
    }
}
