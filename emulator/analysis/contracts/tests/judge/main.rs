//! A second judge of contracts and claims: it shares no code with the prover, and follows every run of small programs.
//!
//! ```text
//!   machine    the instructions
//!   runs       contracts: every run, for every input
//!   traces     the claims `noise` and `same`: both runs at once
//!   generator  random programs with contracts
//!   attacks    programs by hand, with the verdicts that they should have
//! ```

#![allow(clippy::unwrap_used)] // a test may panic

mod attacks;
mod generator;
mod machine;
mod runs;
mod traces;

use generator::Dice;
use gray1_assembler::{Contract, MemoryLoader, Modifies, Options, Program, assemble};
use gray1_contracts::{Claim, Doubt, Limits, Moment, Part, Prover, Verdict};
use runs::{Judge, Truth};
use std::collections::BTreeMap;

const LIMITS: Limits =
    Limits { words: 20_000, words_of_program: 20_000, words_before_invariants: 20_000, nodes: 100_000 };

/// The random cases of each kind. `LOCKSTEP` multiplies them.
const CASES: usize = 200;

/// A number from the environment, or its default.
fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

fn assembled(source: &str) -> Result<Program, String> {
    let options = Options { all_denied: false, ..Options::default() };
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &options);
    assembly.program.ok_or_else(|| assembly.report.render(false))
}

/// What was compared, and the wrong verdicts.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Fails if a verdict was wrong, or if there were fewer comparisons of these kinds.
    fn check(&self, least: &[(&str, usize)]) {
        println!("{:#?}", self.counts);
        assert!(self.wrong.is_empty(), "{} wrong verdicts", self.wrong.len());
        for (kind, least) in least {
            assert!(self.counts.get(*kind).is_some_and(|count| count >= least), "too few of `{kind}`");
        }
    }

    /// Compares the verdict about a contract, of which at most this part is broken, with the truth.
    fn compare(
        &mut self,
        judge: &Judge,
        prover: &Prover,
        contract: &Contract,
        part: Option<Part>,
        truth: &Truth,
    ) {
        let proof = prover.prove(contract, &|| false).unwrap();
        let truth_word = if part.is_some() { "broken" } else { "holds" };
        let wrong = match (&proof.verdict, part) {
            (Verdict::Proved, None) => {
                let expected =
                    (truth.least, (!truth.is_endless && truth.least.is_some()).then_some(truth.most));
                let cycles = proof
                    .cycles
                    .as_ref()
                    .map(|it| [&it.least, &it.most].map(|it| it.as_ref().map(|it| it.0)));
                let vacuous = if proof.vacuous.is_some() { ", vacuous" } else { "" };
                self.count(&format!(
                    "holds: proved{}{vacuous}",
                    if cycles.is_some() { ", cycles" } else { "" }
                ));
                let is_vacuous = truth.least.is_none();
                match cycles {
                    _ if proof.vacuous.is_some() != is_vacuous => {
                        format!("vacuous: {:?}, expected {is_vacuous}", proof.vacuous)
                    }
                    Some(cycles) if cycles != [expected.0, expected.1] => {
                        format!("cycles {cycles:?}, expected {expected:?}")
                    }
                    _ => return,
                }
            }
            (Verdict::Refuted(found, moment), Some(part)) => {
                self.count("broken: refuted");
                let found = if *found == Part::Halts { Part::Within } else { *found };
                let judge = Judge::new(prover.program(), contract)
                    .unwrap_or_else(|| unreachable!("{}", judge.machine.addresses.len()));
                if found != part {
                    format!("refuted by {found:?}, expected {part:?}")
                } else if !judge.breaks(part, moment) {
                    format!("{part:?} is broken, but not by its counterexample: {}", show(moment))
                } else {
                    return;
                }
            }
            (Verdict::Undecided(doubt), _) => {
                let doubt = match doubt {
                    Doubt::Limit(obstacle, _) => obstacle.to_string(),
                    doubt => format!("{doubt:?}").split('(').next().unwrap().to_owned(),
                };
                return self.count(&format!("{truth_word}: undecided, {doubt}"));
            }
            (Verdict::Proved, Some(part)) => {
                let example = truth.broken.iter().find(|(other, _)| *other == part).map(|(_, it)| it.clone());
                format!("PROVED though {part:?} is broken: {}", example.unwrap_or_default())
            }
            (Verdict::Refuted(part, moment), None) => {
                format!("REFUTED though true, by {part:?}: {}", show(moment))
            }
        };
        self.count(&format!("WRONG, {truth_word}"));
        self.wrong.push(format!("{} {:?}: {wrong}", contract.name, contract.subject));
    }

    /// Compares the verdicts about the contracts of a program, and about each with one false promise more.
    fn examine(&mut self, source: &str) {
        let program = match assembled(source) {
            Ok(program) => program,
            Err(report) => {
                return self.count(&format!("not assembled: {}", report.lines().next().unwrap_or_default()));
            }
        };
        let prover = Prover::new(&program, LIMITS);
        for contract in &program.contracts {
            let nothing = Some(Modifies::default());
            let contract =
                &Contract { within: Some((0, contract.span)), modifies: nothing, ..contract.clone() };
            let truth = Judge::new(&program, contract)
                .map(|judge| (judge.truth(), judge))
                .filter(|(truth, _)| !truth.is_partial);
            let Some((truth, judge)) = truth else {
                self.count("too large for the judge");
                continue;
            };
            self.count("contracts");
            let all = |count: usize, part: fn(usize) -> Part| {
                (0..count).map(part).partition(|&part| truth.is_broken(part))
            };
            let (false_ensures, ensures): (Vec<Part>, Vec<Part>) = all(contract.ensures.len(), Part::Ensures);
            let (false_invariants, invariants): (Vec<Part>, Vec<Part>) =
                all(contract.invariants.len(), Part::Invariant);
            let changed: Vec<Part> = truth
                .broken
                .iter()
                .map(|it| it.0)
                .filter(|it| matches!(it, Part::Byte(_) | Part::A | Part::C))
                .collect();
            let most = (!truth.is_endless && !truth.halts).then_some(truth.most);
            let with = |ensures: &[Part], invariants: &[Part], changed: &[Part], within: Option<u64>| {
                select(contract, ensures, invariants, changed, within)
            };
            let mut try_one = |contract: Contract, part: Option<Part>| {
                self.compare(&judge, &prover, &contract, part, &truth);
            };
            try_one(with(&ensures, &invariants, &changed, None), None);
            if let Some(most) = most {
                try_one(with(&ensures, &invariants, &changed, Some(most)), None);
                if most > 0 {
                    try_one(with(&ensures, &invariants, &changed, Some(most - 1)), Some(Part::Within));
                }
            } else if truth.is_broken(Part::Within) {
                try_one(with(&ensures, &invariants, &changed, Some(40)), Some(Part::Within));
            }
            for part in false_ensures.into_iter().take(2) {
                let last = Part::Ensures(ensures.len());
                let ensures: Vec<Part> = ensures.iter().copied().chain([part]).collect();
                try_one(with(&ensures, &invariants, &changed, None), Some(last));
            }
            for part in false_invariants {
                let last = Part::Invariant(invariants.len());
                let invariants: Vec<Part> = invariants.iter().copied().chain([part]).collect();
                try_one(with(&ensures, &invariants, &changed, None), Some(last));
            }
            for part in &changed {
                let changed: Vec<Part> = changed.iter().copied().filter(|other| other != part).collect();
                try_one(with(&ensures, &invariants, &changed, None), Some(*part));
            }
        }
    }
}

/// A contract with only some of its promises.
fn select(
    contract: &Contract,
    ensures: &[Part],
    invariants: &[Part],
    changed: &[Part],
    within: Option<u64>,
) -> Contract {
    let mut some = contract.clone();
    let number = |part: &Part| match part {
        Part::Ensures(number) | Part::Invariant(number) => *number,
        _ => unreachable!(),
    };
    some.ensures = ensures.iter().map(|part| contract.ensures[number(part)].clone()).collect();
    some.invariants = invariants.iter().map(|part| contract.invariants[number(part)].clone()).collect();
    some.within = within.map(|cycles| (cycles, contract.span));
    some.modifies = Some(Modifies {
        bytes: changed
            .iter()
            .filter_map(|part| if let Part::Byte(address) = part { Some(*address) } else { None })
            .collect(),
        a: changed.contains(&Part::A),
        c: changed.contains(&Part::C),
        span: None,
    });
    some
}

/// A counterexample in one line.
fn show(moment: &Moment) -> String {
    format!(
        "a = {}, c = {}, {:?}, {:?} at cycle {}",
        moment.state.a, moment.state.c, moment.ram, moment.script, moment.cycle
    )
}

/// The shortest program of which a verdict is still wrong in the same way.
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

impl Tally {
    /// Compares the verdict about a claim with the truth.
    fn compare_claim(&mut self, name: &str, prover: &Prover, claim: &Claim, truth: Option<bool>) {
        let Some(truth) = truth else { return self.count(&format!("{name}: too large for the judge")) };
        let proof = prover.prove_claim(claim, &|| false).unwrap();
        let verdict = match &proof.verdict {
            Verdict::Proved => "proved",
            Verdict::Refuted(..) => "refuted",
            Verdict::Undecided(_) => "undecided",
        };
        let is_wrong = matches!((verdict, truth), ("proved", false) | ("refuted", true));
        let what = format!("{name}: {}, {verdict}", if truth { "true" } else { "false" });
        self.count(&what);
        self.wrong.extend(is_wrong.then_some(what));
    }

    /// Compares the verdicts about all claims of a program, and about the sameness of another.
    fn examine_claims(&mut self, source: &str, other: &str) {
        let (Ok(program), Ok(other)) = (assembled(&format!("{source}.within 0\n")), assembled(other)) else {
            return self.count("not assembled");
        };
        let prover = Prover::new(&program, LIMITS);
        let images = [&program.image, &other.image];
        self.compare_claim(
            "noise",
            &prover,
            &Claim::Noise,
            traces::holds([images[0], images[0]], traces::Claim::Noise),
        );
        for cycles in [false, true] {
            let truth = traces::holds(images, traces::Claim::Same { cycles });
            let claim = Claim::Same { other: &other.image, cycles };
            self.compare_claim(if cycles { "same, cycles" } else { "same" }, &prover, &claim, truth);
        }
        let truth = Judge::new(&program, &program.contracts[0]).map(|judge| judge.truth());
        let halts = truth.as_ref().filter(|it| it.is_endless || !it.is_partial).map(|it| !it.is_endless);
        let truth = truth.filter(|it| !it.is_partial);
        self.compare_claim("halts", &prover, &Claim::Halts(None), halts);
        for within in truth.as_ref().map_or(Vec::new(), |it| vec![it.most, it.most.saturating_sub(1)]) {
            let holds = truth.as_ref().map(|it| !it.is_endless && it.most <= within);
            self.compare_claim("halts within", &prover, &Claim::Halts(Some(within)), holds);
        }
    }
}

/// The verdict about a contract: its cycles, or what is broken.
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
                (Some((Part::Within, _)), _) if expected.ends_with("Halts") => "Halts".to_owned(),
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
