//! The drawing of the Gray-1 has every wire of its netlist, and shows correctly what moves and what matters.

use gray1_display::schematic::{Activity, Moment, Schematic, Source};
use gray1_machine::board::Board;
use gray1_machine::netlist::Holds;
use gray1_machine::{ChipsEngine, Engine, Noise};
use test_support::programs;

#[test]
fn every_wire_is_in_one_cable() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let schematic = Schematic::of(netlist);
    let driver = |net| schematic.blocks().iter().position(|block| block.drives.contains(&net)).unwrap();
    let mut wires = 0;
    for (id, chip) in netlist.chips.iter().enumerate() {
        let to = schematic.block_of(id).unwrap();
        for net in &chip.reads {
            let from = driver(*net);
            let cables = schematic.cables().iter().filter(|cable| cable.nets.contains(net) && cable.to == to);
            let expected = usize::from(from != to);
            assert_eq!(cables.filter(|cable| cable.from == from).count(), expected, "{}", chip.name);
            wires += 1;
        }
    }
    assert!(wires > 500, "{wires} wires");
    for cable in schematic.cables() {
        assert!(cable.from != cable.to && !cable.nets.is_empty());
        let Source::Chips(chips) = &schematic.blocks()[cable.to].source else {
            panic!("an input reads nothing")
        };
        for net in &cable.nets {
            assert!(netlist.chips[chips.clone()].iter().any(|chip| chip.reads.contains(net)));
        }
    }
    let drawn: usize = schematic.blocks().iter().map(|block| block.drives.len()).sum();
    assert_eq!(drawn, netlist.nets.len());
}

/// In each phase of a program, cables that are shown as moved have changed, and inverting any single line of an idle cable
/// changes no output of a chip.
#[test]
fn an_idle_cable_makes_no_difference() {
    let board = Board::gray1();
    let netlist = board.netlist();
    let schematic = Schematic::of(netlist);
    let image = programs::assembled("queens", &[]).image;
    let mut engine = ChipsEngine::power_up(&board, &image, Noise::Random(1)).unwrap();
    engine.run(1_000, &mut ()).unwrap();
    let levels =
        |engine: &ChipsEngine| (0..netlist.nets.len()).map(|net| engine.level(net)).collect::<Vec<_>>();
    let mut before = levels(&engine);
    let mut seen = [0; 3];
    for _ in 0..400 {
        engine.phase(&mut ()).unwrap();
        let now = levels(&engine);
        let moment = Moment::new(netlist, &now, &before);
        for cable in schematic.cables() {
            let activity = moment.of_cable(&schematic, cable);
            seen[activity as usize] += 1;
            let has_moved = cable.nets.iter().any(|net| now[*net] != before[*net]);
            assert_eq!(activity == Activity::Moved, has_moved);
            let Source::Chips(chips) = &schematic.blocks()[cable.to].source else { continue };
            for chip in netlist.chips[chips.clone()].iter().filter(|_| activity == Activity::Idle) {
                let Holds::Table(table) = chip.holds else { continue };
                let gives = |turned| {
                    let address = chip.reads.iter().rev().fold(0, |address, net| {
                        address << 1 | usize::from(now[*net] != (Some(*net) == turned))
                    });
                    netlist.tables[table][address]
                };
                assert!(cable.nets.iter().all(|net| gives(Some(*net)) == gives(None)), "{}", chip.name);
            }
        }
        before = now;
    }
    assert!(seen.iter().all(|count| *count > 1_000), "{seen:?}");
}
