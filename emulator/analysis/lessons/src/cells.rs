//! Cells as an attempt: they are burned into a board, and a program is run on it.
//!
//! ```text
//!   broken ALUL:0xA2A.R0=0             what is wrong with the board, burned before the attempt
//!   at most 1 change                   of cells
//!   always: sends "9"                  what the given program is to do, as for programs
//!   the instruction set stays          a long program with everything in it runs as on a board that is right
//! ```

use crate::Refusal;
use crate::case::Case;
use crate::run::{Assembled, MOST_CYCLES};
use crate::statement::{Fault, Statement, between};
use crate::verdict::Judgement;
use gray1_machine::board::{Board, Change};
use gray1_machine::{ChipsEngine, Engine, IsaEngine, Noise};
use gray1_text::counted;

/// How many cycles the board is compared with the instruction set.
const COMPARED: u64 = 10_000;

/// What a board is to do.
#[derive(Clone, Debug)]
pub struct Task {
    /// What is burned wrongly, as it is written and as it is burned.
    broken: Vec<(String, Change)>,
    most_changes: Option<usize>,
    keeps_instructions: bool,
    cases: Vec<Case>,
    given: Assembled,
}

impl Task {
    pub fn read(statement: &Statement, given: Option<&str>) -> Result<Task, Fault> {
        let given = Assembled::given(statement, given)?;
        let mut task =
            Task { broken: vec![], most_changes: None, keeps_instructions: false, cases: vec![], given };
        let mut lines = statement.lines();
        while let Some(line) = lines.next() {
            if let Some(change) = line.strip_prefix("broken ") {
                let parsed = change.parse::<Change>().map_err(|error| statement.fault(error.to_string()))?;
                Board::gray1().change(&parsed).map_err(|error| statement.fault(error.to_string()))?;
                task.broken.push((change.to_owned(), parsed));
            } else if let Some(number) =
                between(line, "at most ", " changes").or_else(|| between(line, "at most ", " change"))
            {
                task.most_changes = Some(statement.number(number)?);
            } else if line == "the instruction set stays" {
                task.keeps_instructions = true;
            } else {
                task.cases.push(Case::read(statement, line, &mut lines)?);
            }
        }
        Case::some(statement, task.cases.len())?;
        Ok(task)
    }

    /// What is burned wrongly at first, in the syntax of `--cell`.
    pub fn broken(&self) -> impl Iterator<Item = &str> {
        self.broken.iter().map(|(written, _)| &**written)
    }

    pub fn check(&self, attempt: &str) -> Judgement {
        let lines = attempt.lines().map(|line| line.split(';').next().unwrap_or("").trim());
        let changes: Vec<Change> =
            lines.filter(|line| !line.is_empty()).map(str::parse).collect::<Result<_, _>>()?;
        if let Some(most) = self.most_changes.filter(|&most| changes.len() > most) {
            let (made, most) = (counted(changes.len(), "change"), counted(most, "change"));
            return Err(format!("You have made {made}, but at most {most} may be made.").into());
        }
        let mut board = Board::gray1();
        for change in self.broken.iter().map(|(_, change)| change).chain(&changes) {
            board.change(change)?;
        }
        for (seed, case) in (1..).zip(&self.cases) {
            let subject = case.subject("the program");
            let outcome = case.run(&self.given, &board, seed, MOST_CYCLES);
            let outcome =
                outcome.map_err(|Refusal(fault)| format!("{subject} does not get to its end: {fault}."))?;
            case.check_halt(&outcome, &subject, MOST_CYCLES)?;
            case.check(&outcome, &subject, &self.given)?;
        }
        if self.keeps_instructions {
            compare_instructions(&board)?;
        }
        Ok(format!("Right: with {} the program does what it should.", counted(changes.len(), "change")))
    }
}

/// Runs a program that uses every instruction on the board, and on the engine isa.
fn compare_instructions(board: &Board) -> Result<(), Refusal> {
    let (image, inputs) = gray1_timed::stress();
    let mut machine = ChipsEngine::power_up(board, &image, Noise::Zeros)?;
    let mut right = IsaEngine::power_up(&image, Noise::Zeros);
    machine.press(inputs)?;
    right.press(inputs)?;
    for cycle in 0..COMPARED {
        let (word, before) = (right.word(), right.registers());
        let ran = Engine::run(&mut machine, 1, &mut ()).and_then(|_| right.run(1, &mut ()));
        ran.map_err(|error| format!("The given program runs as it should, but another does not: {error}."))?;
        let (is, should) = (machine.registers(), right.registers());
        if is != should {
            return Err(format!(
                "The given program runs as it should, but another instruction does not any more. In cycle {cycle} of a \
                 test program, `{word}` with A = {} and C = {} leads to A = {}, C = {} and instruction {:03X}, expected \
                 A = {}, C = {} and instruction {:03X}.",
                before.a,
                u8::from(before.c),
                is.a,
                u8::from(is.c),
                is.pc,
                should.a,
                u8::from(should.c),
                should.pc
            ).into());
        }
    }
    Ok(())
}
