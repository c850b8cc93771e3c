//! The drawing pad, compared with a board of colours while pads everywhere are tapped for short and long times.

use crate::expectations::drawn;
use gray1_machine::{Inputs, Noise};
use test_support::engines::{Seen, engines};
use test_support::programs::assembled;

#[test]
fn every_tap_changes_one_colour_however_long_it_lasts() {
    let image = assembled("draw", &[]).image;
    for (name, mut engine) in engines(&image, Noise::Random(4)) {
        let mut go_on = |inputs: Inputs, cycles: u64| {
            engine.press(inputs).expect("the board settles");
            engine.run(cycles, &mut Seen::default()).expect("the board settles");
            drawn(&engine.state().ram[0xFE0..0xFF0])
        };
        go_on(Inputs::default(), 100);
        let mut colours = [[0usize; 8]; 8];
        for tap in 0..400u64 {
            // Some LEDs are tapped once or twice, those on the left often.
            let (place, round) = (tap as usize * 37 % 64, tap as usize / 100);
            let (row, column) = (place / 8, (place % 8) & !round);
            let pad = Some((row as u8, column as u8));
            go_on(Inputs { pad, keys: 0 }, 130 + tap % 7 * 61);
            let shown = go_on(Inputs::default(), 60 + tap % 5);
            colours[row][column] += 1;
            let expected = colours.map(|row| row.map(|taps| [".", "G", "R", "A"][taps % 4]).join(" "));
            assert_eq!(shown, expected, "{name}, tap {tap}");
        }
        let before = go_on(Inputs::default(), 100);
        assert_eq!(go_on(Inputs { pad: None, keys: 0b011_1111 }, 100), before, "{name}: other keys");
        assert_eq!(go_on(Inputs { pad: None, keys: 0b100_0000 }, 100), vec![". . . . . . . ."; 8], "{name}");
    }
}
