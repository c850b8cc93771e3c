//! Contracts and claims of a program.

use super::arguments::{Arguments, Asked};
use super::idle::{self, Called};
use super::verdicts::{self, Question, Subject};
use crate::ending::Ending;
use crate::support::interrupt::Interrupt;
use crate::support::output::put;
use crate::tell::tell;
use gray1_assembler::{Contract, Program, closest};
use gray1_contracts::{Claim, Limits, Prover};
use gray1_isa::Image;
use gray1_text::counted;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

pub fn verify(arguments: &Arguments, file: &Path) -> Result<Ending, Box<dyn Error>> {
    let read = arguments.assembler.read(file)?;
    let (program, report) = read.assembled().ok_or("an image has no contracts: name its source")?;
    let (called, uncallable): (Vec<_>, Vec<_>) =
        idle::called(program, file, arguments)?.into_iter().partition(Result::is_ok);
    let called: Vec<Called> = called.into_iter().flatten().collect();
    let other = other(arguments)?;
    let prover = Prover::new(program, Limits::default());
    let provers: Vec<Prover> =
        called.iter().map(|called| Prover::new(&called.program, Limits::default())).collect();
    let own = |subject| Question { subject, prover: &prover, sources: &report.sources, text: None };
    let questions: Vec<Question> = match arguments.of_program.claim {
        Some(claim) => vec![own(claimed(claim, arguments, other.as_ref())?)],
        None => {
            let contracts = chosen(program, &arguments.names)?.into_iter().map(Subject::Contract).map(own);
            let of_idle = called.iter().zip(&provers).filter_map(|(called, prover)| {
                let (subject, sources) = (Subject::Contract(called.contract()?), &called.report.sources);
                Some(Question { subject, prover, sources, text: Some(&called.text) })
            });
            let uncallable = uncallable.into_iter().filter_map(Result::err);
            let uncallable = uncallable.map(|(code, error)| own(Subject::Uncallable(code, error)));
            contracts.chain(of_idle).chain(uncallable).collect()
        }
    };
    if let Some(file) = &arguments.of_program.smt {
        write_questions(file, &questions)?;
    }
    let interrupt = Interrupt::listen_twice()?;
    let start = Instant::now();
    let ending = verdicts::give(&questions, file, arguments, &interrupt)?;
    if arguments.stats {
        let count = counted(questions.len(), "contract");
        tell(format_args!("{count}: {:.2} s", start.elapsed().as_secs_f64()));
    }
    Ok(ending)
}

/// The contracts of these names, or all.
fn chosen<'a>(program: &'a Program, names: &[String]) -> Result<Vec<&'a Contract>, String> {
    let called = program.contracts.iter().map(|contract| contract.name.as_str());
    let idle = program.idle.iter().map(|idle| idle.name.as_str());
    let known = || called.clone().chain(idle.clone());
    if known().next().is_none() {
        return Err("the program has no contracts: `.ensures` in a routine or a macro makes one".to_owned());
    }
    for name in names {
        if !known().any(|known| known == name) {
            let near = closest(name, known()).map(|near| format!("; did you mean `{near}`?"));
            return Err(format!("no contract is named `{name}`{}", near.unwrap_or_default()));
        }
    }
    let is_wanted = |contract: &&Contract| names.is_empty() || names.contains(&contract.name);
    Ok(program.contracts.iter().filter(is_wanted).collect())
}

/// The other program of a claim, if there is one.
fn other(arguments: &Arguments) -> Result<Option<Image>, Box<dyn Error>> {
    let options = &arguments.of_program;
    options.other.as_ref().map(|file| arguments.assembler.program(file)).transpose()
}

/// The claim about the whole program that is asked for.
fn claimed<'a>(asked: Asked, arguments: &Arguments, other: Option<&'a Image>) -> Result<Subject<'a>, String> {
    let options = &arguments.of_program;
    if !arguments.names.is_empty() {
        return Err("--claim is about the whole program: leave the names of contracts out".into());
    }
    let needs = |claim, option: &str, name| match asked == claim {
        true => Ok(()),
        false => Err(format!("{option} is for `--claim {name}`")),
    };
    options.within.map_or(Ok(()), |_| needs(Asked::Halts, "--within", "halts"))?;
    other.map_or(Ok(()), |_| needs(Asked::Same, "--as", "same"))?;
    Ok(match (asked, other) {
        (Asked::Same, Some(other)) => Subject::Claim("same", Claim::Same { other, cycles: options.cycles }),
        (Asked::Same, None) => return Err("`--claim same` needs another program: `--as FILE`".into()),
        (Asked::Halts, _) => Subject::Claim("halts", Claim::Halts(options.within)),
        (Asked::Noise, _) => Subject::Claim("noise", Claim::Noise),
    })
}

/// Writes the questions whether contracts are broken.
fn write_questions(file: &Path, questions: &[Question]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for Question { subject, prover, .. } in questions {
        if let Subject::Contract(contract) = subject {
            let question = prover.question(contract);
            text += &question.map_err(|obstacle| format!("`{}`: no question: {obstacle}", contract.name))?;
            text += "(reset)\n";
        }
    }
    Ok(put(file, text.as_bytes())?)
}
