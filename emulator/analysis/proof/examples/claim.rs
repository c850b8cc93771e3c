//! Tries to prove a claim about a board and prints the result.
//!
//! `cargo run -p gray1-proof --example claim -- [loops|order|instructions] [BOARD.ron]`

use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let claim = match arguments.next().as_deref() {
        None | Some("order") => Claim::Order,
        Some("loops") => Claim::Loops,
        Some("instructions") => Claim::Instructions,
        Some(other) => return Err(format!("there is no claim {other}").into()),
    };
    let board = match arguments.next() {
        None => Board::gray1(),
        Some(file) => Board::parse(&std::fs::read_to_string(&file)?, &file)?,
    };
    let report = Prover::new(&board).prove(claim)?;
    println!("{}: {}: {:?}", board.name, claim.says(), report.verdict);
    for why in &report.undecided {
        println!("  {why}");
    }
    for counterexample in &report.counterexamples {
        println!("  {counterexample:?}");
    }
    Ok(())
}
