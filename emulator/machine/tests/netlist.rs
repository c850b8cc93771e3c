//! The netlist of the Gray-1, and facts derived from its tables.

use gray1_machine::board::{Board, Lines};
use gray1_machine::tables::{Facts, Tables};
use std::rc::Rc;

#[test]
fn every_net_is_joined_at_both_ends() {
    let board = Board::gray1();
    let netlist = board.netlist();
    assert_eq!(netlist.chips.len(), 39);
    assert_eq!(netlist.nets.len(), netlist.listing.len());
    for (id, net) in netlist.nets.iter().enumerate() {
        assert_eq!(netlist.net(&net.name), Some(id));
        match net.driver {
            Some(pin) => assert_eq!(netlist.chips[pin.chip].data[pin.line], id, "{}", net.name),
            None => assert!(netlist.inputs.iter().any(|group| group.contains(&id)), "{}", net.name),
        }
        for pin in &net.readers {
            assert_eq!(netlist.chips[pin.chip].reads[pin.line], id, "{}", net.name);
        }
    }
    let reads: usize = netlist.chips.iter().map(|chip| chip.reads.len()).sum();
    assert_eq!(netlist.nets.iter().map(|net| net.readers.len()).sum::<usize>(), reads);
}

#[test]
fn equal_roms_share_a_table_as_large_as_their_lines() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let chip = |name| &netlist.chips[netlist.chip(name).unwrap()];
    assert_eq!(chip("T").holds, chip("RED7").holds);
    assert_ne!(chip("T").holds, chip("XMUX").holds);
    assert_eq!(netlist.tables.len(), 14);
    for (id, chip) in netlist.chips.iter().enumerate() {
        if let Some(table) = netlist.table(id) {
            assert_eq!(table.len(), 1 << chip.reads.len(), "{}", chip.name);
        }
    }
}

#[test]
fn a_latch_rests_where_it_gives_what_it_holds() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let latch = &netlist.chips[netlist.chip("A").unwrap()];
    assert_eq!(latch.own_lines(), 0xFF00);
    assert_eq!(latch.fed_back(0xA5), 0xA500);
    assert!(latch.rests(0xA5_00, 0xA5) && !latch.rests(0xA5_00, 0xA4));
}

#[test]
fn a_closed_latch_reads_nothing_but_itself() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let latch = netlist.chip("T").unwrap();
    let mut tables = Tables::new(netlist);
    let mut known = vec![None; netlist.nets.len()];
    let lines = |facts: Rc<Facts>| (0..17).filter(|&line| facts.moves[line] != 0).collect::<Vec<_>>();
    assert_eq!(lines(tables.facts(latch, &known)), (0..17).collect::<Vec<_>>());
    known[netlist.net("PH1").unwrap()] = Some(false);
    assert_eq!(lines(tables.facts(latch, &known)), (8..16).collect::<Vec<_>>());
    known[netlist.net("PH1").unwrap()] = Some(true);
    assert_eq!(lines(tables.facts(latch, &known)), (0..8).collect::<Vec<_>>());
}

#[test]
fn outside_phase_1_no_latch_is_open_and_ram_is_not_written() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let mut known = vec![None; netlist.nets.len()];
    known[netlist.net("PH1").unwrap()] = Some(false);
    Tables::new(netlist).follow(&mut known);
    for net in ["WE", "OUTE", "GE0", "GE7", "RE3"] {
        assert_eq!(known[netlist.net(net).unwrap()], Some(false), "{net}");
    }
    for net in ["W0", "INSEL", "TICK", "A0"] {
        assert_eq!(known[netlist.net(net).unwrap()], None, "{net}");
    }
}

#[test]
fn a_latch_keeps_its_byte_when_it_closes_and_not_when_it_opens() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let mut tables = Tables::new(netlist);
    let at = |level| {
        let mut known = vec![None; netlist.nets.len()];
        known[netlist.net("PH1").unwrap()] = Some(level);
        known
    };
    for (chip, opens) in [("T", 0xFF), ("TGL", 0x3F), ("DEC", 3), ("A", 0)] {
        let chip = netlist.chip(chip).unwrap();
        assert_eq!(tables.changes(chip, &at(false), &at(true)), opens, "{}", netlist.chips[chip].name);
    }
    assert_eq!(tables.changes(netlist.chip("T").unwrap(), &at(true), &at(false)), 0);
}

#[test]
fn ranges_are_written_out() {
    let text = "W13-15 A0-1 RST GREEN7_0-1 X3";
    let lines = Lines::try_from(text.to_owned()).unwrap();
    assert_eq!(lines.names(), ["W13", "W14", "W15", "A0", "A1", "RST", "GREEN7_0", "GREEN7_1", "X3"]);
    assert_eq!(lines.as_written(), text);
}

#[test]
fn odd_words_are_refused() {
    for word in ["7", "W7-0", "W-7", "W1-", "W0-9999", "W*", "-", "W0-7-9", "W1-1"] {
        assert!(Lines::try_from(word.to_owned()).is_err(), "{word}");
    }
}
