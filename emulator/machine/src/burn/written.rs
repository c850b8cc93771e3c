//! A data line of a table as a formula, where that is short.

/// The maximum number of names in a formula.
const MAX_NAMES: usize = 24;

/// The formula of a data line of these cells, over the names of the address lines, lowest first.
pub(crate) fn written(cells: &[u8], line: usize, names: &[String]) -> Option<String> {
    let levels = cells.iter().map(|cell| cell >> line & 1 != 0).collect();
    let mut left = MAX_NAMES;
    Table { names: names.iter().map(String::as_str).collect(), levels }
        .formula(&mut left)
        .map(|(text, _)| text)
}

/// A function of these lines, lowest first.
#[derive(Clone, PartialEq)]
struct Table<'a> {
    names: Vec<&'a str>,
    levels: Vec<bool>,
}

/// The precedence of the outermost operator of a text, as in the table of operators.
type Precedence = u8;
const CHOICE: Precedence = 0;
const OR: Precedence = 4;
const XOR: Precedence = 5;
const AND: Precedence = 6;
const VALUE: Precedence = 10;

impl<'a> Table<'a> {
    /// The cofactor for this level of a line.
    fn at(&self, line: usize, level: bool) -> Table<'a> {
        let mut names = self.names.clone();
        names.remove(line);
        let low = (1 << line) - 1;
        let row = |row: usize| (row & low) | (row & !low) << 1 | usize::from(level) << line;
        Table { names, levels: (0..self.levels.len() / 2).map(|other| self.levels[row(other)]).collect() }
    }

    /// Removes the lines that make no difference.
    fn reduced(mut self) -> Table<'a> {
        for line in (0..self.names.len()).rev() {
            let differs = |row: usize| self.levels[row] != self.levels[row | 1 << line];
            if !(0..self.levels.len()).any(|row| row >> line & 1 == 0 && differs(row)) {
                self = self.at(line, false);
            }
        }
        self
    }

    fn constant(&self) -> Option<bool> {
        self.names.is_empty().then(|| self.levels[0])
    }

    /// Its formula with at most `left` names.
    fn formula(self, left: &mut usize) -> Option<(String, Precedence)> {
        let table = self.reduced();
        if let Some(level) = table.constant() {
            return Some((u8::from(level).to_string(), VALUE));
        }
        let halves = |line| [false, true].map(|level| table.at(line, level).reduced());
        for line in 0..table.names.len() {
            let [low, high] = halves(line);
            let name = table.names[line];
            let (inverted, sign, precedence, rest) = match (low.constant(), high.constant()) {
                (Some(false), Some(true)) => return take(left).map(|()| (name.to_owned(), VALUE)),
                (Some(true), Some(false)) => return take(left).map(|()| (format!("!{name}"), VALUE)),
                (Some(false), _) => (false, "&", AND, high),
                (_, Some(false)) => (true, "&", AND, low),
                (_, Some(true)) => (false, "|", OR, low),
                (Some(true), _) => (true, "|", OR, high),
                _ if low.names == high.names && low.levels.iter().zip(&high.levels).all(|(a, b)| a != b) => {
                    (false, "^", XOR, low)
                }
                _ => continue,
            };
            take(left)?;
            let rest = within(rest.formula(left)?, precedence);
            let not = if inverted { "!" } else { "" };
            return Some((format!("{not}{name} {sign} {rest}"), precedence));
        }
        // No line decides alone: the one that leaves the least on both sides chooses between them.
        let size = |line: &usize| halves(*line).iter().map(|half| half.names.len()).sum::<usize>();
        let line = (0..table.names.len()).rev().min_by_key(size)?;
        let [low, high] = halves(line);
        take(left)?;
        let (high, low) = (within(high.formula(left)?, OR), within(low.formula(left)?, CHOICE));
        Some((format!("{} ? {high} : {low}", table.names[line]), CHOICE))
    }
}

fn take(left: &mut usize) -> Option<()> {
    *left = left.checked_sub(1)?;
    Some(())
}

/// A text where an operator of this precedence stands beside it.
fn within((text, precedence): (String, Precedence), other: Precedence) -> String {
    if precedence < other { format!("({text})") } else { text }
}
