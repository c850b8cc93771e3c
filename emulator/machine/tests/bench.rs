//! Boards without a CPU: their files, mistakes in them, and how they run.

use gray1_machine::board::Board;
use gray1_machine::{BenchRun, Noise, Unstable};

/// A latch: while E is 1 it takes D, and else it keeps what it has.
const LATCH: &str = r#"Board(
    name: "a latch",
    parts: {"27C64": Rom(address: 13, data: 8, about: "EPROM"), "4Kx4": Ram(address: 12, data: 4, about: "RAM")},
    inputs: [(nets: "D E", about: "switches")],
    chips: [
        Rom(name: "LATCH", part: "27C64", burn: Formula(["Q = E ? D : Q"]), address: "D E Q", data: "Q"),
    ],
    bench: (switches: "D E", lamps: "Q"),
)"#;

fn parse(change: [&str; 2]) -> Result<Board, String> {
    let [from, to] = change;
    assert!(LATCH.contains(from), "{from}");
    Board::parse_any(&LATCH.replacen(from, to, 1), "b.ron").map_err(|error| error.to_string())
}

/// The level of a net after each of these moves, as `D1` or `E0`.
fn shown(board: &Board, noise: Noise, net: &str, moves: &str) -> Result<String, Unstable> {
    let number = |name: &str| board.netlist().net(name).expect("a net");
    let mut run = BenchRun::switch_on(board, noise)?;
    let mut seen = String::new();
    for word in moves.split(' ') {
        let (name, level) = word.split_at(word.len() - 1);
        run.set(&[(number(name), level == "1")])?;
        seen.push(if run.level(number(net)) { '1' } else { '0' });
    }
    Ok(seen)
}

#[test]
fn a_latch_holds_and_takes() {
    let board = parse(["", ""]).unwrap();
    for noise in [Noise::Zeros, Noise::Ones, Noise::Random(7)] {
        assert_eq!(shown(&board, noise, "Q", "E1 D1 E0 D0 E1 D1 D0 E0 D1").unwrap(), "011101000");
    }
    assert_eq!(shown(&board, Noise::Zeros, "Q", "D0").unwrap(), "0");
    assert_eq!(shown(&board, Noise::Ones, "Q", "D0").unwrap(), "1");
}

#[test]
fn what_never_rests_is_named() {
    let board = parse(["E ? D : Q", "E ? !Q : Q"]).unwrap();
    assert_eq!(shown(&board, Noise::Zeros, "Q", "D1 E1").unwrap_err().chips, ["LATCH"]);
}

#[test]
fn a_ram_takes_its_input_while_it_is_written() {
    let ram = "Ram(name: \"RAM\", part: \"4Kx4\", address: \"D\", input: \"Q\", write: \"E\", data: \"M\"), Rom(name: \"LATCH\"";
    let board = parse(["Rom(name: \"LATCH\"", ram]).unwrap();
    for noise in [Noise::Zeros, Noise::Ones] {
        // Cell 1 gets a 1 by way of the latch, then cell 0 a 0.
        assert_eq!(shown(&board, noise, "M", "D1 E1 E0 D0 E1 E0 D1 D0").unwrap()[4..], *"0010");
    }
}

#[test]
fn nets_that_chips_drive_need_not_be_declared() {
    let board = parse(["", ""]).unwrap();
    assert_eq!(board.nets.len(), 1);
    assert_eq!((board.nets[0].nets.as_written(), &*board.nets[0].about), ("Q", "given by LATCH"));
    let netlist = board.netlist();
    let bench = netlist.bench.as_ref().unwrap();
    assert_eq!((&bench.switches, &bench.lamps), (&vec![0, 1], &vec![2]));
    assert!(bench.clock.is_empty() && netlist.panel.word.is_empty());
}

#[test]
fn only_a_board_with_a_cpu_takes_a_program() {
    let error = Board::parse(LATCH, "b.ron").unwrap_err();
    assert_eq!((error.line, error.column), (8, 5));
    assert!(error.message.contains("no CPU, so no program can run on it"), "{error}");
    let gray1 = Board::parse_any(include_str!("../src/board/gray1.ron"), "gray1.ron").unwrap();
    assert_eq!(**gray1.netlist(), **Board::gray1().netlist());
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (from, to, message) in [
        (
            "bench: (switches: \"D E\", lamps: \"Q\"),",
            "",
            "b.ron:1:1: the board has no `panel`; a board without a CPU has a `bench` instead",
        ),
        ("lamps: \"Q\"", "lamps: \"P\"", "b.ron:8:38: bench: net P is not there: no chip gives it"),
        ("lamps: \"Q\"", "lamps: \"\"", "b.ron:8:30: bench: there are no lamps"),
        ("switches: \"D E\"", "switches: \"D Q\"", "b.ron:8:26: bench: net Q must be one of `inputs`"),
        (
            "switches: \"D E\"",
            "switches: \"D\"",
            "b.ron:4:24: input E is neither a switch nor the clock of `bench`",
        ),
        (
            "switches: \"D E\"",
            "switches: \"D\", clock: \"E D\"",
            "b.ron:8:28: bench: the clock has 2 lines, it must have 1",
        ),
        ("bench: (switches", "bench: (buttons", "Unexpected field named `buttons`"),
        ("E ? D", "F ? D", "ROM LATCH: there is no `F` here"),
        ("address: \"D E Q\"", "address: \"D E P\"", "net P is not declared"),
        (
            "burn: Formula([\"Q = E ? D : Q\"])",
            "burn: ProgramLow",
            "ROM LATCH: ProgramLow is burned for 12 address",
        ),
    ] {
        let error = parse([from, to]).expect_err(to);
        assert!(error.contains(message), "{to}: {error}");
    }
    let both = include_str!("../src/board/gray1.ron")
        .replace("    buses: {", "    bench: (switches: \"OSC\", lamps: \"A0\"),\n    buses: {");
    let error = Board::parse_any(&both, "b.ron").unwrap_err().to_string();
    assert!(
        error.ends_with("a board has a `panel` or, without a CPU, a `bench`: leave out one of the two"),
        "{error}"
    );
}
