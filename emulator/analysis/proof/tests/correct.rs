//! Boards that are wired or burned in another way and do all that they should. They may be proved or left undecided,
//! but no claim about them is refuted.

mod support;

use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use support::{Reburned, board, cells, extended, reburned, rom};

/// What is said of all claims: `p` proved, `u` undecided.
fn verdicts(board: &Board, what: &str) -> String {
    let verdict = |claim| {
        let report = Prover::new(board).prove(claim).expect("it is not stopped");
        match report.verdict {
            Verdict::Proved => 'p',
            Verdict::Undecided => 'u',
            Verdict::Refuted => {
                test_support::say(&format!("{what}: {:#?}", report.counterexamples));
                'R'
            }
        }
    };
    Claim::ALL.map(verdict).iter().collect()
}

fn not_refuted(boards: &[(&str, Board, &str)]) {
    let verdicts = boards.iter().map(|(what, board, _)| (*what, verdicts(board, what)));
    let verdicts: Vec<(&str, String)> = verdicts.collect();
    let expected: Vec<(&str, String)> =
        boards.iter().map(|(what, _, all)| (*what, (*all).to_owned())).collect();
    assert_eq!(verdicts, expected);
}

fn buffer(name: &str, from: &str, to: &str) -> String {
    rom(name, &cells(8, |byte| byte), from, to)
}

fn inverter(name: &str, from: &str, to: &str) -> String {
    rom(name, &cells(8, |byte| byte ^ 0xFF), from, to)
}

/// New nets and chips, and other changes.
fn with(nets: &str, chips: &str, changes: &[(&str, &str)]) -> Board {
    let (nets, chips) = (format!("nets: \"ZL {nets}\", "), format!("    chips: [\n{chips}"));
    let mut all = vec![("nets: \"ZL\", ", &*nets), ("    chips: [\n", &*chips)];
    all.extend(changes);
    board(&all)
}

const ALU_LOW: &str = "address: \"W13-15 A0-3 X0-3 X4 RST\"";
const ALU_HIGH: &str = "address: \"W13-15 A4-7 X4-7 C4 ZL C RST\"";
const RAM_LOW: &str = "address: \"W0-11\", input: \"A0-3\", write: \"WE\", data: \"M0-3\"";
const RAM_HIGH: &str = "address: \"W0-11\", input: \"A4-7\", write: \"WE\", data: \"M4-7\"";
const A: &str = "burn: Latch,        address: \"T0-7 A0-7 PH2\", data: \"A0-7\"";
const PANEL_A: &str = "accumulator: \"A0-7\"";
const PORT: &str = "port: (latch: \"OUT0-7\", enable: \"OUTE\")";

#[test]
fn a_register_may_be_held_in_another_form() {
    let copy = rom("A2", "burn: Latch", "T0-7 B0-7 PH2", "B0-7");
    let twice = with(
        "B0-7",
        &copy,
        &[
            (ALU_LOW, "address: \"W13-15 B0-3 X0-3 X4 RST\""),
            (ALU_HIGH, "address: \"W13-15 B4-7 X4-7 C4 ZL C RST\""),
        ],
    );
    let inverted = with(
        "NA0-7",
        &inverter("AINV", "NA0-7", "A0-7"),
        &[(A, "burn: InvertedLatch, address: \"T0-7 NA0-7 PH2\", data: \"NA0-7\"")],
    );
    let opposite = with("NA0-7", &inverter("AINV", "A0-7", "NA0-7"), &[(PANEL_A, "accumulator: \"NA0-7\"")]);
    let buffered = with("AB0-7", &buffer("ABUF", "A0-7", "AB0-7"), &[(PANEL_A, "accumulator: \"AB0-7\"")]);
    let panel_of_copy = with("B0-7", &copy, &[(PANEL_A, "accumulator: \"B0-7\"")]);
    not_refuted(&[
        ("held twice", twice, "ppupp"),
        ("inverted", inverted, "ppppp"),
        ("the panel reads the opposite", opposite, "ppupu"),
        ("the panel reads a buffer", buffered, "ppppp"),
        ("the panel reads a copy", panel_of_copy, "ppupp"),
    ]);
}

#[test]
fn the_port_may_be_shown_through_another_latch() {
    let second = |enable: &str| {
        let latch = rom("SHOW", "burn: Latch", &format!("OUT0-7 SHOW0-7 {enable}"), "SHOW0-7");
        with("SHOW0-7", &latch, &[(PORT, "port: (latch: \"SHOW0-7\", enable: \"OUTE\")")])
    };
    not_refuted(&[
        ("with the same enable", second("OUTE"), "ppppp"),
        ("one phase later", second("PH2"), "ppupu"),
    ]);
}

/// T and R take the pads while a program reads them, and a finger may move a pad just then.
#[test]
fn ram_may_store_the_same_value_from_elsewhere() {
    let of = |bus: &str| {
        board(&[
            (RAM_LOW, &format!("address: \"W0-11\", input: \"{bus}0-3\", write: \"WE\", data: \"M0-3\"")),
            (RAM_HIGH, &format!("address: \"W0-11\", input: \"{bus}4-7\", write: \"WE\", data: \"M4-7\"")),
        ])
    };
    let row = board(&[("address: \"A0-7 GREEN4_0-7 GE4\"", "address: \"T0-7 GREEN4_0-7 GE4\"")]);
    not_refuted(&[("T", of("T"), "uuupp"), ("R", of("R"), "uupup"), ("a row", row, "uupup")]);
}

/// Rings and counters that are no fault.
#[test]
fn chips_may_go_round_in_circles() {
    let t = "address: \"R0-7 T0-7 PH1\"";
    let feedback = with("TB0-7", &buffer("TBUF", "T0-7", "TB0-7"), &[(t, "address: \"R0-7 TB0-7 PH1\"")]);
    let divide = |input: &str| {
        let step = |a: u32| match (a & 1, a >> 1) {
            (input, s) if s.count_ones() & 1 == input => s,
            (_, 0) => 1,
            (_, 1) => 3,
            (_, 3) => 2,
            _ => 0,
        };
        extended("Q0-1", &rom("DIVIDER", &cells(3, step), &format!("{input} Q0-1"), "Q0-1"))
    };
    // Bit by bit while LOAD is 1.
    let gray1 = Board::gray1();
    let low = gray1.netlist().table(gray1.netlist().chip("PCL").expect("a chip")).expect("a ROM").to_vec();
    let ripple = move |address: u32, data: u8| {
        let (own, target) = (address as u8 & 63, (address >> 6) as u8 & 63);
        if address >> 12 & 1 == 0 || own == target {
            return data;
        }
        let lowest = (own ^ target) & (own ^ target).wrapping_neg();
        low[address as usize] & 64 | own ^ lowest
    };
    not_refuted(&[
        ("feedback through a buffer", feedback, "ppppu"),
        ("a divider of OSC", divide("OSC"), "upppu"),
        ("a divider of PH1", divide("PH1"), "upppu"),
        ("a divider of WE", divide("WE"), "upppp"),
        ("a detour of the counter", reburned(&[("PCL", &ripple)]), "uuppu"),
    ]);
}

#[test]
fn cells_that_no_run_looks_up_may_hold_anything() {
    let one: [(&str, Reburned); 7] = [
        ("TGL while RST is 1", ("TGL", &|a, d| d ^ u8::from(a == 0x2A15))),
        ("TGH while RST and PH1 are 1", ("TGH", &|a, d| d ^ u8::from(a == 0x3A15))),
        ("FLAGS with both phases", ("FLAGS", &|a, d| d ^ (u8::from(a == 0x0D8) << 3))),
        ("ALUL of a reset", ("ALUL", &|a, d| if a >> 12 == 1 && a & 7 == 3 { d ^ 16 } else { d })),
        ("C4 of LDA", ("ALUL", &|a, d| if a & 7 == 0 { d ^ 16 } else { d })),
        ("KMUX with both selected", ("KMUX", &|a, d| if a >> 15 == 3 { d ^ 5 } else { d })),
        ("IODEC at an unused address", ("IODEC", &|a, d| if a & 0xFFF == 0x123 { d ^ 8 } else { d })),
    ];
    let verdicts = |what: &str| if what.starts_with("TG") { "ppppu" } else { "ppppp" };
    let boards = one.map(|(what, change)| (what, reburned(&[change]), verdicts(what)));
    not_refuted(&boards);
}
