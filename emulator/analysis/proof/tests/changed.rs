//! Boards that are wired differently but compute the same: every claim is still proved.

mod support;

use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use support::{board, cells};

/// One RAM of eight bits instead of two of four.
fn with_one_ram() -> Board {
    board(&[
        (
            "        \"4Kx4\":   Ram",
            "        \"4Kx8\": Ram(address: 12, data: 8, about: \"static RAM\"),\n        \"4Kx4\":   Ram",
        ),
        (
            "Ram(name: \"RAML\",  part: \"4Kx4\", address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"M0-3\")",
            "Ram(name: \"RAM\", part: \"4Kx8\", address: \"W0-11\", input: \"A0-7\", write: \"WE\", data: \"M0-7\")",
        ),
        (
            "        Ram(name: \"RAMH\",  part: \"4Kx4\", address: \"W0-11\", input: \"A4-7\", write: \"WE\", data: \"M4-7\"),\n",
            "",
        ),
        ("[\"RAML\", \"RAMH\"]", "[\"RAM\"]"),
    ])
}

/// A write line that falls with PH1 or when S1 rises, whichever is first.
fn with_two_causes() -> Board {
    let writes = |address: u32| {
        let bit = |line: u32| address >> line & 1;
        let write = u32::from(address & 7 == 1) & bit(3) & (bit(4) ^ 1) & (bit(5) ^ 1);
        write | (write ^ 1) << 1
    };
    board(&[
        ("burn: WriteDecoder,", &(cells(6, writes) + ",")),
        ("address: \"W13-15 PH1 RST\"", "address: \"W13-15 PH1 RST S1\""),
    ])
}

/// A ROM that only repeats the accumulator, for one row of the display.
fn with_a_buffer() -> Board {
    let buffer = cells(8, |byte| byte);
    let buffer = format!("Rom(name: \"BUF\", part: \"27C64\", {buffer}, address: \"A0-7\", data: \"B0-7\"),");
    board(&[
        ("nets: \"ZL\", ", "nets: \"ZL B0-7\", "),
        ("    chips: [\n", &format!("    chips: [\n        {buffer}\n")),
        ("A0-7 RED3_0-7 RE3\"", "B0-7 RED3_0-7 RE3\""),
    ])
}

#[test]
fn boards_that_compute_the_same_stay_proved() {
    for (what, board) in [
        ("one RAM", with_one_ram()),
        ("two causes", with_two_causes()),
        ("a buffer", with_a_buffer()),
        ("as it is built", Board::built()),
    ] {
        for claim in Claim::ALL {
            let report = Prover::new(&board).prove(claim).expect("it is not stopped");
            assert_eq!(report.verdict, Verdict::Proved, "{what}: {report:#?}");
        }
    }
}

/// The RAM of the built board is written while WEN is 0, whatever WE is.
#[test]
fn ram_that_is_written_by_another_line_is_not_proved() {
    let mut board = Board::built();
    let netlist = board.netlist();
    let cells = netlist.table(netlist.chip("DEC").expect("a chip")).expect("a ROM").to_vec();
    assert!(board.burn("DEC", |address| cells[address as usize] & 1));
    for claim in Claim::ALL {
        let report = Prover::new(&board).prove(claim).expect("it is not stopped");
        assert_eq!(report.verdict, Verdict::Undecided, "{report:#?}");
        assert!(report.undecided[0].to_string().starts_with("RAM RAM: WE writes"), "{report:#?}");
    }
}

/// A row of LEDs that are lit at 0, whose latch holds the byte and not its opposite.
#[test]
fn a_row_of_the_built_board_that_shows_the_opposite_is_refuted() {
    let mut board = Board::built();
    assert!(board.burn("RED3", |address| {
        let [input, own, enable] = [address & 0xFF, address >> 8 & 0xFF, address >> 16];
        (if enable == 1 { input } else { own }) as u8
    }));
    let report = Prover::new(&board).prove(Claim::Instructions).expect("it is not stopped");
    assert_eq!(report.verdict, Verdict::Refuted);
    let told = format!("{report:?}");
    assert!(told.contains("RED3_0 and its row show"), "{told}");
    assert_eq!(Prover::new(&board).prove(Claim::Loops).expect("it is not stopped").verdict, Verdict::Proved);
}
