//! Reduced ordered binary decision diagrams with complement edges. Each function is stored once, so equal functions have
//! equal numbers.
//!
//! A node tests one variable, and points to its two cofactors: the functions that remain if the variable is 0 or 1. On
//! every path, variables are tested in the order of their numbers, which determines the size of the diagrams. A function
//! and its complement share their nodes; each reference to a node has a complement bit.

use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::ops::Not;

/// A function: the number of its root node, doubled, plus the complement bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(u32);

impl Function {
    /// Whether the function depends on no variable.
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// Returns the number of the root node; 0 for a constant.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns the complement bit.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the value of a constant function.
    pub fn known(self) -> Option<bool> {
        self.is_constant().then_some(self == TRUE)
    }

    fn inverted_if(self, other: Function) -> Function {
        Function(self.0 ^ other.0 & 1)
    }
}

impl Not for Function {
    type Output = Function;

    fn not(self) -> Function {
        Function(self.0 ^ 1)
    }
}

/// The number of a variable. Variables with small numbers are tested first.
pub type Variable = u32;

/// The error that the limit on nodes has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(/** The limit. */ pub usize);

/// The result of an operation that needs nodes.
pub type Result<T> = std::result::Result<T, TooLarge>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: Variable,
    low: Function,
    /// Never with a complement bit, so the representation is unique.
    high: Function,
}

/// Results for functions that were met before.
pub type Known<T> = FxHashMap<Function, T>;

/// A set of functions that share nodes. The first node is the constant 1; every other node comes after its cofactors.
#[derive(Clone, Debug)]
pub struct Diagrams {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, Function>,
    /// A lossy cache of operations and their results, indexed by hash. It has about as many entries as there are nodes.
    recent: Vec<([Function; 3], Function)>,
    /// The maximum number of nodes.
    most: usize,
}

impl Diagrams {
    /// Creates a set that contains only the constants, and may have this many nodes.
    pub fn new(most: usize) -> Diagrams {
        let nodes = vec![Node { variable: Variable::MAX, low: TRUE, high: TRUE }];
        Diagrams { nodes, numbers: FxHashMap::default(), recent: vec![NO_OPERATION; MIN_RECENT], most }
    }

    /// Sets the maximum number of nodes.
    pub fn set_max_nodes(&mut self, most: usize) {
        self.most = most;
    }

    /// Returns the function that is equal to a variable.
    pub fn variable(&mut self, variable: Variable) -> Result<Function> {
        self.node(variable, FALSE, TRUE)
    }

    /// Returns the function with these cofactors, which test only later variables.
    pub fn node(&mut self, variable: Variable, low: Function, high: Function) -> Result<Function> {
        if low == high {
            return Ok(low);
        }
        let node = Node { variable, low: low.inverted_if(high), high: high.inverted_if(high) };
        if let Some(&known) = self.numbers.get(&node) {
            return Ok(known.inverted_if(high));
        }
        if self.nodes.len() >= self.most {
            return Err(TooLarge(self.most));
        }
        let function = Function(2 * self.nodes.len() as u32);
        self.nodes.push(node);
        self.numbers.insert(node, function);
        Ok(function.inverted_if(high))
    }

    /// Returns the function with this truth table. The variables are in the order in which they are tested; the first one
    /// changes least often in the table.
    pub fn of_levels(
        &mut self,
        variables: impl DoubleEndedIterator<Item = Variable>,
        levels: impl Iterator<Item = bool>,
    ) -> Result<Function> {
        let mut layer: Vec<Function> = levels.map(constant).collect();
        for variable in variables.rev() {
            let pairs = layer.chunks_exact(2);
            layer = pairs.map(|pair| self.node(variable, pair[0], pair[1])).collect::<Result<_>>()?;
        }
        Ok(layer[0])
    }

    /// Returns `high` where `which` is 1, and `low` where it is 0 (if-then-else).
    pub fn choose(&mut self, which: Function, high: Function, low: Function) -> Result<Function> {
        match (which, high, low) {
            (TRUE, ..) => return Ok(high),
            (FALSE, ..) => return Ok(low),
            (_, TRUE, FALSE) => return Ok(which),
            (_, FALSE, TRUE) => return Ok(!which),
            _ if high == low => return Ok(high),
            // Only one of four equivalent operations is cached.
            _ if which.is_inverted() => return self.choose(!which, low, high),
            _ if high.is_inverted() => return Ok(!self.choose(which, !high, !low)?),
            _ => {}
        }
        let all = [which, high, low];
        if let Some(known) = self.recent_result(all) {
            return Ok(known);
        }
        let variable = all.map(|function| self.first(function)).into_iter().min().unwrap_or(Variable::MAX);
        let [low_which, low_high, low_low] = all.map(|function| self.half(function, variable, false));
        let [high_which, high_high, high_low] = all.map(|function| self.half(function, variable, true));
        let below = self.choose(low_which, low_high, low_low)?;
        let above = self.choose(high_which, high_high, high_low)?;
        let chosen = self.node(variable, below, above)?;
        self.remember(all, chosen);
        Ok(chosen)
    }

    fn recent_result(&self, operation: [Function; 3]) -> Option<Function> {
        let (known, result) = self.recent[self.place(operation)];
        (known == operation).then_some(result)
    }

    fn remember(&mut self, operation: [Function; 3], result: Function) {
        if self.recent.len() < self.nodes.len() {
            let larger = vec![NO_OPERATION; self.nodes.len().next_power_of_two()];
            for (operation, result) in std::mem::replace(&mut self.recent, larger) {
                let place = self.place(operation);
                self.recent[place] = (operation, result);
            }
        }
        let place = self.place(operation);
        self.recent[place] = (operation, result);
    }

    /// Returns the index of an operation in the cache, whose size is a power of two.
    fn place(&self, operation: [Function; 3]) -> usize {
        FxBuildHasher.hash_one(<(_, _, _)>::from(operation)) as usize & (self.recent.len() - 1)
    }

    /// Returns the conjunction.
    pub fn and(&mut self, one: Function, other: Function) -> Result<Function> {
        self.choose(one, other, FALSE)
    }

    /// Returns the disjunction.
    pub fn or(&mut self, one: Function, other: Function) -> Result<Function> {
        self.choose(one, TRUE, other)
    }

    /// Returns the exclusive or.
    pub fn differ(&mut self, one: Function, other: Function) -> Result<Function> {
        self.choose(one, !other, other)
    }

    /// Replaces a variable by a function.
    pub fn replace(&mut self, function: Function, variable: Function, by: Function) -> Result<Function> {
        self.replaced(function, self.first(variable), by, &mut FxHashMap::default())
    }

    fn replaced(
        &mut self,
        function: Function,
        variable: Variable,
        by: Function,
        known: &mut Known<Function>,
    ) -> Result<Function> {
        let (first, low, high) = self.split(function);
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

    /// Copies a function from another set, and replaces its variables by functions of this set.
    pub fn compose<E: From<TooLarge>>(
        &mut self,
        others: &Diagrams,
        function: Function,
        by: &impl Fn(Variable) -> std::result::Result<Function, E>,
        known: &mut Known<Function>,
    ) -> std::result::Result<Function, E> {
        if function.is_constant() {
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

    /// Returns a function that is equal to this one where `states` is 1, and arbitrary elsewhere (generalised cofactor). If
    /// this one is constant there, so is the result. `states` must be satisfiable.
    pub fn constrain(&mut self, function: Function, states: Function) -> Result<Function> {
        if function.is_constant() || states == TRUE {
            return Ok(function);
        }
        if function == states {
            return Ok(TRUE);
        }
        let operation = [function, states, CONSTRAIN];
        if let Some(known) = self.recent_result(operation) {
            return Ok(known);
        }
        let variable = self.first(function).min(self.first(states));
        let [low, high] = [false, true].map(|level| self.half(states, variable, level));
        let constrained = match (low, high) {
            (FALSE, _) => self.constrain(self.half(function, variable, true), high)?,
            (_, FALSE) => self.constrain(self.half(function, variable, false), low)?,
            _ => {
                let below = self.constrain(self.half(function, variable, false), low)?;
                let above = self.constrain(self.half(function, variable, true), high)?;
                self.node(variable, below, above)?
            }
        };
        self.remember(operation, constrained);
        Ok(constrained)
    }

    /// Evaluates a function.
    pub fn value(&self, mut function: Function, level: impl Fn(Variable) -> bool) -> bool {
        while !function.is_constant() {
            let (variable, low, high) = self.split(function);
            function = if level(variable) { high } else { low };
        }
        function == TRUE
    }

    /// Returns a satisfying assignment of a function that is not 0; the other variables do not matter.
    pub fn witness(&self, mut function: Function) -> Vec<(Variable, bool)> {
        let mut levels = Vec::new();
        while !function.is_constant() {
            let (variable, low, high) = self.split(function);
            let level = low == FALSE;
            levels.push((variable, level));
            function = if level { high } else { low };
        }
        levels
    }

    /// Returns the fraction of all assignments that satisfy a function, from 0 to 1.
    pub fn share(&self, function: Function) -> f64 {
        self.shares(function, &mut FxHashMap::default())
    }

    fn shares(&self, function: Function, known: &mut Known<f64>) -> f64 {
        match function {
            FALSE => 0.0,
            TRUE => 1.0,
            _ => {
                if let Some(&known) = known.get(&function) {
                    return known;
                }
                let (_, low, high) = self.split(function);
                let share = (self.shares(low, known) + self.shares(high, known)) / 2.0;
                known.insert(function, share);
                share
            }
        }
    }

    /// Returns the first variable of a function that is not constant, and the two cofactors.
    pub fn split(&self, function: Function) -> (Variable, Function, Function) {
        let Node { variable, low, high } = self.nodes[function.node()];
        (variable, low.inverted_if(function), high.inverted_if(function))
    }

    /// Returns the functions of all nodes that are not constant, each after its cofactors.
    pub fn all(&self) -> impl Iterator<Item = Function> {
        (1..self.nodes.len()).map(|node| Function(2 * node as u32))
    }

    /// Returns the variable that is equal to a function, if there is one.
    pub fn asked(&self, function: Function) -> Option<Variable> {
        let (variable, low, high) = self.split(function);
        ((low, high) == (FALSE, TRUE)).then_some(variable)
    }

    fn first(&self, function: Function) -> Variable {
        self.nodes[function.node()].variable
    }

    fn half(&self, function: Function, variable: Variable, level: bool) -> Function {
        match (self.split(function), level) {
            ((first, ..), _) if first != variable => function,
            ((_, low, _), false) => low,
            ((.., high), true) => high,
        }
    }
}

/// The function that is always 0.
pub const FALSE: Function = Function(1);
/// The function that is always 1.
pub const TRUE: Function = Function(0);

/// Marks [`Diagrams::constrain`] in the cache, in place of a third function.
const CONSTRAIN: Function = Function(u32::MAX);
/// An empty entry of the cache: no operation has three equal functions.
const NO_OPERATION: ([Function; 3], Function) = ([TRUE; 3], TRUE);
/// The initial size of the cache.
const MIN_RECENT: usize = 1 << 10;

/// Returns a constant function.
pub fn constant(level: bool) -> Function {
    if level { TRUE } else { FALSE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_have_equal_numbers() {
        let mut diagrams = Diagrams::new(1000);
        let [a, b, c] = [0, 1, 2].map(|variable| diagrams.variable(variable).unwrap());
        let both = diagrams.and(a, b).unwrap();
        let one = diagrams.or(both, c).unwrap();
        // The same function by De Morgan's laws, and by a choice.
        let either = diagrams.or(!a, !b).unwrap();
        let neither = diagrams.and(either, !c).unwrap();
        assert_eq!(one, !neither);
        let below = diagrams.choose(b, TRUE, c).unwrap();
        assert_eq!(one, diagrams.choose(a, below, c).unwrap());
        assert_eq!(diagrams.share(one), 5.0 / 8.0);
        for setting in 0..8u32 {
            let level = |variable: Variable| setting >> variable & 1 == 1;
            assert_eq!(diagrams.value(one, level), level(0) && level(1) || level(2));
        }
        let witness = diagrams.witness(one);
        assert!(diagrams.value(one, |variable| witness.contains(&(variable, true))));
        assert_eq!(diagrams.replace(one, a, c), Ok(c));
        assert_eq!(diagrams.replace(one, c, FALSE), Ok(both));
    }

    #[test]
    fn nodes_are_limited() {
        let mut diagrams = Diagrams::new(3);
        let a = diagrams.variable(0).unwrap();
        let b = diagrams.variable(1).unwrap();
        assert_eq!(diagrams.and(a, b), Err(TooLarge(3)));
        assert_eq!(diagrams.and(a, a), Ok(a));
    }
}
