//! The results of `gray1 verify` are checked by programs that share no code with it: `check.py` checks certificates of
//! all claims but `instructions`, and `question.py` asks an SMT solver about the claim `instructions`. `falsify.py` and
//! `forge.py` try to deceive `check.py`.

use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use test_support::button::changed;
use test_support::folder::Folder;
use test_support::process::output;
use test_support::tools::installed;

/// A ROM, and a function that changes its cells, given address and data.
type Change<'a> = (&'a str, &'a dyn Fn(u32, u8) -> u8);

fn script(name: &str, arguments: &[&Path]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second-opinion").join(name);
    output(Command::new("python3").arg("-B").arg(script).args(arguments))
}

fn output_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn changed_board((name, change): Change) -> Board {
    let mut board = Board::gray1();
    let chip = board.netlist().chip(name).expect("a chip");
    let cells = board.netlist().table(chip).expect("a ROM").to_vec();
    assert!(board.burn(name, |address| change(address, cells[address as usize])));
    board
}

/// Writes the board as a file for the scripts.
fn write_board(folder: &Folder, board: &Board) -> PathBuf {
    let path = folder.path().join("board.json");
    fs::write(&path, serde_json::to_string(&board.wiring()).expect("plain data")).expect("there is room");
    path
}

/// The files of the two commands that `docs/hazards.md` shows, which run once: the board and its certificate.
static CERTIFICATE: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let gray1 = |arguments: &[&str]| {
        let output = output(Command::new(env!("CARGO_BIN_EXE_gray1")).args(arguments).current_dir(folder));
        assert!(output.status.success(), "{}", output_text(&output));
        output.stdout
    };
    let [board, certificate] = ["board.json", "certificate.json"].map(|name| folder.join(name));
    fs::write(&board, gray1(&["chips", "--format", "json"])).expect("there is room");
    gray1(&["verify", "loops", "order", "strobes", "reset", "--certificate", "certificate.json"]);
    [board, certificate]
});

/// Asserts that the certificate is accepted, and that this many falsifications of it are rejected.
fn assert_falsifications_are_rejected(count: &str) {
    if !installed(&["python3"]) {
        return;
    }
    let [board, certificate] = &*CERTIFICATE;
    let seed = std::env::var("SEED").unwrap_or("1".to_owned());
    let falsified = script("falsify.py", &[board, certificate, Path::new(count), Path::new(&seed)]);
    let text = output_text(&falsified);
    assert!(falsified.status.success(), "{text}");
    assert_eq!(text.lines().count().to_string(), count, "{text}");
}

#[test]
fn the_certificate_is_accepted_and_falsifications_are_rejected() {
    assert_falsifications_are_rejected("3");
}

/// Each kind of falsification, once.
#[test]
#[ignore = "takes a minute"]
fn falsifications_of_every_kind_are_rejected() {
    assert_falsifications_are_rejected("20");
}

/// A cell of a closed latch.
const CLOSED_LATCH: Change = ("T", &|a, d| d ^ u8::from(a == 0x05A3C));
/// A cell of an open latch.
const OPEN_LATCH: Change = ("A", &|a, d| d ^ (u8::from(a == 0x10F0F) << 3));
/// The program counter counts in binary.
const BINARY_COUNTER: Change = ("PCL", &|a, d| if a & 0x10FF == 3 { d & 64 | 4 } else { d });
/// The phase counter counts in binary.
const BINARY_PHASES: Change = ("SEQ", &|a, d| if a & 6 == 2 { d ^ 3 } else { d });
/// LOAD without PH2, so that the counter jumps while the target moves.
const EARLY_LOAD: Change = ("FLAGS", &|a, d| if a >> 7 & 1 == 1 { d | 32 } else { d });

/// Asserts that check.py rejects the certificate of the reference board for boards on which a claim is false.
fn assert_no_certificate_for(faults: &[(Change, Claim, &str)]) {
    if !installed(&["python3"]) {
        return;
    }
    for &(fault, claim, reason) in faults {
        let board = changed_board(fault);
        let verdict = Prover::new(&board).prove(claim).expect("nobody stops it").verdict;
        assert_eq!(verdict, Verdict::Refuted, "{}", fault.0);
        let folder = Folder::create();
        let rejected = script("check.py", &[&write_board(&folder, &board), &CERTIFICATE[1]]);
        assert_rejected(&rejected, reason);
    }
}

fn assert_rejected(output: &Output, reason: &str) {
    let text = output_text(output);
    assert_eq!(output.status.code(), Some(1), "{reason}: {text}");
    assert!(text.starts_with("rejected: ") && text.contains(reason), "{reason}: {text}");
}

#[test]
fn no_certificate_proves_a_faulty_board() {
    assert_no_certificate_for(&[
        (CLOSED_LATCH, Claim::Loops, "T0 moves otherwise in phase 0"),
        (EARLY_LOAD, Claim::Order, ""),
    ]);
}

#[test]
#[ignore = "takes a minute"]
fn no_certificate_proves_more_faulty_boards() {
    assert_no_certificate_for(&[
        (OPEN_LATCH, Claim::Loops, "A"),
        (BINARY_COUNTER, Claim::Loops, "PCL"),
        (BINARY_PHASES, Claim::Order, "SEQ"),
    ]);
}

/// Forges a certificate for a board and has it checked.
fn forge(board: &Board) -> Output {
    let folder = Folder::create();
    let certificate = folder.path().join("forged.json");
    let board = write_board(&folder, board);
    let forged = script("forge.py", &[&board, &certificate]);
    if forged.status.success() { script("check.py", &[&board, &certificate]) } else { forged }
}

fn assert_forgery(board: &Board) {
    if installed(&["python3"]) {
        let accepted = "the certificate proves the claims loops, order, strobes and reset\n";
        assert_eq!(output_text(&forge(board)), format!("{}: {accepted}", board.name));
    }
}

fn assert_no_forgery(boards: impl IntoIterator<Item = (Board, &'static str)>) {
    if !installed(&["python3"]) {
        return;
    }
    for (board, reason) in boards {
        assert_rejected(&forge(&board), reason);
    }
}

#[test]
fn a_certificate_is_found_for_the_reference_board() {
    assert_forgery(&Board::gray1());
}

#[test]
#[ignore = "takes a minute"]
fn a_certificate_is_found_for_the_built_board() {
    assert_forgery(&Board::built());
}

#[test]
fn no_certificate_can_be_forged_for_a_false_board() {
    assert_no_forgery([(with_a_latch_on("OSC"), "what opens NEW moves too often")]);
}

#[test]
#[ignore = "takes a minute"]
fn no_certificate_can_be_forged_for_more_false_boards() {
    assert_no_forgery([
        (changed_board(CLOSED_LATCH), "T can lose"),
        (changed_board(BINARY_PHASES), "SEQ"),
        (changed_board(OPEN_LATCH), "A"),
        (changed_board(BINARY_COUNTER), "PCL"),
        (changed_board(EARLY_LOAD), ""),
        // RAM is written whenever the instruction is a store, then in one phase more.
        (changed_board(("DEC", &|a, d| if a & 7 == 1 { 1 } else { d })), ""),
        (rewired("W13-15 PH1 RST", "W13-15 S0 RST"), ""),
        // The claim `reset` is false: A or the carry is not 0 then, or RAM is written.
        (changed_board(("ALUL", &|a, d| if a >> 12 == 1 { d | 4 } else { d })), "A2 can be other than 0"),
        (changed_board(("ALUH", &|a, d| if a >> 14 == 1 { d | 16 } else { d })), "C can be other than 0"),
        (changed_board(("ALUH", &|a, d| if a >> 14 == 1 { d & !32 } else { d })), "PC"),
        (changed_board(("DEC", &|a, d| d | u8::from(a & 15 == 9))), "is not 0 in phase"),
        // The button is not waited for, or read by more than the sequencer.
        (changed_board(("SEQ", &|a, d| d & 15 | (a as u8 >> 3 & 1) << 4)), ""),
        (rewired("W6-11 TG6-11 PH1 RST", "W6-11 TG6-11 PH1 RSTIN"), "TGH"),
    ]);
}

fn rewired(from: &str, to: &str) -> Board {
    changed(false, &[(from, to)])
}

/// The source of the board with one more chip, which drives one more net.
fn with_a_chip(net: &str, chip: &str) -> String {
    let source = include_str!("../../emulator/machine/src/board/gray1.ron");
    let source = source.replace("nets: \"ZL\", ", &format!("nets: \"ZL {net}\", "));
    source.replace("    chips: [\n", &format!("    chips: [\n{chip},\n"))
}

/// The board with one more latch, which takes the carry while a net is 1.
fn with_a_latch_on(net: &str) -> Board {
    let chip = format!(
        "Rom(name: \"LATCH\", part: \"27C64\", burn: Cells([0, 0, 1, 1, 0, 1, 0, 1]), \
         address: \"C NEW {net}\", data: \"NEW\")"
    );
    Board::parse(&with_a_chip("NEW", &chip), "latch.ron").expect("a board that is wired well")
}

/// Has the solver judge a board. The exit codes of question.py are those of the verdicts. Returns the answer.
fn assert_solver_says(board: &Board, verdict: &Verdict, reason: &str) -> String {
    let folder = Folder::create();
    let asked = script("question.py", &[&write_board(&folder, board)]);
    let answer = match asked.status.code() {
        Some(0) => Verdict::Proved,
        Some(1) => Verdict::Refuted,
        _ => Verdict::Undecided,
    };
    let text = output_text(&asked);
    assert_eq!(answer, *verdict, "{reason}: {text}");
    assert!(text.contains(reason), "{reason}: {text}");
    text
}

/// Compares the verdict on the instruction set with that of a solver. Returns the answer of the solver.
fn assert_solver_agrees(board: &Board, expected: &Verdict, reason: &str) -> String {
    let verdict = Prover::new(board).prove(Claim::Instructions).expect("nobody stops it").verdict;
    assert_eq!(verdict, *expected, "{reason}");
    assert_solver_says(board, expected, reason)
}

#[test]
fn a_solver_agrees_on_the_instruction_set() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    assert_solver_agrees(&Board::gray1(), &Verdict::Proved, "Gray-1: computes the instruction set");
    // Every JMP writes A to RAM; the solver may name any JMP to FF0.
    let board = changed_board(("DEC", &|a, d| d | u8::from(a == 0b01_101)));
    let reason = "what is behind FF0 opens in phase 1 is wrong: word = ";
    let text = assert_solver_agrees(&board, &Verdict::Refuted, reason);
    assert!(["AFF0", "BFF0"].iter().any(|word| text.contains(&format!("{reason}{word}"))), "{text}");
}

#[test]
#[ignore = "takes a minute"]
fn a_solver_agrees_on_more_faulty_cells() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    // A cell that makes no difference, because SHR does not use the lower half of A.
    let board = changed_board(("ALUL", &|a, d| if a & 7 == 4 { d ^ 32 } else { d }));
    assert_solver_agrees(&board, &Verdict::Proved, "computes");
    let faults: [(Change, &str); 6] = [
        // For some operands a JMP changes A, or a JZ is not taken; a JC flips C.
        (("ALUL", &|a, d| if a & 7 == 5 && a >> 7 & 15 == 9 { d ^ 1 } else { d }), "A is wrong"),
        (("ALUH", &|a, d| if a & 7 == 7 && a >> 7 & 15 == 3 { d & !32 } else { d }), "PC is wrong"),
        (("ALUH", &|a, d| if a & 7 == 6 { d ^ 16 } else { d }), "C is wrong"),
        // Single cells: for the operand, the byte that is read, the keys.
        (("XMUX", &|a, d| d ^ u8::from(a == 0x0_5A21) << 3), "A is wrong"),
        (("DMUX", &|a, d| d ^ u8::from(a == 0x1_00F0) << 6), "is wrong"),
        (("KMUX", &|a, d| if a >> 15 & 3 == 1 { d & !2 } else { d }), "x = FFA"),
    ];
    for (fault, reason) in faults {
        assert_solver_agrees(&changed_board(fault), &Verdict::Refuted, reason);
    }
}

/// LDA reads the byte at the address with its lowest bit flipped; stores are right.
#[test]
fn a_solver_refutes_a_board_that_reads_another_byte() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    let chip = "Rom(name: \"FLIP\", part: \"27C64\", burn: Cells([1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]), \
                address: \"W0 W13-15\", data: \"FLIPPED\")";
    let source = with_a_chip("FLIPPED", chip);
    let source = source.replace("address: \"W0-11\", input:", "address: \"FLIPPED W1-11\", input:");
    let board = Board::parse(&source, "flipped.ron").expect("a board that is wired well");
    assert_solver_agrees(&board, &Verdict::Refuted, "Gray-1: refuted: A is wrong");
}

#[test]
#[ignore = "takes half a minute"]
fn a_solver_agrees_on_the_built_board() {
    if installed(&["python3", "z3"]) {
        assert_solver_says(&Board::built(), &Verdict::Proved, "computes the instruction set");
    }
}

/// Rows of the board as it is built show the complement of their latches. A row that does not is found.
#[test]
#[ignore = "takes half a minute"]
fn a_solver_refutes_a_row_without_complement() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    let mut board = Board::built();
    assert!(board.burn("GREEN5", |address| match address >> 16 {
        1 => address as u8,
        _ => (address >> 8) as u8,
    }));
    assert_solver_says(&board, &Verdict::Refuted, "what is behind FE5 is wrong");
}

/// A solver that takes too long decides nothing.
#[test]
fn questions_past_the_time_limit_are_undecided() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    let folder = Folder::create();
    let board = write_board(&folder, &Board::gray1());
    let asked = script("question.py", &[&board, Path::new("--limit"), Path::new("0.05")]);
    assert_eq!(asked.status.code(), Some(2), "{}", output_text(&asked));
    assert_eq!(output_text(&asked), "Gray-1: undecided: the solver needs more than 0.05 s; see --limit\n");
}
