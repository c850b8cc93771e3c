//! The results of `gray1 verify` are checked by programs that share no code with it: `check.py` checks certificates of
//! all claims but `instructions`, and `question.py` asks an SMT solver about the claim `instructions`. `falsify.py` and
//! `forge.py` try to deceive `check.py`.

use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
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

/// Runs the two commands that `docs/hazards.md` shows, and returns the paths of their files.
fn certificates(folder: &Folder) -> [PathBuf; 2] {
    let gray1 = |arguments: &[&str]| {
        let output =
            output(Command::new(env!("CARGO_BIN_EXE_gray1")).args(arguments).current_dir(folder.path()));
        assert!(output.status.success(), "{}", output_text(&output));
        output.stdout
    };
    let [board, certificate] = ["board.json", "certificate.json"].map(|name| folder.path().join(name));
    fs::write(&board, gray1(&["chips", "--format", "json"])).expect("there is room");
    gray1(&["verify", "loops", "order", "strobes", "reset", "--certificate", "certificate.json"]);
    [board, certificate]
}

#[test]
fn the_certificate_is_accepted_and_twenty_falsifications_are_rejected() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::create();
    let [board, certificate] = certificates(&folder);
    let checked = script("check.py", &[&board, &certificate]);
    assert_eq!(
        output_text(&checked),
        "Gray-1: the certificate proves the claims loops, order, strobes and reset\n"
    );
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse::<u64>().expect("SEED is a number"));
    // Ten at a time, because all of them could exceed the time limit of a command on a busy computer.
    for part in 0..2 {
        let seed = (seed * 4 + part).to_string();
        let falsified = script("falsify.py", &[&board, &certificate, Path::new("10"), Path::new(&seed)]);
        assert!(falsified.status.success(), "{}", output_text(&falsified));
        assert_eq!(output_text(&falsified).lines().count(), 10, "{}", output_text(&falsified));
    }
}

/// The certificate of the reference board is rejected for boards on which one of the claims is false.
#[test]
fn no_certificate_proves_a_faulty_board() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::create();
    let [_, certificate] = certificates(&folder);
    let faults: [(Change, Claim, &str); 5] = [
        // A cell of a closed latch, then a cell of an open one.
        (("T", &|a, d| d ^ u8::from(a == 0x05A3C)), Claim::Loops, "T0 moves otherwise in phase 0"),
        (("A", &|a, d| d ^ (u8::from(a == 0x10F0F) << 3)), Claim::Loops, "A"),
        // The program counter, then the phase counter, counts in binary.
        (("PCL", &|a, d| if a & 0x10FF == 3 { d & 64 | 4 } else { d }), Claim::Loops, "PCL"),
        (("SEQ", &|a, d| if a & 6 == 2 { d ^ 3 } else { d }), Claim::Order, "SEQ"),
        // LOAD without PH2, so that the counter jumps while the target moves.
        (("FLAGS", &|a, d| if a >> 7 & 1 == 1 { d | 32 } else { d }), Claim::Order, ""),
    ];
    for (fault, claim, reason) in faults {
        let board = changed_board(fault);
        let verdict = Prover::new(&board).prove(claim).expect("nobody stops it").verdict;
        assert_eq!(verdict, Verdict::Refuted, "{}", fault.0);
        let checked = script("check.py", &[&write_board(&folder, &board), &certificate]);
        assert_eq!(checked.status.code(), Some(1), "{}: {}", fault.0, output_text(&checked));
        assert!(output_text(&checked).starts_with("rejected: "), "{}", output_text(&checked));
        assert!(output_text(&checked).contains(reason), "{}", output_text(&checked));
    }
}

/// Forges a certificate for a board and has it checked.
fn forge(board: &Board) -> Output {
    let folder = Folder::create();
    let certificate = folder.path().join("forged.json");
    let board = write_board(&folder, board);
    let forged = script("forge.py", &[&board, &certificate]);
    if forged.status.success() { script("check.py", &[&board, &certificate]) } else { forged }
}

fn assert_no_forgery(boards: impl IntoIterator<Item = (Board, &'static str)>) {
    if !installed(&["python3"]) {
        return;
    }
    for (board, reason) in boards {
        let rejected = forge(&board);
        assert_eq!(rejected.status.code(), Some(1), "{reason}: {}", output_text(&rejected));
        assert!(output_text(&rejected).starts_with("rejected: "), "{}", output_text(&rejected));
        assert!(output_text(&rejected).contains(reason), "{reason}: {}", output_text(&rejected));
    }
}

#[test]
fn a_certificate_is_found_for_true_boards() {
    if !installed(&["python3"]) {
        return;
    }
    for board in [Board::gray1(), Board::built()] {
        let accepted = "the certificate proves the claims loops, order, strobes and reset\n";
        assert_eq!(output_text(&forge(&board)), format!("{}: {accepted}", board.name));
    }
}

/// One board for each claim that is false.
#[test]
fn no_certificate_can_be_forged_for_a_false_board() {
    assert_no_forgery([
        (changed_board(("T", &|a, d| d ^ u8::from(a == 0x05A3C))), "T can lose"),
        (changed_board(("SEQ", &|a, d| if a & 6 == 2 { d ^ 3 } else { d })), "SEQ"),
        (with_a_latch_on("OSC"), "what opens NEW moves too often"),
        // The claim `reset` is false.
        (changed_board(("ALUL", &|a, d| if a >> 12 == 1 { d | 4 } else { d })), "A2 can be other than 0"),
    ]);
}

#[test]
#[ignore = "takes a minute"]
fn no_certificate_can_be_forged_for_more_false_boards() {
    assert_no_forgery([
        (changed_board(("A", &|a, d| d ^ (u8::from(a == 0x10F0F) << 3))), "A"),
        (changed_board(("PCL", &|a, d| if a & 0x10FF == 3 { d & 64 | 4 } else { d })), "PCL"),
        (changed_board(("FLAGS", &|a, d| if a >> 7 & 1 == 1 { d | 32 } else { d })), ""),
        // RAM is written whenever the instruction is a store, then in one phase more.
        (changed_board(("DEC", &|a, d| if a & 7 == 1 { 1 } else { d })), ""),
        (rewired("W13-15 PH1 RST", "W13-15 S0 RST"), ""),
        // The claim `reset` is false: the carry is not 0 then, or RAM is written.
        (changed_board(("ALUH", &|a, d| if a >> 14 == 1 { d | 16 } else { d })), "C can be other than 0"),
        (changed_board(("ALUH", &|a, d| if a >> 14 == 1 { d & !32 } else { d })), "PC"),
        (changed_board(("DEC", &|a, d| d | u8::from(a & 15 == 9))), "is not 0 in phase"),
        // The button is not waited for, or read by more than the sequencer.
        (changed_board(("SEQ", &|a, d| d & 15 | (a as u8 >> 3 & 1) << 4)), ""),
        (rewired("W6-11 TG6-11 PH1 RST", "W6-11 TG6-11 PH1 RSTIN"), "TGH"),
    ]);
}

fn rewired(from: &str, to: &str) -> Board {
    let source = include_str!("../../emulator/core/machine/src/board/gray1.ron");
    assert_eq!(source.matches(from).count(), 1, "{from}");
    Board::parse(&source.replace(from, to), "rewired.ron").expect("a board that is wired well")
}

/// The board with one more latch, which takes the carry while a net is 1.
fn with_a_latch_on(net: &str) -> Board {
    let source = include_str!("../../emulator/core/machine/src/board/gray1.ron");
    let latch = format!(
        "Rom(name: \"LATCH\", part: \"27C64\", burn: Cells([0, 0, 1, 1, 0, 1, 0, 1]), \
         address: \"C NEW {net}\", data: \"NEW\"),"
    );
    let source = source.replace("nets: \"ZL\", ", "nets: \"ZL NEW\", ");
    let source = source.replace("    chips: [\n", &format!("    chips: [\n{latch}\n"));
    Board::parse(&source, "latch.ron").expect("a board that is wired well")
}

/// Compares the verdict on the instruction set with that of a solver: the board, the verdict, and the reason.
fn assert_solver_agrees(boards: &[(Option<Change>, Verdict, &str)]) {
    if !installed(&["python3", "z3"]) {
        return;
    }
    let folder = Folder::create();
    for (fault, expected, reason) in boards {
        let board = fault.map_or_else(Board::gray1, changed_board);
        let name = fault.map_or("the true board", |fault| fault.0);
        let verdict = Prover::new(&board).prove(Claim::Instructions).expect("nobody stops it").verdict;
        let asked = script("question.py", &[&write_board(&folder, &board)]);
        let answer = match asked.status.code() {
            Some(0) => Verdict::Proved,
            Some(1) => Verdict::Refuted,
            _ => Verdict::Undecided,
        };
        assert_eq!((verdict, answer), (*expected, *expected), "{name}: {}", output_text(&asked));
        assert!(output_text(&asked).contains(reason), "{name}: {}", output_text(&asked));
        if reason.ends_with("word = ") {
            let is_jump =
                ["AFF0", "BFF0"].iter().any(|word| output_text(&asked).contains(&format!("{reason}{word}")));
            assert!(is_jump, "{name}: {}", output_text(&asked));
        }
    }
}

#[test]
fn a_solver_agrees_on_the_instruction_set() {
    assert_solver_agrees(&[
        (None, Verdict::Proved, "Gray-1: computes the instruction set"),
        // Every JMP writes A to RAM; the solver may name any JMP to FF0.
        (
            Some(("DEC", &|a, d| d | u8::from(a == 0b01_101))),
            Verdict::Refuted,
            "what is behind FF0 opens in phase 1 is wrong: word = ",
        ),
        // A cell that makes no difference, because SHR does not use the lower half of A.
        (Some(("ALUL", &|a, d| if a & 7 == 4 { d ^ 32 } else { d })), Verdict::Proved, "computes"),
    ]);
}

#[test]
#[ignore = "takes a minute"]
fn a_solver_agrees_on_more_faulty_cells() {
    assert_solver_agrees(&[
        // For some operands a JMP changes A, or a JZ is not taken; a JC flips C.
        (
            Some(("ALUL", &|a, d| if a & 7 == 5 && a >> 7 & 15 == 9 { d ^ 1 } else { d })),
            Verdict::Refuted,
            "A is wrong",
        ),
        (
            Some(("ALUH", &|a, d| if a & 7 == 7 && a >> 7 & 15 == 3 { d & !32 } else { d })),
            Verdict::Refuted,
            "PC is wrong",
        ),
        (Some(("ALUH", &|a, d| if a & 7 == 6 { d ^ 16 } else { d })), Verdict::Refuted, "C is wrong"),
        // Single cells: for the operand, the byte that is read, the keys.
        (Some(("XMUX", &|a, d| d ^ u8::from(a == 0x0_5A21) << 3)), Verdict::Refuted, "A is wrong"),
        (Some(("DMUX", &|a, d| d ^ u8::from(a == 0x1_00F0) << 6)), Verdict::Refuted, "is wrong"),
        (Some(("KMUX", &|a, d| if a >> 15 & 3 == 1 { d & !2 } else { d })), Verdict::Refuted, "x = FFA"),
    ]);
}

/// LDA reads the byte at the address with its lowest bit flipped; stores are right.
#[test]
fn a_solver_refutes_a_board_that_reads_another_byte() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    let source = include_str!("../../emulator/core/machine/src/board/gray1.ron");
    let chip = "Rom(name: \"FLIP\", part: \"27C64\", burn: Cells([1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]), \
                address: \"W0 W13-15\", data: \"FLIPPED\"),";
    let source = source.replace("nets: \"ZL\", ", "nets: \"ZL FLIPPED\", ");
    let source = source.replace("    chips: [\n", &format!("    chips: [\n{chip}\n"));
    let source = source.replace("address: \"W0-11\", input:", "address: \"FLIPPED W1-11\", input:");
    let board = Board::parse(&source, "flipped.ron").expect("a board that is wired well");
    assert_eq!(
        Prover::new(&board).prove(Claim::Instructions).expect("it is not stopped").verdict,
        Verdict::Refuted
    );
    let folder = Folder::create();
    let asked = script("question.py", &[&write_board(&folder, &board)]);
    assert_eq!(asked.status.code(), Some(1), "{}", output_text(&asked));
    assert!(output_text(&asked).starts_with("Gray-1: refuted: A is wrong"), "{}", output_text(&asked));
}

/// Rows of the board as it is built show the complement of their latches. A row that does not is found.
#[test]
fn a_solver_agrees_on_the_built_board() {
    if !installed(&["python3", "z3"]) {
        return;
    }
    let folder = Folder::create();
    let mut faulty = Board::built();
    assert!(faulty.burn("GREEN5", |address| match address >> 16 {
        1 => address as u8,
        _ => (address >> 8) as u8,
    }));
    for (board, code, reason) in
        [(Board::built(), 0, "computes the instruction set"), (faulty, 1, "what is behind FE5 is wrong")]
    {
        let asked = script("question.py", &[&write_board(&folder, &board)]);
        assert_eq!(asked.status.code(), Some(code), "{}", output_text(&asked));
        assert!(output_text(&asked).contains(reason), "{}", output_text(&asked));
    }
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
