//! The font: what it draws, by rows and by columns.

use crate::support::{assembled, program};

/// The values of expressions, which are bytes, with the font at hand.
fn bytes(expressions: &[String]) -> Vec<u8> {
    let source: String = expressions.iter().map(|expression| format!("      lda  #{expression}\n")).collect();
    let (program, _) = program(&format!("{source}      jmp  halt"), "font.g1");
    (0..).zip(expressions).map(|(at, _)| program.image.word(at).0 as u8).collect()
}

fn rows(character: u8) -> Vec<u8> {
    bytes(&(0..7).map(|y| format!("font_row({character}, {y})")).collect::<Vec<_>>())
}

#[test]
fn rows_and_columns_draw_the_same_character() {
    let characters: Vec<u8> =
        (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(*b" !'()*+,-./:=?").collect();
    assert_eq!(characters.len(), 76);
    let mut drawn = Vec::new();
    for &character in &characters {
        let rows = rows(character);
        let columns = bytes(&(0..5).map(|x| format!("font_column({character}, {x})")).collect::<Vec<_>>());
        for (x, column) in columns.iter().enumerate() {
            let dots = rows.iter().enumerate().map(|(y, row)| (row >> x & 1) << y);
            assert_eq!(dots.sum::<u8>(), *column, "column {x} of {:?}", char::from(character));
        }
        assert!(rows.iter().all(|row| *row < 1 << 5), "{:?} is five dots wide", char::from(character));
        drawn.push((rows, character.to_ascii_uppercase()));
    }
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn.len(), 50, "a small letter looks like the capital");
    drawn.dedup_by_key(|(rows, _)| rows.clone());
    assert_eq!(drawn.len(), 50, "no two characters look alike");
}

#[test]
fn the_left_and_the_top_come_first() {
    assert_eq!(rows(b'F'), [0b11111, 0b00001, 0b00001, 0b01111, 0b00001, 0b00001, 0b00001]);
    assert_eq!(
        bytes(&["font_column('L', 0)".into(), "font_column('L', 4)".into()]),
        [0b111_1111, 0b100_0000]
    );
}

#[test]
fn a_character_that_the_font_does_not_have_is_an_error() {
    let report = assembled("lda #font_row('@', 0)", "font.g1").render(false);
    assert!(report.contains("error[unknown-name]"), "{report}");
}
