//! Text on the LEDs.

use crate::support::Bench;
use gray1_isa::memory_map::{GREEN, RED};
use test_support::library::{assembled, program};

/// The eight rows of LEDs of one colour after a program has run.
fn rows(source: &str, leds: u16) -> [u8; 8] {
    let mut bench = Bench::of(program(&format!("{source}\n      jmp halt"), "leds.g1").0);
    let leds = usize::from(leds);
    bench.state.ram[leds..leds + 8].fill(0xFF);
    let ram = bench.run().state.ram;
    std::array::from_fn(|row| ram[leds + row])
}

fn picture(rows: [u8; 8]) -> String {
    let dots = |row: &u8| (0..8).map(|x| if row >> x & 1 == 1 { '#' } else { '.' }).collect::<String>();
    rows.iter().map(dots).collect::<Vec<_>>().join("|")
}

#[test]
fn letters_stand_in_the_middle() {
    let letter = "..###...|.#...#..|.....#..|....#...|...#....|..#.....|.#####..|........";
    assert_eq!(picture(rows("      show_letter '2', RED", RED)), letter);
    let letters = "........|#.#.###.|#.#...#.|###.###.|..#.#...|..#.###.|........|........";
    assert_eq!(picture(rows("      show_letters '4', '2', GREEN", GREEN)), letters);
    assert_eq!(rows("      clear_leds", RED), [0; 8]);
}

/// At the end the LEDs show the last columns and a gap: eight of twelve columns, or all of eight.
#[test]
fn a_line_comes_in_from_the_right() {
    let large = "....#...|#...#...|#...#...|....#...|....#...|........|....#...|........";
    assert_eq!(picture(rows("      clear_scroller line\n      scroll line, \"P!\"", GREEN)), large);
    let small = ".#..###.|.#...#..|.#...#..|.....#..|.#..###.|........|........|........";
    assert_eq!(picture(rows("      clear_scroller line\n      scroll_small line, \"!I\"", GREEN)), small);
}

#[test]
fn lines_are_limited_by_their_table() {
    for (call, longest) in [("scroll", 42), ("scroll_small", 64)] {
        let text = |length: usize| format!("{call} line, \"{}\"", &"ABCDEFGH".repeat(10)[..length]);
        assert!(!assembled(&text(longest), "leds.g1").has_errors(), "{call}");
        assert!(assembled(&text(longest + 1), "leds.g1").has_errors(), "{call}");
        assert!(assembled(&text(0), "leds.g1").has_errors(), "{call}");
    }
}
