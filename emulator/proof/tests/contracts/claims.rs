//! Claims about whole programs: tiny programs whose verdicts are easy to get wrong.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_assembler::{MemoryLoader, Options, Program, assemble};
use gray1_proof::contracts::{Claim, Limits, Proof, Prover, Verdict};

const RAM: &str = ".ram x\n.ram y\n.ram w, 2\n.ram n\n.ram v\n";

fn assembled(source: &str) -> Program {
    let source = format!("{RAM}{}\nhalt: jmp halt\n", source.replace(" / ", "\n "));
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false)))
}

fn proof(source: &str, claim: &Claim) -> Proof {
    let program = assembled(source);
    let limits = Limits { words_of_program: 100_000, ..Limits::default() };
    Prover::new(&program, limits).prove_claim(claim, &|| false).unwrap()
}

/// Formats the verdict: `proved`, the violation, or `undecided`.
fn verdict(source: &str, claim: &Claim) -> String {
    match proof(source, claim).verdict {
        Verdict::Proved => "proved".to_owned(),
        Verdict::Refuted(part, _) => format!("{part:?}"),
        Verdict::Undecided(_) => "undecided".to_owned(),
    }
}

/// Compares all verdicts with the expected ones.
fn compare(cases: &[(&str, &str)], judge: impl Fn(&str) -> String) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|&(source, expected)| (source, expected, judge(source)))
        .filter(|(_, expected, found)| expected != found)
        .map(|(source, expected, found)| format!("{source}\n  expected {expected}, found {found}\n"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn noise() {
    let cases = [
        (" lda #1 / sta OUT", "proved"),
        (" lda x / sta OUT", "NoisyStore(0, 0)"),
        (" lda x / nor #255 / sta OUT", "proved"),
        (" lda KEYS / sta x / lda x / sta OUT", "proved"),
        ("t: lda KEYS / jz t / sta OUT", "proved"),
        // Noise decides which bytes are sent, how often, and whether for ever.
        (" lda x / jz t / lda #1 / sta OUT / jmp halt\nt: lda #1 / sta OUT", "proved"),
        (" lda x / jz t / lda #1 / sta OUT / jmp halt\nt: lda #2 / sta OUT", "NoisyStore(0, 0)"),
        (" lda x / jz t / lda #1 / sta OUT\nt: lda #1", "NoisyStore(0, 0)"),
        (" lda x / jz t / lda #1 / sta OUT\nt: lda #1 / sta OUT", "NoisyStore(1, 0)"),
        (" lda x / jz t\nl: lda #1 / sta OUT / jmp l\nt: lda #1 / sta OUT", "NoisyStore(1, 0)"),
        (" lda x / jz t\nl: lda #1 / sta OUT / jmp l\nt: lda #1 / sta OUT / jmp t", "proved"),
        (" lda x / jz t\nl: lda #1 / sta OUT\nt: lda #2 / sta OUT / jmp l", "NoisyStore(0, 0)"),
        (" lda x / jz l / lda #0\nl: lda #7 / sta OUT / jmp l", "proved"),
        // Noise decides how often a loop is run.
        ("l: lda x / jz e / add #-1 / sta x / jmp l\ne: lda #1 / sta OUT", "proved"),
        ("l: lda x / jz e / add #-1 / sta x / sta OUT / jmp l\ne: lda #1", "NoisyStore(0, 0)"),
        ("l: lda x / jz e / sta y / add #-1 / sta x / jmp l\ne: lda #1", "NoisyByte(1, 0)"),
        // After states have been repeated.
        ("t: lda KEYS / jz t / lda x / sta OUT / jmp t", "NoisyStore(0, 0)"),
        (
            " lda #3 / sta n\nl: lda KEYS / jz l / lda n / add #-1 / sta n / jz e / jmp l\ne: lda x / sta OUT",
            "NoisyStore(0, 0)",
        ),
        (
            " lda #9 / sta OUT\nt: lda KEYS / jz t / lda x / jz t / lda #9 / sta OUT / jmp t",
            "NoisyStore(1, 0)",
        ),
        // Noise decides which read is sent.
        (" lda x / jz b / lda KEYS\nb: lda KEYS / sta OUT", "NoisyStore(0, 0)"),
        (" lda x / jz l / lda KEYS\nl: lda KEYS / sta OUT / jmp l", "NoisyStore(0, 0)"),
        (" lda x / jz b / lda KEYS\nb: lda #1 / sta OUT", "proved"),
        (" lda x / jz b / lda $FFB\nb: lda KEYS / sta OUT", "proved"),
        (
            " lda x / jz b / lda KEYS / lda PADROW / sta OUT / jmp halt\nb: lda PADCOL / lda PADROW / sta OUT",
            "proved",
        ),
        (" lda x / jz b / lda KEYS / sta OUT / jmp halt\nb: lda PADCOL / sta OUT", "NoisyStore(0, 0)"),
        // Noise decides whether the machine halts.
        (" lda x / jz halt\nl: lda #0 / jmp l", "NoisyHalt(0)"),
        (" lda x / jz halt\nl: lda KEYS / jmp l", "NoisyHalt(0)"),
        (" lda x / jz l\nm: lda #0 / jmp m\nl: lda #1 / jmp l", "proved"),
        (" lda x / jz halt\nl: lda KEYS / jz halt / jmp l", "NoisyHalt(0)"),
        (" lda x / jz l\nm: lda #0 / jmp m\nl: lda KEYS / jmp l", "proved"),
        // The display.
        (" lda x / sta RED", "NoisyStore(0, 0)"),
        (" lda x / jz b / lda #1 / sta RED / jmp halt\nb: lda #1 / sta GREEN", "NoisyStore(0, 0)"),
        (
            " lda x / jz b / lda #1 / sta RED+7 / sta OUT / jmp halt\nb: lda #1 / sta RED+7 / sta OUT",
            "proved",
        ),
        (" shr x / lda #0 / jc b / sta GREEN\nb: sta RED", "NoisyStore(0, 0)"),
        // Bytes that are kept.
        (" lda x / sta y", "NoisyByte(1, 0)"),
        (" lda x / sta x", "NoisyByte(0, 0)"),
        (" lda x / jz b / lda #5 / sta y / jmp halt\nb: lda #5 / sta y\nh: jmp h", "proved"),
        (" lda x / jz b / lda #5 / sta y / jmp halt\nb: lda #6 / sta y\nh: jmp h", "NoisyByte(1, 0)"),
        (" lda KEYS / jz halt / lda #5 / sta y", "proved"),
        (" lda x / jz halt / lda #5 / sta y", "NoisyByte(1, 0)"),
        (" lda x / add #-5 / jz halt / lda #5 / sta x", "proved"),
        (" lda x / sta y\nl: lda KEYS / jz l / lda #0 / sta y", "proved"),
        (" lda x / sta y\nl: jmp m\nm: jmp l", "proved"),
    ];
    compare(&cases, |source| verdict(source, &Claim::Noise));
}

/// Endless programs whose states do not repeat, so that taint analysis decides.
#[test]
fn noise_without_an_end() {
    let remembers = |first: &str| {
        format!(
            " lda {first} / sta w\nt: lda KEYS / jz use / sta x / lda #1 / sta w / jmp t\n\
             use: lda w / jz t / lda x / sta OUT / jmp t"
        )
    };
    let called_twice = |sent: &str| {
        format!(
            "t: call read / lda {sent} / sta OUT / sta x / call read / lda x / sta OUT / jmp t\n\
             .routine read\n lda KEYS / sta y\n.endroutine"
        )
    };
    let sums = |first: &str| {
        format!("{first} lda #0 / sta x\nt: lda KEYS / add x / sta x / add y / sta y / sta OUT / jmp t")
    };
    let cases = [
        (sums(" lda #0 / sta y /"), "proved"),
        (sums(""), "NoisyStore(0, 1)"),
        (remembers("#0"), "proved"),
        (remembers("x"), "NoisyStore(0, 0)"),
        // A routine that returns to two callers: one has written x, the other has not.
        (called_twice("y"), "proved"),
        (called_twice("x"), "NoisyStore(0, 0)"),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(source, expected)| (&**source, *expected)).collect();
    compare(&cases, |source| verdict(source, &Claim::Noise));
}

#[test]
fn halts() {
    let cases = [
        (" lda x\nl: add #1 / jz halt / jmp l", "proved"),
        ("l: lda KEYS / jz l", "Endless(0)"),
        ("l: lda KEYS / jz halt / jmp l", "Endless(0)"),
        ("l: add #1 / jmp l", "Endless(0)"),
        ("l: add #2 / jc halt / jmp l", "proved"),
        ("l: lda x / jz halt / jmp l", "Endless(0)"),
        (" lda x / add #-5 / jz l / jmp halt\nl: lda #0 / jmp l", "Endless(4)"),
        ("l: lda n / add #1 / sta n / jmp l", "Endless(0)"),
        ("l: lda w / add #1 / sta w / jz c / jmp l\nc: lda w+1 / add #1 / sta w+1 / jmp l", "undecided"),
        // Loops that poll, with a bound.
        (
            " lda #10 / sta n\nl: lda KEYS / jz s / lda #1\ns: lda n / add #-1 / sta n / jz halt / jmp l",
            "proved",
        ),
        (" lda #10 / sta n\nl: lda KEYS / jz halt / lda n / add #-1 / sta n / jz halt / jmp l", "proved"),
        (" lda #10 / sta n\nl: lda KEYS / jz l / lda n / add #-1 / sta n / jz halt / jmp l", "Endless(2)"),
        (
            " lda #3 / sta n\no: lda #4 / sta v\ni: lda KEYS / jz e / lda v / add #-1 / sta v / jz e / jmp i\n\
             e: lda n / add #-1 / sta n / jz halt / jmp o",
            "proved",
        ),
        (
            "o: lda #4 / sta v\ni: lda KEYS / jz e / lda v / add #-1 / sta v / jz e / jmp i\n\
             e: lda KEYS / jz halt / jmp o",
            "Endless(2)",
        ),
        // Runs with other inputs come to the loop first, but no run repeats a state.
        (
            " call p / call p / jmp halt\n.routine p\n lda #2 / sta n\n\
             .l: lda KEYS / jz .s / lda #1\n.s: lda n / add #-1 / sta n / jz .e / jmp .l\n.e: lda #0 / sta n\n.endroutine",
            "proved",
        ),
        (
            " lda KEYS / jz b / jmp l\nb: lda KEYS / jz l / lda #0\nl: lda #0 / sta n\nk: lda KEYS / jz e / lda n / nor #0 / sta n / jz e / lda #0 / jmp k\ne: lda #1",
            "proved",
        ),
        // Until the same key is seen twice, and until it is released twice.
        ("l: lda KEYS / sta x / lda KEYS / nor #0 / add x / add #1 / jz halt / jmp l", "Endless(0)"),
        (
            " lda #2 / sta n\nl: lda KEYS / jz d / jmp l\nd: lda n / add #-1 / sta n / jz halt / jmp l",
            "Endless(2)",
        ),
        // The program counter is the memory.
        (
            "a: lda PADROW / jz b / lda PADCOL / jz b / jmp halt\nb: lda PADROW / jz halt / jmp a",
            "Endless(0)",
        ),
        ("a: lda PADROW / jz b / lda PADCOL / jz b / jmp halt\nb: lda PADROW / jz halt / jmp halt", "proved"),
    ];
    compare(&cases, |source| verdict(source, &Claim::Halts(None)));
}

/// The maximum is exact: one cycle less is refuted, and so is an endless loop.
#[test]
fn halts_within() {
    for source in [
        " lda x\nl: add #1 / jz halt / jmp l",
        " lda #10 / sta n\nl: lda KEYS / jz s / lda #1\ns: lda n / add #-1 / sta n / jz halt / jmp l",
        " lda KEYS / jz halt / lda x / jz halt / lda y",
        " lda #0",
    ] {
        let most = proof(source, &Claim::Halts(None)).cycles.unwrap().most.unwrap().0;
        assert_eq!(verdict(source, &Claim::Halts(Some(most))), "proved", "{source}");
        assert_eq!(verdict(source, &Claim::Halts(Some(most - 1))), "Within", "{source}");
    }
    assert_eq!(verdict("l: lda KEYS / jz halt / jmp l", &Claim::Halts(Some(1_000_000_000))), "Endless(0)");
    assert_eq!(verdict("l: lda KEYS / jz halt / jmp l", &Claim::Halts(Some(3))), "Within");
}

#[test]
fn same() {
    const SEND: &str = " lda KEYS / add #1 / sta OUT";
    const BRANCHES: &str = " lda KEYS / jz b / lda KEYS\nb: lda KEYS / sta OUT";
    const ECHO: &str = "l: lda KEYS / sta OUT / jmp l";
    const COUNT: &str = "l: lda n / sta OUT / add #1 / sta n / jmp l";
    let ones = |count: u8, last: u8| {
        format!(
            " lda #{count} / sta n\nl: lda n / jz e / add #-1 / sta n / lda #1 / sta OUT / jmp l\ne: lda #{last} / sta OUT"
        )
    };
    let (hundred, other_hundred) = (ones(100, 1), ones(100, 2));
    let cases: &[(&str, &str, bool, &str)] = &[
        (SEND, " lda #1 / add KEYS / sta OUT", false, "proved"),
        (SEND, " lda #1 / add KEYS / sta OUT", true, "proved"),
        (SEND, " lda KEYS / sta x / add #1 / sta OUT", false, "proved"),
        (SEND, " lda KEYS / sta x / add #1 / sta OUT", true, "StoresDiffer(0)"),
        (SEND, " lda KEYS / add #2 / sta OUT", false, "StoresDiffer(0)"),
        (SEND, " lda KEYS / add #1 / sta OUT / sta OUT", false, "StoresDiffer(1)"),
        (SEND, " lda KEYS / add #1 / sta RED", false, "StoresDiffer(0)"),
        // Against the same program.
        (BRANCHES, BRANCHES, true, "proved"),
        (BRANCHES, " lda #0 / lda KEYS / jz b / lda KEYS\nb: lda KEYS / sta OUT", false, "proved"),
        (BRANCHES, " lda #0 / lda KEYS / jz b / lda KEYS\nb: lda KEYS / sta OUT", true, "StoresDiffer(0)"),
        (BRANCHES, " lda KEYS / lda KEYS / sta OUT", false, "StoresDiffer(0)"),
        (ECHO, ECHO, true, "proved"),
        // Endless.
        (ECHO, "l: lda KEYS / nor #0 / nor #0 / sta OUT / jmp l", false, "proved"),
        (ECHO, "l: lda KEYS / nor #0 / nor #0 / sta OUT / jmp l", true, "StoresDiffer(0)"),
        (ECHO, "l: lda KEYS / sta OUT / lda KEYS / sta OUT / jmp l", false, "proved"),
        (ECHO, "l: lda KEYS / sta OUT / lda KEYS / sta OUT / jmp l", true, "StoresDiffer(1)"),
        (
            ECHO,
            "l: lda KEYS / sta OUT / lda KEYS / add #0 / sta OUT / lda KEYS / jz l / sta OUT / jmp l",
            false,
            "StoresDiffer(2)",
        ),
        ("l: lda KEYS / jz l / sta OUT", "m: lda #0\nl: lda KEYS / jz m / sta OUT", false, "proved"),
        (
            "l: lda KEYS / jz l / sta OUT",
            "l: lda KEYS / jz m / sta OUT / jmp halt\nm: lda KEYS / jz l / sta OUT",
            false,
            "proved",
        ),
        (
            "l: lda #1 / sta OUT / lda #2 / sta OUT / jmp l",
            " lda #1\nl: sta OUT / nor #0 / nor #252 / jz l / jmp l",
            false,
            "StoresDiffer(1)",
        ),
        // After many rounds.
        (&hundred, &hundred, false, "proved"),
        (&hundred, &other_hundred, false, "StoresDiffer(100)"),
        (COUNT, "l: lda n / sta OUT / add #1 / sta n / lda #0 / jmp l", false, "proved"),
        (
            COUNT,
            "l: lda n / sta OUT / add #1 / sta n / jc z / jmp l\nz: lda #1 / sta n / jmp l",
            false,
            "StoresDiffer(256)",
        ),
        ("l: lda #1 / sta OUT / jmp l", "l: lda #1 / sta OUT / sta OUT / jmp l", false, "proved"),
        ("l: lda #1 / sta OUT / jmp l", "l: lda #1 / sta OUT / sta OUT / jmp l", true, "StoresDiffer(1)"),
        // They differ in whether they end.
        (" lda #1 / sta OUT\nl: lda #0 / jz l", " lda #1 / sta OUT", false, "proved"),
        (" lda #1 / sta OUT", " lda #1 / sta OUT\nl: lda #0 / jmp l", false, "proved"),
        (" lda #1 / sta OUT", " lda #1 / sta OUT\nl: lda KEYS / jmp l", false, "proved"),
        (" lda #1 / sta OUT", "l: lda #1 / sta OUT / jmp l", false, "StoresDiffer(1)"),
        (
            " lda #1 / sta OUT\nl: jmp m\nm: jmp l",
            " lda #1 / sta OUT\nl: lda KEYS / add #-77 / jz e / jmp l\ne: sta OUT",
            false,
            "StoresDiffer(1)",
        ),
        ("l: lda KEYS / jz l / lda #1 / sta OUT", " lda #1 / sta OUT", false, "StoresDiffer(0)"),
        // They differ in the order of reads and stores, or in the inputs.
        (
            " lda KEYS / sta OUT / lda KEYS / sta OUT",
            " lda KEYS / sta x / lda KEYS / sta y / lda x / sta OUT / lda y / sta OUT",
            false,
            "proved",
        ),
        (
            " lda KEYS / sta OUT / lda KEYS / sta OUT",
            " lda KEYS / sta x / lda KEYS / sta OUT / lda x / sta OUT",
            false,
            "StoresDiffer(0)",
        ),
        (" lda PADROW / sta OUT", " lda PADCOL / sta OUT", false, "StoresDiffer(0)"),
        (" lda #1 / sta RED / sta GREEN", " lda #1 / sta GREEN / sta RED", false, "StoresDiffer(0)"),
        // Noise is the same in both.
        (" lda x / sta OUT", " lda x / sta y / lda #0 / lda y / sta OUT", false, "proved"),
        (" lda x / sta OUT", " lda y / sta OUT", false, "StoresDiffer(0)"),
        (" lda x / jz halt / sta OUT", " lda x / sta OUT", false, "StoresDiffer(0)"),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .map(|&(one, other, cycles, expected)| {
            let other_program = assembled(other);
            let found = verdict(one, &Claim::Same { other: &other_program.image, cycles });
            (one, other, cycles, expected, found)
        })
        .filter(|(.., expected, found)| expected != found)
        .map(|case| format!("{case:?}\n"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
