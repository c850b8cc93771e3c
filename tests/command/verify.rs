//! `gray1 verify`: verdicts, exit codes, JSON, and interruption.

use crate::support::Folder;
use std::path::Path;
use test_support::golden;

const BOARD: &str = include_str!("../../emulator/machine/src/board/gray1.ron");

/// Writes a board whose write decoder ignores PH1.
fn sabotaged(folder: &Folder) {
    let cells: Vec<&str> =
        (0..32).map(|address| if address & 7 == 1 && address < 16 { "1" } else { "0" }).collect();
    let from = "burn: WriteDecoder,";
    assert_eq!(BOARD.matches(from).count(), 1);
    folder.write("bad.ron", BOARD.replace(from, &format!("burn: Cells([{}]),", cells.join(","))));
}

#[test]
fn the_board_is_proved_and_reported_as_json() {
    let folder = Folder::new();
    let text = folder.gray1("verify loops order").succeeds().stdout;
    for line in ["Every loop holds over T(A,B): proved\n", "Order does not matter: proved\n"] {
        assert!(text.contains(line), "{text}");
    }
    let json = folder.gray1("verify order loops --format json").succeeds();
    assert_eq!(json.stderr, "");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/verify.json");
    let is_right = golden::agrees(path, &json.stdout);
    assert!(is_right, "the report has changed; UPDATE=1 rewrites it:\n{}", json.stdout);
}

#[test]
fn certificates_contain_only_proved_claims() {
    let folder = Folder::new();
    sabotaged(&folder);
    for arguments in [&["--board", "bad.ron"][..], &["order"]] {
        let refused =
            folder.gray1(&[&["verify", "--certificate", "c.json"], arguments].concat()).ends_with(1);
        assert!(refused.stderr.contains("no certificate was written"), "{}", refused.stderr);
        assert_eq!(folder.names(), ["bad.ron"]);
    }
    folder.gray1("verify loops order --certificate c.json").succeeds();
    let certificate = folder.read("c.json");
    assert!(
        certificate.starts_with(r#"{"board":"Gray-1","clock":{"chips":["SEQ"],"explorations":[{"#),
        "{certificate:.100}"
    );
    folder.gray1("verify loops order --certificate again.json").succeeds();
    assert!(certificate == folder.read("again.json"), "a certificate must be the same each time");
}

#[test]
fn a_counterexample_is_the_result() {
    let folder = Folder::new();
    sabotaged(&folder);
    let refuted = folder.gray1("verify loops --board bad.ron").ends_with(1);
    assert_eq!(refuted.stderr, "");
    for part in [
        "Every loop holds over T(A,B): REFUTED",
        "RAML can be written to in phase",
        "WE is moved by DEC when W13 moves",
        "for instance: ",
        "likewise RAMH",
    ] {
        assert!(refuted.stdout.contains(part), "{part} is missing in {}", refuted.stdout);
    }
    let json = folder.gray1("verify loops --board bad.ron --format json").ends_with(1).stdout;
    for part in
        ["\"verdict\": \"refuted\"", "\"kind\": \"writing\"", "\"write\": \"WE\"", "\"chip\": \"DEC\""]
    {
        assert!(json.contains(part), "{part} is missing in {json}");
    }
    let again = folder.gray1("verify loops --board bad.ron --format json").ends_with(1).stdout;
    assert!(json == again, "a report must be the same each time");
}

/// A latch made of two chips cannot be decided from either table.
#[test]
fn undecidable_claims_are_not_proved() {
    let folder = Folder::new();
    let rom = |name: &str, burn: &str, address: &str, data: &str| {
        format!(
            "Rom(name: \"{name}\", part: \"27C010\", burn: {burn}, address: \"{address}\", data: \"{data}\"),\n"
        )
    };
    let chips = rom("B1", "Mux", "A0-7 FB0-7 TICK", "B0-7")
        + &rom("B2", "Mux", "B0-7 B0-7 TICK", "FB0-7")
        + "        // Program counter";
    let board = BOARD
        .replace("nets: \"ZL\",", "nets: \"ZL B0-7 FB0-7\",")
        .replace("        // Program counter", &chips);
    folder.write("two.ron", board);
    let undecided = folder.gray1("verify loops --board two.ron").ends_with(1);
    assert_eq!(undecided.stderr, "");
    for part in ["Every loop holds over T(A,B): undecided", "undecided: the loop through B1 B2 is not cut"] {
        assert!(undecided.stdout.contains(part), "{part} is missing in {}", undecided.stdout);
    }
}

#[test]
fn invalid_boards_and_claims_are_errors() {
    let folder = Folder::new();
    folder.write("cut.ron", &BOARD[..BOARD.len() / 2]);
    folder.gray1("verify --board cut.ron").fails(1, &["cut.ron:"]);
    folder.gray1("verify --board nowhere.ron").fails(1, &["nowhere.ron: cannot read"]);
    folder.gray1("verify everything").fails(2, &["everything"]);
    folder.gray1("verify --format xml").fails(2, &["xml"]);
}

#[test]
fn ctrl_c_ends_it_without_a_report() {
    let folder = Folder::new();
    let child = folder.start("verify instructions");
    child.interrupt();
    let output = child.output();
    assert_eq!((output.status.code(), &*output.stdout), (Some(130), &b""[..]));
}

#[test]
fn the_report_may_remain_unread() {
    let folder = Folder::new();
    let mut child = folder.start("verify order");
    drop(child.stdout.take());
    let output = child.output();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}
