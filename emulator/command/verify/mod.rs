//! `gray1 verify`: proves that a board cannot forget, whatever the speed of its chips.

mod text;

use crate::Ending;
use crate::cores::on_all_cores;
use crate::interrupt::Interrupt;
use crate::machine::board;
use crate::output::put;
use crate::progress::Progress;
use clap::ValueEnum;
use gray1_proof::{Claim, Limits, Piece, Report, Verdict};
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// What to prove; the default is everything
    #[arg(value_enum)]
    claims: Vec<ClaimName>,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Use this board file
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ClaimName {
    /// Every loop holds over T(A,B)
    Loops,
    /// In whatever order chips and lines react, each phase ends in the same state
    Order,
    /// The board computes the instruction set
    Instructions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

pub fn verify(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let board = board(arguments.board.as_deref())?;
    let interrupt = Interrupt::listen_twice()?;
    let claims: Vec<Claim> = Claim::ALL
        .into_iter()
        .filter(|claim| arguments.claims.is_empty() || arguments.names(*claim))
        .collect();
    let pieces: Vec<Piece> = claims.iter().flat_map(|claim| claim.pieces()).collect();
    let progress = Progress::of(pieces.iter().map(Piece::size).sum(), "cases");
    let found = on_all_cores(&pieces, interrupt.flag(), |piece| {
        progress.say(piece.name().to_owned());
        let found = piece.work(&board, &Limits::default(), interrupt.flag());
        progress.add(piece.size());
        found
    });
    drop(progress);
    let Some(found) = found.into_iter().map(Option::flatten).collect::<Option<Vec<_>>>() else {
        return Ok(Ending::Interrupted);
    };
    let report = Report::of(&board, &claims, found);
    let text = match arguments.format {
        Format::Text => text::report(&board, &report),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
    };
    put(Path::new("-"), text.as_bytes())?;
    Ok(if report.verdict == Verdict::Proved { Ending::Done } else { Ending::Refuted })
}

impl Arguments {
    fn names(&self, claim: Claim) -> bool {
        self.claims.iter().any(|name| {
            claim
                == match name {
                    ClaimName::Loops => Claim::Loops,
                    ClaimName::Order => Claim::Order,
                    ClaimName::Instructions => Claim::Instructions,
                }
        })
    }
}
