//! Attempts that are programs. A program is run on the chips engine, once for each case, or proved correct for all
//! inputs.
//!
//! ```text
//!   at most 8 words        the maximum length
//!   at most 200 cycles     the maximum cycles of each run; the default is 20,000
//!   runs for 3000 cycles   for programs that do not halt: the cycle at which the results are compared
//!   when …: …              the cases
//!   for every input: …     a postcondition to prove
//! ```

use crate::Refusal;
use crate::case::Case;
use crate::refusal::refuse;
use crate::run::{AssembledProgram, DEFAULT_MAX_CYCLES};
use crate::statement::{Fault, Statement, between};
use crate::verdict::{Judgement, Verdict};
use gray1_assembler::Subject;
use gray1_machine::board::Board;
use gray1_proof::contracts::{Limits, Proof, Verdict as Outcome, Violation};
use gray1_text::counted;

/// The requirements of a program.
#[derive(Clone, Debug, Default)]
pub struct Task {
    max_words: Option<usize>,
    max_cycles: Option<u64>,
    /// The length of a run in cycles, for programs that do not halt.
    runs_for: Option<u64>,
    cases: Vec<Case>,
    /// The contracts to prove.
    contracts: Vec<ProgramContract>,
}

/// A contract of the whole program.
#[derive(Clone, Debug)]
struct ProgramContract {
    /// The precondition, if any.
    requires: Option<String>,
    /// The postcondition, which must hold at the halt.
    ensures: String,
}

impl Task {
    pub fn read(statement: &Statement) -> Result<Task, Fault> {
        let mut task = Task::default();
        let mut lines = statement.lines();
        while let Some(line) = lines.next() {
            if let Some(number) = between(line, "at most ", " words") {
                task.max_words = Some(statement.number(number)?);
            } else if let Some(number) = between(line, "at most ", " cycles") {
                task.max_cycles = Some(statement.number(number)?);
            } else if let Some(number) = between(line, "runs for ", " cycles") {
                task.runs_for = Some(statement.number(number)?);
            } else if let Some(ensures) = line.strip_prefix("for every input: ") {
                task.contracts.push(ProgramContract { requires: None, ensures: ensures.to_owned() });
            } else if let Some((requires, ensures)) =
                line.strip_prefix("for every input with ").and_then(|rest| rest.split_once(": "))
            {
                let (requires, ensures) = (Some(requires.to_owned()), ensures.to_owned());
                task.contracts.push(ProgramContract { requires, ensures });
            } else {
                task.cases.push(Case::read(statement, line, &mut lines)?);
            }
        }
        Case::require_any(statement, task.cases.len() + task.contracts.len())?;
        Ok(task)
    }

    /// Judges an attempt. Stores its words and cycles in the verdict.
    pub fn check(&self, attempt: &str, verdict: &mut Verdict) -> Judgement {
        let program = AssembledProgram::new(attempt)?;
        verdict.words = Some(program.word_count());
        let words = counted(program.word_count(), "word");
        if let Some(most) = self.max_words.filter(|&most| program.word_count() > most) {
            refuse!("Your program has {words}, but at most {most} are allowed.");
        }
        let board = Board::gray1();
        let limit = self.runs_for.or(self.max_cycles).unwrap_or(DEFAULT_MAX_CYCLES);
        let mut longest = 0;
        for (name, _) in self.cases.iter().flat_map(|case| &case.ram) {
            program.address(name)?;
        }
        for (seed, case) in (1..).zip(&self.cases) {
            let subject = case.subject("your program");
            let outcome = case.run(&program, &board, seed, limit).map_err(|fault| fault.at(&subject))?;
            if self.runs_for.is_none() {
                case.check_halt(&outcome, &subject, limit)?;
            }
            case.check(&outcome, &subject, &program)?;
            longest = longest.max(outcome.state.cycle);
        }
        for contract in &self.contracts {
            longest = longest.max(prove(attempt, contract, limit)?);
        }
        verdict.cycles = self.runs_for.is_none().then_some(longest);
        let cycles = verdict.cycles.map_or(String::new(), |most| {
            format!(", and it halts after at most {}", counted(most as usize, "cycle"))
        });
        Ok(format!("Right. Your program has {words}{cycles}."))
    }
}

/// The limits of a proof. An exercise needs far less.
const LIMITS: Limits =
    Limits { words: 100_000, words_of_program: 200_000, words_before_invariants: 10_000, nodes: 400_000 };

/// Proves that a program fulfils a contract for every input. Returns the maximum number of cycles.
fn prove(attempt: &str, contract: &ProgramContract, limit: u64) -> Result<u64, Refusal> {
    if AssembledProgram::new(attempt)?.contracts().any(|contract| contract.subject == Subject::Program) {
        refuse!("Leave out `.requires` and `.ensures` for the whole program: the exercise has them.");
    }
    let ProgramContract { requires, ensures } = contract;
    let requires = requires.as_ref().map(|requires| format!(".requires {requires}\n")).unwrap_or_default();
    let source = format!("{attempt}\n{requires}.ensures {ensures}\n.within {limit}\n");
    let Ok(program) = AssembledProgram::new(&source) else {
        refuse!("Keep the bytes that the exercise is about, as in `{ensures}`.");
    };
    let contracts = program.contracts().filter(|contract| contract.subject == Subject::Program);
    let Some(contract) = contracts.last() else { return Ok(0) };
    let proof = program.prover(LIMITS).prove(contract, &|| false);
    let Proof { verdict, cycles, .. } = proof.map_err(|obstacle| Refusal(obstacle.to_string()))?;
    match verdict {
        Outcome::Proved => Ok(cycles.and_then(|cycles| cycles.most).map_or(0, |(most, _)| most)),
        Outcome::Refuted(part, witness) => {
            let input = program.describe_input(&witness);
            Err(match part {
                Violation::Within => format!("For {input} your program does not halt within {limit} cycles."),
                _ => format!("For {input} this does not hold at the end: {ensures}"),
            }
            .into())
        }
        Outcome::Undecided(_) => {
            Err("This could not be proved or refuted: use less code or shorter loops.".into())
        }
    }
}
