//! `gray1 chips`: the board as a table, a chip's pinout, a cell.

use crate::support::{Folder, HI};

#[test]
fn the_table_has_every_chip() {
    let table = Folder::new().gray1(&["chips"]).succeeds().stdout;
    assert!(table.starts_with("Gray-1: 39 memory chips\n"));
    assert!(table.contains("PCL     27C256  CounterLow    PC0-5 TG0-5 LOAD TICK PARH"), "{table}");
    assert!(table.contains("RAMH    4Kx4    (RAM)         W0-11 | A4-7 | WE"), "{table}");
}

#[test]
fn every_chip_has_a_pinout_and_an_explanation() {
    let folder = Folder::new();
    let table = folder.gray1(&["chips"]).succeeds().stdout;
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
    let cell = folder.gray1(&["chips", "PCL", "--at", "0x123"]).succeeds().stdout;
    let expected = "PCL at 0x0123: 0x21

  address  parh  tick  load  tg      pc
           0     0     0     000100  100011
  data     tickh  pc
           0      100001
";
    assert_eq!(cell, expected);
    let cell = folder.gray1(&["chips", "PROGL", "--at", "0", "--program", "p.g1"]).succeeds().stdout;
    assert!(cell.starts_with("PROGL at 0x000: 0x68"), "{cell}");
    folder
        .gray1(&["chips", "SEQ", "--at", "8"])
        .fails(1, &["SEQ has 3 address lines: the last address is 0x7"]);
    folder.gray1(&["chips", "RAML", "--at", "8"]).fails(1, &["RAML is a RAM"]);
    folder.gray1(&["chips", "NOSUCH"]).fails(1, &["there is no chip NOSUCH", "SEQ DEC FLAGS"]);
    folder.gray1(&["chips", "SEQ", "--at", "x"]).fails(2, &[]);
}
