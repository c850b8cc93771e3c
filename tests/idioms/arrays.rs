//! Idioms with an index that is known only at run time: every index of every size.

use crate::support::{Bench, Outcome};

const SIZES: [usize; 26] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 100, 128, 255, 256];
const INDEXES: usize = 153 + 31 + 32 + 33 + 63 + 64 + 100 + 128 + 255 + 256;
/// Up to this size the chips engine runs the program, too.
const ON_CHIPS: usize = 17;

/// Runs a program for every size and index, and checks its outcome.
fn every_index(source: impl Fn(usize) -> String, check: impl Fn(&Bench, Outcome, usize, usize)) {
    let mut cases = 0;
    for size in SIZES {
        let mut bench = Bench::new(&format!("{}\n      jmp halt", source(size)));
        let mut chips = bench.on_chips();
        bench.set("x", 0x5A);
        for index in 0..size {
            let list = usize::from(bench.address("list"));
            for element in 0..256 {
                bench.state.ram[list + element] = (element as u8).wrapping_mul(3) ^ 0x81;
            }
            bench.state.a = index as u8;
            bench.state.c = index % 2 == 1;
            let outcome = bench.run();
            if size <= ON_CHIPS {
                assert_eq!(chips(&bench.state), outcome, "size {size}, index {index}, on the chips");
            }
            check(&bench, outcome, size, index);
            cases += 1;
        }
    }
    assert_eq!(cases, INDEXES);
}

#[test]
fn an_element_is_read() {
    every_index(
        |size| format!("      read_at list, {size}"),
        |bench, outcome, size, index| {
            let list = usize::from(bench.address("list"));
            assert_eq!(outcome.state.a, bench.state.ram[list + index], "size {size}, index {index}");
            assert_eq!(outcome.state.ram, bench.state.ram, "nothing is written");
        },
    );
}

/// All uses of an `array` share one reading and one writing routine.
#[test]
fn elements_are_read_and_written_by_shared_routines() {
    let uses = "      write_array cells, #1, x\n      write_array cells, y, #7\n      read_array cells, #1\n      sta x\n      \
                read_array cells, y\n      jmp halt";
    let mut bench = Bench::new(uses);
    for (x, index) in (0..=255).zip([0, 2, 3, 4, 5, 6, 7].into_iter().cycle()) {
        bench.set("x", x);
        bench.set("y", index);
        let outcome = bench.run();
        let cells = usize::from(bench.address("cells"));
        let mut expected = bench.state.ram[cells..cells + 8].to_vec();
        expected[1] = x;
        expected[usize::from(index)] = 7;
        assert_eq!(outcome.state.ram[cells..cells + 8], expected);
        assert_eq!((bench.byte(&outcome, "x"), outcome.state.a), (x, 7), "index {index}");
    }
}

#[test]
fn arrays_can_have_16_bit_elements() {
    let uses = "      write_word sums, y, w\n      write_word sums, #1, #1000\n      read_word sums, y, v\n      \
                read_word sums, #1, w\n      jmp halt";
    let mut bench = Bench::new(uses);
    for number in (0..=u16::MAX).step_by(257) {
        let index = [0, 2, 3, 4, 5, 6, 7][usize::from(number) % 7];
        let [w, v] = ["w", "v"].map(|name| usize::from(bench.address(name)));
        bench.state.ram[w..w + 2].copy_from_slice(&number.to_le_bytes());
        bench.set("y", index);
        let ram = bench.run().state.ram;
        assert_eq!((&ram[v..v + 2], &ram[w..w + 2]), (&number.to_le_bytes()[..], &1000u16.to_le_bytes()[..]));
    }
}

#[test]
fn an_element_is_written() {
    for value in ["x", "#$5A"] {
        every_index(
            |size| format!("      write_at list, {size}, {value}"),
            |bench, outcome, size, index| {
                let mut expected = bench.state.ram.clone();
                expected[usize::from(bench.address("list")) + index] = 0x5A;
                assert_eq!(outcome.state.ram, expected, "size {size}, index {index}");
            },
        );
    }
}

#[test]
fn a_case_is_chosen() {
    every_index(
        |size| format!("      switch {size}, \"case\""),
        |bench, outcome, size, index| {
            let case = bench.address(&format!("case{index}"));
            assert_eq!(outcome.state.pc, case, "size {size}, index {index}");
        },
    );
}

#[test]
fn an_index_out_of_range_stays_within_the_array() {
    let mut cases = 0;
    for size in SIZES {
        let mut bench = Bench::new(&format!("      write_at list, {size}, x\n      jmp halt"));
        let list = usize::from(bench.address("list"));
        bench.set("x", 0x5A);
        for index in size..256 {
            bench.state.a = index as u8;
            let mut after = bench.run().state.ram;
            assert!(after[list..list + size].contains(&0x5A), "size {size}, index {index}");
            after[list..list + size].copy_from_slice(&bench.state.ram[list..list + size]);
            assert_eq!(after, bench.state.ram, "size {size}, index {index}");
            cases += 1;
        }
    }
    assert_eq!(cases, SIZES.len() * 256 - INDEXES);
}
