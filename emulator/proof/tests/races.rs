//! Races inside a chip are derived from tables and wiring, on any board.

use crate::support::{board, cells, extended, rom};
use gray1_machine::board::Board;
use gray1_proof::{Prover, Races};
use std::collections::BTreeSet;

fn races(board: &Board) -> Races {
    Prover::new(board).races().expect("it is not stopped")
}

/// The races on the data lines of a chip: the line, and the way round.
fn of(board: &Board, chip: &str) -> BTreeSet<String> {
    let netlist = board.netlist();
    let name = |net: usize| &*netlist.nets[net].name;
    let races = races(board).races.into_iter().map(|(race, _)| race);
    let races = races.filter(|race| netlist.chips[race.chip].name == chip);
    races
        .map(|race| {
            let round: Vec<&str> = race.round.iter().map(|&net| name(net)).collect();
            format!("{}: {}", name(race.line), round.join(" "))
        })
        .collect()
}

/// By hand: with the new state but the old OSC, the table leads one state further. From 00 that is the wrong S1, from
/// 01 the wrong S0 and PH2, from 11 S1 again, from 10 S0 and PH1.
#[test]
fn the_sequencer_must_see_the_oscillator_before_itself() {
    let expected = ["S1: OSC S0", "S0: OSC S1", "PH2: OSC S1", "PH1: OSC S1"];
    assert_eq!(of(&Board::gray1(), "SEQ"), expected.map(str::to_owned).into());
}

#[test]
fn latches_and_decoders_have_no_races() {
    let board = Board::gray1();
    let Races { races, undecided } = races(&board);
    let chips: BTreeSet<&str> =
        races.iter().map(|(race, _)| &*board.netlist().chips[race.chip].name).collect();
    assert_eq!((chips, undecided), (BTreeSet::from(["SEQ", "PCL", "PCH"]), vec![]));
}

/// An additional chip in the ring of the counter makes the way round longer.
#[test]
fn the_way_round_goes_through_every_chip_of_the_ring() {
    let around = |board: &Board| -> Vec<String> {
        of(board, "PCL").into_iter().filter(|race| race.contains("TICKH ")).collect()
    };
    assert_eq!(around(&Board::gray1()), ["PC0: TICK TICKH PARH"]);
    let buffer = rom("BUF", &cells(1, |bit| bit), "PARH", "B0");
    let board = board(&[
        ("nets: \"ZL\", ", "nets: \"ZL B0\", "),
        ("    chips: [\n", &format!("    chips: [\n{buffer}")),
        ("PC0-5 TG0-5 LOAD TICK PARH", "PC0-5 TG0-5 LOAD TICK B0"),
    ]);
    assert_eq!(around(&board), ["PC0: TICK TICKH PARH B0"]);
}

/// For a net that moves forever there is no list, and the report says so.
#[test]
fn a_ring_without_an_end_is_undecided() {
    let follows = cells(2, |address| (address & 1) ^ (address >> 1));
    let Races { races, undecided } = races(&extended("Q", &rom("RUN", &follows, "TICK Q", "Q")));
    assert_eq!(races.len(), 26);
    let reasons: Vec<String> = undecided.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&reasons[..], [first, ..] if first.starts_with("the ring RUN in phase 3")),
        "{reasons:?}"
    );
}
