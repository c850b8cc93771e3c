//! Contracts, true and broken: their verdicts and cycles, and each refutation tried on two engines.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_assembler::{Contract, Formula, MemoryLoader, Options, Program, Term, assemble};
use gray1_contracts::{Claim, Doubt, Limits, Moment, Part, Proof, Prover, Row, Verdict};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Driver, Engine, FastEngine, Noise};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

fn assembled(source: &str) -> Program {
    let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false)))
}

/// A machine that begins at a moment, after some cycles, on one of two engines.
fn machine(program: &Program, moment: &Moment, is_fast: bool, cycles: u64) -> Box<dyn Engine> {
    let mut engine: Box<dyn Engine> = if is_fast {
        Box::new(FastEngine::power_up(&program.image, Noise::Zeros))
    } else {
        Box::new(ChipsEngine::power_up(&Board::gray1(), &program.image, Noise::Zeros).unwrap())
    };
    engine.set_state(&moment.state).unwrap();
    let mut driver = Driver::new(&mut *engine, &NEVER, &|| Duration::ZERO);
    driver.script = moment.script.clone();

    driver.run(cycles, Duration::MAX, &mut ()).unwrap();
    drop(driver);
    engine
}

/// The value of a formula, if it has one, for a machine at the entry and now.
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
            Term::Keys | Term::Pad => panic!("no formula here is about inputs"),
        };
        stack.push(value);
    }
    stack.pop()
}

/// Whether a promise is broken after the cycles of a moment, on both engines.
fn is_broken(program: &Program, contract: &Contract, part: Part, moment: &Moment) -> bool {
    [false, true].into_iter().all(|is_fast| {
        let now = machine(program, moment, is_fast, moment.cycle).state();
        let before = &moment.state;
        let holds = |formula| value(formula, before, &now).is_some_and(|value| value != 0);
        match part {
            Part::Ensures(number) => !holds(&contract.ensures[number].formula),
            Part::Invariant(number) => !holds(&contract.invariants[number].1.formula),
            Part::Byte(address) => now.ram[address as usize] != before.ram[address as usize],
            Part::A => now.a != before.a,
            Part::C => now.c != before.c,
            Part::Within => contract.within.is_some_and(|(most, _)| now.cycle > most && !now.halted),
            _ => false,
        }
    })
}

/// The verdict of each contract: `proved`, with the cycles, or the part that is broken.
fn verdicts(source: &str) -> Vec<String> {
    let program = assembled(source);
    let prover =
        Prover::new(&program, Limits { words: 100_000, words_of_program: 100_000, ..Limits::default() });
    let verdict = |contract: &Contract| {
        let Proof { verdict, cycles, .. } = prover.prove(contract, &|| false).unwrap();
        let what = match verdict {
            Verdict::Proved => match cycles {
                Some(cycles) => {
                    let [least, most] = [&cycles.least, &cycles.most].map(|it| it.as_ref().map(|it| it.0));
                    // Each of the two has an input that takes so long.
                    format!("{least:?} to {most:?}").replace("Some(", "").replace(')', "")
                }
                None => "proved".to_owned(),
            },
            Verdict::Refuted(part, moment) => {
                assert!(is_broken(&program, contract, part, &moment), "{source}\n{part:?} {moment:?}");
                format!("{part:?}")
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
        // Broken in each of its parts.
        (".macro m\n.ensures y == x + 1\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: Ensures(0)"]),
        (".macro m\n.modifies a, c\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: Byte(1)"]),
        (".macro m\n.modifies y, c\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: A"]),
        (".macro m\n.modifies y, a\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: C"]),
        (".macro m\n.within 2\n lda x\n add #1\n sta y\n.endmacro\n m", &["m: Within"]),
        // What is put back is not changed.
        (".macro m\n.modifies y\n lda x\n sta y\n sta n\n.endmacro\n m\n lda #1\n sta n", &["m: Byte(4)"]),
        (
            ".macro m\n.modifies a, c\n lda x\n add #1\n sta x\n add #-1\n sta x\n.endmacro\n m",
            &["m: 5 to 5"],
        ),
        // Two ways of different lengths, and a condition on the entry.
        (
            ".macro m\n.ensures a == (old(a) == 0 ? 7 : old(a))\n jz .z\n jmp .e\n.z: lda #7\n.e:\n.endmacro\n m",
            &["m: 2 to 2"],
        ),
        (
            ".macro m\n.requires a < 10\n.ensures a > 5\n.l: add #1\n sta n\n add #-6\n jz .e\n lda n\n jmp .l\n.e: lda n\n.endmacro\n m",
            &["m: 5 to 1535"],
        ),
        // Loops end by themselves, whatever they count.
        (
            ".macro m\n.ensures n == 0 && a == 0\n.l: lda n\n jz .e\n add #-1\n sta n\n jmp .l\n.e:\n.endmacro\n m",
            &["m: 2 to 1277"],
        ),
        // A loop without an end is not proved, but what follows an invariant is.
        (".macro m\n.within 50\n.l: lda n\n jz .e\n jmp .l\n.e:\n.endmacro\n m", &["m: Within"]),
        (
            ".macro m\n.ensures y == 3\n lda #3\n sta y\n.l: lda KEYS\n jz .l\n.endmacro\n m",
            &["m: 4 to None"],
        ),
        (".macro m\n.requires x != x\n lda x\n.endmacro\n m", &["m: NeverBegins"]),
        // Division by 0 has no value.
        (".macro m\n.ensures 8 / x >= 0\n lda #0\n.endmacro\n m", &["m: Ensures(0)"]),
        (".macro m\n.ensures x == 0 || 8 / x <= 8\n lda #0\n.endmacro\n m", &["m: 1 to 1"]),
        // Where control goes.
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
fn routines_are_walked_with_those_they_call() {
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

/// What is known of a loop without a bound is its invariant.
#[test]
fn invariants_replace_what_a_loop_has_done() {
    let count = |invariant: &str, ensures: &str| {
        format!(
            "{RAM}
.macro count
.requires x == 0 && y == 0
.ensures {ensures}
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
    // Too weak for what is promised, and not kept by a round.
    assert_eq!(verdicts(&count("x >= 0", "x == y")), ["count: Invariant(Ensures(0), 0)"]);
    assert_eq!(verdicts(&count("x < 200", "x < 200")), ["count: Invariant(0)"]);
}

#[test]
fn claims_about_whole_programs() {
    let judge = |source: &str, claim: &Claim| {
        let program = assembled(source);
        let prover =
            Prover::new(&program, Limits { words: 100_000, words_of_program: 100_000, ..Limits::default() });
        match prover.prove_claim(claim, &|| false).unwrap().verdict {
            Verdict::Proved => "proved".to_owned(),
            Verdict::Refuted(part, _) => format!("{part:?}"),
            Verdict::Undecided(_) => "undecided".to_owned(),
        }
    };
    let remembers = |first: &str| {
        format!(
            " lda {first}\n sta w\nt: lda KEYS\n jz use\n sta x\n lda #1\n sta w\n jmp t\n\
             use: lda w\n jz t\n lda x\n sta OUT\n jmp t"
        )
    };
    let called_twice = |sent: &str| {
        format!(
            "t: call read\n lda {sent}\n sta OUT\n sta x\n call read\n lda x\n sta OUT\n jmp t\n\
             .routine read\n lda KEYS\n sta y\n.endroutine"
        )
    };
    let noise: [(&str, &str); 15] = [
        (" lda #1\n sta OUT", "proved"),
        (" lda x\n sta OUT", "Shown(0, 0)"),
        (" lda x\n nor #255\n sta OUT", "proved"),
        (" lda x\n sta y", "Kept(1, 0)"),
        // The same is sent on both ways, but once later than the other byte.
        (" lda x\n jz t\n lda #1\n sta OUT\n jmp halt\nt: lda #1\n sta OUT", "proved"),
        (" lda x\n jz t\n lda #1\n sta OUT\n jmp halt\nt: lda #2\n sta OUT", "Shown(0, 0)"),
        (" lda x\n jz t\n lda #1\n sta OUT\nt: lda #1", "Shown(0, 0)"),
        (" lda KEYS\n sta x\n lda x\n sta OUT", "proved"),
        ("t: lda KEYS\n jz t\n sta OUT", "proved"),
        // Endless, and its states do not come back: what may depend on noise is followed from the first input on.
        (" lda #0\n sta x\n sta y\nt: lda KEYS\n add x\n sta x\n add y\n sta y\n sta OUT\n jmp t", "proved"),
        (" lda #0\n sta x\nt: lda KEYS\n add x\n sta x\n add y\n sta y\n sta OUT\n jmp t", "undecided"),
        // What has been written is read only where a byte says so, however often that is asked.
        (&remembers("#0"), "proved"),
        (&remembers("x"), "undecided"),
        // A routine that returns to two callers: one has written x, the other has not.
        (&called_twice("y"), "proved"),
        (&called_twice("x"), "undecided"),
    ];
    for (source, expected) in noise {
        let source = format!("{RAM}{source}\nhalt: jmp halt\n");
        assert_eq!(judge(&source, &Claim::Noise), expected, "{source}");
    }
    let halts = [
        (" lda x\nl: add #1\n jz halt\n jmp l", None, "proved"),
        (" lda x\nl: add #1\n jz halt\n jmp l", Some(700), "Within"),
        (" lda x\nl: add #1\n jz halt\n jmp l", Some(800), "proved"),
        ("l: lda KEYS\n jz l", None, "Endless(0)"),
        ("l: add #1\n jmp l", None, "Endless(0)"),
        ("l: add #2\n jc halt\n jmp l", None, "proved"),
    ];
    for (source, within, expected) in halts {
        let source = format!("{RAM}{source}\nhalt: jmp halt\n");
        assert_eq!(judge(&source, &Claim::Halts(within)), expected, "{source}");
    }
    let send = assembled(&format!("{RAM} lda KEYS\n add #1\n sta OUT\nhalt: jmp halt\n"));
    let same = [
        (" lda #1\n add KEYS\n sta OUT", false, "proved"),
        (" lda #1\n add KEYS\n sta OUT", true, "proved"),
        (" lda KEYS\n sta x\n add #1\n sta OUT", false, "proved"),
        (" lda KEYS\n sta x\n add #1\n sta OUT", true, "Differs(0)"),
        (" lda KEYS\n add #2\n sta OUT", false, "Differs(0)"),
        (" lda KEYS\n add #1\n sta OUT\n sta OUT", false, "Differs(1)"),
        (" lda KEYS\n add #1\n sta RED", false, "Differs(0)"),
    ];
    for (source, cycles, expected) in same {
        let source = format!("{RAM}{source}\nhalt: jmp halt\n");
        assert_eq!(judge(&source, &Claim::Same { other: &send.image, cycles }), expected, "{source}");
    }
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
        let text = Row::of(contract, &proof, &program, &assembly.report.sources).text();
        assert!(text.contains(expected), "{source}\n{text}");
    }
}
