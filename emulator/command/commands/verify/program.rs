//! Proves contracts and claims of a program.

use super::arguments::{Arguments, ProgramClaim};
use super::idle::{self, CopyWithCall};
use super::verdicts::{self, Question, Subject};
use crate::ending::Ending;
use crate::support::interrupt::Interrupt;
use gray1_assembler::{Contract, Program, closest};
use gray1_isa::Image;
use gray1_proof::contracts::{Claim, Limits, Prover};
use std::error::Error;
use std::path::Path;

pub fn verify(arguments: &Arguments, file: &Path) -> Result<Ending, Box<dyn Error>> {
    let read = arguments.assembler.read(file)?;
    let (program, report) = read.assembled.as_ref().ok_or("an image has no contracts: give its source")?;
    let (copies, uncallable): (Vec<_>, Vec<_>) =
        idle::copies_with_calls(program, file, arguments)?.into_iter().partition(Result::is_ok);
    let copies: Vec<CopyWithCall> = copies.into_iter().flatten().collect();
    let other = other(arguments)?;
    let prover = Prover::new(program, Limits::default());
    let provers: Vec<Prover> =
        copies.iter().map(|copy| Prover::new(&copy.program, Limits::default())).collect();
    let own = |subject| Question { subject, prover: &prover, sources: &report.sources, text: None };
    let questions: Vec<Question> = match arguments.program_options.claim {
        Some(claim) => vec![own(claim_subject(claim, arguments, other.as_ref())?)],
        None => {
            let contracts =
                select_contracts(program, &arguments.names)?.into_iter().map(Subject::Contract).map(own);
            let of_idle = copies.iter().zip(&provers).filter_map(|(copy, prover)| {
                let (subject, sources) = (Subject::Contract(copy.contract()?), &copy.report.sources);
                Some(Question { subject, prover, sources, text: Some(&copy.text) })
            });
            let uncallable = uncallable.into_iter().filter_map(Result::err);
            let uncallable = uncallable.map(|(code, error)| own(Subject::Uncallable(code, error)));
            contracts.chain(of_idle).chain(uncallable).collect()
        }
    };
    let interrupt = Interrupt::listen_twice()?;
    verdicts::prove_all(&questions, file, arguments, &interrupt)
}

/// Selects the contracts with these names, or all.
fn select_contracts<'a>(program: &'a Program, names: &[String]) -> Result<Vec<&'a Contract>, String> {
    let called = program.contracts.iter().map(|contract| contract.name.as_str());
    let idle = program.idle.iter().map(|idle| idle.name.as_str());
    let known = || called.clone().chain(idle.clone());
    if known().next().is_none() {
        return Err("the program has no contracts: `.ensures` in a routine or a macro makes one".to_owned());
    }
    for name in names {
        if !known().any(|known| known == name) {
            let similar = closest(name, known()).map(|similar| format!("; did you mean `{similar}`?"));
            return Err(format!("no contract is named `{name}`{}", similar.unwrap_or_default()));
        }
    }
    let is_selected = |contract: &&Contract| names.is_empty() || names.contains(&contract.name);
    Ok(program.contracts.iter().filter(is_selected).collect())
}

/// Reads the other program of a claim, if any.
fn other(arguments: &Arguments) -> Result<Option<Image>, Box<dyn Error>> {
    let options = &arguments.program_options;
    options.other.as_ref().map(|file| arguments.assembler.read_image(file)).transpose()
}

/// Makes the subject of a claim about the whole program.
fn claim_subject<'a>(
    claim: ProgramClaim,
    arguments: &Arguments,
    other: Option<&'a Image>,
) -> Result<Subject<'a>, String> {
    let options = &arguments.program_options;
    if !arguments.names.is_empty() {
        return Err("--claim is about the whole program: leave out the names of contracts".into());
    }
    let needs = |required, option: &str, name| match claim == required {
        true => Ok(()),
        false => Err(format!("{option} is for `--claim {name}`")),
    };
    options.within.map_or(Ok(()), |_| needs(ProgramClaim::Halts, "--within", "halts"))?;
    other.map_or(Ok(()), |_| needs(ProgramClaim::Same, "--as", "same"))?;
    Ok(match (claim, other) {
        (ProgramClaim::Same, Some(other)) => {
            Subject::Claim("same", Claim::Same { other, cycles: options.cycles })
        }
        (ProgramClaim::Same, None) => return Err("`--claim same` needs another program: `--as FILE`".into()),
        (ProgramClaim::Halts, _) => Subject::Claim("halts", Claim::Halts(options.within)),
        (ProgramClaim::Noise, _) => Subject::Claim("noise", Claim::Noise),
    })
}
