//! What is proved of the programs, for all inputs and whatever RAM holds at power-up.

use crate::expectations::Expectations;
use crate::{PATIENCE, sources};
use gray1_contracts::{Claim, Limits, Prover, Verdict};
use test_support::programs::assembled;

/// Nothing that they show, send or keep depends on what RAM holds, and those of which it is proved that they halt do so in the cycles of their comment.
#[test]
fn no_program_depends_on_initial_ram() {
    let mut halting = 0;
    for (name, source) in &sources() {
        let program = assembled(name, &[]);
        let prover = Prover::new(&program, Limits { words_of_program: PATIENCE, ..Limits::default() });
        let judge = |claim| prover.prove_claim(&claim, &|| false).expect("nobody stops it");
        let noise = judge(Claim::Noise).verdict;
        assert!(matches!(noise, Verdict::Proved), "{name}: {noise:?}");
        let expected = Expectations::read(source).expect("a readable program").cycles;
        if expected.is_none_or(|cycles| cycles > PATIENCE) {
            continue;
        }
        let halts = judge(Claim::Halts(None));
        if let (Verdict::Proved, Some(cycles)) = (halts.verdict, halts.cycles) {
            assert_eq!(cycles.most.map(|(most, ..)| most), expected, "{name}");
            halting += 1;
        }
    }
    assert!(halting >= 14, "{halting} are proved to halt");
}

/// What the programs' own contracts promise, whatever RAM holds when their code is reached.
#[test]
fn every_contract_of_the_programs_is_proved() {
    let (mut proved, mut programs) = (0, 0);
    for (name, source) in &sources() {
        if !source.contains(".ensures") {
            continue;
        }
        programs += 1;
        let program = assembled(name, &[]);
        let prover = Prover::new(&program, Limits::default());
        for contract in &program.contracts {
            let proof = prover.prove(contract, &|| false).expect("nobody stops it");
            assert!(
                matches!(proof.verdict, Verdict::Proved),
                "{name}, {}: {:?}",
                contract.name,
                proof.verdict
            );
            proved += 1;
        }
    }
    assert!(programs >= 4 && proved > 50, "{proved} contracts of {programs} programs");
}
