//! `gray1 check`: attempts in files, folders and saved answers; hostile hand-ins.

use crate::support::Folder;
use gray1_lessons::Course;
use serde_json::{Value, json};
use std::fs;

/// An answer to 5.1: x - y.
const MINUS: &str = ".ram  x\n.ram  y\n      lda  y\n      nor  #0\n      add  #1\n      add  x\n      sta  OUT\nhalt: jmp  halt\n";
/// The full adder of 1.1.
const ADDER: &str = "000|00\n001|01\n010|01\n011|10\n100|01\n101|10\n110|10\n111|11\n";
const LESSON: &str = "# Mine\n\n## Send 5\n\n```exercise 9.1 program\nalways: sends 5\n```\n\n```g1 \
                      start\nhalt: jmp  halt\n```\n";

fn answers(name: &str, answers: Value) -> String {
    json!({"gray1": "answers", "name": name, "class": "7b", "answers": answers}).to_string()
}

#[test]
fn a_folder_is_judged() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/a.g1", MINUS);
    folder.write("in/b.g1", MINUS.replace("#1", "#2"));
    folder.write("in/c.g1", MINUS);
    folder.write("in/.hidden", "");
    folder.write("in/d.json", answers("Dora", json!({"5.1": MINUS.replace("x", "x ").replace("x  ", "x ")})));
    let outcome = folder.gray1("check 5.1 in").ends_with(1);
    let expected = "\
file       name  exercise          words  cycles  message
in/a.g1          5.1       passed      6       6  Right. Your program has 6 words, and it halts after at most 6 cycles.
in/b.g1          5.1       failed      6          For x = 9 and y = 3 your program sends 7, expected 6.
in/c.g1          5.1       passed      6       6  Right. Your program has 6 words, and it halts after at most 6 cycles.
in/d.json  Dora  5.1       passed      6       6  Right. Your program has 6 words, and it halts after at most 6 cycles.

3 of 4 attempts passed.
";
    assert_eq!(outcome.stdout, expected);
    folder.gray1("check 5.1 in/a.g1 in/c.g1").succeeds();
}

#[test]
fn verdicts_are_available_as_json_and_csv() {
    let folder = Folder::new();
    folder.write("a.g1", MINUS);
    folder.write("b.txt", "lda \"<x>\"\n");
    let check =
        |format| folder.gray1(&["check", "5.1", "a.g1", "b.txt", "--format", format]).ends_with(1).stdout;
    let rows: Value = serde_json::from_str(&check("json")).unwrap();
    assert_eq!(
        rows["attempts"][0],
        json!({
            "file": "a.g1", "name": "", "class": "", "exercise": "5.1", "passed": true, "words": 6, "cycles": 6,
            "chips": null, "address_bits": null, "message": "Right. Your program has 6 words, and it halts after at most 6 cycles."
        })
    );
    let message = rows["attempts"][1]["message"].as_str().unwrap();
    assert!(message.starts_with("The assembler does not accept this program:\n\nerror["), "{message}");
    assert_eq!(
        (&rows["attempts"][1]["passed"], &rows["attempts"][1]["words"]),
        (&json!(false), &Value::Null)
    );
    let csv = check("csv");
    let head = "file,name,class,exercise,passed,message,words,cycles,chips,address_bits\na.g1,,,5.1,true,\"Right. Your program has 6 \
                words, and it halts after at most 6 cycles.\",6,6,,\nb.txt,,,5.1,false,\"The assembler";
    assert!(csv.starts_with(head), "{csv}");
}

#[test]
fn all_takes_the_exercise_from_the_name_of_a_file_or_judges_every_answer() {
    let folder = Folder::new();
    folder.write("exercise-5.1.g1", MINUS);
    folder.write("ada 1.1.txt", ADDER);
    folder.write("noname.g1", MINUS);
    folder.write("e.json", answers("Eve", json!({"1.1": ADDER, "77.1": "?", "2.1": " "})));
    let files = ["check", "all", "exercise-5.1.g1", "ada 1.1.txt", "noname.g1", "e.json", "--format", "json"];
    let rows: Value = serde_json::from_str(&folder.gray1(&files).ends_with(1).stdout).unwrap();
    let seen = |row: &Value| {
        let message = row["message"].as_str().unwrap();
        let [exercise, passed] = [&row["exercise"], &row["passed"]].map(Value::to_string);
        format!("{exercise} {passed} {}", &message[..message.len().min(24)])
    };
    let rows: Vec<String> = rows["attempts"].as_array().unwrap().iter().map(seen).collect();
    assert_eq!(rows.len(), 3 + 16 + 1);
    let expected = [
        "\"5.1\" true Right. Your program has ",
        "\"1.1\" true Right: all 8 rows are ri",
        "\"\" false The name of this file co",
        "\"1.1\" true Right: all 8 rows are ri",
        "\"1.2\" false There is no answer.",
        "\"2.1\" false There is no answer.",
    ];
    assert_eq!(rows[..6], expected);
    assert_eq!(rows[19], "\"77.1\" false There is no such exercis");
}

#[test]
fn added_lessons_are_judged() {
    let folder = Folder::new();
    folder.write("mine.md", LESSON);
    folder.write("a.g1", "lda #5\nsta OUT\nhalt: jmp halt\n");
    folder.gray1("check 9.1 a.g1 --lesson mine.md").succeeds();
    folder.write("wrong.md", LESSON.replace("always", "never"));
    folder.gray1("check 9.1 a.g1 --lesson wrong.md").fails(1, &["gray1: wrong.md:6: "]);
}

#[test]
fn unknown_exercises_and_files_are_errors() {
    let folder = Folder::with(MINUS);
    fs::create_dir(folder.path("empty")).unwrap();
    let known = "gray1: there is no exercise 9.9; the exercises are 1.1, 1.2, ";
    folder.gray1("check 9.9 p.g1").fails(1, &[known]);
    folder.gray1("check 5.1 empty").fails(1, &["gray1: empty: this folder has no files to judge"]);
    folder.gray1("check 5.1 p.g1 none.g1").fails(1, &["gray1: none.g1: cannot read: "]);
    folder.gray1("check 5.1 p.g1 --lesson none.md").fails(1, &["gray1: none.md: cannot read: "]);
    folder.gray1("check 5.1").fails(2, &["<FILES>..."]);
}

/// Makes a hostile hand-in and the expected message.
fn hostile(number: usize) -> (Vec<u8>, &'static str) {
    let text = |text: &str| text.as_bytes().to_vec();
    match number % 10 {
        0 => (text(".ram x\n.ram y\na: sta OUT\njmp a\n"), "has not halted after 20000 cycles"),
        1 => (vec![0xFF; 5_000], "not a text file: byte 0 is not UTF-8"),
        2 => (text(&"lda #1\n".repeat(20_000)), "at most 100000 are read"),
        3 => (text(&"{\"gray1\":".repeat(3_000)), "not a file of answers saved by the page"),
        4 => (text(&answers("\u{1b}[2J\n<b>", json!({"5.1": "halt: jmp halt"}))), "has no byte `x`"),
        5 => {
            (text(".for a, 0, 60000\n.for b, 0, 60000\n.endfor\n.endfor\n"), "The assembler does not accept")
        }
        6 => (text(".macro m\nm\n.endmacro\nm\n"), "The assembler does not accept"),
        7 => (text(".include \"/etc/passwd\"\n"), "The assembler does not accept"),
        8 => (
            text(&format!("lda #{}1{}\n", "(".repeat(40_000), ")".repeat(40_000))),
            "The assembler does not accept",
        ),
        _ => (Vec::new(), "has no byte `x`"),
    }
}

#[test]
fn hostile_hand_ins_get_verdicts() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    for number in 0..100 {
        folder.write(&format!("in/{number:04}\u{1b}[31m\n.g1"), hostile(number).0);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(".", folder.path("in/loop")).unwrap();
    let outcome = folder.gray1("check 5.1 in --format json").ends_with(1);
    assert_eq!(outcome.stderr, "");
    let rows: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let rows = rows["attempts"].as_array().unwrap();
    for (number, row) in rows.iter().take(100).enumerate() {
        let expected = format!("in/{number:04}\\u{{1b}}[31m\\n.g1");
        assert_eq!(row["file"], expected);
        let (message, expected) = (row["message"].as_str().unwrap(), hostile(number).1);
        assert!(message.contains(expected), "{number}: {message}");
    }
    assert_eq!(rows.len(), 101);
    assert_eq!(rows[100]["message"], "This is not a file.");
    for number in 20..100 {
        fs::remove_file(folder.path(&format!("in/{number:04}\u{1b}[31m\n.g1"))).unwrap();
    }
    let outcome = folder.gray1("check 5.1 in").ends_with(1);
    assert!(!outcome.stdout.contains('\u{1b}'));
}

/// Every command accepts the full board of a passed level 20.
#[test]
fn a_passed_board_can_be_run_proved_shown_and_built() {
    let answers = include_str!("../../emulator/lessons/tests/levels/20.ron");
    let answer = answers.split("// ").find(|answer| answer.starts_with("right: FLAGS")).unwrap();
    let course = Course::with_levels();
    let start = course.exercise("level-20").unwrap().start;
    let (before, rest) = start.split_once("chips: [").unwrap();
    let chips = answer.split_once('\n').unwrap().1;
    let attempt = format!("{before}chips: [\n{chips}    ],\n{}", rest.split_once("\n    ],\n").unwrap().1);
    let whole = course.judge("level-20", &attempt).unwrap().whole.unwrap();
    let folder = Folder::new();
    folder.write("mine.ron", &whole.board);
    let own = ["--board", "mine.ron"];
    let queens = folder.gray1(&[&["run", "queens", "--display", "none"], &own[..]].concat()).succeeds();
    assert!(queens.stdout.ends_with("\n92\n"), "{}", queens.stdout);
    let proved = folder.gray1(&[&["verify"], &own[..]].concat()).succeeds().stdout;
    assert_eq!(proved.matches(": proved\n").count(), 5, "{proved}");
    assert!(proved.starts_with("Gray-1: 38 memory chips"), "{proved}");
    assert!(folder.gray1(&[&["chips", "FLAGS"], &own[..]].concat()).succeeds().stdout.contains("WEN"));
    folder.gray1(&[&["build", "kit", "--program", "queens"], &own[..]].concat()).succeeds();
    assert!(folder.path("kit/burn/FLAGS.bin").exists() && !folder.path("kit/burn/DEC.bin").exists());
}
