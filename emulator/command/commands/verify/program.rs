//! Contracts of a program.

use super::arguments::{Arguments, Asked};
use super::idle::{self, Called};
use super::solver::Z3;
use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::as_finished;
use crate::support::files::{print, shown};
use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::output::{Outputs, put};
use crate::support::progress::Progress;
use crate::tell::tell;
use gray1_assembler::{Contract, Program, Sources, closest};
use gray1_contracts::{Claim, Limits, Moment, Prover, Row, Word};
use gray1_machine::program_mark;
use gray1_text::counted;
use serde::Serialize;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// A prover of a program, the program's sources, and the contracts to judge.
type Judged<'a> = (Prover<'a>, &'a Sources, Vec<&'a Contract>);

/// The report as JSON.
#[derive(Serialize)]
struct Proofs<'a> {
    contracts: &'a [Row],
}

pub fn verify(arguments: &Arguments, file: &Path) -> Result<Ending, Box<dyn Error>> {
    let read = arguments.assembler.read(file)?;
    let (program, report) = read.assembled().ok_or("an image has no contracts: name its source")?;
    let (called, uncallable): (Vec<_>, Vec<_>) =
        idle::called(program, file, arguments)?.into_iter().partition(Result::is_ok);
    let called: Vec<Called> = called.into_iter().flatten().collect();
    let interrupt = Interrupt::listen_twice()?;
    let start = Instant::now();
    let prover = Prover::new(program, Limits::default());
    let mut rows: Vec<Row> = match arguments.of_program.claim {
        Some(claim) => vec![prove_claim(claim, arguments, &prover, &report.sources, &interrupt)?],
        None => {
            let mut all = vec![(prover, &report.sources, chosen(program, &arguments.names)?)];
            all.extend(called.iter().map(|called| {
                let prover = Prover::new(&called.program, Limits::default());
                (prover, &called.report.sources, called.contract().into_iter().collect())
            }));
            if let Some(file) = &arguments.of_program.smt {
                write_questions(file, &all)?;
            }
            let mut rows = Vec::new();
            for (prover, sources, contracts) in &all {
                rows.extend(prove(prover, sources, contracts, &interrupt)?);
            }
            let uncallable = uncallable.into_iter().filter_map(Result::err);
            rows.extend(uncallable.map(|(code, error)| Row::uncallable(code, &error, &report.sources)));
            rows
        }
    };
    if arguments.stats {
        let count = counted(rows.iter().map(|row| row.uses).sum(), "contract");
        tell(format_args!("{count}: {:.2} s", start.elapsed().as_secs_f64()));
    }
    let temporary = || std::env::temp_dir().join("gray1");
    let folder = arguments.of_program.moments.clone().unwrap_or_else(temporary);
    write_moments(&mut rows, program, &called, file, arguments, &folder)?;
    match arguments.format {
        Format::Text => {
            let text: String = rows.iter().map(Row::text).collect();
            print(text.as_bytes())?;
        }
        Format::Json => {
            print((serde_json::to_string_pretty(&Proofs { contracts: &rows })? + "\n").as_bytes())?;
        }
    }
    let is_proved = rows.iter().all(|row| row.verdict == Word::Proved);
    Ok(if is_proved { Ending::Done } else { Ending::Refuted })
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

/// Proves a claim about the whole program.
fn prove_claim(
    asked: Asked,
    arguments: &Arguments,
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
fn write_questions(file: &Path, all: &[Judged]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for (prover, _, contracts) in all {
        for contract in contracts {
            let question = prover.question(contract);
            text += &question.map_err(|obstacle| format!("`{}`: no question: {obstacle}", contract.name))?;
            text += "(reset)\n";
        }
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
    called: &[Called],
    file: &Path,
    arguments: &Arguments,
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
        let path = |ending: &str| word(&folder.join(format!("{name}.{ending}")).to_string_lossy());
        let (image, mut command) = match called.iter().find(|called| called.name() == row.name) {
            // The program itself does not have this code.
            Some(called) => {
                outputs.write(&format!("{name}.g1"), called.text.as_bytes())?;
                let beside =
                    file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
                let beside = word(&beside.to_string_lossy());
                (&called.program.image, format!("gray1 debug {} -I {beside}", path("g1")))
            }
            None => (&program.image, format!("gray1 debug {}", word(&shown(file)))),
        };
        outputs.write(&format!("{name}.state"), state.to_ron(&program_mark(image)).as_bytes())?;
        command += &format!(" --state-in {}", path("state"));
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
