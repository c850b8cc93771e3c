//! Verdicts beside the truth.

use crate::contracts::judge::runs::{Judge, Truth};
use crate::contracts::judge::{LIMITS, assembled, traces};
use gray1_assembler::{Contract, Modifies};
use gray1_proof::contracts::{Claim, Doubt, Prover, Verdict, Violation, Witness};
use std::collections::BTreeMap;
use std::mem::discriminant;

/// The counts of verdicts by kind, and the wrong ones.
#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<String, usize>,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Fails if a verdict was wrong, or if there were too few comparisons of some kind.
    pub fn check(&self, least: &[(&str, usize)]) {
        println!("{:#?}", self.counts);
        assert!(self.wrong.is_empty(), "{} wrong verdicts", self.wrong.len());
        for (kind, least) in least {
            assert!(self.counts.get(*kind).is_some_and(|count| count >= least), "too few of `{kind}`");
        }
    }

    /// Compares the verdict about a contract, of which at most this clause is broken, with the truth.
    fn compare(
        &mut self,
        judge: &Judge,
        prover: &Prover,
        contract: &Contract,
        part: Option<Violation>,
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
            (Verdict::Refuted(found, witness), Some(part)) => {
                self.count("broken: refuted");
                self.count(&format!(
                    "refuted: {}",
                    format!("{part:?}").split('(').next().unwrap_or_default()
                ));
                let found = if *found == Violation::Halts { Violation::Within } else { *found };
                let judge = Judge::new(prover.program(), contract)
                    .unwrap_or_else(|| unreachable!("{}", judge.machine.addresses.len()));
                if found != part {
                    format!("refuted by {found:?}, expected {part:?}")
                } else if !judge.breaks(part, witness) {
                    format!("{part:?} is broken, but not by its counterexample: {}", show(witness))
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
                let assignment =
                    truth.broken.iter().find(|(other, _)| *other == part).map(|(_, it)| it.clone());
                format!("PROVED though {part:?} is broken: {}", assignment.unwrap_or_default())
            }
            (Verdict::Refuted(part, witness), None) => {
                format!("REFUTED though true, by {part:?}: {}", show(witness))
            }
        };
        self.count(&format!("WRONG, {truth_word}"));
        self.wrong.push(format!("{} {:?}: {wrong}", contract.name, contract.subject));
    }

    /// Compares the verdicts about the contracts of a program, and about each contract with one additional false promise.
    pub fn examine(&mut self, source: &str) {
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
            let all = |count: usize, part: fn(usize) -> Violation| -> (Vec<Violation>, Vec<Violation>) {
                (0..count).map(part).partition(|&part| truth.is_broken(part))
            };
            let (false_ensures, ensures) = all(contract.ensures.len(), Violation::Ensures);
            let placed = [
                all(contract.invariants.len(), Violation::Invariant),
                all(contract.checks.len(), Violation::Check),
                all(contract.variants.len(), Violation::Variant),
            ];
            let (false_placed, placed): (Vec<Vec<Violation>>, Vec<Vec<Violation>>) =
                placed.into_iter().unzip();
            let (false_placed, placed) = (false_placed.concat(), placed.concat());
            let changed: Vec<Violation> = truth
                .broken
                .iter()
                .map(|it| it.0)
                .filter(|it| matches!(it, Violation::Byte(_) | Violation::A | Violation::C))
                .collect();
            let most = (!truth.is_endless && !truth.halts).then_some(truth.most);
            let with =
                |ensures: &[Violation], placed: &[Violation], changed: &[Violation], within: Option<u64>| {
                    select(contract, ensures, placed, changed, within)
                };
            let mut try_one = |contract: Contract, part: Option<Violation>| {
                self.compare(&judge, &prover, &contract, part, &truth);
            };
            try_one(with(&ensures, &placed, &changed, None), None);
            if let Some(most) = most {
                try_one(with(&ensures, &placed, &changed, Some(most)), None);
                if most > 0 {
                    try_one(with(&ensures, &placed, &changed, Some(most - 1)), Some(Violation::Within));
                }
            } else if truth.is_broken(Violation::Within) {
                try_one(with(&ensures, &placed, &changed, Some(40)), Some(Violation::Within));
            }
            for part in false_ensures.into_iter().take(2) {
                let last = Violation::Ensures(ensures.len());
                let ensures: Vec<Violation> = ensures.iter().copied().chain([part]).collect();
                try_one(with(&ensures, &placed, &changed, None), Some(last));
            }
            for part in false_placed {
                let same_kind = placed.iter().filter(|it| discriminant(*it) == discriminant(&part)).count();
                let last = match part {
                    Violation::Invariant(_) => Violation::Invariant(same_kind),
                    Violation::Check(_) => Violation::Check(same_kind),
                    _ => Violation::Variant(same_kind),
                };
                let placed = [&placed[..], &[part]].concat();
                try_one(with(&ensures, &placed, &changed, None), Some(last));
            }
            for part in &changed {
                let changed: Vec<Violation> = changed.iter().copied().filter(|other| other != part).collect();
                try_one(with(&ensures, &placed, &changed, None), Some(*part));
            }
        }
    }

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

    /// Compares the verdicts about all claims of a program; the claim `same` is about another.
    pub fn examine_claims(&mut self, source: &str, other: &str) {
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

/// Selects some promises of a contract.
fn select(
    contract: &Contract,
    ensures: &[Violation],
    placed: &[Violation],
    changed: &[Violation],
    within: Option<u64>,
) -> Contract {
    let mut some = contract.clone();
    for list in [&mut some.invariants, &mut some.checks, &mut some.variants] {
        list.clear();
    }
    some.ensures.clear();
    for part in ensures.iter().chain(placed) {
        match *part {
            Violation::Ensures(number) => some.ensures.push(contract.ensures[number].clone()),
            Violation::Invariant(number) => some.invariants.push(contract.invariants[number].clone()),
            Violation::Check(number) => some.checks.push(contract.checks[number].clone()),
            Violation::Variant(number) => some.variants.push(contract.variants[number].clone()),
            _ => unreachable!(),
        }
    }
    some.within = within.map(|cycles| (cycles, contract.span));
    some.modifies = Some(Modifies {
        bytes: changed
            .iter()
            .filter_map(|part| if let Violation::Byte(address) = part { Some(*address) } else { None })
            .collect(),
        a: changed.contains(&Violation::A),
        c: changed.contains(&Violation::C),
        span: None,
    });
    some
}

/// Formats a counterexample.
fn show(witness: &Witness) -> String {
    format!(
        "a = {}, c = {}, {:?}, {:?} at cycle {}",
        witness.state.a, witness.state.c, witness.ram, witness.script, witness.cycle
    )
}
