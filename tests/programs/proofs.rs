//! Proofs about the programs, for all inputs and all contents of RAM at power-up.

use crate::expectations::Expectations;
use crate::{MAX_CYCLES, sources};
use gray1_proof::contracts::{Claim, Limits, Prover, Verdict};
use test_support::programs::assembled;

/// No output or result depends on the initial contents of RAM. Programs that are proved to halt take the cycles of
/// their comment.
#[test]
fn no_program_depends_on_initial_ram() {
    let mut halting = 0;
    for (name, source) in &sources() {
        let program = assembled(name, &[]);
        let prover = Prover::new(&program, Limits { words_of_program: MAX_CYCLES, ..Limits::default() });
        let judge = |claim| prover.prove_claim(&claim, &|| false).expect("nobody stops it");
        let noise = judge(Claim::Noise).verdict;
        assert!(matches!(noise, Verdict::Proved), "{name}: {noise:?}");
        let expected = Expectations::read(source).expect("a readable program").cycles;
        if expected.is_none_or(|cycles| cycles > MAX_CYCLES) {
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

/// The contracts in the programs hold for all contents of RAM at the start of their code.
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
