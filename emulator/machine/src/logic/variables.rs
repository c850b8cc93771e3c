//! The variables of functions: quantifiers, and the support.

use crate::logic::diagrams::{Diagrams, Function, Known, Result, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

impl Diagrams {
    /// Quantifies variables existentially: the result is 1 where the function is 1 for some of their values.
    pub fn exists(&mut self, function: Function, variables: &dyn Fn(Variable) -> bool) -> Result<Function> {
        self.exists_somewhere(function, variables, &mut FxHashMap::default())
    }

    fn exists_somewhere(
        &mut self,
        function: Function,
        variables: &dyn Fn(Variable) -> bool,
        known: &mut Known<Function>,
    ) -> Result<Function> {
        if function.is_constant() {
            return Ok(function);
        }
        if let Some(&known) = known.get(&function) {
            return Ok(known);
        }
        let (variable, low, high) = self.split(function);
        let low = self.exists_somewhere(low, variables, known)?;
        let high = self.exists_somewhere(high, variables, known)?;
        let exists = if variables(variable) { self.or(low, high)? } else { self.node(variable, low, high)? };
        known.insert(function, exists);
        Ok(exists)
    }

    /// Calls `take` with each variable that some of these functions depend on; perhaps more than once.
    pub fn variables_of(&self, functions: &[Function], take: &mut dyn FnMut(Variable)) {
        let mut seen = FxHashSet::default();
        let mut left = functions.to_vec();
        while let Some(function) = left.pop() {
            if function.is_constant() || !seen.insert(function.node()) {
                continue;
            }
            let (variable, low, high) = self.split(function);
            take(variable);
            left.extend([low, high]);
        }
    }
}
