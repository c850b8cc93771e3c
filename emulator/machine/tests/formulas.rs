//! Formulas in board files: what they give, what is wrong with them and where, and tables written as formulas.

use gray1_isa::Image;
use gray1_machine::board::{Board, Chip};
use proptest::prelude::*;

const GRAY1: &str = include_str!("../src/board/gray1.ron");

/// The Gray-1 with this instead of what is burned into one ROM.
fn burned(rom: &str, burn: &str) -> Result<Board, String> {
    let start = GRAY1.find(&format!("name: \"{rom}\"")).expect("a chip");
    let start = start + GRAY1[start..].find("burn: ").expect("its contents");
    let end = start + GRAY1[start..].find(',').expect("an end");
    let source = format!("{}burn: {burn}{}", &GRAY1[..start], &GRAY1[end..]);
    Board::parse(&source, "b.ron").map_err(|error| error.to_string())
}

fn cells(chip: &Chip) -> Vec<u8> {
    let Chip::Rom { burn, address, data, .. } = chip else { panic!("{} is a RAM", chip.name()) };
    burn.wired(address.len(), data.len(), &Image::blank())
}

/// Every ROM that can be written as formulas reads back to its table, and to a netlist that is the same.
#[test]
fn built_in_tables_can_be_written_as_formulas() {
    let board = Board::gray1();
    let mut written = Vec::new();
    for chip in &board.chips {
        let Some(formulas) = chip.formulas() else { continue };
        let other = burned(chip.name(), &format!("Formula({formulas:?})")).unwrap();
        let same = other.chip(chip.name()).unwrap();
        assert!(cells(same) == cells(chip), "{}: {formulas:?}", chip.name());
        assert_eq!((same.burned(), same.formulas()), ("own formulas".to_owned(), Some(formulas)));
        assert!(other.netlist() == board.netlist(), "{}", chip.name());
        written.push(chip.name());
    }
    assert_eq!(written.len(), 33, "{written:?}");
    for (rom, first) in [("DEC", "WE = W13 & !W14 & !W15 & PH1 & !RST"), ("T", "T0 = PH1 ? R0 : T0")] {
        assert_eq!(board.chip(rom).unwrap().formulas().unwrap()[0], first);
    }
}

#[test]
fn buses_and_functions_are_understood() {
    let board = Board::gray1();
    for (rom, formulas) in [
        ("T", r#"["T = PH1 ? R : T"]"#),
        ("PORT", r#"["OUT = OUTE == 0 ? OUT : A"]"#),
        ("DMUX", r#"["D = INSEL ? I : M"]"#),
        // W13-15: the bus W has lines that this chip does not see.
        ("DEC", r#"["WE = W == 1 && PH1 && !RST", "WEN = W != 1 || !PH1 || RST"]"#),
        (
            "GDEC",
            r#"["GE0 = WE && W0 + 2*W1 + 4*W2 == 0 && W3 + W4 + W5 + W6 + W7 + W8 + W9 + W10 + W11 == 8",
             "GE1=0", "GE2=0", "GE3=0", "GE4=0", "GE5=0", "GE6=0", "GE7=0"]"#,
        ),
    ] {
        let other = burned(rom, &format!("Formula({formulas})")).unwrap();
        if rom != "GDEC" {
            assert!(other.netlist() == board.netlist(), "{rom}");
        }
    }
    let flags =
        burned("DEC", r#"Formula(["WE = majority(W13, W14, W15)", "WEN = parity(W13, PH1) ^ ~RST"])"#);
    let cells = cells(flags.unwrap().chip("DEC").unwrap());
    for (address, cell) in (0u32..).zip(cells) {
        let bit = |line: u32| address >> line & 1;
        let expected = u32::from(bit(0) + bit(1) + bit(2) > 1) | (bit(0) ^ bit(3) ^ bit(4) ^ 1) << 1;
        assert_eq!(u32::from(cell), expected, "{address:05b}");
    }
}

/// `@` marks the place of each error; without it, the place is the word `Formula`.
#[test]
fn errors_point_into_the_board_file() {
    let line = 1 + GRAY1[..GRAY1.find("name: \"DEC\"").unwrap()].matches('\n').count();
    for (formulas, message) in [
        (r#"["WE = 0"]"#, "data line WEN has no formula: add `WEN = …`, or `WEN = 0`"),
        (r#"["WE = 0", "WEN = @q"]"#, "there is no `q` here: the names are W13 W14 W15 PH1 RST"),
        (r#"["WE = 0", "WEN = @PH & 1"]"#, "there is no `PH` here; did you mean `PH1`?"),
        (r#"["WE = 0", "@WE = 0"]"#, "WE has a formula already: leave out one of the two"),
        (r#"["WE = 0", " @WE = 0", "WE = 0"]"#, "WE has a formula already"),
        (r#"["WE = 0", "@WNE = 0"]"#, "the chip has no data line `WNE`; did you mean `WE`?"),
        (r#"["WE = 0", "@TAKE = 0"]"#, "the chip has no data line `TAKE`: it has WE WEN"),
        (r#"["WE = @1 / W13", "WEN = 0"]"#, "this formula has no value for W13 = 0: division by zero"),
        (r#"["WE = @1 / 0", "WEN = 0"]"#, "this formula has no value: division by zero"),
        (r#"["@WE", "WEN = 0"]"#, "a formula is written `LINE = EXPRESSION`"),
        (r#"["@WE == 1", "WEN = 0"]"#, "a formula is written `LINE = EXPRESSION`"),
        (r#"["", "WEN = 0"]"#, "a formula is written `LINE = EXPRESSION`"),
        (r#"["WE = W13 &@", "WEN = 0"]"#, "expected a value"),
        (r#"["WE = W13 @W14", "WEN = 0"]"#, "unexpected `W14`"),
        (r#"["WE = @1 << 64", "WEN = 0"]"#, "this formula has no value: cannot shift by 64"),
        (r#"["WE = @mux(W13)", "WEN = 0"]"#, "there is no function `mux`"),
    ] {
        let burn = format!("Formula({formulas})");
        let error = burned("DEC", &burn.replace('@', "")).map(|_| ()).expect_err(formulas);
        let column = 50 + burn.find('@').unwrap_or_default();
        assert!(error.starts_with(&format!("b.ron:{line}:{column}: ROM DEC: ")), "{formulas}: {error}");
        assert!(error.contains(message), "{formulas}: {error}");
    }
    let long = format!(r#"Formula(["T = {}"])"#, ["T ^ R ^ PH1"; 280].join(" ^ "));
    assert!(burned("T", &long).expect_err("too long").contains("too long for the 17 lines"));
}

/// A formula over the five lines of `DEC`.
#[derive(Clone, Debug)]
enum Tree {
    Line(usize),
    Not(Box<Tree>),
    Two(&'static str, Box<[Tree; 2]>),
    Choice(Box<[Tree; 3]>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Line(line) => ["W13", "W14", "W15", "PH1", "RST"][*line].to_owned(),
            Tree::Not(tree) => format!("!{}", tree.text()),
            Tree::Two(sign, trees) => format!("({} {sign} {})", trees[0].text(), trees[1].text()),
            Tree::Choice(trees) => {
                let [one, yes, no] = [0, 1, 2].map(|part| trees[part].text());
                format!("({one} ? {yes} : {no})")
            }
        }
    }

    fn level(&self, address: u32) -> bool {
        match self {
            Tree::Line(line) => address >> line & 1 == 1,
            Tree::Not(tree) => !tree.level(address),
            Tree::Two(sign, trees) => {
                let (one, other) = (trees[0].level(address), trees[1].level(address));
                match *sign {
                    "&" | "&&" | "*" => one & other,
                    "|" | "||" => one | other,
                    "<" => !one & other,
                    ">=" => one | !other,
                    "==" => one == other,
                    _ => one ^ other,
                }
            }
            Tree::Choice(trees) => trees[if trees[0].level(address) { 1 } else { 2 }].level(address),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    (0usize..5).prop_map(Tree::Line).prop_recursive(6, 40, 3, |tree| {
        let sign = prop::sample::select(vec!["&", "&&", "|", "||", "^", "!=", "==", "<", ">=", "*"]);
        prop_oneof![
            tree.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
            (sign, tree.clone(), tree.clone())
                .prop_map(|(sign, one, other)| Tree::Two(sign, Box::new([one, other]))),
            (tree.clone(), tree.clone(), tree).prop_map(|(a, b, c)| Tree::Choice(Box::new([a, b, c]))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// A formula gives the table that one gets by hand; and the table, written as a formula, is the table again.
    #[test]
    fn formulas_give_their_tables(one in tree(), other in tree()) {
        let texts = [format!("WEN = {}", one.text()), format!("WE={}", other.text())];
        let board = burned("DEC", &format!("Formula({texts:?})")).unwrap();
        let table = cells(board.chip("DEC").unwrap());
        for (address, &cell) in (0u32..).zip(&table) {
            let expected = u8::from(other.level(address)) | u8::from(one.level(address)) << 1;
            prop_assert_eq!(cell, expected, "{:?} at {:05b}", &texts, address);
        }
        let listed = burned("DEC", &format!("Cells({table:?})")).unwrap();
        let written = listed.chip("DEC").unwrap().formulas();
        if let Some(texts) = written {
            let board = burned("DEC", &format!("Formula({texts:?})")).unwrap();
            prop_assert!(cells(board.chip("DEC").unwrap()) == table, "{texts:?}");
        }
    }
}
