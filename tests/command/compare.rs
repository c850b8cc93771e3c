//! `gray1 compare`: results in every format, programs that disagree, and runs that do not end.

use crate::support::{ENDLESS, Folder, Outcome};
use std::fmt::Write;

/// Makes a program that sends a text and halts.
pub fn sends(text: &str) -> String {
    let mut program = String::new();
    for byte in text.bytes() {
        let _ = writeln!(program, "lda #{byte}\nsta OUT");
    }
    program + "halt: jmp halt\n"
}

/// A program that takes N, sends N - 1 solutions of N letters, and has one byte of RAM.
const TAKES_N: &str = "
N ?= 4
.ram spare
lda #0
sta spare
.for k, 1, N
  .for j, 0, N
    lda #'0'+k
    sta OUT
  .endfor
  lda #10
  sta OUT
.endfor
lda #'0'+N-1
sta OUT
halt: jmp halt
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("long.g1", sends("3142\n2413\n2 solutions (17 tried)\n"));
    folder.write("short.g1", sends("2413\n3142\n2\n"));
    folder.write("n.g1", TAKES_N);
    folder
}

#[test]
fn the_table_has_a_row_for_each_program_and_their_agreement() {
    let outcome = folder().gray1("compare short.g1 long.g1").succeeds();
    let expected = "\
program  N  words  RAM bytes  cycles  solutions  positions  cycles each  at 1 MHz
long     4     67          0      67          2         17         3.94     67 µs
short    4     25          0      25          2          -            -     25 µs

N = 4: 2 programs agree on the solutions: 2
";
    assert_eq!(outcome.stdout, expected);
    assert_eq!(outcome.stderr, "");
}

#[test]
fn csv_and_json_agree() {
    let folder = folder();
    folder.write("odd, name.g1", sends("2413\n3142\n2 (4 tried)\n"));
    folder.gray1("asm short.g1 -o image.bin").succeeds();
    let run = |format: &str| {
        let arguments =
            ["compare", "odd, name.g1", "long.g1", "image.bin", "n.g1", "--n", "2..6", "--format", format];
        // The three solutions of n.g1 for N = 4 also have four letters, but different ones, and so contradict the
        // others.
        folder.gray1(&arguments).ends_with(1).stdout
    };
    let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["hz"], 1_000_000);
    let csv = run("csv").replace("\"odd, name\"", "odd name");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!((rows.len(), csv.lines().count()), (8, 9));
    for (row, line) in rows.iter().zip(lines) {
        assert_eq!(line.len(), heads.len(), "{line:?}");
        assert_eq!(row.as_object().unwrap().len(), heads.len(), "{row}");
        for (head, value) in heads.iter().zip(line) {
            match &row[*head] {
                serde_json::Value::Null => assert_eq!(value, "", "{head}"),
                serde_json::Value::String(text) => assert_eq!(value, text.replace(',', ""), "{head}"),
                number => {
                    let (number, value): (f64, f64) = (number.as_f64().unwrap(), value.parse().unwrap());
                    assert!((number - value).abs() < 1e-12, "{head}");
                }
            }
        }
    }
    assert_eq!(csv.lines().filter(|line| line.starts_with("image,4,,,25,2,,,")).count(), 1, "{csv}");
    let order: Vec<(u64, u64)> = rows
        .iter()
        .map(|row| (row["n"].as_u64().unwrap(), u64::MAX - row["cycles"].as_u64().unwrap()))
        .collect();
    assert!(order.is_sorted(), "by N, the most cycles first: {order:?}");
}

#[test]
fn programs_that_take_n_run_for_each_n() {
    let folder = folder();
    let sizes = |arguments: &[&str]| {
        let csv = folder.gray1(&[&["compare", "--format", "csv"], arguments].concat()).succeeds().stdout;
        let fields = csv.lines().skip(1).map(|line| line.split(',').take(4).collect::<Vec<_>>().join(" "));
        fields.collect::<Vec<_>>()
    };
    assert_eq!(sizes(&["n.g1"]), ["n 4 35 1"]);
    assert_eq!(sizes(&["n.g1", "-D", "N=2"]), ["n 2 11 1"]);
    assert_eq!(sizes(&["n.g1", "--n", "3"]), ["n 3 21 1"]);
    assert_eq!(sizes(&["n.g1", "--n", "1..3"]), ["n 1 5 1", "n 2 11 1", "n 3 21 1"]);
    assert_eq!(sizes(&["n.g1", "--n", "3", "short.g1"]), ["n 3 21 1", "short 4 25 0"]);
    let unused = folder.gray1("compare short.g1 --n 4..5");
    unused.fails(1, &["none of these programs takes N"]);
}

#[test]
fn positions_are_counted_at_labels() {
    let folder = Folder::with(
        ".ram left\n lda #5\n sta left\n_position1:\n lda left\n add #-1\n sta left\n jz done\n jmp _position1\n\
         done: _position2 = here\n lda #'0'\n sta OUT\n.halt: jmp .halt\n",
    );
    let outcome = folder.gray1("compare p.g1 --format csv");
    assert_eq!(outcome.succeeds().stdout.lines().nth(1), Some("p,,10,1,29,0,6,4.833,0.000029"));
}

#[test]
fn a_disagreement_names_the_programs_and_a_solution() {
    let folder = folder();
    folder.write("wrong.g1", sends("2413\n3412\n2\n"));
    folder.write("less.g1", sends("2413\n1\n"));
    folder.write("more.g1", sends("2413\n3142\n4321\n3\n"));
    let outcome = folder.gray1("compare wrong.g1 short.g1 less.g1 long.g1 more.g1");
    let outcome = outcome.ends_with(1);
    let others = "and 1 other program";
    for message in [
        format!("N = 4: wrong and short disagree: short {others} found 3142, which wrong lacks"),
        format!("N = 4: less and short disagree: short {others} found 3142, which less lacks"),
        format!("N = 4: more and short disagree: more found 4321, which short {others} lack"),
    ] {
        assert!(outcome.stderr.contains(&message), "{}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.lines().count(), 3, "{}", outcome.stderr);
    assert_eq!(outcome.stdout.lines().count(), 6, "what was measured is shown: {}", outcome.stdout);
    assert!(!outcome.stdout.contains("agree"), "{}", outcome.stdout);
}

#[test]
fn programs_without_an_n_are_compared_too() {
    let folder = folder();
    folder.write("none.g1", sends("0 solutions\n"));
    let nothing = folder.gray1("compare short.g1 none.g1 long.g1").ends_with(1);
    let message = "N = 4: none and short disagree: short and 1 other program found 2413, which none lacks\n";
    assert_eq!(nothing.stderr, format!("gray1: {message}"));
    // Solutions of different lengths have no N.
    folder.write("primes.g1", sends("2\n11\n2 primes\n"));
    folder.write("others.g1", sends("11\n2\n2\n"));
    folder.write("odd.g1", sends("11\n3\n2\n"));
    let primes = folder.gray1("compare primes.g1 others.g1").succeeds();
    assert!(primes.stdout.ends_with("\n\n2 programs agree on the solutions: 2\n"), "{}", primes.stdout);
    let odd = folder.gray1("compare primes.g1 odd.g1").ends_with(1);
    assert!(
        odd.stderr.contains("gray1: odd and primes disagree: primes found 2, which odd lacks"),
        "{odd:?}"
    );
    let alone = folder.gray1("compare n.g1 short.g1 --n 5..6").succeeds();
    let said = "not compared with any other program: short, n (N = 5), n (N = 6)\n";
    assert!(alone.stdout.ends_with(said), "{}", alone.stdout);
}

#[test]
fn a_program_that_contradicts_itself_is_named() {
    for (sent, message) in [
        ("2413\n3142\n3 solutions\n", "p: its last line says 3, but 2 came before it"),
        ("2413\n2413\n2\n", "p: it sends the solution 2413 twice"),
        ("2413\ndone\n", "p: its last line must begin with the number of solutions, but is `done`"),
        ("", "p: its last line must begin with the number of solutions, but is ``"),
    ] {
        let outcome = Folder::with(&sends(sent)).gray1("compare p.g1").ends_with(1);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}

#[test]
fn finished_programs_are_listed_after_the_limit() {
    let folder = folder();
    folder.write("endless.g1", ENDLESS);
    let limited = folder.gray1("compare endless.g1 short.g1 --max-cycles 300000");
    let Outcome { stdout, stderr, .. } = limited.ends_with(3);
    assert!(stdout.lines().count() == 2 && stdout.contains("\nshort "), "{stdout}");
    assert_eq!(stderr, "gray1: stopped at --max-cycles: endless\n");
    // A run of exactly this many cycles finishes.
    folder.gray1("compare short.g1 --max-cycles 25").succeeds();
    folder.gray1("compare short.g1 --max-cycles 24").fails(3, &["short"]);
}

#[test]
fn endless_programs_are_named_and_do_not_delay_others() {
    let folder = folder();
    let counts = ".ram n\na: lda n\n add #1\n sta n\n jmp a\n";
    for endless in [ENDLESS, counts, "a: jmp b\nb: lda #1\n jmp a\n"] {
        folder.write("endless.g1", endless);
        let outcome = folder.gray1("compare endless.g1 short.g1").ends_with(1);
        assert!(outcome.stdout.contains("\nshort "), "{}", outcome.stdout);
        assert!(outcome.stderr.contains("gray1: endless: it never halts: "), "{}", outcome.stderr);
    }
}

#[test]
fn endless_output_is_stopped() {
    let folder = Folder::with("again: lda #'x'\n sta OUT\n jmp again\n");
    folder.gray1("compare p.g1").fails(1, &["p: it sends more than 64 megabytes"]);
}

#[test]
fn invalid_input_is_rejected_before_any_run() {
    let folder = folder();
    folder.write("bad.g1", "  stb 3\n");
    folder.write("endless.g1", ENDLESS);
    folder.gray1("compare endless.g1 bad.g1").fails(1, &["bad.g1:1:3", "not assembled"]);
    folder.gray1("compare endless.g1 none.g1").fails(1, &["none.g1: cannot read"]);
    folder.gray1("compare").fails(2, &["FILES"]);
    folder.gray1("compare - -").fails(2, &["standard input can be read only once"]);
    folder.gray1("compare n.g1 --n 4 -D N=5").fails(2, &["both set N"]);
    for range in ["5..4", "0..4", "4..", "many", "4..1000000", "4...5", "-4"] {
        folder.gray1(&["compare", "n.g1", &format!("--n={range}")]).fails(2, &["from 1 to 99"]);
    }
    assert_eq!(folder.names(), ["bad.g1", "endless.g1", "long.g1", "n.g1", "short.g1"], "no draft is left");
}

#[test]
fn ambiguous_names_become_paths() {
    let folder = folder();
    std::fs::create_dir(folder.path("other")).unwrap();
    folder.write("other/short.g1", sends("2413\n3142\n2\n"));
    let outcome = folder.gray1("compare short.g1 other/short.g1 long.g1").succeeds();
    let names: Vec<&str> =
        outcome.stdout.lines().take(4).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["program", "long", "short.g1", "other/short.g1"]);
    let program = sends("2413\n3142\n2\n");
    let outcome =
        folder.gray1_with_input(&["compare", "-", "--format", "csv"], program.as_bytes()).succeeds();
    assert!(outcome.stdout.contains("\nstandard input,4,25,0,25,2,"), "{}", outcome.stdout);
}
