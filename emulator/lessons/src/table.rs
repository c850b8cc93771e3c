//! Attempts that are truth tables. A table is burned into the ROM of a bench, and the bench is run.
//!
//! ```text
//!   inputs a b c                       the address lines, which are switches
//!   outputs carry sum                  the data lines, which are lamps
//!   fed back out                       instead of `outputs`: data lines that are also the last address lines
//!   always: carry sum = a + b + c      for each address, with the assembler's operators; the first output is the highest bit
//!   from row to row one output changes        also from the last row to the first; all rows differ
//!   when enable = 1, input = 0: out = 0       sets the switches in this order, then compares the lamps
//!   each change of tick leads to the next of 4 states
//!   on 20 machines with delays         the same moves on the timed engine, with random delays for all lines
//! ```

use crate::Refusal;
use crate::bench::{self, Bench, LAMPS, SWITCHES, TimedBench};
use crate::refusal::refuse;
use crate::rows::{Columns, Rows};
use crate::statement::{Fault, Statement, between, split_case, split_list};
use crate::verdict::{Judgement, join_and};
use gray1_machine::board::Board;
use gray1_text::Formula;

/// The requirements of a table.
#[derive(Clone, Debug, Default)]
pub struct Task {
    inputs: Vec<String>,
    outputs: Vec<String>,
    is_fed_back: bool,
    /// The outputs as a function of the inputs.
    formula: Option<Formula>,
    /// Set if exactly one output must change from each row to the next.
    is_gray_code: bool,
    steps: Vec<Step>,
    /// The switch that advances the state, and the number of states.
    ring: Option<(usize, usize)>,
    /// The number of machines with random delays.
    machines: u64,
}

/// A step of a test: the new levels of switches, and the expected levels of lamps.
#[derive(Clone, Debug)]
struct Step {
    text: String,
    switches: Vec<(usize, bool)>,
    lamps: Vec<(usize, bool)>,
}

impl Task {
    pub fn read(statement: &Statement) -> Result<Task, Fault> {
        let mut task = Task::default();
        let names = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for line in statement.lines() {
            if let Some(text) = line.strip_prefix("inputs ") {
                task.inputs = names(text);
            } else if let Some(text) = line.strip_prefix("outputs ") {
                task.outputs = names(text);
            } else if let Some(text) = line.strip_prefix("fed back ") {
                (task.outputs, task.is_fed_back) = (names(text), true);
            } else if line == "from row to row one output changes" {
                task.is_gray_code = true;
            } else if let Some(text) = between(line, "each change of ", " states") {
                let (name, states) = text.split_once(" leads to the next of ").ok_or_else(|| {
                    statement.fault("write `each change of tick leads to the next of 4 states`")
                })?;
                task.ring = Some((task.find(statement, &task.inputs, name)?, statement.number(states)?));
            } else if let Some(number) = between(line, "on ", " machines with delays") {
                task.machines = statement.number(number)?;
            } else if let Some(("", text)) = split_case(line) {
                let (left, formula) = statement.assignment(text)?;
                if !left.split_whitespace().eq(task.outputs.iter().map(String::as_str)) {
                    return Err(statement.fault(format!(
                        "expected the outputs on the left of `=`: {}",
                        task.outputs.join(" ")
                    )));
                }
                let names: Vec<&str> = task.inputs.iter().map(String::as_str).collect();
                task.formula = Some(statement.formula(formula, &names)?);
            } else if let Some((given, expected)) = split_case(line) {
                let levels = |names: &[String], text| {
                    let level = |part| {
                        let (name, level) = statement.assignment(part)?;
                        Ok((task.find(statement, names, &name)?, statement.number::<u8>(level)? != 0))
                    };
                    split_list(text).map(level).collect::<Result<Vec<_>, Fault>>()
                };
                let (switches, lamps) = (levels(&task.inputs, given)?, levels(&task.outputs, expected)?);
                task.steps.push(Step { text: given.to_owned(), switches, lamps });
            } else {
                return Err(statement.unknown(line, "docs/lessons/README.md has the lines of a table"));
            }
        }
        let (inputs, outputs) = (task.inputs.len(), task.outputs.len());
        if inputs == 0 || outputs == 0 || inputs > SWITCHES || outputs > LAMPS {
            let message =
                format!("a table has 1 to {SWITCHES} `inputs`, and 1 to {LAMPS} `outputs` (or `fed back`)");
            return Err(statement.fault(message));
        }
        if task.formula.is_none() && !task.is_gray_code && task.ring.is_none() && task.steps.is_empty() {
            return Err(statement.fault("the exercise does not say what the table has to do"));
        }
        Ok(task)
    }

    fn find(&self, statement: &Statement, names: &[String], name: &str) -> Result<usize, Fault> {
        let index = names.iter().position(|other| other == name);
        index.ok_or_else(|| statement.fault(format!("`{name}` is not one of {}", names.join(" "))))
    }

    pub fn columns(&self) -> Columns {
        let fed_back: &[String] = if self.is_fed_back { &self.outputs } else { &[] };
        Columns { inputs: [&self.inputs, fed_back].concat(), outputs: self.outputs.clone() }
    }

    pub fn check(&self, attempt: &str) -> Judgement {
        let rows = Rows::read(attempt, &self.columns())?;
        let board = bench::board(&rows, self.inputs.len(), self.is_fed_back)?;
        let mut found = Vec::new();
        if let Some(formula) = &self.formula {
            self.check_formula(&board, formula)?;
            found.push(format!("all {} rows are right", 1 << self.inputs.len()));
        }
        if self.is_gray_code {
            self.check_neighbours(&board)?;
            found.push("from each row to the next, one output changes".to_owned());
        }
        if !self.steps.is_empty() {
            self.check_steps(&board)?;
            found.push(format!("the lamps are right after each of the {} steps", self.steps.len()));
        }
        if let Some((switch, states)) = self.ring {
            let moves: Vec<u8> = (1..=2 * states).map(|change| ((change % 2) as u8) << switch).collect();
            self.check_ring(&board, &moves, &self.inputs[switch], states)?;
            self.check_delays(&board, &moves, &self.inputs[switch])?;
            found.push(format!("it goes round its {states} states"));
        }
        let machines = if self.machines > 0 {
            format!(", on {} machines with different delays too", self.machines)
        } else {
            String::new()
        };
        Ok(format!("Right: {}{machines}.", join_and(&found)))
    }

    /// Formats the levels of the lamps, the first output first.
    fn format_lamps(&self, lamps: u16) -> String {
        (0..self.outputs.len()).map(|output| if lamps >> output & 1 == 1 { '1' } else { '0' }).collect()
    }

    fn check_formula(&self, board: &Board, formula: &Formula) -> Result<(), Refusal> {
        let mut bench = Bench::new(board)?;
        for row in 0..1usize << self.inputs.len() {
            let keys = self.keys(row);
            let lamps = bench.press(keys).map_err(|fault| fault.at(format_args!("Row {row}")))?;
            let levels: Vec<i64> = (0..self.inputs.len()).map(|input| i64::from(keys >> input & 1)).collect();
            let expected = formula.value(&levels)? as u16;
            for (place, name) in self.outputs.iter().enumerate() {
                let expected = expected >> (self.outputs.len() - 1 - place) & 1;
                if lamps >> place & 1 != expected {
                    let address = self.columns().describe_row(row);
                    refuse!(
                        "For {address} your table gives {name} = {}, expected {expected}.",
                        lamps >> place & 1
                    );
                }
            }
        }
        Ok(())
    }

    /// Returns the levels of the switches for a row. The leftmost input is the highest bit of the row.
    fn keys(&self, row: usize) -> u8 {
        let inputs = self.inputs.len();
        (0..inputs).fold(0, |keys, input| keys | ((row >> (inputs - 1 - input) & 1) as u8) << input)
    }

    fn check_neighbours(&self, board: &Board) -> Result<(), Refusal> {
        let mut bench = Bench::new(board)?;
        let rows = 1 << self.inputs.len();
        let lamps: Result<Vec<u16>, Refusal> = (0..rows).map(|row| bench.press(self.keys(row))).collect();
        let lamps = lamps?;
        for row in 0..rows {
            let next = (row + 1) % rows;
            let (from, to) = (self.format_lamps(lamps[row]), self.format_lamps(lamps[next]));
            let changed = (lamps[row] ^ lamps[next]).count_ones();
            if changed != 1 {
                refuse!(
                    "From row {row} to row {next} your table goes from {from} to {to}: {changed} outputs change, \
                     expected 1."
                );
            }
            if let Some(same) = (0..row).find(|&other| lamps[other] == lamps[row]) {
                refuse!("Rows {same} and {row} both give {from}; all rows must differ.");
            }
        }
        Ok(())
    }

    fn check_steps(&self, board: &Board) -> Result<(), Refusal> {
        let mut bench = Bench::new(board)?;
        let (mut keys, mut before) = (0, None);
        for (number, step) in (1..).zip(&self.steps) {
            let place = format!("Step {number} (when {})", step.text);
            let mut lamps = 0;
            for &(input, level) in &step.switches {
                keys = if level { keys | 1 << input } else { keys & !(1 << input) };
                lamps = bench.press(keys).map_err(|fault| fault.at(&place))?;
            }
            for &(output, level) in &step.lamps {
                let shown = lamps >> output & 1;
                if shown != u16::from(level) {
                    let before = before
                        .map_or(String::new(), |lamps| format!("; before, it was {}", lamps >> output & 1));
                    refuse!(
                        "{place}: {} is {shown}, expected {}{before}.",
                        self.outputs[output],
                        u8::from(level)
                    );
                }
            }
            before = Some(lamps);
        }
        Ok(())
    }

    fn check_ring(&self, board: &Board, moves: &[u8], name: &str, states: usize) -> Result<(), Refusal> {
        let mut bench = Bench::new(board)?;
        let mut seen = vec![bench.press(0)?];
        for (change, &keys) in (1..).zip(moves) {
            let lamps =
                bench.press(keys).map_err(|fault| fault.at(format_args!("Change {change} of {name}")))?;
            let from = seen[change - 1];
            let path = format!(
                "Change {change} of {name} leads from {} to {}",
                self.format_lamps(from),
                self.format_lamps(lamps)
            );
            let again = (change >= states).then(|| seen[change - states]);
            match again {
                _ if lamps == from => {
                    refuse!("Change {change} of {name}: the state stays at {}.", self.format_lamps(from));
                }
                Some(again) if lamps != again => {
                    refuse!("{path}, expected {}, as {states} changes before.", self.format_lamps(again));
                }
                None if seen.contains(&lamps) => {
                    refuse!("{path}, where it has been already; there must be {states} states.");
                }
                _ => seen.push(lamps),
            }
        }
        Ok(())
    }

    /// Repeats the moves on machines with random delays. The lamps must agree after each move.
    fn check_delays(&self, board: &Board, moves: &[u8], name: &str) -> Result<(), Refusal> {
        if self.machines == 0 {
            return Ok(());
        }
        let timed = TimedBench::prepare(board)?;
        for seed in 1..=self.machines {
            let (mut bench, mut timed) = (Bench::new(board)?, TimedBench::new(&timed, seed));
            let mut from = bench.press(0)?;
            timed.press(0)?;
            for (change, &keys) in (1..).zip(moves) {
                let (to, history) = (bench.press(keys)?, timed.press(keys)?);
                let end = *history.last().unwrap_or(&from);
                if end != to {
                    let mut path: Vec<String> =
                        history.iter().take(4).map(|&lamps| self.format_lamps(lamps)).collect();
                    if history.len() > 4 {
                        path.push("…".to_owned());
                    }
                    refuse!(
                        "With all lines equally fast it goes round. But on machine {seed} of {}, where each line has \
                         its own delay, change {change} of {name} should lead from {} to {}. The ROM sees {} on the way \
                         and ends at {}: when two lines change, one of them always comes first.",
                        self.machines,
                        self.format_lamps(from),
                        self.format_lamps(to),
                        path.join(", "),
                        self.format_lamps(end)
                    );
                }
                from = to;
            }
        }
        Ok(())
    }
}
