//! Proves all subjects of a program and prints the verdicts in the order of the source, each as soon as possible.

use super::arguments::Arguments;
use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::{Event, with_events};
use crate::support::files::{FileError, print, print_text, shown};
use crate::support::interrupt::{Interrupt, exit_code};
use crate::support::json;
use crate::support::output::write_files;
use crate::support::progress::Progress;
use gray1_assembler::{Contract, IdleCode, Sources};
use gray1_machine::program_mark;
use gray1_proof::contracts::{
    Claim, Doubt, Obstacle, Proof, Prover, Row, VerdictKind, Witness, words_executed,
};
use gray1_text::counted;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};

/// A subject to prove, with its program.
pub struct Question<'a> {
    pub subject: Subject<'a>,
    /// The prover for the program.
    pub prover: &'a Prover<'a>,
    pub sources: &'a Sources,
    /// The source, if the program is a copy with a call of idle code.
    pub text: Option<&'a str>,
}

/// A contract or a claim to prove.
pub enum Subject<'a> {
    Contract(&'a Contract),
    /// A claim about the whole program, with its name.
    Claim(&'static str, Claim<'a>),
    /// Code that is never called, with the error of a generated call.
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
    contracts: &'a [Row],
}

/// Proves all subjects on all cores, with a row for each name. An interruption ends the process; the remaining subjects
/// are then reported as undecided.
pub fn prove_all(
    questions: &[Question],
    file: &Path,
    arguments: &Arguments,
    interrupt: &Interrupt,
) -> Result<Ending, Box<dyn Error>> {
    let progress = Progress::new(questions.len() as u64, "contracts");
    let mut verdicts = Verdicts::new(questions, file, arguments);
    let mut failure = None;
    with_events(
        questions,
        interrupt.flag(),
        |question| question.prove(interrupt),
        |event| match event {
            Event::Finished(number, proof) => {
                verdicts.pending[number] = proof.ok().map(|proof| questions[number].row(&proof));
                progress.add(1);
                failure = failure.take().or(progress.suspend(|| verdicts.print_next()).err());
            }
            Event::Tick => progress.set_message(verdicts.message()),
            Event::Stopped => progress.suspend(|| verdicts.abort()),
        },
    );
    drop(progress);
    if interrupt.check().is_err() {
        verdicts.abort();
    }
    failure.map_or(Ok(()), Err)?;
    verdicts.finish()?;
    let is_proved = verdicts.rows.iter().all(|row| row.verdict == VerdictKind::Proved);
    Ok(if is_proved { Ending::Done } else { Ending::Refuted })
}

impl Question<'_> {
    fn prove(&self, interrupt: &Interrupt) -> Result<Proof, Obstacle> {
        let stop = || interrupt.check().is_err();
        match &self.subject {
            Subject::Claim(_, claim) => self.prover.prove_claim(claim, &stop),
            Subject::Uncallable(..) => Ok(interrupted_proof()), // the row has the reason
            Subject::Contract(contract) => self.prover.prove(contract, &stop),
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

/// Makes the result of an interrupted proof.
fn interrupted_proof() -> Proof {
    Proof::undecided(Doubt::Limit(Obstacle::Stopped, None))
}

/// The verdicts so far.
struct Verdicts<'a> {
    questions: &'a [Question<'a>],
    file: &'a Path,
    arguments: &'a Arguments,
    /// The row of each question, once it is available and until it is printed.
    pending: Vec<Option<Row>>,
    /// The questions of each row of the report. All calls of a macro share a row.
    groups: Vec<Vec<usize>>,
    /// The printed rows.
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
        let pending = questions.iter().map(|_| None).collect();
        Verdicts { questions, file, arguments, pending, groups, rows: Vec::new() }
    }

    /// Describes the current contract for the progress line.
    fn message(&self) -> String {
        let group = self.groups.get(self.rows.len());
        let name = group.map_or("", |group| self.questions[group[0]].subject.name());
        format!("{name}, {}", counted(words_executed() as usize, "word"))
    }

    /// Prints available rows, up to the first that is missing.
    fn print_next(&mut self) -> Result<(), FileError> {
        while let Some(group) = self.groups.get(self.rows.len()) {
            if group.iter().any(|number| self.pending[*number].is_none()) {
                break;
            }
            let question = &self.questions[group[0]];
            let rows = group.iter().filter_map(|number| self.pending[*number].take());
            let Some(mut row) = rows.reduce(Row::merge) else { break };
            write_witness(&mut row, question, self.file, self.arguments)?;
            if matches!(self.arguments.format, Format::Text) {
                print_text(&row.text())?;
            }
            self.rows.push(row);
        }
        Ok(())
    }

    /// Prints the verdicts so far and ends the process, after an interruption.
    fn abort(&mut self) -> ! {
        let interrupted = interrupted_proof();
        let printed = self.groups[..self.rows.len()].concat();
        for (number, question) in self.questions.iter().enumerate() {
            if !printed.contains(&number) {
                self.pending[number].get_or_insert_with(|| question.row(&interrupted));
            }
        }
        let _ = self.print_next().and_then(|()| self.finish()); // an error cannot be reported any more
        std::process::exit(exit_code().into())
    }

    fn finish(&self) -> Result<(), FileError> {
        if matches!(self.arguments.format, Format::Json) {
            let report = Proofs { contracts: &self.rows };
            let text = json::answer("verify", &report).unwrap_or_default();
            print(text.as_bytes())?;
        }
        Ok(())
    }
}

/// Writes the files of a counterexample, and stores the command that opens it in the debugger.
fn write_witness(
    row: &mut Row,
    question: &Question,
    file: &Path,
    arguments: &Arguments,
) -> Result<(), FileError> {
    let (Some(Witness { state, script, cycle, .. }), Some(counterexample)) =
        (&row.witness, &mut row.counterexample)
    else {
        return Ok(());
    };
    let temporary = || std::env::temp_dir().join("gray1");
    let folder: PathBuf = arguments.program_options.witness_dir.clone().unwrap_or_else(temporary);
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = |ending: &str| format!("{stem}-{}.{ending}", row.name);
    let path = |ending: &str| shell_word(&folder.join(name(ending)).to_string_lossy());
    let mark = program_mark(&question.prover.program().image);
    let mut files = vec![(name("state"), state.to_ron(&mark))];
    let mut command = match question.text {
        Some(text) => {
            files.push((name("g1"), text.to_owned()));
            let beside = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            format!("gray1 debug {} -I {}", path("g1"), shell_word(&beside.to_string_lossy()))
        }
        None => format!("gray1 debug {}", shell_word(&shown(file))),
    };
    command += &format!(" --state-in {}", path("state"));
    if script.cycles().next().is_some() {
        files.push((name("input"), script.to_ron()));
        command += &format!(" --input {}", path("input"));
    }
    command += &format!(" --cycle {cycle}");
    for (name, value) in &arguments.assembler.define {
        command += &format!(" -D {name}={value}");
    }
    for folder in &arguments.assembler.include {
        command += &format!(" -I {}", shell_word(&folder.to_string_lossy()));
    }
    counterexample.command = command;
    write_files(&folder, files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())))
}

/// Quotes a text as one word of a shell command.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
