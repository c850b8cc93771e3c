//! Binary decision diagrams: functions of variables that are 0 or 1. Each function is stored once, so equal functions
//! have equal numbers.
//!
//! A node tests one variable and points to the functions that remain if it is 0 and if it is 1. On every path down, the
//! variables come in the order of their numbers; that order determines the size of the diagrams.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A function, by the number of its uppermost node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Function(u32);

/// The number of a variable: small numbers are tested first.
pub(crate) type Variable = u32;

/// The limit on the number of nodes has been reached; this is the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge(pub usize);

pub(crate) type Result<T> = std::result::Result<T, TooLarge>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: Variable,
    low: Function,
    high: Function,
}

/// All functions of one proof.
#[derive(Clone)]
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Function, Quick>,
    chosen: HashMap<[Function; 3], Function, Quick>,
    /// The maximum number of nodes.
    most: usize,
}

impl Diagrams {
    pub fn new(most: usize) -> Diagrams {
        let end = |number| Node { variable: Variable::MAX, low: Function(number), high: Function(number) };
        let nodes = vec![end(0), end(1)];
        Diagrams { nodes, numbers: HashMap::default(), chosen: HashMap::default(), most }
    }

    pub fn variable(&mut self, variable: Variable) -> Result<Function> {
        self.node(variable, FALSE, TRUE)
    }

    /// The function that is `low` where a variable is 0 and `high` where it is 1; both test later variables only.
    pub fn node(&mut self, variable: Variable, low: Function, high: Function) -> Result<Function> {
        if low == high {
            return Ok(low);
        }
        let node = Node { variable, low, high };
        if let Some(&known) = self.numbers.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= self.most {
            return Err(TooLarge(self.most));
        }
        let number = Function(self.nodes.len() as u32);
        self.nodes.push(node);
        self.numbers.insert(node, number);
        Ok(number)
    }

    /// `high` where `which` is 1, `low` where it is 0.
    pub fn choose(&mut self, which: Function, high: Function, low: Function) -> Result<Function> {
        match (which, high, low) {
            (TRUE, ..) => return Ok(high),
            (FALSE, ..) => return Ok(low),
            (_, TRUE, FALSE) => return Ok(which),
            _ if high == low => return Ok(high),
            _ => {}
        }
        if let Some(&known) = self.chosen.get(&[which, high, low]) {
            return Ok(known);
        }
        let all = [which, high, low];
        let variable = all.map(|function| self.first(function)).into_iter().min().unwrap_or(Variable::MAX);
        let [low_which, low_high, low_low] = all.map(|function| self.half(function, variable, false));
        let [high_which, high_high, high_low] = all.map(|function| self.half(function, variable, true));
        let below = self.choose(low_which, low_high, low_low)?;
        let above = self.choose(high_which, high_high, high_low)?;
        let chosen = self.node(variable, below, above)?;
        self.chosen.insert(all, chosen);
        Ok(chosen)
    }

    pub fn not(&mut self, function: Function) -> Result<Function> {
        self.choose(function, FALSE, TRUE)
    }

    pub fn and(&mut self, one: Function, other: Function) -> Result<Function> {
        self.choose(one, other, FALSE)
    }

    pub fn or(&mut self, one: Function, other: Function) -> Result<Function> {
        self.choose(one, TRUE, other)
    }

    /// Where two functions differ.
    pub fn differ(&mut self, one: Function, other: Function) -> Result<Function> {
        let not = self.not(other)?;
        self.choose(one, not, other)
    }

    /// The function with a variable replaced by another function.
    pub fn replace(&mut self, function: Function, variable: Function, by: Function) -> Result<Function> {
        self.replaced(function, self.first(variable), by, &mut HashMap::default())
    }

    fn replaced(
        &mut self,
        function: Function,
        variable: Variable,
        by: Function,
        known: &mut HashMap<Function, Function, Quick>,
    ) -> Result<Function> {
        let Node { variable: first, low, high } = self.nodes[function.0 as usize];
        if first > variable {
            return Ok(function);
        }
        if first == variable {
            return self.choose(by, high, low);
        }
        if let Some(&known) = known.get(&function) {
            return Ok(known);
        }
        let low = self.replaced(low, variable, by, known)?;
        let high = self.replaced(high, variable, by, known)?;
        let asked = self.variable(first)?;
        let replaced = self.choose(asked, high, low)?;
        known.insert(function, replaced);
        Ok(replaced)
    }

    /// A function from other diagrams, with its variables replaced by functions of these diagrams.
    pub fn compose<E: From<TooLarge>>(
        &mut self,
        others: &Diagrams,
        function: Function,
        by: &impl Fn(Variable) -> std::result::Result<Function, E>,
        known: &mut HashMap<Function, Function, Quick>,
    ) -> std::result::Result<Function, E> {
        if function <= TRUE {
            return Ok(function);
        }
        if let Some(&known) = known.get(&function) {
            return Ok(known);
        }
        let (variable, low, high) = others.split(function);
        let composed = match by(variable)? {
            FALSE => self.compose(others, low, by, known)?,
            TRUE => self.compose(others, high, by, known)?,
            which => {
                let low = self.compose(others, low, by, known)?;
                let high = self.compose(others, high, by, known)?;
                self.choose(which, high, low)?
            }
        };
        known.insert(function, composed);
        Ok(composed)
    }

    /// A function that is equal to this one where `states` is 1, and arbitrary elsewhere: if this one is constant
    /// there, the result is constant. `states` must be 1 somewhere.
    pub fn constrain(&mut self, function: Function, states: Function) -> Result<Function> {
        self.constrained(function, states, &mut HashMap::default())
    }

    fn constrained(
        &mut self,
        function: Function,
        states: Function,
        known: &mut HashMap<(Function, Function), Function>,
    ) -> Result<Function> {
        if function <= TRUE || states == TRUE {
            return Ok(function);
        }
        if function == states {
            return Ok(TRUE);
        }
        if let Some(&known) = known.get(&(function, states)) {
            return Ok(known);
        }
        let variable = self.first(function).min(self.first(states));
        let [low, high] = [false, true].map(|level| self.half(states, variable, level));
        let constrained = match (low, high) {
            (FALSE, _) => self.constrained(self.half(function, variable, true), high, known)?,
            (_, FALSE) => self.constrained(self.half(function, variable, false), low, known)?,
            _ => {
                let below = self.constrained(self.half(function, variable, false), low, known)?;
                let above = self.constrained(self.half(function, variable, true), high, known)?;
                self.node(variable, below, above)?
            }
        };
        known.insert((function, states), constrained);
        Ok(constrained)
    }

    /// The value of a function for given values of its variables.
    pub fn value(&self, mut function: Function, level: impl Fn(Variable) -> bool) -> bool {
        while function > TRUE {
            let node = self.nodes[function.0 as usize];
            function = if level(node.variable) { node.high } else { node.low };
        }
        function == TRUE
    }

    /// Levels of variables for which a function is 1, if there are any; other variables do not matter.
    pub fn witness(&self, mut function: Function) -> Vec<(Variable, bool)> {
        let mut levels = Vec::new();
        while function > TRUE {
            let node = self.nodes[function.0 as usize];
            let level = node.low == FALSE;
            levels.push((node.variable, level));
            function = if level { node.high } else { node.low };
        }
        levels
    }

    /// The fraction of all settings of its variables for which a function is 1, from 0 to 1.
    pub fn share(&self, function: Function) -> f64 {
        self.shares(function, &mut HashMap::default())
    }

    fn shares(&self, function: Function, known: &mut HashMap<Function, f64, Quick>) -> f64 {
        match function {
            FALSE => 0.0,
            TRUE => 1.0,
            _ => {
                if let Some(&known) = known.get(&function) {
                    return known;
                }
                let node = self.nodes[function.0 as usize];
                let share = (self.shares(node.low, known) + self.shares(node.high, known)) / 2.0;
                known.insert(function, share);
                share
            }
        }
    }

    /// The two halves of a function that is not constant: the variable that it tests first, and the two functions that
    /// follow.
    pub fn split(&self, function: Function) -> (Variable, Function, Function) {
        let Node { variable, low, high } = self.nodes[function.0 as usize];
        (variable, low, high)
    }

    /// The variable to which a function is equal, if there is one.
    pub fn asked(&self, function: Function) -> Option<Variable> {
        let node = self.nodes[function.0 as usize];
        (node.low == FALSE && node.high == TRUE).then_some(node.variable)
    }

    fn first(&self, function: Function) -> Variable {
        self.nodes[function.0 as usize].variable
    }

    fn half(&self, function: Function, variable: Variable, level: bool) -> Function {
        let node = self.nodes[function.0 as usize];
        match (node.variable == variable, level) {
            (false, _) => function,
            (_, false) => node.low,
            (_, true) => node.high,
        }
    }
}

/// The functions that are always 0 and always 1.
pub(crate) const FALSE: Function = Function(0);
pub(crate) const TRUE: Function = Function(1);

pub(crate) fn constant(level: bool) -> Function {
    if level { TRUE } else { FALSE }
}

/// A fast hash for small numbers, without protection against attacks, which is not needed here.
pub(crate) type Quick = BuildHasherDefault<QuickHasher>;

#[derive(Default)]
pub(crate) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_one() {
        let mut diagrams = Diagrams::new(1000);
        let [a, b, c] = [0, 1, 2].map(|variable| diagrams.variable(variable).unwrap());
        let both = diagrams.and(a, b).unwrap();
        let one = diagrams.or(both, c).unwrap();
        // The same by De Morgan, and as a choice.
        let [not_a, not_b, not_c] = [a, b, c].map(|function| diagrams.not(function).unwrap());
        let either = diagrams.or(not_a, not_b).unwrap();
        let neither = diagrams.and(either, not_c).unwrap();
        assert_eq!(one, diagrams.not(neither).unwrap());
        let below = diagrams.choose(b, TRUE, c).unwrap();
        assert_eq!(one, diagrams.choose(a, below, c).unwrap());
        assert_eq!(diagrams.share(one), 5.0 / 8.0);
        for setting in 0..8u32 {
            let level = |variable: Variable| setting >> variable & 1 == 1;
            assert_eq!(diagrams.value(one, level), level(0) && level(1) || level(2));
        }
        let witness = diagrams.witness(one);
        assert!(diagrams.value(one, |variable| witness.contains(&(variable, true))));
        // a replaced by c gives a function of two variables.
        let replaced = diagrams.replace(one, a, c).unwrap();
        assert_eq!(replaced, c);
        assert_eq!(diagrams.replace(one, c, FALSE), Ok(both));
    }

    #[test]
    fn there_is_an_end_to_nodes() {
        let mut diagrams = Diagrams::new(4);
        let a = diagrams.variable(0).unwrap();
        let b = diagrams.variable(1).unwrap();
        assert_eq!(diagrams.and(a, b), Err(TooLarge(4)));
        assert_eq!(diagrams.and(a, a), Ok(a));
    }
}
