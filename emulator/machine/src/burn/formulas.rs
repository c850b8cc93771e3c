//! The contents of a ROM as formulas in a board file: one for each data line, over the names of the address lines.
//!
//! ```text
//!   Formula(["sum = a ^ b ^ carry", "out = majority(a, b, carry)"])
//!   Formula(["T = PH1 ? R : T"])        buses stand for all their lines; the lowest bits of a result count
//! ```

use gray1_text::{Formula, FormulaError, closest};
use serde::Deserialize;

/// The maximum number of values and operators that are evaluated to work out one formula for all levels of its lines.
const MAX_WORK: usize = 1 << 27;

/// The formulas of a ROM, and the cells that they give.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct Formulas {
    texts: Vec<String>,
    cells: Vec<u8>,
}

/// The lines of a chip under the names that formulas use: nets, and buses all of whose nets are lines of the chip. Each
/// name stands for lines of the chip, lowest first.
pub(crate) struct LineNames {
    /// The number of lines of the chip.
    pub lines: usize,
    pub names: Vec<(String, Vec<usize>)>,
}

/// An error in the formula of this index, or in all of them together.
pub(crate) type FormulaFault = (Option<usize>, FormulaError);

impl From<Vec<String>> for Formulas {
    fn from(texts: Vec<String>) -> Formulas {
        Formulas { texts, cells: Vec::new() }
    }
}

impl Formulas {
    /// The formulas as they are written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// One byte for each address.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Works out the cells.
    pub(crate) fn work_out(&mut self, address: &LineNames, data: &LineNames) -> Result<(), FormulaFault> {
        let mut cells = vec![0u8; 1 << address.lines];
        let mut given = vec![false; data.lines];
        for (index, text) in self.texts.iter().enumerate() {
            let wrong = |at: usize, message: String| (Some(index), FormulaError { at, message });
            let (target, formula) =
                text.split_once('=').filter(|(_, after)| !after.starts_with('=')).ok_or_else(|| {
                    wrong(0, "a formula is written `LINE = EXPRESSION`, as `sum = a ^ b`".to_owned())
                })?;
            let at = target.len() - target.trim_start().len();
            let target_lines = data.find(target.trim()).map_err(|message| wrong(at, message))?;
            for &line in target_lines {
                if std::mem::replace(&mut given[line], true) {
                    let name = data.name(line);
                    return Err(wrong(at, format!("{name} has a formula already: leave out one of the two")));
                }
            }
            let after = target.len() + 1;
            let read = ParsedFormula::new(formula, address)
                .map_err(|error| wrong(after + error.at, error.message))?;
            let blanks = formula.len() - formula.trim_start().len();
            let values = read.values().map_err(|message| wrong(after + blanks, message))?;
            for (address, cell) in (0usize..).zip(&mut cells) {
                let value = values[gather(address, &read.lines)];
                let bits = target_lines.iter().enumerate();
                *cell |= bits.fold(0, |bits, (bit, line)| bits | (value >> bit & 1) << line);
            }
        }
        if let Some(line) = given.iter().position(|given| !given) {
            let name = data.name(line);
            let message = format!("data line {name} has no formula: add `{name} = …`, or `{name} = 0`");
            return Err((None, FormulaError { at: 0, message }));
        }
        self.cells = cells;
        Ok(())
    }
}

impl LineNames {
    fn find(&self, wanted: &str) -> Result<&[usize], String> {
        let names = || self.names.iter().map(|(name, _)| name.as_str());
        match self.names.iter().find(|(name, _)| name == wanted) {
            Some((_, lines)) => Ok(lines),
            None => Err(match closest(wanted, names()) {
                Some(near) => format!("the chip has no data line `{wanted}`; did you mean `{near}`?"),
                None => {
                    let names = names().collect::<Vec<_>>().join(" ");
                    format!("the chip has no data line `{wanted}`: it has {names}")
                }
            }),
        }
    }

    /// The name of one line.
    fn name(&self, line: usize) -> &str {
        self.names.iter().find(|(_, lines)| *lines == [line]).map_or("", |(name, _)| name)
    }
}

/// A formula, and the address lines that it reads.
struct ParsedFormula<'a> {
    formula: Formula,
    address: &'a LineNames,
    /// Lowest first, each once.
    lines: Vec<usize>,
}

impl ParsedFormula<'_> {
    fn new<'a>(text: &str, address: &'a LineNames) -> Result<ParsedFormula<'a>, FormulaError> {
        let names: Vec<&str> = address.names.iter().map(|(name, _)| name.as_str()).collect();
        let formula = Formula::parse(text, &names)?;
        let lines = formula.uses().into_iter().flat_map(|name| &address.names[name].1).copied();
        let lines = lines.collect::<std::collections::BTreeSet<_>>().into_iter().collect();
        Ok(ParsedFormula { formula, address, lines })
    }

    /// The value of the formula for all levels of its lines, the first line in the lowest bit.
    fn values(&self) -> Result<Vec<u8>, String> {
        let count = 1usize << self.lines.len();
        if self.formula.operations() > MAX_WORK / count {
            return Err(format!(
                "this formula is too long for the {} lines that it reads: use fewer lines or cells",
                self.lines.len()
            ));
        }
        let uses: Vec<usize> = self.formula.uses().into_iter().collect();
        let place = |line: &usize| self.lines.binary_search(line).unwrap_or_default();
        let places: Vec<Vec<usize>> =
            uses.iter().map(|&name| self.address.names[name].1.iter().map(place).collect()).collect();
        let mut levels = vec![0i64; self.address.names.len()];
        let value = |row: usize| {
            for (&name, places) in uses.iter().zip(&places) {
                levels[name] = gather(row, places) as i64;
            }
            // A result of more bits than lines loses the upper ones.
            self.formula.value(&levels).map(|value| value as u8).map_err(|error| {
                let at =
                    uses.iter().map(|&name| format!("{} = {}", self.address.names[name].0, levels[name]));
                match at.collect::<Vec<_>>().join(", ") {
                    at if at.is_empty() => format!("this formula has no value: {error}"),
                    at => format!("this formula has no value for {at}: {error}"),
                }
            })
        };
        (0..count).map(value).collect()
    }
}

/// The levels of these lines as a number, the first in the lowest bit.
fn gather(address: usize, lines: &[usize]) -> usize {
    lines.iter().rev().fold(0, |number, line| number << 1 | address >> line & 1)
}
