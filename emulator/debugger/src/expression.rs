//! Expressions over the machine: registers, RAM, nets, and the names of the program.
//!
//! Numbers and operators are the assembler's. A name of RAM stands for the byte there, `name[i]` for one further on,
//! and `ram[x]` for the byte at an address; within those brackets, and where a command wants an address, a name of
//! RAM is the address itself. An input reads as it does for a program. `net.NAME` is a net or a bus, `net.` may be left out where no name of the program
//! is in the way. A single `=` compares, as `==` does.

use crate::fault::{Fault, did_you_mean};
use crate::scan::Scan;
use crate::source::{Name, Source};
use gray1_assembler::closest;
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
    Unary(fn(i64) -> i64, Box<Node>),
    Binary(fn(i64, i64) -> Option<i64>, Box<[Node; 2]>),
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

type Sign = (&'static str, fn(i64) -> i64);
type Operator = (&'static str, u8, fn(i64, i64) -> Option<i64>);

/// The binary operators, a longer one before its own beginning, each with how tightly it binds.
const OPERATORS: [Operator; 19] = [
    ("||", 1, |a, b| Some(i64::from(a != 0 || b != 0))),
    ("&&", 2, |a, b| Some(i64::from(a != 0 && b != 0))),
    ("==", 3, |a, b| Some(i64::from(a == b))),
    ("!=", 3, |a, b| Some(i64::from(a != b))),
    ("<<", 7, |a, b| Some(shift(a, b))),
    (">>", 7, |a, b| Some(shift(a, b.saturating_neg()))),
    ("<=", 3, |a, b| Some(i64::from(a <= b))),
    (">=", 3, |a, b| Some(i64::from(a >= b))),
    ("<", 3, |a, b| Some(i64::from(a < b))),
    (">", 3, |a, b| Some(i64::from(a > b))),
    ("=", 3, |a, b| Some(i64::from(a == b))),
    ("|", 4, |a, b| Some(a | b)),
    ("^", 5, |a, b| Some(a ^ b)),
    ("&", 6, |a, b| Some(a & b)),
    ("+", 8, |a, b| Some(a.wrapping_add(b))),
    ("-", 8, |a, b| Some(a.wrapping_sub(b))),
    ("*", 9, |a, b| Some(a.wrapping_mul(b))),
    ("/", 9, i64::checked_div),
    ("%", 9, i64::checked_rem),
];

impl Expression {
    /// Its value on this machine.
    pub fn value(&self, machine: &ChipsEngine) -> Result<i64, Fault> {
        self.0.value(machine)
    }

    /// Whether its value can change within a cycle.
    pub fn looks_at_phases(&self) -> bool {
        self.0.looks_at_phases()
    }
}

impl Node {
    fn value(&self, machine: &ChipsEngine) -> Result<i64, Fault> {
        Ok(match self {
            Node::Number(number) => *number,
            Node::Register(register) => register.value(machine),
            Node::Ram(address) => i64::from(machine.reads((address.value(machine)? & 0xFFF) as u16)),
            Node::Net(probe) => i64::from(machine.read(probe)),
            Node::Unary(operator, node) => operator(node.value(machine)?),
            Node::Binary(operator, nodes) => {
                operator(nodes[0].value(machine)?, nodes[1].value(machine)?).ok_or(Fault::DivisionByZero)?
            }
        })
    }

    fn looks_at_phases(&self) -> bool {
        match self {
            Node::Number(_) => false,
            Node::Register(register) => *register == Register::Phase,
            Node::Net(_) => true,
            Node::Ram(node) | Node::Unary(_, node) => node.looks_at_phases(),
            Node::Binary(_, nodes) => nodes.iter().any(Node::looks_at_phases),
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
fn short_enough(scan: &Scan) -> Result<(), Fault> {
    if scan.rest().len() > LONGEST {
        return Err(Fault::text(scan.at(), format!("this is too long: write at most {LONGEST} bytes")));
    }
    Ok(())
}

/// Shifts to the left, or by a negative number to the right.
fn shift(value: i64, by: i64) -> i64 {
    match by {
        0..64 => value << by,
        64.. => 0,
        _ => value >> by.unsigned_abs().min(63),
    }
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
    pub fn expression(&self, scan: &mut Scan) -> Result<Expression, Fault> {
        short_enough(scan)?;
        Ok(Expression(self.climb(scan, 0, false, 0)?))
    }

    /// Reads an address of RAM.
    pub fn address(&self, scan: &mut Scan) -> Result<u16, Fault> {
        short_enough(scan)?;
        let at = scan.at();
        let value = self.climb(scan, 0, true, 0)?.value(self.machine)?;
        u16::try_from(value)
            .ok()
            .filter(|&address| address < 0x1000)
            .ok_or_else(|| Fault::text(at, format!("{value} is not an address: they are 0 to 4095")))
    }

    fn climb(&self, scan: &mut Scan, weakest: u8, addresses: bool, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return Err(Fault::text(scan.at(), "this expression is nested too deeply"));
        }
        let mut left = self.term(scan, addresses, depth)?;
        loop {
            scan.space();
            let rest = scan.rest();
            let is_range = rest.starts_with("..");
            let operator = OPERATORS.iter().find(|(sign, ..)| rest.starts_with(sign));
            let Some(&(sign, strength, operator)) = operator.filter(|_| !is_range) else { return Ok(left) };
            if strength < weakest {
                return Ok(left);
            }
            scan.take(sign);
            let right = self.climb(scan, strength + 1, addresses, depth + 1)?;
            left = Node::Binary(operator, Box::new([left, right]));
        }
    }

    fn term(&self, scan: &mut Scan, addresses: bool, depth: usize) -> Result<Node, Fault> {
        scan.space();
        if depth > DEEPEST {
            return Err(Fault::text(scan.at(), "this expression is nested too deeply"));
        }
        let signs: [Sign; 4] = [
            ("-", i64::wrapping_neg),
            ("+", |value| value),
            ("~", |value| !value),
            ("!", |value| i64::from(value == 0)),
        ];
        for (sign, operator) in signs {
            if scan.take(sign) {
                return Ok(Node::Unary(operator, Box::new(self.term(scan, addresses, depth + 1)?)));
            }
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
            None => Err(Fault::text(at, "expected a number, a name or `(`")),
        }
    }

    fn named(
        &self,
        name: &str,
        at: usize,
        scan: &mut Scan,
        addresses: bool,
        depth: usize,
    ) -> Result<Node, Fault> {
        if name == "ram" && scan.take("[") {
            let address = self.climb(scan, 0, true, depth + 1)?;
            scan.expect("]")?;
            // Where a byte is asked for, `ram[x]` is that byte, as `n` is; deeper down it is what the byte holds.
            return Ok(if addresses && depth == 0 { address } else { Node::Ram(Box::new(address)) });
        }
        // A number that the machine makes is no byte by itself: `set cycle = 5` is a slip.
        let as_number = |node| match addresses && depth == 0 {
            false => Ok(node),
            true => Err(Fault::text(
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
                    address = Node::Binary(|a, b| Some(a.wrapping_add(b)), Box::new([address, index]));
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
    pub fn net(&self, scan: &mut Scan) -> Result<(String, Probe), Fault> {
        scan.space();
        let at = scan.at();
        let name = scan.name().ok_or_else(|| Fault::text(at, "expected the name of a net or a bus"))?;
        let probe = self.machine.probe(name).ok_or_else(|| self.no_net(name, at))?;
        Ok((name.to_owned(), probe))
    }

    fn no_net(&self, name: &str, at: usize) -> Fault {
        let near = closest(name, self.machine.net_names());
        Fault::text(at, format!("the board has no net or bus `{name}`{}", did_you_mean(near)))
    }

    fn unknown(&self, name: &str, at: usize) -> Fault {
        let registers = REGISTERS.iter().map(|(name, _)| *name);
        let names = registers.chain(self.source.names().map(|(name, _)| name));
        let near = closest(name, names.chain(self.machine.net_names()));
        Fault::text(at, format!("there is no name `{name}`{}", did_you_mean(near)))
    }
}
