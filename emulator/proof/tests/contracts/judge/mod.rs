//! A second judge of contracts and claims. It shares no code with the prover, and follows every run of small programs.
//!
//! ```text
//!   machine    the instructions
//!   runs       contracts: every run, for every input
//!   tally      the verdicts beside the truth
//!   formulas   values of formulas; paths: the longest of a graph
//!   traces     the claims `noise` and `same`: both runs at once
//!   generator  random programs with contracts
//!   attacks    handwritten programs, with their expected verdicts
//! ```

#![allow(clippy::unwrap_used)] // a test may panic

mod attacks;
mod formulas;
mod generator;
mod machine;
mod paths;
mod runs;
mod tally;
mod traces;

use generator::Dice;
use gray1_assembler::{Contract, MemoryLoader, Options, Program, assemble};
use gray1_proof::contracts::{Claim, Limits, Prover, Verdict, Violation};
use runs::Judge;
use tally::Tally;

const LIMITS: Limits =
    Limits { words: 20_000, words_of_program: 20_000, words_before_invariants: 20_000, nodes: 100_000 };

/// The random cases of each kind. `LOCKSTEP` multiplies them.
const CASES: usize = 200;

/// Reads a number from the environment.
fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

fn assembled(source: &str) -> Result<Program, String> {
    let options = Options { all_denied: false, ..Options::default() };
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &options);
    assembly.program.ok_or_else(|| assembly.report.render(false))
}

/// Minimises a program for which a verdict is wrong, as long as it is wrong in the same way.
fn minimised(source: &str) -> String {
    let kind = |source: &str| {
        let mut tally = Tally::default();
        tally.examine(source);
        let wrong: Option<String> =
            tally.wrong.first().map(|it| it.split_once(": ").unwrap().1.chars().take(16).collect());
        wrong
    };
    let wanted = kind(source);
    let mut lines: Vec<&str> = source.lines().collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= lines.len() {
            let fewer: Vec<&str> = [&lines[..at], &lines[at + size..]].concat();
            if kind(&fewer.join("\n")) == wanted {
                lines = fewer;
            } else {
                at += 1;
            }
        }
        size /= 2;
    }
    lines.join("\n")
}

/// Formats the verdict about a contract: its cycles, or the violation.
fn verdict(prover: &Prover, contract: &Contract) -> String {
    let proof = prover.prove(contract, &|| false).unwrap();
    match (proof.verdict, proof.vacuous) {
        (Verdict::Proved, Some(_)) => "vacuous".to_owned(),
        (Verdict::Proved, None) => {
            let cycles = proof
                .cycles
                .map(|it| [it.least, it.most].map(|it| it.map_or("None".to_owned(), |it| it.0.to_string())));
            cycles.map_or("proved".to_owned(), |cycles| cycles.join(" to "))
        }
        (Verdict::Refuted(part, _), _) => format!("{part:?}"),
        (Verdict::Undecided(doubt), _) => format!("undecided, {doubt:?}"),
    }
}

#[test]
fn contracts_under_attack() {
    let mut wrong = Vec::new();
    for (before, after, expected) in attacks::CONTRACTS {
        let routine =
            if after.is_empty() { String::new() } else { format!(".routine r\n{after}\n.endroutine\n") };
        let source = format!(".ram x\n.ram y\n.ram t, 4\n{before}\nhalt: jmp halt\n{routine}");
        let program = assembled(&source).unwrap();
        let prover = Prover::new(&program, LIMITS);
        for contract in &program.contracts {
            let found = format!("{}: {}", contract.name, verdict(&prover, contract));
            if found != expected {
                wrong.push(format!("{source}  {found}, expected {expected}"));
            }
            // The judge agrees.
            let truth = Judge::new(&program, contract).unwrap().truth();
            let most = if truth.is_endless { "None".to_owned() } else { truth.most.to_string() };
            let by_judge = match (truth.broken.first(), truth.least) {
                (Some((Violation::Within, _)), _) if expected.ends_with("Halts") => "Halts".to_owned(),
                (Some((part, _)), _) => format!("{part:?}"),
                (None, None) => "vacuous".to_owned(),
                (None, Some(least)) => format!("{least} to {most}"),
            };
            let by_judge = format!("{}: {by_judge}", contract.name);
            if by_judge != expected {
                wrong.push(format!("{source}  JUDGE: {by_judge}, expected {expected}"));
            }
        }
        assert_eq!(program.contracts.len(), 1, "{source}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn claims_under_attack() {
    let mut tally = Tally::default();
    for (first, second, truth, is_shown) in attacks::CLAIMS {
        let (name, own, other) = match first.split_once(':') {
            Some((name, own)) if name.starts_with("same") => (name, own, second),
            _ => (first, second, ""),
        };
        let program =
            |code: &str| assembled(&format!(".ram x\n.ram y\n{code}\nhalt: jmp halt\n.within 0\n")).unwrap();
        let (own, other) = (program(own), program(other));
        let claim = match name {
            "noise" => Claim::Noise,
            "halts" => Claim::Halts(None),
            _ => Claim::Same { other: &other.image, cycles: name == "same, cycles" },
        };
        let by_judge = match claim {
            Claim::Noise => traces::holds([&own.image, &own.image], traces::Claim::Noise),
            Claim::Halts(_) => Some(!Judge::new(&own, &own.contracts[0]).unwrap().truth().is_endless),
            Claim::Same { cycles, .. } => {
                traces::holds([&own.image, &other.image], traces::Claim::Same { cycles })
            }
        };
        let verdict = match Prover::new(&own, LIMITS).prove_claim(&claim, &|| false).unwrap().verdict {
            Verdict::Proved => Some(true),
            Verdict::Refuted(..) => Some(false),
            Verdict::Undecided(_) => None,
        };
        let expected = is_shown.then_some(truth);
        if verdict != expected || by_judge != Some(truth) {
            tally.wrong.push(format!(
                "{first}\n{second}\n  {verdict:?}, expected {expected:?}; judge: {by_judge:?}"
            ));
        }
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

#[test]
fn claims_about_random_programs() {
    let (cases, seed) = (CASES * setting("LOCKSTEP", 1), setting("PROPTEST_RNG_SEED", 1));
    let mut tally = Tally::default();
    for case in 0..cases {
        let dice = &mut Dice((seed * 2_000_003 + case) as u64);
        let lines = generator::plain_lines(dice);
        let other = generator::nearly(dice, &lines);
        let before = tally.wrong.len();
        let (source, other) = (generator::plain(&lines), generator::plain(&other));
        tally.examine_claims(&source, &other);
        if tally.wrong.len() > before {
            println!("case {case}\n{source}\nAS\n{other}\n  {}", tally.wrong[before..].join("\n  "));
        }
    }
    tally.check(&[
        ("noise: true, proved", cases / 4),
        ("halts: true, proved", cases / 4),
        ("same: false, refuted", cases / 20),
    ]);
}

#[test]
fn contracts_of_random_programs() {
    let (cases, seed) = (CASES * setting("LOCKSTEP", 1), setting("PROPTEST_RNG_SEED", 1));
    let mut tally = Tally::default();
    for case in 0..cases {
        let source = generator::program(&mut Dice((seed * 1_000_003 + case) as u64));
        let before = tally.wrong.len();
        tally.examine(&source);
        if tally.wrong.len() > before {
            let source = minimised(&source);
            let mut again = Tally::default();
            again.examine(&source);
            println!("case {case}\n{source}\n  {}\n", again.wrong.join("\n  "));
        }
    }
    tally.check(&[
        ("broken: refuted", cases),
        ("holds: proved, cycles", cases / 2),
        ("contracts", cases / 2),
    ]);
}
