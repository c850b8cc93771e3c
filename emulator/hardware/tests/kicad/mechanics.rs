//! Checks the boards as they lie on a table: cables reach, and pads are in line with their LEDs.

#![allow(clippy::unwrap_used)] // a test may panic

use crate::kicad::support;
use support::copper::{copper, numbers};
use support::{Built, Node, built};
use test_support::say;

/// The boards on a table, in millimetres: the display on the left, inputs and outputs 10 mm to its right, the CPU 10 mm
/// behind both, so far to the right of the display's left edge.
const BEHIND: f64 = 180.0;
const APART: f64 = 10.0;
/// What a ribbon cable needs to rise from a connector, and its shortest length: see the parts list.
const RISE: f64 = 15.0;
const CABLE: f64 = 150.0;
const WIRE: f64 = 500.0;

/// As the boards lie on a table, every cable is long enough, and rows of pads are in line with rows of LEDs.
#[test]
fn cables_reach_and_pads_are_beside_their_lights() {
    let Built { assembly, files, .. } = built();
    let boards = ["cpu", "io", "display"].map(|name| {
        let file = files.iter().find(|file| file.name == format!("kicad/{name}.kicad_pcb")).unwrap();
        Node::read(str::from_utf8(&file.bytes).unwrap())
    });
    let sizes = boards.each_ref().map(|board| copper(board).1);
    let origins = [[BEHIND, -sizes[0][1] - APART], [sizes[2][0] + APART, 0.0], [0.0, 0.0]];
    let place = |board: usize, name: &str, pad: &str| {
        let (all, _) = copper(&boards[board]);
        let edge = boards[board].get("gr_rect").unwrap().get("start").unwrap().clone();
        let own = format!("{name} pad {pad}");
        let at = all.iter().find(|copper| copper.what == own).unwrap_or_else(|| panic!("no {own}")).ends[0];
        let corner = numbers(&edge);
        [0, 1].map(|axis| at[axis] - corner[axis] + origins[board][axis])
    };
    let mut longest: f64 = 0.0;
    let mut count = 0;
    for cable in assembly.items.windows(3).filter(|items| items[2].board.is_none()) {
        let is_ribbon = cable[2].part == assembly.hardware.uses.cable;
        for pad in if is_ribbon { ["1", "40"] } else { ["1", "2"] } {
            let [one, other] = [0, 1].map(|end| place(cable[end].board.unwrap(), &cable[end].reference, pad));
            // A cable is folded, so it goes along both directions.
            let length = (one[0] - other[0]).abs() + (one[1] - other[1]).abs() + 2.0 * RISE;
            assert!(length < if is_ribbon { CABLE } else { WIRE }, "{}: {length:.0} mm", cable[2].reference);
            longest = if is_ribbon { longest.max(length) } else { longest };
        }
        count += 1;
    }
    assert_eq!(count, 5, "three cables and two wires");
    say(&format!("the longest way of a ribbon cable is {longest:.0} mm"));
    // Rows of pads and of LEDs: the middle of a button, and of a green and a red LED.
    let middle = |board: usize, name: &str, pads: &[&str]| {
        let at: Vec<f64> = pads.iter().map(|pad| place(board, name, pad)[1]).collect();
        at.iter().sum::<f64>() / at.len() as f64
    };
    for row in 0..8 {
        let net = |wanted: &str| {
            let has = |item: &&gray1_hardware::kit::Item| {
                item.pins.iter().any(|pin| pin.net.as_deref() == Some(wanted))
            };
            let of =
                |letter: char| move |item: &&gray1_hardware::kit::Item| item.reference.starts_with(letter);
            let letter = if wanted.starts_with("PAD") { 'S' } else { 'D' };
            assembly.items.iter().filter(of(letter)).find(has).unwrap().reference.clone()
        };
        let pad = middle(1, &net(&format!("PAD{row}_0")), &["1", "2"]);
        let lights = ["GREEN", "RED"].map(|colour| middle(2, &net(&format!("{colour}{row}_0_LED")), &["1"]));
        let lights = (lights[0] + lights[1]) / 2.0;
        assert!((pad - lights).abs() < 2.0, "row {row}: {pad:.1} and {lights:.1} mm");
    }
}
