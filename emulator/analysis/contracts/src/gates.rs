//! Levels as a network of gates, for what decision diagrams are too small for: products of wide numbers, for instance.
//! Questions about them are SMT-LIB, for any solver.

use crate::Obstacle;
use crate::levels::{Example, Levels, Outcome};
use gray1_logic::Variable;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// The number of a gate, doubled, and 1 more for its opposite. Gate 0 is always 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate(u32);

const TRUE: Gate = Gate(0);
const FALSE: Gate = Gate(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    True,
    Variable(Variable),
    /// Which, and what if it is 1 and if it is 0. `which` and `high` are never opposites.
    Choose(Gate, Gate, Gate),
}

/// Whoever answers questions in SMT-LIB.
pub trait Solver {
    /// Takes definitions, which stay known.
    fn define(&mut self, text: &str);
    /// Whether a formula can be true: `Some(Some(values))` with the values of these names if it can be, `Some(None)` if
    /// it cannot, `None` without an answer.
    fn ask(&mut self, formula: &str, names: &[String]) -> Option<Option<Vec<bool>>>;
}

/// A network of gates. Without a solver, everything is taken for possible that is not known to be constant.
pub struct Gates<'a> {
    kinds: Vec<Kind>,
    numbers: HashMap<Kind, u32>,
    solver: Option<&'a mut dyn Solver>,
    /// How many gates the solver knows.
    defined: usize,
    most: usize,
    /// What was asked in the end, for a file: the formulas that must not be possible.
    pub asked: Vec<Gate>,
}

impl<'a> Gates<'a> {
    /// No gates yet, and at most this many.
    pub fn new(most: usize, solver: Option<&'a mut dyn Solver>) -> Gates<'a> {
        let (kinds, numbers) = (vec![Kind::True], HashMap::new());
        Gates { kinds, numbers, solver, defined: 1, most, asked: Vec::new() }
    }

    fn gate(&mut self, kind: Kind) -> Outcome<Gate> {
        let next = self.kinds.len();
        if next >= self.most {
            return Err(Obstacle::Gates(self.most));
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

    /// The gates on which some depend, themselves included, in the order in which they are made.
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

    /// A file of SMT-LIB that asks whether something can be true that must not be: every answer has to be `unsat`.
    pub fn question(&self, about: &str) -> String {
        let mut text = format!("; {about}: every answer has to be unsat\n(set-logic QF_UF)\n");
        for number in self.cone(&self.asked) {
            text += &self.definition(number);
        }
        for &gate in &self.asked {
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
            // `and` has two forms.
            (_, _, FALSE) if high < which => self.gate(Kind::Choose(high, which, FALSE)),
            _ => self.gate(Kind::Choose(which, high, low)),
        }
    }

    fn example(&mut self, level: Gate) -> Outcome<Option<Example>> {
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
            self.asked.push(level);
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

    fn value(&self, level: Gate, example: &Example) -> bool {
        let mut values: HashMap<u32, bool> = HashMap::new();
        for number in self.cone(&[level]) {
            let of =
                |gate: Gate| values.get(&(gate.0 >> 1)).copied().unwrap_or_default() != (gate.0 & 1 == 1);
            let value = match self.kinds[number as usize] {
                Kind::True => true,
                Kind::Variable(variable) => example.get(&variable).copied().unwrap_or_default(),
                Kind::Choose(which, high, low) => {
                    if of(which) {
                        of(high)
                    } else {
                        of(low)
                    }
                }
            };
            values.insert(number, value);
        }
        values.get(&(level.0 >> 1)).copied().unwrap_or_default() != (level.0 & 1 == 1)
    }

    /// Forgets nothing: what is asked of the result is whether there is anything new, and there may be.
    fn forget(&mut self, level: Gate, _: &dyn Fn(Variable) -> bool) -> Outcome<Gate> {
        Ok(level)
    }

    fn within(&mut self, level: Gate, _: Gate) -> Outcome<Gate> {
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
            _ => Ok(self.example(level)?.is_some()),
        }
    }
}
