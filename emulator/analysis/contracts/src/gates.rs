//! Levels as a network of gates, for functions whose decision diagrams become too large, such as products of wide numbers.
//! Queries about them are SMT-LIB, for any solver.

use crate::Obstacle;
use crate::levels::{Assignment, Levels, Outcome};
use gray1_logic::Variable;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// The output of a gate or its negation: the number of the gate, doubled, plus 1 if it is negated. Gate 0 is always 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate(u32);

const TRUE: Gate = Gate(0);
const FALSE: Gate = Gate(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    True,
    Variable(Variable),
    /// A multiplexer: the condition, the value where it is 1, and the value where it is 0. The first two are never
    /// negated.
    Choose(Gate, Gate, Gate),
}

/// An SMT solver, which reads SMT-LIB.
pub trait Solver {
    /// Sends definitions. The solver keeps them for later queries.
    fn define(&mut self, text: &str);
    /// Asks whether a formula is satisfiable. Returns `Some(Some(values))` with the values of these names if it is,
    /// `Some(None)` if it is not, and `None` if the solver does not know.
    fn ask(&mut self, formula: &str, names: &[String]) -> Option<Option<Vec<bool>>>;
}

/// A network of gates. Without a solver, every gate that is not constant counts as satisfiable.
pub struct Gates<'a> {
    kinds: Vec<Kind>,
    numbers: HashMap<Kind, u32>,
    solver: Option<&'a mut dyn Solver>,
    /// The number of gates that are defined in the solver.
    defined: usize,
    max_gates: usize,
    /// The formulas that must be unsatisfiable, for a file of queries.
    queries: Vec<Gate>,
}

impl<'a> Gates<'a> {
    /// Creates a network of at most this many gates.
    pub fn new(max_gates: usize, solver: Option<&'a mut dyn Solver>) -> Gates<'a> {
        let (kinds, numbers) = (vec![Kind::True], HashMap::new());
        Gates { kinds, numbers, solver, defined: 1, max_gates, queries: Vec::new() }
    }

    fn gate(&mut self, kind: Kind) -> Outcome<Gate> {
        let next = self.kinds.len();
        if next >= self.max_gates {
            return Err(Obstacle::Gates(self.max_gates));
        }
        let number = *self.numbers.entry(kind).or_insert(next as u32);
        if number as usize == next {
            self.kinds.push(kind);
        }
        Ok(Gate(2 * number))
    }

    fn kind(&self, gate: Gate) -> Kind {
        self.kinds[(gate.0 >> 1) as usize]
    }

    /// Returns the input cone of some gates, themselves included, in the order of creation.
    fn cone(&self, gates: &[Gate]) -> BTreeSet<u32> {
        let mut cone = BTreeSet::new();
        let mut left: Vec<u32> = gates.iter().map(|gate| gate.0 >> 1).collect();
        while let Some(number) = left.pop() {
            if cone.insert(number)
                && let Kind::Choose(which, high, low) = self.kinds[number as usize]
            {
                left.extend([which, high, low].map(|gate| gate.0 >> 1));
            }
        }
        cone
    }

    fn definition(&self, number: u32) -> String {
        match self.kinds[number as usize] {
            Kind::True => String::new(),
            Kind::Variable(_) => format!("(declare-const g{number} Bool)\n"),
            Kind::Choose(which, high, low) => {
                let [which, high, low] = [which, high, low].map(name);
                format!("(define-fun g{number} () Bool (ite {which} {high} {low}))\n")
            }
        }
    }

    /// Returns a file of SMT-LIB with all queries. The subject holds if every answer is `unsat`.
    pub fn question(&self, about: &str) -> String {
        let mut text = format!("; {about}: every answer has to be unsat\n(set-logic QF_UF)\n");
        for number in self.cone(&self.queries) {
            text += &self.definition(number);
        }
        for &gate in &self.queries {
            let _ = writeln!(text, "(push 1)\n(assert {})\n(check-sat)\n(pop 1)", name(gate));
        }
        text
    }
}

fn name(gate: Gate) -> String {
    match (gate, gate.0 & 1) {
        (TRUE, _) => "true".to_owned(),
        (FALSE, _) => "false".to_owned(),
        (_, 0) => format!("g{}", gate.0 >> 1),
        _ => format!("(not g{})", gate.0 >> 1),
    }
}

impl Levels for Gates<'_> {
    type Level = Gate;

    fn constant(&self, level: bool) -> Gate {
        if level { TRUE } else { FALSE }
    }

    fn variable(&mut self, variable: Variable) -> Outcome<Gate> {
        self.gate(Kind::Variable(variable))
    }

    fn not(&mut self, level: Gate) -> Gate {
        Gate(level.0 ^ 1)
    }

    fn choose(&mut self, which: Gate, high: Gate, low: Gate) -> Outcome<Gate> {
        let opposite = |gate: Gate| Gate(gate.0 ^ 1);
        let high = if high == which {
            TRUE
        } else if high == opposite(which) {
            FALSE
        } else {
            high
        };
        let low = if low == which {
            FALSE
        } else if low == opposite(which) {
            TRUE
        } else {
            low
        };
        match (which, high, low) {
            (TRUE, ..) => Ok(high),
            (FALSE, ..) => Ok(low),
            (_, TRUE, FALSE) => Ok(which),
            (_, FALSE, TRUE) => Ok(opposite(which)),
            _ if high == low => Ok(high),
            _ if which.0 & 1 == 1 => self.choose(opposite(which), low, high),
            _ if high.0 & 1 == 1 => Ok(opposite(self.choose(which, opposite(high), opposite(low))?)),
            // The operands of a conjunction are sorted.
            (_, _, FALSE) if high < which => self.gate(Kind::Choose(high, which, FALSE)),
            _ => self.gate(Kind::Choose(which, high, low)),
        }
    }

    fn assignment(&mut self, level: Gate) -> Outcome<Option<Assignment>> {
        if level == FALSE {
            return Ok(None);
        }
        let cone = self.cone(&[level]);
        let variables: Vec<(u32, Variable)> = cone
            .iter()
            .filter_map(|&number| match self.kinds[number as usize] {
                Kind::Variable(variable) => Some((number, variable)),
                _ => None,
            })
            .collect();
        let new: String =
            (self.defined..self.kinds.len()).map(|number| self.definition(number as u32)).collect();
        let Some(solver) = &mut self.solver else {
            self.queries.push(level);
            return Ok(None);
        };
        self.defined = self.kinds.len();
        solver.define(&new);
        let names: Vec<String> = variables.iter().map(|(number, _)| format!("g{number}")).collect();
        match solver.ask(&name(level), &names) {
            Some(Some(values)) => {
                Ok(Some(variables.into_iter().map(|(_, variable)| variable).zip(values).collect()))
            }
            Some(None) => Ok(None),
            None => Err(Obstacle::NoAnswer),
        }
    }

    fn value(&self, level: Gate, assignment: &Assignment) -> bool {
        let mut values: HashMap<u32, bool> = HashMap::new();
        let value_of = |gate: Gate, values: &HashMap<u32, bool>| {
            values.get(&(gate.0 >> 1)).copied().unwrap_or_default() != (gate.0 & 1 == 1)
        };
        for number in self.cone(&[level]) {
            let value = match self.kinds[number as usize] {
                Kind::True => true,
                Kind::Variable(variable) => assignment.get(&variable).copied().unwrap_or_default(),
                Kind::Choose(which, high, low) => {
                    let chosen = if value_of(which, &values) { high } else { low };
                    value_of(chosen, &values)
                }
            };
            values.insert(number, value);
        }
        value_of(level, &values)
    }

    /// Returns the level as it is. The result only serves to recognise explored states, so this only costs time.
    fn exists(&mut self, level: Gate, _: &dyn Fn(Variable) -> bool) -> Outcome<Gate> {
        Ok(level)
    }

    fn constrain(&mut self, level: Gate, _: Gate) -> Outcome<Gate> {
        Ok(level)
    }

    fn check(&self) -> Outcome<()> {
        Ok(())
    }

    fn variables_of(&self, levels: &[Gate], take: &mut dyn FnMut(Variable)) {
        for number in self.cone(levels) {
            if let Kind::Variable(variable) = self.kind(Gate(2 * number)) {
                take(variable);
            }
        }
    }

    fn is_possible(&mut self, level: Gate) -> Outcome<bool> {
        match level {
            TRUE => Ok(true),
            FALSE => Ok(false),
            _ if self.solver.is_none() => Ok(true),
            _ => Ok(self.assignment(level)?.is_some()),
        }
    }
}
