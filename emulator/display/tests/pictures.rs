//! The picture, compared with reference pictures in `tests/pictures/`.
//!
//! A channel of a pixel may be off by [`TOLERANCE`] of 255, since other processors round differently. To update the
//! references after an intended change, run with `UPDATE=1` and look at them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use gray1_display::overlay::Help;
use gray1_display::render::Renderer;
use gray1_display::status::Status;
use gray1_display::{Led, Light};
use proptest::prelude::*;
use test_support::golden;
use test_support::player::with_queens;

const TOLERANCE: u8 = 3;

#[test]
fn an_unlit_board() {
    compare("unlit", 160, 180, &Light::default(), false);
}

#[test]
fn a_search_in_its_middle() {
    let light = with_queens(|session| {
        session.advance(66 * 40, Duration::MAX).unwrap();
        session.take_light();
        session.take_light()
    });
    compare("search", 160, 180, &light, false);
}

/// Left to right: brighter green, red, both; a tenth of the time is the second column.
#[test]
fn every_brightness_and_colour() {
    let mut light = Light::default();
    for (row, leds) in light.leds.iter_mut().enumerate() {
        for (column, led) in leds.iter_mut().enumerate() {
            let level = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0][column];
            *led = match row {
                0 | 1 => Led { green: level, red: 0.0 },
                2 | 3 => Led { green: 0.0, red: level },
                4 | 5 => Led { green: level, red: level },
                _ => Led { green: 1.0 - level, red: level },
            };
        }
    }
    compare("brightness", 160, 180, &light, false);
}

/// Green, red, both.
#[test]
fn shapes_beside_colours() {
    let mut light = Light::default();
    for leds in &mut light.leds {
        leds[1].green = 1.0;
        leds[3].red = 1.0;
        leds[5] = Led { green: 1.0, red: 1.0 };
    }
    compare("shapes", 320, 360, &light, false);
}

#[test]
fn the_help() {
    compare("help", 320, 460, &Light::default(), true);
}

#[test]
fn redrawing_what_changed_gives_the_same_picture_as_drawing_all() {
    let mut renderer = Renderer::new(200, 220);
    with_queens(|session| {
        for _ in 0..60 {
            session.advance(100, Duration::MAX).unwrap();
            let light = session.take_light();
            renderer.draw(&light, &status(), None);
            let mut whole = Renderer::new(200, 220);
            whole.draw(&light, &status(), None);
            assert!(renderer.pixels() == whole.pixels());
            assert!(!renderer.draw(&light, &status(), None), "nothing has changed");
        }
    });
    let light = Light::default();
    assert!(renderer.draw(&light, &status(), Some(Help::new("what it is"))));
    assert!(renderer.draw(&light, &status(), None));
    let mut whole = Renderer::new(200, 220);
    whole.draw(&light, &status(), None);
    assert!(renderer.pixels() == whole.pixels());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_size_can_be_drawn(
        (width, height) in prop_oneof![(0usize..40, 0usize..40), (0usize..3000, 0usize..12), (0usize..12, 0usize..3000), (0usize..500, 0usize..500)],
        green in 0.0f32..=1.0, help in any::<bool>(),
    ) {
        let light = Light { leds: [[Led { green, red: 1.0 - green }; 8]; 8] };
        let mut renderer = Renderer::new(width, height);
        renderer.draw(&light, &status(), help.then_some(Help::new("some help")));
        prop_assert_eq!(renderer.pixels().len(), width * height);
    }
}

fn status() -> Status {
    let left = ["running", "7.5 kHz", "136,482 cycles"].map(str::to_owned);
    Status { left: left.into(), right: "84136275".into(), hint: "H: keys".into() }
}

fn compare(name: &str, width: usize, height: usize, light: &Light, help: bool) {
    let mut renderer = Renderer::new(width, height);
    renderer.set_shapes(name == "shapes");
    let about = "Snake: eat the red apples, never yourself.\n\nSTART starts; the arrow keys turn.";
    renderer.draw(light, &status(), help.then_some(Help::new(about)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(format!("{name}.png"));
    if golden::updates() {
        let file = File::create(&path).expect("the folder can be written");
        renderer.write_png(file).expect("written");
    }
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG");
    let mut expected = vec![0; reader.output_buffer_size().expect("a small picture")];
    let info = reader.next_frame(&mut expected).expect("a whole PNG");
    assert_eq!((info.width as usize, info.height as usize), (width, height));
    for (index, (pixel, expected)) in renderer.pixels().iter().zip(expected.chunks_exact(3)).enumerate() {
        for (channel, expected) in pixel.to_be_bytes()[1..].iter().zip(expected) {
            let place = (index % width, index / width);
            assert!(channel.abs_diff(*expected) <= TOLERANCE, "{name}: {place:?} {pixel:06x}");
        }
    }
}
