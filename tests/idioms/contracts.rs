//! The contracts of the idioms are proved for every input, and take the cycles that the comments say.

use crate::costs::{Example, examples};
use gray1_assembler::{Contract, Formula, PREFIX_OPERATORS, Program, Promise, Term};
use gray1_isa::Register;
use gray1_proof::contracts::{Limits, Proof, Prover, Verdict};
use test_support::library::{After, after, assembled, length, program};
use test_support::say;

/// Idioms whose contracts are elsewhere, or that have none.
const EXCLUDED: [&str; 8] = [
    // The contracts are those of the routines that these macros call.
    "array",
    "word_array",
    // Decision diagrams of 16 bits that are divided are too large; `divide16` is proved for each divisor below.
    "divide16",
    "print16",
    "print32",
    // Text and pictures, which formulas do not describe.
    "scroller",
    "scroll",
    "scroll_small",
];

/// The contract of the example's first call.
fn contract<'p>(program: &'p Program, name: &str) -> Option<&'p Contract> {
    program.contracts.iter().find(|contract| contract.name == name && contract.expansion == 0)
}

fn prove(program: &Program, contract: &Contract) -> Proof {
    Prover::new(program, Limits::default()).prove(contract, &|| false).expect("it is not stopped")
}

fn name(example: &Example) -> &str {
    example.call.split_whitespace().next().expect("a name")
}

#[test]
fn every_contract_is_proved_and_takes_the_cycles_of_the_comment() {
    let (mut proved, mut wrong) = (0, Vec::new());
    for example in examples() {
        let (program, _) = program(&format!("      {}", example.call), &example.library);
        let own = contract(&program, name(&example));
        assert_eq!(own.is_none(), EXCLUDED.contains(&name(&example)), "{example:?}");
        for contract in &program.contracts {
            let proof = prove(&program, contract);
            if !matches!(proof.verdict, Verdict::Proved) {
                wrong.push(format!("{}: {}: {:?}", example.call, contract.name, proof.verdict));
            }
            proved += 1;
            let taken = proof.cycles.and_then(|cycles| Some((cycles.least?.0, cycles.most?.0)));
            let is_own = own.is_some_and(|own| std::ptr::eq(own, contract));
            if is_own && example.cycles.is_some() && taken != example.cycles {
                wrong.push(format!("{}: {taken:?} cycles, not {:?}", example.call, example.cycles));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(proved > 130, "{proved}");
    say(&format!("{proved} contracts"));
}

/// To read A or C after an idiom gets a warning where its contract gives no value to it, and nowhere else.
#[test]
fn warnings_cover_undefined_registers() {
    let mut warnings = 0;
    for Example { call, library, .. } in examples() {
        // The cases are elsewhere, so what follows does not read anything.
        if call.starts_with("switch") {
            continue;
        }
        let has_contract = !EXCLUDED.contains(&call.split_whitespace().next().expect("a name"));
        let readers = [(Register::A, "sta x"), (Register::C, "jc there")];
        for (after, (register, reader)) in after(&call, &library).into_iter().zip(readers) {
            let report = assembled(&format!("{call}\n      {reader}"), &library).to_string();
            let is_warned = report.contains("lost-in-idiom");
            assert!(!is_warned || after == After::Lost, "{call}, {reader}: {after:?}\n{report}");
            if after == After::Lost && has_contract && !is_warned {
                let (program, _) = program(&format!("      {call}"), &library);
                let mut words = (0..length(&program)).map(|number| program.image.word(number));
                assert!(!words.any(|word| word.opcode().writes(register)), "{call}, {reader}");
            }
            warnings += usize::from(is_warned);
        }
    }
    assert!(warnings > 60, "{warnings}");
    say(&format!("{warnings} warnings"));
}

/// A contract that says the opposite, or less time than it takes, is refuted.
#[test]
fn every_broken_contract_is_refuted() {
    let mut refuted = 0;
    for example in examples() {
        let (program, _) = program(&format!("      {}", example.call), &example.library);
        let Some(contract) = contract(&program, name(&example)) else { continue };
        if example.cycles.is_none() {
            continue;
        }
        let bare = Contract { ensures: Vec::new(), modifies: None, within: None, ..contract.clone() };
        let broken = contract.ensures.iter().map(|promise| {
            let not = PREFIX_OPERATORS.iter().find(|operator| operator.sign == "!").expect("an operator");
            let terms = promise.formula.0.iter().copied().chain([Term::Prefix(not)]);
            let ensures = vec![Promise { formula: Formula(terms.collect()), span: promise.span }];
            Contract { ensures, ..bare.clone() }
        });
        let most = example.cycles.map_or(0, |(_, most)| most);
        let hurried =
            most.checked_sub(1).map(|less| Contract { within: Some((less, contract.span)), ..bare.clone() });
        for broken in broken.chain(hurried) {
            let Proof { verdict, .. } = prove(&program, &broken);
            assert!(matches!(verdict, Verdict::Refuted(..)), "{}: {verdict:?}", example.call);
            refuted += 1;
        }
    }
    assert!(refuted > 200, "{refuted}");
    say(&format!("{refuted} broken contracts"));
}

#[test]
fn division_of_16_bits_is_proved_for_some_divisors() {
    prove_division([0, 1, 2, 3, 10, 127, 128, 255]);
}

#[test]
#[ignore = "takes half a minute"]
fn division_of_16_bits_is_proved_for_every_divisor() {
    prove_division(0..256);
}

/// Proves the division of all dividends at once, for each divisor.
fn prove_division(divisors: impl IntoIterator<Item = u16>) {
    for divisor in divisors {
        let source = format!(
            "      lda #{divisor}\n      sta y\n      by_variable\n      divide16 w, #{divisor}\n      jmp halt\n\
             .macro by_variable\n  .requires y == {divisor}\n  .ensures y == 0 || word(quotient) == old(word(w)) / y && \
             remainder == old(word(w)) % y\n  .ensures y != 0 || word(quotient) == $FFFF\n      divide16 w, y\n.endmacro\n"
        );
        let (program, _) = program(&source, "divide.g1");
        let names: Vec<&str> = program.contracts.iter().map(|contract| &contract.name[..]).collect();
        assert_eq!(names, ["by_variable", "set16", "divide16", "set16", "shl"]);
        for contract in &program.contracts {
            let Proof { verdict, .. } = prove(&program, contract);
            assert!(matches!(verdict, Verdict::Proved), "{} by {divisor}: {verdict:?}", contract.name);
        }
    }
}
