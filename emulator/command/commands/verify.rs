//! `gray1 verify`: proves claims about a board that hold whatever the delays of its chips.

use crate::ending::Ending;
use crate::support::choice::{Format, choice, format};
use crate::support::cores::as_finished;
use crate::support::files::print;
use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::machine::BoardArguments;
use crate::support::output::Output;
use crate::support::progress::Progress;
use gray1_proof::report::ClaimReport;
use gray1_proof::{Claim, Prover, Report, Verdict};
use std::error::Error;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The claims to prove; the default is all of them
    #[arg(value_parser = choice(CLAIMS))]
    claims: Vec<Claim>,
    /// The format of the report
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    format: Format,
    /// Write a certificate with which all claims but `instructions` can be checked independently
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArguments,
}

/// The names of the claims.
const CLAIMS: [(&str, &str, Claim); 5] = [
    ("loops", "Every storage loop keeps its value at all addresses of T(A,B)", Claim::Loops),
    ("order", "In whatever order chips and lines react, each phase ends in the same state", Claim::Order),
    ("instructions", "The board computes the instruction set", Claim::Instructions),
    (
        "strobes",
        "The nets that open a latch, write to RAM or send a byte change only as their phases allow",
        Claim::Strobes,
    ),
    ("reset", "A reset leads to address 0 from every state, whenever it ends", Claim::Reset),
];

pub fn verify(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let board = arguments.board.board()?;
    let interrupt = Interrupt::listen_twice()?;
    let certificate = arguments.certificate.as_deref().map(Output::create).transpose()?;
    let claims: Vec<Claim> = Claim::ALL
        .into_iter()
        .filter(|claim| arguments.claims.is_empty() || arguments.claims.contains(claim))
        .collect();
    let prover = Prover::new(&board).until(interrupt.flag());
    let progress = Progress::of(claims.len() as u64, "claims");
    let prove = |claim: &Claim| {
        progress.say(claim.says().to_owned());
        let report = prover.prove(*claim);
        progress.add(1);
        report
    };
    let mut reports: Vec<Option<ClaimReport>> = vec![None; claims.len()];
    let (mut told, mut failure) = (0, None);
    as_finished(&claims, interrupt.flag(), prove, |number, report| {
        reports[number] = report.ok();
        // Reports are printed in the order of the claims, each as soon as all before it are printed.
        while let Some(Some(report)) = reports.get(told) {
            if matches!(arguments.format, Format::Text) {
                let header = if told == 0 { Report::header(&board) } else { String::new() };
                let text = header + &report.text(&board);
                failure = failure.take().or(progress.aside(|| print(text.as_bytes())).err());
            }
            told += 1;
        }
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let reports = reports.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)?;
    let report = Report::of(&board, reports);
    if matches!(arguments.format, Format::Json) {
        print((serde_json::to_string_pretty(&report)? + "\n").as_bytes())?;
    }
    if let Some(certificate) = certificate {
        write_certificate(certificate, &prover, &report)?;
    }
    Ok(if report.verdict == Verdict::Proved { Ending::Done } else { Ending::Refuted })
}

/// Writes the certificate of the claims that are proved.
fn write_certificate(file: Output, prover: &Prover, report: &Report) -> Result<(), Box<dyn Error>> {
    const REFUSED: &str =
        "no certificate was written: it needs the claims `loops` and `order`, and both have to be proved";
    let proved = report.claims.iter().filter(|row| row.verdict == Verdict::Proved);
    let proved: Vec<Claim> = proved.map(|row| row.claim).collect();
    let certificate = prover.certificate(&proved)?.ok_or(REFUSED)?;
    file.complete((serde_json::to_string(&certificate)? + "\n").as_bytes())?;
    Ok(())
}
