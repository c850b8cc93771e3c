//! A program as an attempt: it is run on the chips engine, once for each case, or proved for all inputs.
//!
//! ```text
//!   at most 8 words        a limit
//!   at most 200 cycles     another, for each run; 20,000 if nothing is said
//!   runs for 3000 cycles   for programs that do not halt: when to compare with what is expected
//!   when …: …              the cases
//!   for every input: …     what is proved instead
//! ```

use crate::Refusal;
use crate::case::Case;
use crate::run::{Assembled, MOST_CYCLES};
use crate::statement::{Fault, Statement, between};
use crate::verdict::{Judgement, Verdict};
use gray1_assembler::Subject;
use gray1_contracts::{Limits, Proof, Verdict as Outcome, Violation};
use gray1_machine::board::Board;
use gray1_text::counted;

/// What a program is to do.
#[derive(Clone, Debug, Default)]
pub struct Task {
    most_words: Option<usize>,
    most_cycles: Option<u64>,
    /// Run for this many cycles, and not until it halts.
    runs_for: Option<u64>,
    cases: Vec<Case>,
    /// What is proved: what is given, if anything is, and what has to hold at the halt.
    promises: Vec<(Option<String>, String)>,
}

impl Task {
    pub fn read(statement: &Statement) -> Result<Task, Fault> {
        let mut task = Task::default();
        let mut lines = statement.lines();
        while let Some(line) = lines.next() {
            if let Some(number) = between(line, "at most ", " words") {
                task.most_words = Some(statement.number(number)?);
            } else if let Some(number) = between(line, "at most ", " cycles") {
                task.most_cycles = Some(statement.number(number)?);
            } else if let Some(number) = between(line, "runs for ", " cycles") {
                task.runs_for = Some(statement.number(number)?);
            } else if let Some(promise) = line.strip_prefix("for every input: ") {
                task.promises.push((None, promise.to_owned()));
            } else if let Some((given, promise)) =
                line.strip_prefix("for every input with ").and_then(|rest| rest.split_once(": "))
            {
                task.promises.push((Some(given.to_owned()), promise.to_owned()));
            } else {
                task.cases.push(Case::read(statement, line, &mut lines)?);
            }
        }
        Case::some(statement, task.cases.len() + task.promises.len())?;
        Ok(task)
    }

    /// Judges an attempt; the verdict gets its words and cycles.
    pub fn check(&self, attempt: &str, verdict: &mut Verdict) -> Judgement {
        let program = Assembled::new(attempt)?;
        verdict.words = Some(program.words());
        let words = counted(program.words(), "word");
        if let Some(most) = self.most_words.filter(|&most| program.words() > most) {
            return Err(format!("Your program has {words}, but at most {most} are allowed.").into());
        }
        let board = Board::gray1();
        let limit = self.runs_for.or(self.most_cycles).unwrap_or(MOST_CYCLES);
        let mut longest = 0;
        for (name, _) in self.cases.iter().flat_map(|case| &case.ram) {
            program.address(name)?;
        }
        for (seed, case) in (1..).zip(&self.cases) {
            let subject = case.subject("your program");
            let outcome = case
                .run(&program, &board, seed, limit)
                .map_err(|Refusal(fault)| format!("{subject}: {fault}"))?;
            if self.runs_for.is_none() {
                case.check_halt(&outcome, &subject, limit)?;
            }
            case.check(&outcome, &subject, &program)?;
            longest = longest.max(outcome.state.cycle);
        }
        for promise in &self.promises {
            longest = longest.max(prove(attempt, promise, limit)?);
        }
        verdict.cycles = self.runs_for.is_none().then_some(longest);
        let cycles = verdict.cycles.map_or(String::new(), |most| {
            format!(", and it halts after at most {}", counted(most as usize, "cycle"))
        });
        Ok(format!("Right. Your program has {words}{cycles}."))
    }
}

/// What is tried in a proof; an exercise needs far less.
const LIMITS: Limits =
    Limits { words: 100_000, words_of_program: 200_000, words_before_invariants: 10_000, nodes: 400_000 };

/// Proves what a program promises for every input; returns the most cycles that it takes.
fn prove(attempt: &str, (given, promise): &(Option<String>, String), limit: u64) -> Result<u64, Refusal> {
    if Assembled::new(attempt)?.contracts().any(|contract| contract.subject == Subject::Program) {
        return Err(
            "Leave `.requires` and `.ensures` for the whole program out: the exercise has them.".into()
        );
    }
    let given = given.as_ref().map(|given| format!(".requires {given}\n")).unwrap_or_default();
    let source = format!("{attempt}\n{given}.ensures {promise}\n.within {limit}\n");
    let Ok(program) = Assembled::new(&source) else {
        return Err(format!("Keep the bytes that the exercise is about, as in `{promise}`.").into());
    };
    let contracts = program.contracts().filter(|contract| contract.subject == Subject::Program);
    let Some(contract) = contracts.last() else { return Ok(0) };
    let proof = program.prover(LIMITS).prove(contract, &|| false);
    let Proof { verdict, cycles, .. } = proof.map_err(|obstacle| Refusal(obstacle.to_string()))?;
    match verdict {
        Outcome::Proved => Ok(cycles.and_then(|cycles| cycles.most).map_or(0, |(most, _)| most)),
        Outcome::Refuted(part, moment) => {
            let input = program.input(&moment);
            Err(match part {
                Violation::Within => format!("For {input} your program does not halt within {limit} cycles."),
                _ => format!("For {input} this does not hold at the end: {promise}"),
            }
            .into())
        }
        Outcome::Undecided(_) => {
            Err("It was not found out whether this is right: try it with less code, or shorter loops.".into())
        }
    }
}
