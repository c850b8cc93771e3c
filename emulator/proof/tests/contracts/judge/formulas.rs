//! The values of formulas.

use crate::contracts::judge::machine::{A, C, Gap, READ, State};
use crate::contracts::judge::runs::Judge;
use gray1_assembler::{Formula, Term};

impl Judge<'_> {
    /// Whether a formula has a value, and one that is not 0.
    pub fn holds(&self, formula: &Formula, entry: &State, now: &State) -> Result<bool, Gap> {
        Ok(self.value(formula, entry, now)?.is_some_and(|value| value != 0))
    }

    pub fn value(&self, Formula(terms): &Formula, entry: &State, now: &State) -> Result<Option<i64>, Gap> {
        let mut stack: Vec<Option<i64>> = Vec::new();
        for term in terms {
            let state = |is_before: bool| if is_before { entry } else { now };
            let byte = |state: &State, cell: usize| Ok(Some(i64::from(state.cell(cell)?)));
            let mut take = || stack.pop().unwrap();
            let value = match *term {
                Term::Number(number) => Some(number),
                Term::Byte { address, before } => {
                    byte(state(before), self.machine.cell_of(address).unwrap())?
                }
                Term::A { before } => byte(state(before), A)?,
                Term::C { before } => byte(state(before), C)?,
                Term::Keys => byte(now, READ.start + 2)?,
                Term::Pad => match take() {
                    Some(row) => {
                        let is_here = (0..8).contains(&row) && now.cell(READ.start + 1)? >> row & 1 == 1;
                        if is_here { byte(now, READ.start)? } else { Some(0) }
                    }
                    None => None,
                },
                Term::At(at) => Some(i64::from(now.pc == at)),
                Term::Prefix(operator) => take().and_then(|value| (operator.apply)(value).ok()),
                Term::Infix(operator) => match (take(), take(), operator.sign) {
                    (_, Some(0), "&&") => Some(0),
                    (_, Some(left), "||") if left != 0 => Some(1),
                    (Some(right), Some(left), _) => (operator.apply)(left, right).ok(),
                    _ => None,
                },
                Term::Choose => match (take(), take(), take()) {
                    (no, yes, Some(condition)) => {
                        if condition != 0 {
                            yes
                        } else {
                            no
                        }
                    }
                    _ => None,
                },
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap())
    }
}
