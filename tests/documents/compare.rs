//! The comparison of the queens programs: its table, and the numbers in the text.

use crate::document::{Document, open, root};
use gray1_text::rounded as number;
use std::fs;
use std::process::Command;
use test_support::golden;
use test_support::process::output;

const DOCUMENT: &str = "docs/queens.md";

/// Runs `gray1 compare` on all queens programs. Returns what it prints.
fn compare(options: &[&str]) -> String {
    let mut names: Vec<String> = fs::read_dir(root().join("programs"))
        .expect("there are programs")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("a name"))
        .filter(|name| name.contains("queens") && name.ends_with(".g1"))
        .collect();
    names.sort(); // nqueens comes first, as in the commands of the document
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.args(["compare"]).args(options);
    command.args(names.iter().map(|name| format!("programs/{name}")));
    let output = output(command.current_dir(root()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

pub fn assert_chart(name: &str, right: &[u8]) {
    let is_right = golden::agrees(root().join("docs").join(name), right);
    assert!(is_right, "docs/{name} is not what is measured any more; UPDATE=1 rewrites it");
}

/// Asserts that the document contains these phrases, however they are broken into lines.
fn assert_says(document: &Document, facts: &[String]) {
    let words = document.text.split_whitespace().collect::<Vec<_>>().join(" ");
    for fact in facts {
        assert!(words.contains(fact), "{} does not say `{fact}`", document.path);
    }
}

/// The rows of a result in JSON, by program.
struct Rows(serde_json::Value);

impl Rows {
    fn number(&self, program: &str, n: u64, field: &str) -> f64 {
        let rows = self.0["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["program"] == program && row["n"] == n);
        row.and_then(|row| row[field].as_f64()).unwrap_or_else(|| panic!("{program} has no {field}"))
    }

    fn cycles(&self, program: &str) -> f64 {
        self.number(program, 8, "cycles")
    }

    fn positions(&self, program: &str) -> f64 {
        self.number(program, 8, "positions")
    }

    fn each(&self, program: &str) -> f64 {
        self.number(program, 8, "cycles_per_position")
    }
}

#[test]
fn the_queens_table_matches_the_measurements() {
    let document = open(DOCUMENT);
    let text = compare(&[]);
    let table = text.split("\n\n").next().unwrap_or_default();
    document.assert_section("compare", &format!("```text\n{table}\n```"));
}

#[test]
fn numbers_in_the_text_match_the_measurements() {
    let json = compare(&["--n", "4..12", "--format", "json"]);
    let rows = Rows(serde_json::from_str(&json).expect("JSON"));
    let [brute, masks, permute, array, bits] = ["brute", "masks", "permute", "array", "bits"].map(|name| {
        let program = format!("queens-{name}");
        (rows.cycles(&program), rows.positions(&program), rows.each(&program))
    });
    let words = |program: &str| number(rows.number(program, 8, "words"));
    let small = rows.number("queens-small", 8, "words");
    let general = |n: u64, field: &str| rows.number("nqueens", n, field);
    let growth = |n: u64| general(n, "cycles") / general(n - 1, "cycles");
    let per_row = general(9, "words") - general(8, "words");
    assert_eq!(brute.1, 8f64.powi(8));
    assert_eq!(masks.1, brute.1);
    assert_eq!(bits.1, rows.positions("nqueens"), "the same positions");
    assert_eq!((small, rows.positions("queens-small")), (100.0, array.1), "the same squares in 100 words");
    assert!(general(12, "cycles") < masks.0);
    assert!((4..=12).all(|n| general(n, "words") == general(8, "words") + per_row * (n as f64 - 8.0)));
    assert!((4..=12).all(|n| general(n, "ram") == general(8, "ram") + n as f64 - 8.0));
    let facts = [
        format!("8^8 = {} boards", number(brute.1)),
        format!("{:.1} cycles a board, and six minutes", brute.2),
        format!("{:.1} times as long as brute force", masks.0 / brute.0),
        format!("{} instead of {}", words("queens-masks"), words("queens-brute")),
        format!("only {}: {:.0} times fewer boards", number(permute.1), brute.1 / permute.1),
        format!("A board costs {:.1} times as much", permute.2 / brute.2),
        format!("the whole search takes {:.0} times fewer cycles", brute.0 / permute.0),
        format!("{} squares are tried, instead of {} boards", number(array.1), number(permute.1)),
        format!("{:.1} cycles a square", array.2),
        format!("{:.1} times fewer positions save only", permute.1 / array.1),
        format!("a factor of {:.1}", permute.0 / array.0),
        format!("{} positions, and {:.0} cycles each", number(bits.1), bits.2),
        format!("{:.1} times fewer cycles than the array", array.0 / bits.0),
        format!("{} times fewer than brute force", number((brute.0 / bits.0).round())),
        format!("fewer squares still: {}", number(rows.positions("queens"))),
        format!("it pays {:.1} cycles for each", rows.each("queens")),
        format!("{:.0}% fewer cycles than `queens-bits`", 100.0 * (1.0 - rows.cycles("queens") / bits.0)),
        format!("pays {:.1} times as much", rows.cycles("nqueens") / bits.0),
        format!("{:.1} times as many cycles, in", rows.cycles("queens-small") / rows.cycles("queens-array")),
        format!("{:.1} times fewer words", rows.number("queens-array", 8, "words") / small),
        format!("{per_row} words for each row"),
        format!("{:.1} times the cycles from 7 to 8, {:.1} times from 11 to 12", growth(8), growth(12)),
        format!("`nqueens` takes {} cycles", number(general(12, "cycles"))),
    ];
    assert_says(&open(DOCUMENT), &facts);
    let lesson = [
        format!("one queen in each row | {} |", number(brute.1)),
        format!("each column | {} |", number(permute.1)),
        format!("known | {} |", number(bits.1)),
        format!("forward checking | {} |", number(rows.positions("queens"))),
        format!("{} words. They need {} cycles", words("queens"), number(rows.cycles("queens"))),
    ];
    assert_says(&open("docs/lessons/8-eight-queens.md"), &lesson);
}
