//! The verdicts about a program: each is printed as soon as it is known, in the order of the source.

use super::arguments::Arguments;
use super::solver::{self, Z3};
use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::{Event, as_they_happen};
use crate::support::files::{FileError, print, shown};
use crate::support::interrupt::{Interrupt, exit_code};
use crate::support::output::put_all;
use crate::support::progress::Progress;
use gray1_assembler::{Contract, IdleCode, Sources};
use gray1_contracts::{
    Claim, Doubt, Obstacle, Proof, Prover, Row, Verdict, VerdictKind, Witness, words_executed,
};
use gray1_machine::program_mark;
use gray1_text::counted;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Something to prove.
pub struct Question<'a> {
    pub subject: Subject<'a>,
    /// Proves things about its program.
    pub prover: &'a Prover<'a>,
    pub sources: &'a Sources,
    /// The source of its program, if this is not the program of the user, but one with calls of idle code.
    pub text: Option<&'a str>,
}

pub enum Subject<'a> {
    Contract(&'a Contract),
    /// A claim about the whole program, and its name.
    Claim(&'static str, Claim<'a>),
    /// Code that nothing calls, and the error of a call with operands of its own.
    Uncallable(&'a IdleCode, String),
}

impl Subject<'_> {
    pub fn name(&self) -> &str {
        match self {
            Subject::Contract(contract) => &contract.name,
            Subject::Claim(name, _) => name,
            Subject::Uncallable(code, _) => &code.name,
        }
    }
}

/// The report as JSON.
#[derive(Serialize)]
struct Proofs<'a> {
    version: u32,
    command: &'static str,
    contracts: &'a [Row],
}

/// Answers questions on all cores; a row for each name. An interruption ends the process: what is not decided by then is
/// reported as undecided.
pub fn give(
    questions: &[Question],
    file: &Path,
    arguments: &Arguments,
    interrupt: &Interrupt,
) -> Result<Ending, Box<dyn Error>> {
    let progress = Progress::of(questions.len() as u64, "contracts");
    let mut verdicts = Verdicts::new(questions, file, arguments);
    let mut failure = None;
    as_they_happen(
        questions,
        interrupt.flag(),
        |question| question.answer(interrupt),
        |event| match event {
            Event::Finished(number, proof) => {
                verdicts.known[number] = proof.ok().map(|proof| questions[number].row(&proof));
                progress.add(1);
                failure = failure.take().or(progress.aside(|| verdicts.show_next()).err());
            }
            Event::Tick => progress.say(verdicts.message()),
            Event::Stopped => progress.aside(|| verdicts.give_up()),
        },
    );
    drop(progress);
    if interrupt.check().is_err() {
        verdicts.give_up();
    }
    failure.map_or(Ok(()), Err)?;
    verdicts.finish()?;
    let is_proved = verdicts.rows.iter().all(|row| row.verdict == VerdictKind::Proved);
    Ok(if is_proved { Ending::Done } else { Ending::Refuted })
}

impl Question<'_> {
    fn answer(&self, interrupt: &Interrupt) -> Result<Proof, Obstacle> {
        let stop = || interrupt.check().is_err();
        match &self.subject {
            Subject::Claim(_, claim) => self.prover.prove_claim(claim, &stop),
            Subject::Uncallable(..) => Ok(interrupted()), // its row says why there is no proof
            Subject::Contract(contract) => {
                let proof = self.prover.prove(contract, &stop)?;
                let solver = proof.is_too_large().then(Z3::start).flatten();
                let solved = solver.map(|mut solver| self.prover.prove_by(contract, &mut solver));
                let solved =
                    solved.transpose()?.filter(|solved| !matches!(solved.verdict, Verdict::Undecided(_)));
                Ok(solved.unwrap_or(proof))
            }
        }
    }

    fn row(&self, proof: &Proof) -> Row {
        let program = self.prover.program();
        match &self.subject {
            Subject::Contract(contract) => Row::for_contract(contract, proof, program, self.sources),
            Subject::Claim(name, _) => Row::for_claim(name, proof, program, self.sources),
            Subject::Uncallable(code, error) => Row::uncallable(code, error, self.sources),
        }
    }
}

/// What an interruption leaves of a proof.
fn interrupted() -> Proof {
    Proof::undecided(Doubt::Limit(Obstacle::Stopped, None))
}

/// The verdicts that are known, and those that are printed.
struct Verdicts<'a> {
    questions: &'a [Question<'a>],
    file: &'a Path,
    arguments: &'a Arguments,
    /// A row for each question, if it is answered and not printed yet.
    known: Vec<Option<Row>>,
    /// For each row of the report, in order, its questions: calls of one macro share a row.
    groups: Vec<Vec<usize>>,
    /// The rows that are printed.
    rows: Vec<Row>,
}

impl<'a> Verdicts<'a> {
    fn new(questions: &'a [Question<'a>], file: &'a Path, arguments: &'a Arguments) -> Verdicts<'a> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let name = |number: usize| questions[number].subject.name();
        for number in 0..questions.len() {
            match groups.iter_mut().find(|group| name(group[0]) == name(number)) {
                Some(group) => group.push(number),
                None => groups.push(vec![number]),
            }
        }
        let known = questions.iter().map(|_| None).collect();
        Verdicts { questions, file, arguments, known, groups, rows: Vec::new() }
    }

    /// The contract that is waited for, for the progress.
    fn message(&self) -> String {
        let group = self.groups.get(self.rows.len());
        let name = group.map_or("", |group| self.questions[group[0]].subject.name());
        format!("{name}, {}", counted(words_executed() as usize, "word"))
    }

    /// Prints the rows that are known, up to the first that is not.
    fn show_next(&mut self) -> Result<(), FileError> {
        while let Some(group) = self.groups.get(self.rows.len()) {
            if group.iter().any(|number| self.known[*number].is_none()) {
                break;
            }
            let question = &self.questions[group[0]];
            let rows = group.iter().filter_map(|number| self.known[*number].take());
            let Some(mut row) = rows.reduce(Row::merge) else { break };
            write_moment(&mut row, question, self.file, self.arguments)?;
            if matches!(self.arguments.format, Format::Text) {
                print(row.text().as_bytes())?;
            }
            self.rows.push(row);
        }
        Ok(())
    }

    /// Ends the process after an interruption, with all that is known by now.
    fn give_up(&mut self) -> ! {
        solver::end_all();
        let interrupted = interrupted();
        let printed = self.groups[..self.rows.len()].concat();
        for (number, question) in self.questions.iter().enumerate() {
            if !printed.contains(&number) {
                self.known[number].get_or_insert_with(|| question.row(&interrupted));
            }
        }
        let _ = self.show_next().and_then(|()| self.finish()); // there is nowhere left to report it
        std::process::exit(exit_code().into())
    }

    fn finish(&self) -> Result<(), FileError> {
        if matches!(self.arguments.format, Format::Json) {
            let report = Proofs { version: 1, command: "verify", contracts: &self.rows };
            let text = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
            print(text.as_bytes())?;
        }
        Ok(())
    }
}

/// Writes the input that breaks a promise, and says how to open the debugger there.
fn write_moment(
    row: &mut Row,
    question: &Question,
    file: &Path,
    arguments: &Arguments,
) -> Result<(), FileError> {
    let (Some(Witness { state, script, cycle, .. }), Some(found)) = (&row.witness, &mut row.counterexample)
    else {
        return Ok(());
    };
    let temporary = || std::env::temp_dir().join("gray1");
    let folder: PathBuf = arguments.of_program.moments.clone().unwrap_or_else(temporary);
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = |ending: &str| format!("{stem}-{}.{ending}", row.name);
    let path = |ending: &str| word(&folder.join(name(ending)).to_string_lossy());
    let mark = program_mark(&question.prover.program().image);
    let mut files = vec![(name("state"), state.to_ron(&mark))];
    let mut command = match question.text {
        Some(text) => {
            files.push((name("g1"), text.to_owned()));
            let beside = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            format!("gray1 debug {} -I {}", path("g1"), word(&beside.to_string_lossy()))
        }
        None => format!("gray1 debug {}", word(&shown(file))),
    };
    command += &format!(" --state-in {}", path("state"));
    if script.cycles().next().is_some() {
        files.push((name("input"), script.to_ron()));
        command += &format!(" --input {}", path("input"));
    }
    command += &format!(" --cycle {cycle}");
    for (name, value) in arguments.assembler.constants() {
        command += &format!(" -D {name}={value}");
    }
    for folder in arguments.assembler.folders() {
        command += &format!(" -I {}", word(&folder.to_string_lossy()));
    }
    found.command = command;
    put_all(&folder, files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())))
}

/// A text as one word of a shell command.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
