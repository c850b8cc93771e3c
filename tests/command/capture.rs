//! `gray1 capture`: recordings made from traces, some with errors.

use crate::support::Folder;
use gray1_isa::gray;
use std::fmt::Write;

const COUNT: &str = ".ram n\n        lda #0\n        sta n\nagain:  lda n\n        add #1\n        sta n\n        jz done\n\
                     jmp again\ndone:   lda #'!'\n        sta OUT\nhalt:   jmp halt\n";

/// Makes a recording with a row for each cycle: the lines of the program counter, and A.
fn captured(folder: &Folder) -> Vec<String> {
    folder.gray1("run p.g1 --trace trace.csv").succeeds();
    let trace = folder.read("trace.csv");
    let rows = trace.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        let code = gray(u16::from_str_radix(cells[1], 16).expect("a sequence number"));
        (0..12).fold(String::new(), |row, bit| format!("{row}{},", code >> bit & 1)) + cells[3]
    });
    let header = (0..12).fold(String::new(), |header, bit| format!("{header}PC{bit},")) + "A";
    std::iter::once(header).chain(rows).collect()
}

#[test]
fn recordings_are_compared_with_the_expected_run() {
    let folder = Folder::with(COUNT);
    let mut rows = captured(&folder);
    let capture = |rows: &[String], more: &[&str]| {
        folder.write(
            "c.csv",
            rows.iter().fold(String::new(), |mut text, row| {
                let _ = writeln!(text, "{row}");
                text
            }),
        );
        folder.gray1(&[&["capture", "c.csv", "--program", "p.g1"], more].concat())
    };
    let equal = capture(&rows, &[]).succeeds().stdout;
    assert!(
        equal.starts_with("c.csv:2 is cycle 0 phase 0; equal: ") && equal.lines().count() == 1,
        "{equal}"
    );
    // A recording that begins in the middle of the run.
    let part: Vec<String> = rows[..1].iter().chain(&rows[501..]).cloned().collect();
    let begins = capture(&part, &["--from", "500"]).succeeds().stdout;
    assert!(begins.starts_with("c.csv:2 is cycle 500 phase 0; "), "{begins}");
    // A single wrong value of A.
    let (cells, _) = rows[301].rsplit_once(',').expect("cells");
    rows[301] = format!("{cells},ee");
    let told = capture(&rows, &[]).ends_with(1).stdout;
    assert!(told.contains("c.csv:302, cycle 300 phase 0: A is ee, expected "), "{told}");
    assert!(told.contains("  (p.g1:") && told.contains("driven by A"), "{told}");
}

/// Regression: `gray1 capture` blamed the probe when a line of A was stuck because a line of T was stuck.
#[test]
fn machine_faults_are_not_attributed_to_the_probe() {
    let folder = Folder::with(COUNT);
    let (file, built) = ("c.csv", ["--program", "p.g1", "--board", "built"]);
    let told = |arguments: &[&str]| {
        let run =
            [&["run", "p.g1", "--board", "built", "--max-cycles", "400", "--trace", "t.csv"], arguments]
                .concat();
        folder.gray1(&run);
        let trace = folder.read("t.csv");
        let rows = trace.lines().skip(1).map(|row| row.split(',').nth(3).expect("A").to_owned());
        folder.write(file, ["A".to_owned()].into_iter().chain(rows).collect::<Vec<_>>().join("\n"));
        folder.gray1(&[&["capture", file][..], &built].concat()).ends_with(1).stdout
    };
    let machine = told(&["--cell", "T:*.T5=0"]);
    assert!(machine.contains("a machine with this fault gives exactly these rows:\n"), "{machine}");
    assert!(machine.contains("  T pin 19 D5 (T5) stuck at 0\n") && !machine.contains("probe"), "{machine}");
    // A stuck line only at the probe: the program counter shows that the machine counts beyond 31.
    let without = |row: &String| {
        let (cells, a) = row.rsplit_once(',').expect("cells");
        u8::from_str_radix(a, 16).map_or(row.clone(), |a| format!("{cells},{:x}", a & !0x20))
    };
    let rows = captured(&folder);
    let rows: Vec<String> = rows[..1].iter().cloned().chain(rows[1..].iter().map(without)).collect();
    folder.write(file, rows.join("\n"));
    let probe = folder.gray1(&[&["capture", file][..], &built].concat()).ends_with(1).stdout;
    assert!(probe.contains("A5 stays at 0, but the machine runs as expected: check the probe"), "{probe}");
    assert!(!probe.contains("a machine with"), "{probe}");
}

#[test]
fn invalid_captures_are_rejected() {
    let folder = Folder::with(COUNT);
    let rows = captured(&folder);
    folder.write("c.csv", rows.join("\n"));
    let with = |file, program| folder.gray1(&["capture", file, "--program", program]);
    with("missing.csv", "p.g1").fails(1, &["missing.csv: cannot read"]);
    with("c.csv", "missing.g1").fails(1, &["missing.g1: cannot read"]);
    folder.write("bad.csv", "PC0,FOO\n0,1\n");
    with("bad.csv", "p.g1").fails(1, &["bad.csv:1:2: the board has no net or bus `FOO`"]);
    folder.write("bytes.csv", [0xFF, 0xFE, 0]);
    with("bytes.csv", "p.g1").fails(1, &["bytes.csv"]);
    folder.gray1("capture c.csv").fails(2, &["--program"]);
    folder.gray1("capture c.csv --program p.g1 --engine isa").fails(2, &["leave out --engine"]);
}
