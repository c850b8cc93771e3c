//! Contracts, true and broken: their verdicts and cycles, and each refutation run on two engines.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_assembler::{Contract, Formula, MemoryLoader, Options, Program, Term, assemble};
use gray1_isa::memory_map::OUT;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Driver, Engine, IsaEngine, Noise};
use gray1_proof::contracts::{Doubt, Limits, Proof, Prover, Row, Verdict, Violation, Witness};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

fn assembled(source: &str) -> Program {
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false)))
}

/// A machine in the initial state of a witness, after some cycles, on one of two engines.
fn machine(program: &Program, witness: &Witness, is_fast: bool, cycles: u64) -> Box<dyn Engine> {
    let mut engine: Box<dyn Engine> = if is_fast {
        Box::new(IsaEngine::power_up(&program.image, Noise::Zeros))
    } else {
        Box::new(ChipsEngine::power_up(&Board::gray1(), &program.image, Noise::Zeros).unwrap())
    };
    engine.set_state(&witness.state).unwrap();
    let mut driver = Driver::new(&mut *engine, &NEVER, &|| Duration::ZERO);
    driver.script = witness.script.clone();

    driver.run(cycles, Duration::MAX, &mut ()).unwrap();
    drop(driver);
    engine
}

/// Evaluates a formula, if it has a value, for a machine at the entry and now.
fn value(Formula(terms): &Formula, before: &gray1_machine::State, now: &gray1_machine::State) -> Option<i64> {
    let mut stack: Vec<i64> = Vec::new();
    for term in terms {
        let state = |is_before: bool| if is_before { before } else { now };
        let value = match *term {
            Term::Number(number) => number,
            Term::Byte { address, before } => i64::from(state(before).ram[address as usize]),
            Term::A { before } => i64::from(state(before).a),
            Term::C { before } => i64::from(state(before).c),
            Term::At(at) => i64::from(now.pc == at),
            Term::Prefix(operator) => (operator.apply)(stack.pop().unwrap()).ok()?,
            Term::Infix(operator) => {
                let right = stack.pop().unwrap();
                (operator.apply)(stack.pop().unwrap(), right).ok()?
            }
            Term::Choose => {
                let (no, yes) = (stack.pop().unwrap(), stack.pop().unwrap());
                if stack.pop().unwrap() != 0 { yes } else { no }
            }
            Term::Keys | Term::Pad => return None, // what was read last before the run is not in a state
        };
        stack.push(value);
    }
    stack.pop()
}

/// Whether a promise is broken after the cycles of a witness, on both engines.
fn is_broken(program: &Program, contract: &Contract, violation: Violation, witness: &Witness) -> bool {
    [false, true].into_iter().all(|is_fast| {
        let now = machine(program, witness, is_fast, witness.cycle).state();
        let before = &witness.state;
        let holds = |formula| value(formula, before, &now).is_some_and(|value| value != 0);
        match violation {
            Violation::Ensures(number) => !holds(&contract.ensures[number].formula),
            Violation::Invariant(number) => !holds(&contract.invariants[number].1.formula),
            Violation::Byte(address) => {
                address == OUT || now.ram[address as usize] != before.ram[address as usize]
            }
            Violation::Check(number) => !holds(&contract.checks[number].1.formula),
            Violation::Variant(_) => true, // it takes two arrivals to see
            Violation::A => now.a != before.a,
            Violation::C => now.c != before.c,
            Violation::Within => contract.within.is_some_and(|(most, _)| now.cycle > most && !now.halted),
            _ => false,
        }
    })
}

/// Formats the verdict of each contract: its cycles, or the violation.
fn verdicts(source: &str) -> Vec<String> {
    let program = assembled(source);
    let prover =
        Prover::new(&program, Limits { words: 100_000, words_of_program: 100_000, ..Limits::default() });
    let verdict = |contract: &Contract| {
        let proof = prover.prove(contract, &|| false).unwrap();
        let Proof { verdict, cycles, .. } = proof.clone();
        let what = match verdict {
            Verdict::Proved if proof.vacuous.is_some() => format!("{:?}", proof.vacuous.unwrap()),
            Verdict::Proved => match cycles {
                Some(cycles) => {
                    let [least, most] = [&cycles.least, &cycles.most].map(|it| it.as_ref().map(|it| it.0));
                    // Each of the two has an input that takes this long.
                    format!("{least:?} to {most:?}").replace("Some(", "").replace(')', "")
                }
                None => "proved".to_owned(),
            },
            Verdict::Refuted(violation, witness) => {
                assert!(is_broken(&program, contract, violation, &witness), "{source}\n{violation:?}");
                format!("{violation:?}")
            }
            Verdict::Undecided(doubt) => match doubt {
                Doubt::Limit(..) => "a limit".to_owned(),
                doubt => format!("{doubt:?}"),
            },
        };
        format!("{}: {what}", contract.name)
    };
    program.contracts.iter().map(verdict).collect()
}

const RAM: &str = ".ram x\n.ram y\n.ram w, 2\n.ram n\n.ram list, 8\n";

#[test]
fn contracts_have_their_verdicts() {
    let cases: [(&str, &[&str]); 18] = [
        (
            ".macro m\n.ensures y == x + 1 & 255 && a == y\n.modifies y, a, c\n lda x\n add #1\n sta y\n.endmacro\n m",
            &["m: 3 to 3"],
        ),
        // One violation of each kind.
        (".macro m\n.ensures y == x + 1\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: Ensures(0)"]),
        (".macro m\n.modifies a, c\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: Byte(1)"]),
        (".macro m\n.modifies y, c\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: A"]),
        (".macro m\n.modifies y, a\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: C"]),
        (".macro m\n.within 2\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: Within"]),
        // A byte that is restored is not changed.
        (".macro m\n.modifies y\n lda x\n sta y\n sta n\n.endmacro\n m\n lda #1\n sta n", &["m: Byte(4)"]),
        (
            ".macro m\n.modifies a, c\n lda x\n add #1\n sta x\n add #-1\n sta x\n.endmacro\n m",
            &["m: 5 to 5"],
        ),
        // Two paths of different lengths, and a condition on the entry.
        (
            ".macro m\n.ensures a == (old(a) == 0 ? 7 : old(a))\n jz .z\n jmp .e\n.z: lda #7\n.e:\n.endmacro\n m",
            &["m: 2 to 2"],
        ),
        (
            ".macro m\n.requires a < 10\n.ensures a > 5\n.l: add #1\n sta n\n add #-6\n jz .e\n lda n\n jmp .l\n.e: lda n\n.endmacro\n m",
            &["m: 5 to 1535"],
        ),
        // A loop that ends needs no invariant, whatever it counts.
        (
            ".macro m\n.ensures n == 0 && a == 0\n.l: lda n\n jz .e\n add #-1\n sta n\n jmp .l\n.e:\n.endmacro\n m",
            &["m: 2 to 1277"],
        ),
        // An endless loop is refuted; without `.within`, only the runs that end count.
        (".macro m\n.within 50\n.l: lda n\n jz .e\n jmp .l\n.e:\n.endmacro\n m", &["m: Within"]),
        (
            ".macro m\n.ensures y == 3\n lda #3\n sta y\n.l: lda KEYS\n jz .l\n.endmacro\n m",
            &["m: 4 to None"],
        ),
        (".macro m\n.requires x != x\n lda x\n.endmacro\n m", &["m: NoInput"]),
        // Division by 0 has no value.
        (".macro m\n.ensures 8 / x >= 0\n lda #0\n.endmacro\n m", &["m: Ensures(0)"]),
        (".macro m\n.ensures x == 0 || 8 / x <= 8\n lda #0\n.endmacro\n m", &["m: 1 to 1"]),
        // The targets of jumps.
        (
            ".macro m target\n.ensures at(target) == (old(a) == 5)\n.modifies a, c\n add #-5\n jz target\n.endmacro\n m there\n lda #1\nthere:",
            &["m: 2 to 2"],
        ),
        (".ensures y == 9\n.within 3\n lda #9\n sta y", &["program: 3 to 3"]),
    ];
    for (source, expected) in cases {
        let whole = format!("{RAM}{source}\nhalt: jmp halt\n");
        assert_eq!(verdicts(&whole), expected, "{source}");
    }
}

#[test]
fn calls_are_executed() {
    let source = format!(
        "{RAM}
        call outer
        lda  x
        sta  y
        call outer
        call inner
halt:   jmp  halt
.routine outer
.ensures y == (2 * old(x) + 2 & 255)
.modifies a, c, x, y
        call inner
        lda  x
        add  x
        sta  y
.endroutine
.routine inner
.ensures x == (old(x) + 1 & 255)
        lda  x
        add  #1
        sta  x
.endroutine
"
    );
    assert_eq!(verdicts(&source), ["outer: 14 to 15", "inner: 5 to 6"]);
}

/// 16-bit sums for all 2^32 inputs, and a product of two bytes.
#[test]
fn wide_numbers_are_proved_whole() {
    let sum = "
.macro add_words v
.ensures word(w) == (old(word(w)) + word(v) & $FFFF)
        lda  w
        add  v
        sta  w
        lda  w+1
        jc   .carry
        add  v+1
        jmp  .done
.carry: add  v+1
        add  #1
.done:  sta  w+1
.endmacro
.ram v, 2
        lda  #1
        sta  v
        sta  v+1
        add_words v
halt:   jmp  halt
";
    assert_eq!(verdicts(&format!("{RAM}{sum}")), ["add_words: 8 to 8"]);
    let broken = sum.replace("add  #1\n", "add  #2\n");
    assert_eq!(verdicts(&format!("{RAM}{broken}")), ["add_words: Ensures(0)"]);
}

/// An unbounded loop is abstracted by its invariant.
#[test]
fn loops_are_abstracted_by_invariants() {
    let count = |invariant: &str, ensures: &str| {
        format!(
            "{RAM}
.macro count
.requires x == 0 && y == 0
.ensures {ensures} && keys < 128
.again:
.invariant {invariant}
        lda  KEYS
        jz   .end
        lda  x
        add  #1
        sta  x
        lda  y
        add  #1
        sta  y
        jmp  .again
.end:
.endmacro
        count
halt:   jmp  halt
"
        )
    };
    assert_eq!(verdicts(&count("x == y", "x == y && a == 0")), ["count: proved"]);
    // Too weak for the promise, and not preserved by a round.
    assert_eq!(verdicts(&count("x >= 0", "x == y")), ["count: Invariant(Ensures(0), 0)"]);
    assert_eq!(verdicts(&count("x < 200", "x < 200")), ["count: Invariant(0)"]);
}

/// A loop of at most 256 rounds, each of which takes 200 cycles.
fn slow(variant: &str, within: u64) -> String {
    format!(
        ".macro m n\n.ensures n == 0\n.modifies n, w, a, c\n.within {within}\n.l:\n.invariant 1\n{variant}\n lda n\n jz .e\n \
         add #-1\n sta n\n lda #40\n sta w\n.k: lda w\n add #-1\n sta w\n jz .l\n jmp .k\n.e:\n.endmacro\n m x\n"
    )
}

/// Programs that a careless prover gets wrong, with their verdicts by the definition in `docs/contracts.md`.
#[test]
fn attacks_have_the_verdicts_of_the_definition() {
    let cases: &[(&str, &[&str])] = &[
        // `.requires` refers to RAM at the entry, also in a clause about inputs.
        (
            ".macro m\n.requires x == 1 && keys < 128\n.ensures y == 9\n lda #0\n sta x\n lda KEYS\n.endmacro\n m",
            &["m: Ensures(0)"],
        ),
        // A clause about inputs holds at the entry, too, and binds each later read.
        (".macro m\n.requires keys == 3\n.ensures keys == 3\n lda #0\n.endmacro\n m", &["m: 1 to 1"]),
        (
            ".macro m\n.requires keys == 3\n.ensures a == 3\n lda KEYS\n lda KEYS\n.endmacro\n m",
            &["m: 2 to 2"],
        ),
        (
            ".macro m\n.requires keys == x\n.ensures keys == old(x)\n lda #9\n sta x\n lda KEYS\n.endmacro\n m",
            &["m: 3 to 3"],
        ),
        (".macro m\n.ensures keys == 3\n lda #0\n.endmacro\n m", &["m: Ensures(0)"]),
        (".macro m\n.requires keys == 200\n lda KEYS\n.endmacro\n m", &["m: NoInput"]),
        // A routine ends at the word after its call, wherever it was before.
        (
            " call r\n.r: jmp halt\nback: lda #1\n sta y\n jmp again\n.routine r\n.ensures y == 2\n lda #2\n sta y\n jmp back\nagain: lda #0\n.endroutine",
            &["r: Ensures(0)"],
        ),
        (
            " call r\n jmp halt\nback: lda #2\n sta y\n jmp again\n.routine r\n.ensures y == 2\n.within 8\n lda #1\n sta y\n jmp back\nagain: lda #0\n.endroutine",
            &["r: 8 to 8"],
        ),
        // A routine that returns to a wrong call continues from there.
        (
            " call r\n lda #5\n sta y\n call r\n jmp stop\n.routine r\n.requires x == 1\n.ensures y == 5\n lda r_number\n jz .swap\n jmp stop\n.swap: lda x\n sta r_number\n.endroutine\nr_number = 13\nstop: jmp stop",
            &["r: NoEnd"],
        ),
        // A macro that jumps away and comes back, and one that ends at a label that it was given.
        (
            " m\n jmp halt\naway: lda #3\n sta y\n jmp home\n.macro m\n.ensures y == 3\n.modifies y, a\n jmp away\nhome: lda #1\n.endmacro",
            &["m: 5 to 5"],
        ),
        (
            " m\n jmp halt\naway: lda #3\n sta y\n jmp home\n.macro m\n.modifies a\n jmp away\nhome: lda #1\n.endmacro",
            &["m: Byte(1)"],
        ),
        (".macro m there\n.ensures at(there)\n jmp there\n.endmacro\n m far\n lda #1\nfar:", &["m: 1 to 1"]),
        (
            ".macro m there\n.ensures at(there)\n jmp there+1\n.endmacro\n m far\n lda #1\nfar: lda #2",
            &["m: NoEnd"],
        ),
        (".macro m\n.ensures 0 == x - x + 1\n jmp halt\n.endmacro\n m\n lda #1", &["m: NoEnd"]),
        (
            "top: lda x\n m top\n.macro m there\n.ensures at(there) || a != 0\n jz there\n.endmacro",
            &["m: 1 to 1"],
        ),
        // Only bytes that the assembler has allocated for itself may always be changed.
        (".macro m\n.modifies a\n lda #1\n sta $200\n.endmacro\n m", &["m: Byte(512)"]),
        (".macro m\n.modifies a\n lda #1\n sta n+40\n.endmacro\n m", &["m: Byte(44)"]),
        (".macro m\n.modifies a\n lda #1\n sta place\n.endmacro\nplace = $345\n m", &["m: Byte(837)"]),
        (".macro m\n.modifies a\n lda #1\n.word $2222\n.endmacro\n m", &["m: Byte(546)"]),
        (
            ".macro m\n.modifies a, c\n.when a < x\n lda #1\n.endwhen\n call q\n.endmacro\n m\n m\n jmp halt\n.routine q\n lda #2\n.endroutine",
            &["m: 10 to 10", "m: 11 to 11"],
        ),
        // A sent byte counts only when a run ends.
        (".macro m\n.modifies a\n lda OUT\n sta OUT\n.endmacro\n m", &["m: Byte(4080)"]),
        (".macro m\n.modifies a, OUT\n lda #1\n sta OUT\n.endmacro\n m", &["m: 2 to 2"]),
        (
            ".macro m\n.modifies a\n lda x\n jz .e\n sta OUT\n jmp halt\n.e:\n.endmacro\n m\n lda #1",
            &["m: 2 to 2"],
        ),
        // An invariant at the word after a macro, and at the first word.
        (".macro m\n.ensures 1\n lda #1\n.invariant a == 2\n.endmacro\n m", &["m: Invariant(0)"]),
        (".macro m\n.ensures 1\n lda #1\n.invariant a == 1\n.endmacro\n m", &["m: 1 to 1"]),
        (".macro m\n.invariant a == 1\n lda #1\n.endmacro\n m", &["m: Invariant(0)"]),
        // `.within`, where an invariant is never reached, or is reached and cuts.
        (
            ".macro m\n.within 25_000\n lda #39\n sta n\n.a: lda #0\n sta y\n.b: lda y\n add #1\n sta y\n jz .c\n jmp .b\n.c: lda n\n add #-1\n sta n\n jz .e\n jmp .a\n.invariant x == 1\n lda #1\n.e:\n.endmacro\n m",
            &["m: Within"],
        ),
        (".macro m\n.within 9\n.l:\n.invariant 1\n lda KEYS\n jz .l\n.endmacro\n m", &["m: Within"]),
        // A call number is one of those that exist.
        (
            " call r\n call r\n call r\n jmp halt\n.routine r\n.requires 1\n.ensures y <= 2\n.modifies y, a, c\n lda r_number\n sta y\n.endroutine\nr_number = 13",
            &["r: 4 to 7"],
        ),
        (
            " call r\n call r\n call r\n jmp halt\n.routine r\n.ensures y == 1\n lda #1\n sta y\n.endroutine",
            &["r: 4 to 7"],
        ),
        // A loop that never ends promises nothing; one that may end does.
        (".macro m\n.ensures y == 1\n.l: jmp .k\n.k: jmp .l\n.endmacro\n m", &["m: NoEnd"]),
        (
            ".macro m\n.ensures y == 1\n.l: lda KEYS\n jz .l\n lda #1\n sta y\n.endmacro\n m",
            &["m: 4 to None"],
        ),
        // The rounds differ only in the input read last, which nothing uses.
        (".macro m\n.ensures 1\n.l: lda KEYS\n jmp .l\n.endmacro\n m", &["m: NoEnd"]),
        // Which key is pressed first makes no loop endless: each run comes by twice at most.
        (
            ".macro m\n.modifies a, c, n\n lda #0\n sta n\n.l: lda KEYS\n jz .k\n lda #7\n.k: lda n\n add #1\n sta n\n add #-3\n jz .e\n jmp .l\n.e:\n.endmacro\n m",
            &["m: 25 to 28"],
        ),
        // `.check` forgets nothing.
        (
            ".macro m\n.ensures x == old(x)\n.modifies n, a, c\n.within 3000\n.l: lda n\n.check a == n\n jz .e\n add #-1\n sta n\n jmp .l\n.e:\n.endmacro\n m",
            &["m: 2 to 1277"],
        ),
        (".macro m\n lda x\n.check a != 3\n sta y\n.endmacro\n m", &["m: Check(0)"]),
        (".macro m\n.ensures 1\n lda x\n.check a != 3\n.endmacro\n m", &["m: Check(0)"]),
        // A variant bounds a loop with an invariant.
        (
            ".macro m\n.within 200_000\n.l:\n.invariant 1\n.variant x\n lda KEYS\n jz .e\n lda x\n jz .e\n add #-1\n sta x\n jmp .l\n.e:\n.endmacro\n m",
            &["m: 2 to 1789"],
        ),
        (
            ".macro m\n.l:\n.variant x\n lda KEYS\n jz .e\n lda x\n add #1\n sta x\n jmp .l\n.e:\n.endmacro\n m",
            &["m: Variant(0)"],
        ),
        (".macro m\n.l:\n.variant x\n lda KEYS\n jz .l\n.endmacro\n m", &["m: Variant(0)"]),
        (".macro m\n.l:\n.variant x - 1\n lda x\n jz .e\n.e:\n.endmacro\n m", &["m: Variant(0)"]),
        // Loops too long to be gone through are cut, and bounded by their variants.
        (&slow(".variant x", 60_000), &["m: proved"]),
        (&slow(".variant x", 30_000), &["m: Unbounded"]),
        (&slow("", 60_000), &["m: Unbounded"]),
        (&slow(".variant x > 200", 60_000), &["m: Variant(0)"]),
    ];
    let mut wrong = Vec::new();
    for (source, expected) in cases {
        let found = verdicts(&format!("{RAM}{source}\nhalt: jmp halt\n"));
        if found != *expected {
            wrong.push(format!("{source}\n  {found:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A maximum and a sort of lists stay small, since the diagrams test the highest bits first.
#[test]
fn a_maximum_of_eight_bytes_and_a_sort_of_five_are_proved() {
    let largest: String =
        (1..8).map(|k| format!(".when w < list+{k}\n lda list+{k}\n sta w\n.endwhen\n")).collect();
    let is_largest: Vec<String> = (0..8).map(|k| format!("w >= list[{k}]")).collect();
    let swap = |k: usize| {
        let next = k + 1;
        format!(
            ".when list+{k} > list+{next}\n lda list+{k}\n sta x\n lda list+{next}\n sta list+{k}\n lda x\n \
             sta list+{next}\n.endwhen\n"
        )
    };
    let sort: String = (0..4).flat_map(|round| (0..4 - round).map(swap)).collect();
    let is_sorted: Vec<String> = (0..4).map(|k| format!("list[{k}] <= list[{}]", k + 1)).collect();
    for (ensures, code, cycles) in [
        (is_largest.join(" && "), format!(" lda list\n sta w\n{largest}"), "m: 37 to 44"),
        (is_sorted.join(" && "), sort, "m: 50 to 100"),
    ] {
        let source = format!("{RAM}.macro m\n.ensures {ensures}\n{code}.endmacro\n m\nhalt: jmp halt\n");
        assert_eq!(verdicts(&source), [cycles]);
    }
}

/// The text of a refutation: how long it takes, the reads, the final values beside the expected ones.
#[test]
fn counterexamples_explain_themselves() {
    for (promise, code, expected) in [
        (
            ".ensures y == (x + n) / 2",
            " lda x\n add n\n sta y\n shr y\n sta y\n",
            "\n  y == 0, expected 128\n",
        ),
        (
            ".ensures word(w) == x + n",
            " lda x\n add n\n sta w\n lda #0\n sta w+1\n",
            "\n  word(w) == 0, expected 256\n",
        ),
        (
            ".ensures y == keys",
            " lda KEYS\n add #1\n sta y\n",
            "\n  reads KEYS = 0 in cycle 0\n  y == 1, expected 0\n",
        ),
        (".modifies a, c", " lda n\n add #1\n sta n\n", "\n  n == 1, expected 0\n"),
        (
            ".within 3",
            ".l: lda n\n jz .e\n add #-1\n sta n\n jmp .l\n.e:\n",
            "takes up to 1,277 cycles; `.within` allows 3\n  with n = 255,",
        ),
        (
            ".within 3",
            ".l: lda KEYS\n jz .l\n",
            "it can stay in the loop at p.g1:8, for p.g1:11, for ever; `.within` allows 3",
        ),
    ] {
        let source = format!("{RAM}.macro m\n{promise}\n{code}.endmacro\n m\nhalt: jmp halt\n");
        let assembly = assemble(&MemoryLoader::new([("p.g1", &*source)]), "p.g1", &Options::default());
        let program = assembly.program.unwrap();
        let contract = &program.contracts[0];
        let proof = Prover::new(&program, Limits::default()).prove(contract, &|| false).unwrap();
        let text = Row::for_contract(contract, &proof, &program, &assembly.report.sources).text();
        assert!(text.contains(expected), "{source}\n{text}");
    }
}

/// `.modifies` need not name the bytes by which the library computes, only its results.
#[test]
fn private_bytes_of_the_library_need_no_modifies() {
    for (modifies, is_proved) in [("p, product, a, c", true), ("p, a, c", false)] {
        let program = assembled(&format!(
            ".ram x\n.ram y\n.ram p\n lda #3\n sta x\n sta y\n call r\nhalt: jmp halt\n.routine r\n.modifies {modifies}\n \
             multiply x, y\n lda product\n sta p\n.endroutine\n.include \"lib/multiply.g1\"\n"
        ));
        let contract = program.contracts.iter().find(|contract| contract.name == "r").unwrap();
        let verdict = Prover::new(&program, Limits::default()).prove(contract, &|| false).unwrap().verdict;
        assert_eq!(matches!(verdict, Verdict::Proved), is_proved, "{modifies}: {verdict:?}");
    }
}
