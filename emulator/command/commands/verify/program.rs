//! Contracts of a program.

use super::solver::Z3;
use crate::ending::Ending;
use crate::support::choice::{Format, choice};
use crate::support::cores::as_finished;
use crate::support::files::{print, shown};
use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::known;
use crate::support::output::{Outputs, put};
use crate::support::progress::Progress;
use crate::support::units::cycles;
use crate::tell::tell;
use gray1_assembler::{Contract, Program, Sources, closest};
use gray1_contracts::{Claim, Limits, Moment, Prover, Row, Word};
use gray1_machine::program_mark;
use gray1_text::counted;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The options for programs.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the state and the input script of each refutation to this folder; the default is a folder for temporary
    /// files
    #[arg(long, value_name = "DIR", requires = "program")]
    moments: Option<PathBuf>,
    /// Write the questions whether contracts are broken to this file, as SMT-LIB for a solver
    #[arg(long, value_name = "FILE", requires = "program", conflicts_with = "claim")]
    smt: Option<PathBuf>,
    /// Prove a claim about the whole program instead of its contracts
    #[arg(long, requires = "program", value_parser = choice(CLAIMS))]
    claim: Option<Asked>,
    /// With `--claim halts`: within this many cycles
    #[arg(long, value_name = "N", requires = "claim", value_parser = cycles)]
    within: Option<u64>,
    /// With `--claim same`: the other program
    #[arg(long = "as", value_name = "FILE", requires = "claim", value_parser = known::program(), hide_possible_values = true)]
    other: Option<PathBuf>,
    /// With `--claim same`: the same stores in the same cycles
    #[arg(long, requires = "other")]
    cycles: bool,
}

/// A claim about a program.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Noise,
    Halts,
    Same,
}

const CLAIMS: [(&str, &str, Asked); 3] = [
    ("noise", "Nothing sent, shown or kept depends on what RAM held at power-up", Asked::Noise),
    ("halts", "The machine halts, whatever is pressed", Asked::Halts),
    ("same", "It sends the same bytes as another program, and shows the same", Asked::Same),
];

/// The report as JSON.
#[derive(Serialize)]
struct Report<'a> {
    contracts: &'a [Row],
}

pub fn verify(arguments: &super::Arguments, file: &Path) -> Result<Ending, Box<dyn Error>> {
    let read = arguments.assembler.read(file)?;
    let (program, report) = read.assembled().ok_or("an image has no contracts: name its source")?;
    let interrupt = Interrupt::listen_twice()?;
    let start = Instant::now();
    let prover = Prover::new(program, Limits::default());
    let mut rows = match arguments.of_program.claim {
        Some(claim) => vec![prove_claim(claim, arguments, &prover, &report.sources, &interrupt)?],
        None => {
            let contracts = chosen(program, &arguments.names)?;
            if let Some(file) = &arguments.of_program.smt {
                write_questions(file, &prover, &contracts)?;
            }
            prove(&prover, &report.sources, &contracts, &interrupt)?
        }
    };
    if arguments.stats {
        let count = counted(rows.iter().map(|row| row.uses).sum(), "contract");
        tell(format_args!("{count}: {:.2} s", start.elapsed().as_secs_f64()));
    }
    let temporary = || std::env::temp_dir().join("gray1");
    let folder = arguments.of_program.moments.clone().unwrap_or_else(temporary);
    write_moments(&mut rows, program, file, arguments, &folder)?;
    match arguments.format {
        Format::Text => {
            let text: String = rows.iter().map(Row::text).collect();
            print(text.as_bytes())?;
        }
        Format::Json => {
            print((serde_json::to_string_pretty(&Report { contracts: &rows })? + "\n").as_bytes())?;
        }
    }
    let is_proved = rows.iter().all(|row| row.verdict == Word::Proved);
    Ok(if is_proved { Ending::Done } else { Ending::Refuted })
}

/// The contracts of these names, or all.
fn chosen<'a>(program: &'a Program, names: &[String]) -> Result<Vec<&'a Contract>, String> {
    let known = || program.contracts.iter().map(|contract| contract.name.as_str());
    if program.contracts.is_empty() {
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

/// Proves a claim about the whole program.
fn prove_claim(
    asked: Asked,
    arguments: &super::Arguments,
    prover: &Prover,
    sources: &Sources,
    interrupt: &Interrupt,
) -> Result<Row, Box<dyn Error>> {
    let options = &arguments.of_program;
    if !arguments.names.is_empty() {
        return Err("--claim is about the whole program: leave the names of contracts out".into());
    }
    let needs = |claim, option: &str, name| match asked == claim {
        true => Ok(()),
        false => Err(format!("{option} is for `--claim {name}`")),
    };
    options.within.map_or(Ok(()), |_| needs(Asked::Halts, "--within", "halts"))?;
    options.other.as_ref().map_or(Ok(()), |_| needs(Asked::Same, "--as", "same"))?;
    let other = match (&options.other, asked) {
        (Some(file), _) => Some(arguments.assembler.program(file)?),
        (None, Asked::Same) => return Err("`--claim same` needs another program: `--as FILE`".into()),
        _ => None,
    };
    let (name, claim) = match (asked, &other) {
        (Asked::Same, Some(other)) => ("same", Claim::Same { other, cycles: options.cycles }),
        (Asked::Halts, _) => ("halts", Claim::Halts(options.within)),
        _ => ("noise", Claim::Noise),
    };
    let proof = prover.prove_claim(&claim, &|| interrupt.check().is_err()).map_err(|_| Interrupted)?;
    Ok(Row::of_claim(name, &proof, prover.program(), sources))
}

/// Writes the questions whether contracts are broken.
fn write_questions(file: &Path, prover: &Prover, contracts: &[&Contract]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for contract in contracts {
        let question = prover.question(contract);
        text += &question.map_err(|obstacle| format!("`{}`: no question: {obstacle}", contract.name))?;
        text += "(reset)\n";
    }
    Ok(put(file, text.as_bytes())?)
}

/// Proves contracts, on all cores; a row for each name, in the order of the source.
fn prove(
    prover: &Prover,
    sources: &Sources,
    contracts: &[&Contract],
    interrupt: &Interrupt,
) -> Result<Vec<Row>, Interrupted> {
    let progress = Progress::of(contracts.len() as u64, "contracts");
    let mut found: Vec<Option<Row>> = vec![None; contracts.len()];
    let work = |contract: &&Contract| {
        let proof = prover.prove(contract, &|| interrupt.check().is_err()).and_then(|proof| {
            match proof.is_too_large().then(Z3::start) {
                Some(Some(mut solver)) => prover.prove_by(contract, &mut solver),
                _ => Ok(proof),
            }
        });
        progress.add(1);
        proof.map(|proof| Row::of(contract, &proof, prover.program(), sources))
    };
    as_finished(contracts, interrupt.flag(), work, |number, row| found[number] = row.ok());
    drop(progress);
    let mut rows: Vec<Row> = Vec::new();
    for row in found {
        let row = row.ok_or(Interrupted)?;
        match rows.iter().position(|other| other.name == row.name) {
            Some(same) => rows[same] = rows[same].clone().and(row),
            None => rows.push(row),
        }
    }
    Ok(rows)
}

/// Writes the inputs that break promises, and says how to open the debugger there.
fn write_moments(
    rows: &mut [Row],
    program: &Program,
    file: &Path,
    arguments: &super::Arguments,
    folder: &Path,
) -> Result<(), Box<dyn Error>> {
    let mut outputs = Outputs::new(folder);
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    for row in rows {
        let (Some(Moment { state, script, cycle, .. }), Some(found)) = (&row.moment, &mut row.counterexample)
        else {
            continue;
        };
        let name = format!("{stem}-{}", row.name);
        let mark = program_mark(&program.image);
        outputs.write(&format!("{name}.state"), state.to_ron(&mark).as_bytes())?;
        let path = |ending: &str| word(&folder.join(format!("{name}.{ending}")).to_string_lossy());
        let mut command = format!("gray1 debug {} --state-in {}", word(&shown(file)), path("state"));
        if script.cycles().next().is_some() {
            outputs.write(&format!("{name}.input"), script.to_ron().as_bytes())?;
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
    }
    outputs.finish()?;
    Ok(())
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
