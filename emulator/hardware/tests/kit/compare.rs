//! Faults planted in chips: each is found, and with random cells it is the only cause found.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_hardware::kit::{Cause, Comparison, Lines, SIZE, Socket, compare, sockets};
use gray1_isa::{Image, Word};
use gray1_machine::board::Board;
use proptest::prelude::*;
use std::sync::OnceLock;

/// The sockets of the Gray-1, KMUX with random cells.
fn machine() -> &'static [Socket] {
    static SOCKETS: OnceLock<Vec<Socket>> = OnceLock::new();
    SOCKETS.get_or_init(|| {
        let mut board = Board::gray1();
        assert!(
            board.burn("KMUX", |address| (address.wrapping_mul(0x9E37_79B1) ^ address << 7).to_be_bytes()[0])
        );
        let words = (0..4096u32).map(|i| Word((i.wrapping_mul(0x9E37_79B1) >> 13) as u16));
        sockets(&board, &Image::from_words(words)).unwrap()
    })
}

fn find(name: &str) -> usize {
    machine().iter().position(|socket| socket.name == name).unwrap()
}

fn compared(socket: usize, cell: impl Fn(usize) -> u8) -> Comparison {
    let dump: Vec<u8> = (0..SIZE).map(cell).collect();
    compare(machine(), socket, dump.as_slice().try_into().unwrap())
}

/// What a chip with this fault gives, computed independently of the crate, bit by bit.
fn read(cause: Cause, image: &[u8], address: usize) -> u8 {
    let moved = |number: usize, lines: usize, bit: &dyn Fn(usize, usize) -> bool| {
        (0..lines).filter(|&line| bit(number, line)).map(|line| 1 << line).sum::<usize>()
    };
    let is_set = |number: usize, line: usize| number >> line & 1 == 1;
    let stuck =
        |at: usize, level: bool| move |number, line| if line == at { level } else { is_set(number, line) };
    let swapped = |one: usize, other: usize| {
        move |number, line| {
            is_set(
                number,
                if line == one {
                    other
                } else if line == other {
                    one
                } else {
                    line
                },
            )
        }
    };
    match cause {
        Cause::Blank => 255,
        Cause::Inverted => 255 - image[address],
        Cause::Socket(other) => machine()[other].image[address],
        Cause::Stuck { lines: Lines::Address, line, level } => image[moved(address, 17, &stuck(line, level))],
        Cause::Swapped(Lines::Address, [one, other]) => image[moved(address, 17, &swapped(one, other))],
        Cause::Stuck { line, level, .. } => moved(image[address].into(), 8, &stuck(line, level)) as u8,
        Cause::Swapped(_, [one, other]) => moved(image[address].into(), 8, &swapped(one, other)) as u8,
    }
}

fn fault() -> impl Strategy<Value = Cause> {
    let lines = || prop_oneof![Just((Lines::Address, 17usize)), Just((Lines::Data, 8))];
    let swapped = |((lines, count), one, step): ((Lines, usize), usize, usize)| {
        let (one, other) = (one % count, (one + 1 + step % (count - 1)) % count);
        Cause::Swapped(lines, [one.min(other), one.max(other)])
    };
    let stuck = |((lines, count), line, level): ((Lines, usize), usize, bool)| Cause::Stuck {
        lines,
        line: line % count,
        level,
    };
    prop_oneof![
        Just(Cause::Blank),
        Just(Cause::Inverted),
        (0..machine().len()).prop_map(|socket| {
            let image = &machine()[socket].image;
            Cause::Socket(machine().iter().position(|other| other.image == *image).unwrap())
        }),
        (lines(), 0..1_000usize, any::<bool>()).prop_map(stuck),
        (lines(), 0..1_000usize, 0..1_000usize).prop_map(swapped),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    /// Real tables are regular, so what is read may have several causes, or not differ at all.
    #[test]
    fn a_fault_of_any_chip_is_among_the_causes(socket in 0..machine().len(), fault in fault()) {
        let image = &machine()[socket].image;
        let comparison = compared(socket, |address| read(fault, image, address));
        if comparison.different.is_empty() {
            prop_assert!((0..SIZE).all(|address| read(fault, image, address) == image[address]));
            prop_assert_eq!(comparison.causes, []);
        } else {
            prop_assert!(comparison.causes.contains(&fault), "{:?}: {:?}", fault, comparison.causes);
            for cause in comparison.causes {
                prop_assert!((0..SIZE).all(|address| read(cause, image, address) == read(fault, image, address)));
            }
        }
    }

    /// With random cells the cause is unique.
    #[test]
    fn a_fault_of_a_random_chip_is_the_only_cause(fault in fault()) {
        let socket = find("KMUX");
        prop_assume!(fault != Cause::Socket(socket));
        let image = &machine()[socket].image;
        let comparison = compared(socket, |address| read(fault, image, address));
        prop_assert_eq!(comparison.causes, [fault]);
    }

    #[test]
    fn cells_that_differ_are_listed(cells in prop::collection::btree_map(0..SIZE, 1u8.., 1..9)) {
        let socket = find("KMUX");
        let image = &machine()[socket].image;
        let comparison = compared(socket, |address| image[address] ^ cells.get(&address).unwrap_or(&0));
        let addresses: Vec<u32> = cells.keys().map(|&address| address as u32).collect();
        prop_assert_eq!(comparison, Comparison { different: addresses, causes: vec![] });
    }
}

#[test]
fn causes_are_told_by_pin_and_net() {
    let told = |name: &str, cause: Cause| cause.text(machine(), &machine()[find(name)]);
    let cases = [
        ("PCL", Cause::Blank, "as if it had not been burned: every cell is 0xff"),
        (
            "PCL",
            Cause::Stuck { lines: Lines::Address, line: 12, level: true },
            "as if address line A12 (LOAD) were stuck at 1",
        ),
        (
            "SEQ",
            Cause::Swapped(Lines::Address, [3, 16]),
            "as if address lines A3 (RSTIN) and A16 (not used) were swapped",
        ),
        (
            "SEQ",
            Cause::Stuck { lines: Lines::Data, line: 2, level: false },
            "as if data line D2 (PH1) were stuck at 0",
        ),
        ("DEC", Cause::Swapped(Lines::Data, [0, 1]), "as if data lines D0 (WE) and D1 (WEN) were swapped"),
        ("PCL", Cause::Socket(find("TGL")), "it is the chip of TGL or TGH"),
    ];
    for (name, cause, expected) in cases {
        assert_eq!(told(name, cause), expected);
    }
}

#[test]
fn fields_and_lines_are_those_of_the_chip() {
    let alu = &machine()[find("ALUH")];
    assert_eq!(alu.data_lines(0b10_0001), "R4 TAKE");
    assert_eq!(alu.data_lines(0b1000_0000), "D7");
    assert_eq!(alu.fields(0b101_0000_0111_1101), "rst=1 c=0 zl=1 c4=0 x=0000 a=1111 opcode=101");
    assert_eq!(machine()[find("KMUX")].fields(1), ""); // cells of one's own have none
    assert_eq!(alu.fields(5), alu.fields(5 + alu.cells() as u32)); // the table is repeated
}
