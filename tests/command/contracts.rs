//! `gray1 verify --program`: verdicts of contracts and claims, and the commands that open counterexamples.

use crate::support::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};
use test_support::process::{Signal, until};

const PROGRAM: &str = "\
.ram x
.ram y
.ram product, 2
.ram rest
.ram bits
        lda  #3
        sta  x
        lda  #4
        sta  y
        call twice
        call multiply
        add_to x, #5
        add_to y, x
halt:   jmp  halt

.routine twice
.ensures y == 2 * x
        lda  x
        add  x
        sta  y
.endroutine

.macro add_to v, w
.ensures v == (old(v) + w & 255) && a == v
.modifies v, a, c
.within 3
        lda  v
        add  w
        sta  v
.endmacro

.routine multiply
.ensures word(product) == old(x) * y
.modifies a, c, product, rest, bits
        lda  x
        sta  rest
        lda  #0
        sta  product
        sta  product+1
        lda  #8
        sta  bits
.while bits != #0
        lda  product
        add  product
        sta  product
        lda  product+1
  .when carry
        add  product+1
        add  #1
  .else
        add  product+1
  .endwhen
        sta  product+1
        lda  rest
        add  rest
        sta  rest
  .when carry
        lda  product
        add  y
        sta  product
    .when carry
        lda  product+1
        add  #1
        sta  product+1
    .endwhen
  .endwhen
        lda  bits
        add  #-1
        sta  bits
.endwhile
.endroutine
";

fn row<'a>(report: &'a Value, name: &str) -> &'a Value {
    let rows = report["contracts"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {report}"))
}

#[test]
fn contracts_have_verdicts_cycles_and_counterexamples() {
    let folder = Folder::with(PROGRAM);
    let json = folder.gray1("verify --program p.g1 --format json --witness-dir m").ends_with(1);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let verdicts = ["twice", "multiply", "add_to"].map(|name| row(&report, name)["verdict"].clone());
    assert_eq!(verdicts, ["refuted", "proved", "proved"]);
    assert_eq!(row(&report, "add_to")["cycles"]["most"], 3);
    assert_eq!(row(&report, "add_to")["uses"], 2);
    let multiply = &row(&report, "multiply")["cycles"];
    assert!(multiply["least"].as_u64() < multiply["most"].as_u64(), "{multiply}");

    // The command of a counterexample opens the debugger where the contract fails.
    let found = &row(&report, "twice")["counterexample"];
    let (x, command) = (found["ram"]["x"].as_u64().unwrap(), found["command"].as_str().unwrap());
    let arguments: Vec<&str> = command.split(' ').collect();
    assert_eq!(arguments[..2], ["gray1", "debug"]);
    let shown = folder.gray1_with_input(&[&arguments[1..], &["--plain"]].concat(), b"print x\nprint y\n");
    let expected = format!("x = {x} (${x:02X})\ny = {0} (${0:02X})\n", (2 * x) & 255);
    assert!(x > 127 && shown.stdout.contains(&expected), "{command}: {}", shown.stdout);

    // A single contract, with the same cycles.
    let proved = folder.gray1("verify --program p.g1 multiply").succeeds();
    let (least, most) = (multiply["least"].as_u64().unwrap(), multiply["most"].as_u64().unwrap());
    assert_eq!(proved.stdout, format!("multiply: proved, {least} to {most} cycles\n"));
}

/// Unused code is not assembled. Its contract is proved with a generated call.
#[test]
fn unused_code_is_proved_too() {
    let folder = Folder::with(
        "halt: jmp halt\n.ram x\n.macro add_to v, w\n.ensures v == (old(v) + w & 255)\n lda v\n add w\n sta v\n.endmacro\n\
         .routine twice\n.ensures x == 2 * old(x)\n lda x\n add x\n sta x\n.endroutine\n",
    );
    let json = folder.gray1("verify --program p.g1 --format json --witness-dir m").ends_with(1);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(["add_to", "twice"].map(|name| row(&report, name)["verdict"].clone()), ["proved", "refuted"]);
    let command = row(&report, "twice")["counterexample"]["command"].as_str().unwrap();
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let shown = folder.gray1_with_input(&[&arguments[..], &["--plain"]].concat(), b"print x\n");
    assert!(shown.stdout.contains("x = 0 ($00)"), "{command}: {}", shown.stdout);
    folder.gray1("verify --program p.g1 add_to").succeeds();
}

/// A generated call changes neither the cycles of a routine nor other verdicts.
#[test]
fn unused_code_does_not_affect_other_verdicts() {
    let folder = Folder::with(
        " call q\nhalt: jmp halt\n.ram x\n.routine q\n.ensures x == 1\n.within 3\n lda #1\n sta x\n.endroutine\n\
         .macro calls_q\n.ensures x == 1\n call q\n.endmacro\n.macro jumps there\n.ensures at(there)\n jmp there\n.endmacro\n\
         .macro twice v\n.ensures v == (2 * old(v) & 255)\n lda v\n add v\n sta v\n.endmacro\n",
    );
    let json = folder.gray1("verify --program p.g1 --format json").ends_with(1);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let verdicts = ["q", "calls_q", "twice", "jumps"].map(|name| row(&report, name)["verdict"].clone());
    assert_eq!(verdicts, ["proved", "proved", "proved", "undecided"]);
    assert_eq!(row(&report, "q")["cycles"]["most"], 3);
    assert!(row(&report, "jumps")["reason"].as_str().unwrap().contains("nothing calls it"), "{report}");
}

#[test]
fn invalid_questions_are_errors_with_advice() {
    let folder = Folder::with(PROGRAM);
    folder.write("plain.g1", "halt: jmp halt\n");
    folder.gray1("asm plain.g1").succeeds();
    let cases: [(&[&str], i32, &str); 9] = [
        (&["--program", "p.g1", "multipyl"], 1, "no contract is named `multipyl`; did you mean `multiply`?"),
        (&["--program", "plain.g1"], 1, "the program has no contracts: `.ensures` in a routine or a macro"),
        (&["--program", "plain.bin"], 1, "an image has no contracts: give its source"),
        (&["--program", "nothing.g1"], 1, "nothing.g1"),
        (&["--program", "p.g1", "--claim", "same"], 1, "`--claim same` needs another program: `--as FILE`"),
        (&["--program", "p.g1", "--claim", "noise", "--within", "3"], 1, "--within is for `--claim halts`"),
        (&["--claim", "noise"], 2, "--program"),
        (&["--program", "p.g1", "--claim", "luck"], 2, "noise, halts, same"),
        (&["lops"], 2, "there is no claim `lops`"),
    ];
    for (arguments, code, message) in cases {
        let outcome = folder.gray1(&[&["verify"], arguments].concat()).ends_with(code);
        assert!(outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
}

/// The command of each counterexample opens the line and the cycle where the contract fails, with the final values.
#[test]
fn counterexample_commands_open_the_failing_cycle() {
    let folder = Folder::with(
        ".ram x\n.ram y\n seven\n copy\n call twice\n wait\n keep\nhalt: jmp halt\n\
         .macro seven\n.ensures y == keys + 7\n lda KEYS\n add #7\n sta y\n lda KEYS\n.endmacro\n\
         .macro copy\n.modifies a, c\n lda PADROW\n jz .e\n lda x\n add #1\n sta y\n.e:\n.endmacro\n\
         .macro wait\n.within 20\n.l: lda KEYS\n jz .l\n.endmacro\n\
         .macro keep\n.ensures a != 4\n lda x\n.check a != 3\n sta y\n.endmacro\n\
         .routine twice\n.ensures y == 2 * x\n lda x\n add x\n sta y\n.endroutine\n",
    );
    let json = folder.gray1("verify --program p.g1 --format json --witness-dir m");
    let report: Value = serde_json::from_str(&json.ends_with(1).stdout).unwrap();
    for (name, is_pressed) in
        [("seven", true), ("copy", true), ("twice", false), ("wait", true), ("keep", false)]
    {
        let found = &row(&report, name)["counterexample"];
        let command = found["command"].as_str().unwrap();
        assert_eq!(command.contains("--input"), is_pressed, "{command}");
        let values = found["final"].as_array().unwrap().iter().filter(|value| value["name"] != "keys");
        let values =
            || values.clone().map(|it| (it["name"].as_str().unwrap(), it["value"].as_u64().unwrap()));
        let commands: String = values().map(|(name, _)| format!("print {name}\n")).collect();
        let arguments: Vec<&str> = command.split(' ').skip(1).chain(["--plain"]).collect();
        let shown = folder.gray1_with_input(&arguments, format!("where\n{commands}").as_bytes()).stdout;
        let line = found["at"].as_str().unwrap().split(',').next().unwrap();
        assert!(shown.contains(&format!("cycle {}  pc=", found["cycle"])), "{command}: {shown}");
        assert!(shown.contains(&format!(" ({line}")), "{command}: {shown}");
        for (name, value) in values() {
            assert!(shown.contains(&format!("{name} = {value} ")), "{command}: {shown}");
        }
    }
}

/// A proof can be interrupted at any time, even within a large diagram. The verdicts so far are reported.
#[test]
fn an_interrupted_proof_keeps_its_verdicts() {
    let folder = Folder::with(
        ".ram x\n.macro quick\n.ensures a == 1\n lda #1\n.endmacro\n quick\n.for k, 0, 99\n slow\n.endfor\n\
         halt: jmp halt\n.macro slow\n.ensures a != 0\n.l: lda KEYS\n jz .h\n jmp .e\n\
         .h: lda x\n add #1\n sta x\n jmp .l\n.e:\n.endmacro\n",
    );
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut child = folder.start("verify --program p.g1");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "quick: proved, 1 cycle\n", "verdicts are printed as soon as possible");
        child.signal(signal);
        let start = Instant::now();
        let output = child.output();
        assert!(start.elapsed() < Duration::from_secs(10), "the rest takes minutes");
        assert_eq!(output.status.code(), Some(code));
        let rest = String::from_utf8(output.stdout).unwrap();
        assert!(rest.starts_with("slow: undecided") && rest.contains("interrupted"), "{rest}");
    }
    let mut time = Duration::from_millis(10);
    until("the quick contract is decided", || {
        let child = folder.start("verify --program p.g1 --format json");
        std::thread::sleep(time);
        time *= 2;
        child.interrupt();
        let output = child.output();
        assert_eq!(output.status.code(), Some(130));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let verdicts = ["quick", "slow"].map(|name| row(&report, name)["verdict"].clone());
        (verdicts == ["proved", "undecided"]).then_some(())
    });
}

#[test]
fn claims_about_shipped_programs() {
    let folder = Folder::new();
    for (arguments, code, answer) in [
        (&["queens", "--claim", "noise"][..], 0, "noise: proved\n"),
        (&["queens", "--claim", "halts"], 0, "halts: proved, 63,407 cycles\n"),
        (&["queens", "--claim", "halts", "--within", "63406"], 1, "halts: refuted\n"),
        (&["queens-small", "--claim", "same", "--as", "queens-bits"], 1, "same: refuted\n"),
        (&["snake", "--claim", "noise"], 0, "noise: proved\n"),
        (&["snake", "--claim", "halts"], 1, "halts: refuted\n"),
    ] {
        let outcome = folder.gray1(&[&["verify", "--witness-dir", "m", "--program"], arguments].concat());
        let outcome = outcome.ends_with(code);
        assert!(outcome.stdout.starts_with(answer), "{arguments:?}: {}", outcome.stdout);
    }
}

/// Programs that place attacked queens, skip squares, or use other rows are refuted.
#[test]
fn faulty_queens_programs_are_refuted() {
    let right = include_str!("../../programs/queens-array.g1");
    let folder = Folder::with(right);
    folder.gray1("verify --program p.g1 compare_with_earlier put_down").succeeds();
    for (name, from, to) in [
        ("compare_with_earlier", "sub  column\n          jz   attacked", "sub  column"),
        ("compare_with_earlier", "add  distance\n          jz   attacked", "add  distance"),
        ("compare_with_earlier", "sub  distance\n          sub  distance", "sub  distance"),
        ("compare_with_earlier", "dec  distance\n", "lda  distance\n"),
        ("put_down", "ROWS, led\n        inc  row", "ROWS, led\n        dec  row"),
    ] {
        assert!(right.contains(from), "{from}");
        folder.write("p.g1", right.replace(from, to));
        let outcome = folder.gray1(&["verify", "--program", "p.g1", name, "--witness-dir", "m"]).ends_with(1);
        assert!(outcome.stdout.starts_with(&format!("{name}: refuted\n")), "{to}: {}", outcome.stdout);
    }
}
