//! Tables in code: every index of every table gives its value, in no more cycles than documented.

use crate::interpreter;
use crate::sources::{assembled, assembly};
use gray1_isa::Image;
use interpreter::run_from;
use proptest::prelude::*;

fn image(values: &[u8]) -> (Image, usize) {
    let values: Vec<String> = values.iter().map(u8::to_string).collect();
    let source =
        format!("      read_table t\nend:\n      sta OUT\nhalt: jmp halt\n.table t, {}\n", values.join(", "));
    let program = assembled(&source);
    let end = program.symbols.iter().find(|symbol| symbol.name == "end").expect("the label");
    let end = usize::try_from(end.value).expect("a sequence number");
    (program.image, end)
}

/// Words, fewest cycles, most cycles.
type Cost = (usize, usize, usize);

/// The words, and the fewest and the most cycles; every value is checked.
fn cost(values: &[u8]) -> Cost {
    let (image, words) = image(values);
    let cycles = values.iter().enumerate().map(|(index, &value)| {
        let (sent, cycles) = run_from(&image, index as u8, index % 2 == 1);
        assert_eq!(sent, [value], "index {index} of {values:?}");
        cycles - 1
    });
    let cycles: Vec<usize> = cycles.collect();
    (words, cycles.iter().copied().min().unwrap_or(0), cycles.iter().copied().max().unwrap_or(0))
}

/// Values without order, and without neighbours that differ by 0 or 1.
fn scattered(count: usize) -> Vec<u8> {
    (0..count).map(|index| (index as u8).wrapping_mul(151) ^ 0x55).collect()
}

#[test]
fn tables_cost_what_the_reference_says() {
    let cases: [(&[u8], Cost); 11] = [
        (&[7], (1, 1, 1)),
        (&[7; 200], (1, 1, 1)),
        (&[10, 11, 12, 13], (1, 1, 1)),
        (&[0, 1, 2, 3], (0, 0, 0)),
        (&[9, 8, 7, 6], (2, 2, 2)),
        (&[7, 9], (4, 2, 3)),
        (&[7, 9, 9, 7], (6, 2, 5)),
        (b"0123456789ABCDEF", (5, 3, 4)),
        (&[3, 8, 3, 8, 3, 8, 3, 8], (6, 4, 5)),
        (&[3, 8, 3, 9, 3, 8, 3, 9, 3, 8, 3, 9], (11, 5, 8)),
        (&[1, 2, 4, 8, 16, 32, 64, 128], (22, 5, 8)),
    ];
    let found: Vec<_> = cases.iter().map(|(values, _)| cost(values)).collect();
    assert_eq!(found, cases.map(|(_, expected)| expected));
    let sizes = [2, 4, 8, 16, 32, 64, 128, 256].map(|count| cost(&scattered(count)));
    let expected = [(4, 2, 3), (11, 3, 6), (26, 5, 8), (55, 7, 10)];
    let expected_large = [(113, 9, 12), (229, 10, 14), (461, 12, 16), (925, 15, 18)];
    assert_eq!((&sizes[..4], &sizes[4..]), (&expected[..], &expected_large[..]));
}

#[test]
fn equal_values_share_a_leaf() {
    let values: Vec<u8> = (0..64).map(|index| if index % 3 == 0 { 7 } else { 99 }).collect();
    let (image, words) = image(&values);
    let loads = (0..words as u16).filter(|&at| image.word(at).opcode() == gray1_isa::Opcode::Lda).count();
    assert!(loads < 24, "{loads}");
    assert!(words < 140, "{words}");
}

#[test]
fn regular_tables_look_at_the_bits_of_the_index() {
    for period in [2, 4, 8, 16, 32] {
        let values: Vec<u8> = (0..=255).map(|index: u8| (index % period).wrapping_mul(151)).collect();
        let (words, _, most) = cost(&values);
        assert!(words < usize::from(period) * 6, "{period}: {words} words");
        assert!(most <= 3 * period.trailing_zeros() as usize + 3, "{period}: {most} cycles");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_index_gives_its_value(values in prop::collection::vec(prop_oneof![0..3u8, any::<u8>()], 1..=256)) {
        let (_, _, most) = cost(&values);
        // Two cycles for each halving, and the leaf.
        prop_assert!(most <= 2 * values.len().next_power_of_two().trailing_zeros() as usize + 3, "{most}");
    }

    #[test]
    fn stretches_that_go_up_or_down_give_their_values(stretches in prop::collection::vec((any::<u8>(), 1..20u8, 0..3u8), 1..12)) {
        let step = |kind: u8| [0, 1, 255][usize::from(kind)];
        let values = stretches.iter().flat_map(|&(first, count, kind)| {
            (0..count).map(move |at| first.wrapping_add(at.wrapping_mul(step(kind))))
        });
        cost(&values.take(256).collect::<Vec<u8>>());
    }
}

/// The assembler reads a table too: its values, as far as they are known there, and how many they are.
#[test]
fn tables_are_read_while_assembling() {
    let source = "
.table squares, 0, 1, four, \"AB\"
.extend squares, 25
four = 4
.table other, squares[2] + 1, squares[5]
.for k, len(squares) - 1, -1, -1
      .word squares[k]
.endfor
      .word other[0]
      .word other[1]
      .word len(other)
";
    let program = assembled(source);
    let words: Vec<u16> = (0..9).map(|at| program.image.word(at).0).collect();
    assert_eq!(words, [25, 66, 65, 4, 1, 0, 5, 25, 2]);
}

#[test]
fn tables_are_not_read_past_their_ends_nor_endlessly() {
    for (source, message) in [
        (".table t, 1, 2\n lda #t[2]\n", "there is no value 2 in the table `t` here"),
        (".table t, 1, 2\n lda #t[-1]\n", "there is no value -1 in the table `t` here"),
        (".table t\n.word t[0]\n", "there is no value 0 in the table `t` here"),
        (".table t, u[0]\n.table u, t[0]\n.word t[0]\n", "values of tables are nested more than 256 deep"),
        (".table t, 1\n.word t + 1\n", "`t` is a table"),
        (".ram t, 4\n.word t[1]\n", "this is not a text"),
    ] {
        let assembly = assembly(source);
        let report = assembly.report.render(false);
        assert!(assembly.program.is_none() && report.contains(message), "{source}\n{report}");
    }
}
