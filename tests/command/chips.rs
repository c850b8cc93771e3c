//! `gray1 chips`: the table of the board, the pinout of a chip, a cell.

use crate::support::{Folder, HI};
use serde_json::{Value, json};

#[test]
fn the_board_is_available_as_json() {
    let folder = Folder::new();
    let json = folder.gray1("chips --format json").succeeds().stdout;
    let board: Value = serde_json::from_str(&json).expect("JSON");
    let chip = |name: &str| {
        let chips = board["chips"].as_array().expect("a list");
        chips.iter().find(|chip| chip["name"] == name).expect("a chip").clone()
    };
    assert_eq!(chip("PCH")["data"], json!(["PC6", "PC7", "PC8", "PC9", "PC10", "PC11", "PARH"]));
    assert_eq!([&chip("RAMH")["write"], &chip("PROGH")["byte"]], [&json!("WE"), &json!(1)]);
    assert_eq!(board["panel"]["memory"], json!(["RAML", "RAMH"]));
    // In phase 1 of a STA, WE is 1 and WEN is 0.
    let table = chip("DEC")["table"].as_u64().expect("an index") as usize;
    assert_eq!(&board["tables"][table].as_str().expect("digits")[2 * 9..][..2], "01");
    let one = folder.gray1("chips dec --format json").succeeds().stdout;
    let one: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!((&one["chip"], &one["cells"]), (&chip("DEC"), &board["tables"][table]));
}

#[test]
fn the_table_has_every_chip() {
    let table = Folder::new().gray1("chips").succeeds().stdout;
    assert!(table.starts_with("Gray-1: 39 memory chips\n"));
    assert!(table.contains("PCL     27C256  CounterLow    PC0-5 TG0-5 LOAD TICK PARH"), "{table}");
    assert!(table.contains("RAMH    4Kx4    (RAM)         W0-11 | A4-7 | WE"), "{table}");
}

#[test]
fn columns_grow_with_long_names() {
    let board = std::fs::read_to_string("emulator/machine/src/board/gray1.ron").unwrap();
    let folder = Folder::new();
    folder.write(
        "b.ron",
        board.replace("part: \"27C256\", burn: CounterLow", "part: \"27C256-45\", burn: CounterLow"),
    );
    let table = folder.gray1("chips --board b.ron").succeeds().stdout;
    assert!(table.contains("PCL     27C256-45 CounterLow    PC0-5"), "{table}");
    assert!(table.contains("SEQ     27C64     Sequencer     OSC"), "{table}");
}

#[test]
fn every_chip_has_a_pinout_and_an_explanation() {
    let folder = Folder::new();
    let table = folder.gray1("chips").succeeds().stdout;
    let names: Vec<&str> = table.lines().skip(3).map_while(|line| line.split_whitespace().next()).collect();
    assert_eq!(names.len(), 39);
    for name in names {
        let text = folder.gray1(&["chips", &name.to_lowercase()]).succeeds().stdout;
        assert!(text.starts_with(&format!("{name}: ")), "{text}");
        for part in ["──┤ A0 ", "D0 ├── ", "└─", "\nIts nets:\n"] {
            assert!(text.contains(part), "{name}: `{part}` is missing in {text}");
        }
    }
}

#[test]
fn a_cell_is_shown_with_its_fields() {
    let folder = Folder::with(HI);
    let cell = folder.gray1("chips PCL --at 0x123").succeeds().stdout;
    let expected = "PCL at 0x0123: 0x21

  address  parh  tick  load  tg      pc
           0     0     0     000100  100011
  data     tickh  pc
           0      100001
";
    assert_eq!(cell, expected);
    let cell = folder.gray1("chips PROGL --at 0 --program p.g1").succeeds().stdout;
    assert!(cell.starts_with("PROGL at 0x000: 0x68"), "{cell}");
    folder.gray1("chips SEQ --at 32").fails(1, &["SEQ has 5 address lines: the last address is 0x1f"]);
    folder.gray1("chips RAML --at 8").fails(1, &["RAML is a RAM"]);
    folder.gray1("chips NOSUCH").fails(1, &["there is no chip NOSUCH", "SEQ DEC FLAGS"]);
    folder.gray1("chips SEQ --at x").fails(2, &[]);
}

#[test]
fn every_address_between_two_is_shown() {
    let folder = Folder::new();
    let picture = folder.gray1("chips DEC --at 8 --moving-to 11").succeeds().stdout;
    let expected = "DEC from 0x08 (A) to 0x0b (B): 2 lines moving, 4 addresses in T(A,B)

  moved so far  address  data
                0x08     10    A
  W13           0x09     01       differs from B: WE WEN
  W14           0x0a     10
  W13 W14       0x0b     10    B

At 1 of 4 addresses its data lines differ from B.
";
    assert_eq!(picture, expected);
    let closed = folder.gray1("chips A --at 0x05AC3 --moving-to 0x05A3C").succeeds().stdout;
    assert!(closed.contains("At all 256 addresses its own lines are the same as at B."), "{closed}");
    folder.gray1("chips DEC --at 8 --moving-to 32").fails(1, &["the last address is 0x1f"]);
    folder.gray1("chips DEC --moving-to 3").fails(2, &["--at"]);
    folder.gray1("chips DEC --program p.g1").fails(2, &["--at"]);
}
