//! Proves claims about a board, for all delays of its chips and lines.

use super::arguments::Arguments;
use crate::ending::Ending;
use crate::support::choice::Format;
use crate::support::cores::{Event, with_events};
use crate::support::files::{print, print_text};
use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::json;
use crate::support::message::print_message;
use crate::support::output::Output;
use crate::support::progress::Progress;
use gray1_machine::board::Board;
use gray1_proof::report::ClaimReport;
use gray1_proof::{Claim, Prover, Report, Verdict};
use std::error::Error;

pub fn verify(arguments: &Arguments, requested: &[Claim]) -> Result<Ending, Box<dyn Error>> {
    let board = arguments.board.any_board()?;
    check(&board, arguments, requested)?;
    let interrupt = Interrupt::listen_twice()?;
    let certificate = arguments.certificate.as_deref().map(Output::create).transpose()?;
    let claims: Vec<Claim> = Claim::ALL
        .into_iter()
        .filter(|claim| requested.contains(claim) || requested.is_empty() && applies_to(*claim, &board))
        .collect();
    let prover = Prover::new(&board).until(interrupt.flag());
    let progress = Progress::new(claims.len() as u64, "claims");
    let prove = |claim: &Claim| {
        progress.set_message(claim.wording().statement.to_owned());
        let report = prover.prove(*claim);
        progress.add(1);
        report
    };
    let mut reports: Vec<Option<ClaimReport>> = vec![None; claims.len()];
    let (mut printed, mut failure) = (0, None);
    with_events(&claims, interrupt.flag(), prove, |event| {
        let Event::Finished(number, report) = event else { return progress.add(0) };
        reports[number] = report.ok();
        // Reports are printed in the order of the claims, as soon as all earlier reports are available.
        while let Some(Some(report)) = reports.get(printed) {
            if matches!(arguments.format, Format::Text) {
                let header = if printed == 0 { Report::header(&board) } else { String::new() };
                let text = header + &report.text(&board);
                failure = failure.take().or(progress.suspend(|| print_text(&text)).err());
            }
            printed += 1;
        }
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let reports = reports.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)?;
    let report = Report::of(&board, reports);
    if matches!(arguments.format, Format::Json) {
        print(json::answer("verify", &report)?.as_bytes())?;
    }
    if let Some(certificate) = certificate {
        // The answer has been printed, so this error is only a message.
        if let Err(error) = write_certificate(certificate, &prover, &report) {
            print_message(format_args!("gray1: {error}"));
            return Ok(Ending::Refuted);
        }
    }
    Ok(if report.verdict == Verdict::Proved { Ending::Done } else { Ending::Refuted })
}

/// Whether a claim applies to a board. Most claims need a CPU.
fn applies_to(claim: Claim, board: &Board) -> bool {
    board.bench.is_none() || matches!(claim, Claim::Loops | Claim::Order)
}

/// Fails if a requested claim or a certificate needs a CPU, and the board has none.
fn check(board: &Board, arguments: &Arguments, requested: &[Claim]) -> Result<(), String> {
    let what = match requested.iter().find(|claim| !applies_to(**claim, board)) {
        Some(claim) => format!("the claim `{}`", claim.wording().name),
        None if board.bench.is_some() && arguments.certificate.is_some() => "a certificate".to_owned(),
        None => return Ok(()),
    };
    Err(format!("{what} needs a board with a CPU; `loops` and `order` can be proved about this one"))
}

/// Writes the certificate of the proved claims.
fn write_certificate(file: Output, prover: &Prover, report: &Report) -> Result<(), Box<dyn Error>> {
    const REFUSED: &str =
        "no certificate was written: it needs the claims `loops` and `order`, and both have to be proved";
    let proved = report.claims.iter().filter(|row| row.verdict == Verdict::Proved);
    let proved: Vec<Claim> = proved.map(|row| row.claim).collect();
    let certificate = prover.certificate(&proved)?.ok_or(REFUSED)?;
    file.complete((serde_json::to_string(&certificate)? + "\n").as_bytes())?;
    Ok(())
}
