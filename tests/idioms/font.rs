//! The fonts: their pictures, by rows and by columns.

use test_support::library::{assembled, program};

struct Font {
    file: &'static str,
    /// The prefix of the names of its functions.
    name: &'static str,
    width: usize,
    height: usize,
}

const FONTS: [Font; 2] = [
    Font { file: "font.g1", name: "font", width: 5, height: 7 },
    Font { file: "small_font.g1", name: "small", width: 3, height: 5 },
];

impl Font {
    /// The values of expressions that use the font. They are bytes.
    fn bytes(&self, expressions: &[String]) -> Vec<u8> {
        let source: String =
            expressions.iter().map(|expression| format!("      lda  #{expression}\n")).collect();
        let (program, _) = program(&format!("{source}      jmp  halt"), self.file);
        (0..).zip(expressions).map(|(at, _)| program.image.word(at).0 as u8).collect()
    }

    fn rows(&self, character: u8) -> Vec<u8> {
        let row = |y: usize| format!("{}_row({character}, {y})", self.name);
        self.bytes(&(0..self.height).map(row).collect::<Vec<_>>())
    }

    fn columns(&self, character: u8) -> Vec<u8> {
        let column = |x: usize| format!("{}_column({character}, {x})", self.name);
        self.bytes(&(0..self.width).map(column).collect::<Vec<_>>())
    }
}

#[test]
fn rows_and_columns_draw_the_same_character() {
    let characters: Vec<u8> =
        (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(*b" !'()*+,-./:=?").collect();
    assert_eq!(characters.len(), 76);
    for font in FONTS {
        let mut drawn = Vec::new();
        for &character in &characters {
            let rows = font.rows(character);
            for (x, column) in font.columns(character).iter().enumerate() {
                let dots = rows.iter().enumerate().map(|(y, row)| (row >> x & 1) << y);
                assert_eq!(dots.sum::<u8>(), *column, "column {x} of {:?}", char::from(character));
            }
            let fits = rows.iter().all(|row| *row < 1 << font.width);
            assert!(fits, "{:?} is {} dots wide", char::from(character), font.width);
            drawn.push((rows, character.to_ascii_uppercase()));
        }
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn.len(), 50, "{}: a small letter looks like the capital", font.file);
        drawn.dedup_by_key(|(rows, _)| rows.clone());
        assert_eq!(drawn.len(), 50, "{}: no two characters look alike", font.file);
    }
}

#[test]
fn the_left_and_the_top_come_first() {
    let [large, small] = FONTS;
    assert_eq!(large.rows(b'F'), [0b11111, 0b00001, 0b00001, 0b01111, 0b00001, 0b00001, 0b00001]);
    assert_eq!(large.columns(b'L'), [0b111_1111, 0b100_0000, 0b100_0000, 0b100_0000, 0b100_0000]);
    assert_eq!(small.rows(b'F'), [0b111, 0b001, 0b011, 0b001, 0b001]);
    assert_eq!(small.columns(b'L'), [0b1_1111, 0b1_0000, 0b1_0000]);
}

#[test]
fn missing_characters_are_errors() {
    for Font { file, name, .. } in FONTS {
        let report = assembled(&format!("lda #{name}_row('@', 0)"), file).render(false);
        assert!(report.contains("error[unknown-function]"), "{report}");
    }
}
