//! The pairs of states that two runs have explored before.

use crate::contracts::levels::Outcome;
use crate::contracts::lockstep::{Lockstep, MAX_READS, Pauses, Rule, States};
use crate::contracts::repetition::Visit;
use crate::contracts::variables::Origin;
use gray1_machine::logic::{FALSE, Function, Variable};
use std::collections::{BTreeMap, BTreeSet};

impl Lockstep<'_, '_> {
    /// Whether all pairs of concrete states were explored at these words before. Reads and the noise of overwritten bytes
    /// matter only if the states depend on them, and the numbers of reads do not matter at all.
    pub(super) fn is_explored(&mut self, pauses: Pauses, states: &mut States) -> Outcome<bool> {
        for state in &mut *states {
            self.scene.simplify(state)?;
        }
        let bytes = || states.iter().flat_map(|state| state.ram.values().chain([&state.a]));
        let mut bits: Vec<Function> = bytes().flatten().copied().chain([states[0].c, states[1].c]).collect();
        let mut used = BTreeSet::new();
        self.scene.levels.variables_of(&bits, &mut |variable| _ = used.insert(variable));
        self.spend(16 * used.len() as u64)?;
        let origins = used.iter().map(|&variable| self.scene.variables.origin(variable));
        let reads: BTreeSet<Origin> = origins.filter(|origin| matches!(origin, Origin::Read(..))).collect();
        if reads.len() > MAX_READS {
            return Ok(false);
        }
        let variables = &self.scene.variables;
        let is_overwritten = |side: usize, address: u16| states[side].ram.contains_key(&address);
        let is_irrelevant = |variable: Variable| match variables.origin(variable) {
            _ if used.contains(&variable) => false,
            Origin::Read(..) | Origin::PriorRead(_) => true,
            Origin::Ram(address) => {
                is_overwritten(0, address) && (self.rule == Rule::Noise || is_overwritten(1, address))
            }
            Origin::SecondRam(address) => is_overwritten(1, address),
            _ => false,
        };
        let mut condition = self.scene.levels.exists(states[0].condition, &is_irrelevant)?;
        for (from, to) in self.renumbering(&used)? {
            condition = self.scene.levels.rename(condition, from, to)?;
            for bit in &mut bits {
                *bit = self.scene.levels.rename(*bit, from, to)?;
            }
        }
        for bit in &mut bits {
            *bit = self.scene.levels.constrain(*bit, condition)?;
        }
        let addresses = states.iter().flat_map(|state| state.ram.keys().copied()).collect();
        let contents = (addresses, bits);
        let Some(explored) = self.explored.get_mut(&pauses) else {
            self.explored.insert(pauses, Visit::new((contents, condition)));
            return Ok(false);
        };
        let (known, before) = &mut explored.kept;
        if *known == contents {
            let new = self.scene.levels.and(condition, !*before)?;
            *before = self.scene.levels.or(*before, condition)?;
            return Ok(new == FALSE);
        }
        explored.count(|| (contents, condition));
        Ok(false)
    }

    /// Returns the used variables of reads, each with its replacement if these reads are numbered from 0 on.
    fn renumbering(&mut self, used: &BTreeSet<Variable>) -> Outcome<Vec<(Variable, Variable)>> {
        let mut reads: BTreeMap<u32, Vec<Variable>> = BTreeMap::new();
        for &variable in used {
            if let Origin::Read(_, number) = self.scene.variables.origin(variable) {
                reads.entry(number).or_default().push(variable);
            }
        }
        let mut renumbering = Vec::new();
        for (new, (number, variables)) in (0..).zip(reads) {
            for variable in variables.into_iter().filter(|_| new != number) {
                renumbering.push((variable, self.scene.variables.renumbered(variable, new)?));
            }
        }
        Ok(renumbering)
    }
}
