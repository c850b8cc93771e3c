//! Attempts that change cells of the board. The cells are burned into the board, and the given program is run on it.
//!
//! ```text
//!   broken ALUL:0xA2A.R0=0             a fault of the board, burned before the attempt
//!   at most 1 change                   the maximum number of changed cells
//!   always: sends "9"                  the expected results of the given program, as for programs
//!   the instruction set stays          a long program that uses every instruction runs as on the Gray-1
//! ```

use crate::Refusal;
use crate::case::Case;
use crate::lockstep::Lockstep;
use crate::refusal::refuse;
use crate::run::{AssembledProgram, DEFAULT_MAX_CYCLES};
use crate::statement::{Fault, Statement, between};
use crate::verdict::Judgement;
use gray1_machine::board::{Board, Change};
use gray1_text::counted;

/// The number of cycles in which the board is compared with the instruction set.
const COMPARED_CYCLES: u64 = 10_000;

/// The requirements of a board with changed cells.
#[derive(Clone, Debug)]
pub struct Task {
    /// The faults of the board, as written and parsed.
    broken: Vec<(String, Change)>,
    max_changes: Option<usize>,
    keeps_instructions: bool,
    cases: Vec<Case>,
    given: AssembledProgram,
}

impl Task {
    pub fn read(statement: &Statement, given: Option<&str>) -> Result<Task, Fault> {
        let given = AssembledProgram::from_lesson(statement, given)?;
        let mut task =
            Task { broken: vec![], max_changes: None, keeps_instructions: false, cases: vec![], given };
        let mut lines = statement.lines();
        while let Some(line) = lines.next() {
            if let Some(change) = line.strip_prefix("broken ") {
                let parsed = change.parse::<Change>().map_err(|error| statement.fault(error.to_string()))?;
                Board::gray1().change(&parsed).map_err(|error| statement.fault(error.to_string()))?;
                task.broken.push((change.to_owned(), parsed));
            } else if let Some(number) =
                between(line, "at most ", " changes").or_else(|| between(line, "at most ", " change"))
            {
                task.max_changes = Some(statement.number(number)?);
            } else if line == "the instruction set stays" {
                task.keeps_instructions = true;
            } else {
                task.cases.push(Case::read(statement, line, &mut lines)?);
            }
        }
        Case::require_any(statement, task.cases.len())?;
        Ok(task)
    }

    /// Lists the faults of the board, in the syntax of `--cell`.
    pub fn broken(&self) -> impl Iterator<Item = &str> {
        self.broken.iter().map(|(written, _)| &**written)
    }

    pub fn check(&self, attempt: &str) -> Judgement {
        let lines = attempt.lines().map(|line| line.split(';').next().unwrap_or("").trim());
        let changes: Vec<Change> =
            lines.filter(|line| !line.is_empty()).map(str::parse).collect::<Result<_, _>>()?;
        if let Some(most) = self.max_changes.filter(|&most| changes.len() > most) {
            let (made, most) = (counted(changes.len(), "change"), counted(most, "change"));
            refuse!("You have made {made}, but at most {most} may be made.");
        }
        let mut board = Board::gray1();
        for change in self.broken.iter().map(|(_, change)| change).chain(&changes) {
            board.change(change)?;
        }
        for (seed, case) in (1..).zip(&self.cases) {
            let subject = case.subject("the program");
            let outcome = case.run(&self.given, &board, seed, DEFAULT_MAX_CYCLES);
            let outcome = outcome.map_err(|Refusal(fault)| format!("{subject} does not finish: {fault}."))?;
            case.check_halt(&outcome, &subject, DEFAULT_MAX_CYCLES)?;
            case.check(&outcome, &subject, &self.given)?;
        }
        if self.keeps_instructions {
            compare_instructions(&board)?;
        }
        Ok(format!("Right: with {} the program does what it should.", counted(changes.len(), "change")))
    }
}

/// Runs a program that uses every instruction on the board. Fails at the first difference from the Gray-1.
fn compare_instructions(board: &Board) -> Result<(), Refusal> {
    let (image, inputs) = gray1_timed::stress();
    let mut machines = Lockstep::start(board, &image, inputs)?;
    match (0..COMPARED_CYCLES).find_map(|_| machines.step()) {
        Some(difference) => refuse!(
            "The given program runs as it should, but another instruction does not any more. Of a test program, {difference}."
        ),
        None => Ok(()),
    }
}
