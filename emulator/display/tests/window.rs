//! The real window, on an X server of its own: it opens, shows the board, reacts to mouse and keyboard, and
//! closes cleanly.

use std::process::Command;
use std::time::Duration;

use gray1_display::layout::Layout;
use gray1_display::render::Renderer;
use gray1_display::status::Status;
use gray1_display::{Light, Pad};
use test_support::example;
use test_support::player::with_queens;
use test_support::process::output;
use test_support::x11::{Picture, Server, WindowedProgram};

#[test]
fn a_window_opens_shows_reacts_and_closes() {
    let Some(server) = Server::start() else { return };
    let demo = start(&server, &["1"]);

    // It takes the first step after a minute, and until then the LEDs are dark.
    let picture = demo.picture();
    let (width, height) = (picture.width, picture.height);
    let layout = Layout::new(width, height);
    assert!(layout.board.width > 300, "{layout:?}");
    let mut renderer = Renderer::new(width, height);
    renderer.draw(&Light::default(), &Status::default(), None);
    let bytes = renderer.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
    let dark = Picture { width, height, bytes }.board(&layout);
    demo.shows("the board, all LEDs dark", |picture| picture.board(&layout) == dark);

    // An LED lights up in amber while it is pressed.
    let pad = Pad { row: 2, column: 5 };
    let cell = layout.cell(pad);
    let (x, y) = (cell.x + cell.width / 2, cell.y + cell.height / 2);
    demo.xdotool(&["mousemove", "--window", &demo.window, &x.to_string(), &y.to_string()]);
    demo.xdotool(&["mousedown", "1"]);
    demo.shows("a pressed LED", |picture| picture.lit(pad));
    demo.xdotool(&["mouseup", "1"]);
    demo.shows("the LED released", |picture| picture.board(&layout) == dark);

    // A key of the machine shows in the bottom row.
    demo.xdotool(&["keydown", "Right"]);
    demo.shows("a key held", |picture| picture.lit(Pad { row: 7, column: 1 }));
    demo.xdotool(&["keyup", "Right"]);
    demo.shows("the key released", |picture| picture.board(&layout) == dark);

    // The help covers the board with bright text, also while the machine is paused.
    demo.keys(&["space", "h"]);
    demo.shows("the help", |picture| picture.bytes.iter().filter(|byte| **byte > 150).count() > 1000);
    demo.keys(&["h"]);
    demo.shows("the board again", |picture| picture.board(&layout) == dark);
    demo.keys(&["h"]);
    demo.shows("the help", |picture| picture.bytes.iter().filter(|byte| **byte > 150).count() > 1000);
    demo.keys(&["Escape"]);
    demo.shows("the board, and no end", |picture| picture.board(&layout) == dark);

    // After a change of its size, the picture has the new size.
    demo.xdotool(&["windowsize", &demo.window, "300", "400"]);
    demo.shows("the new size", |picture| (picture.width, picture.height) == (300, 400));

    demo.keys(&["q"]);
    ends(demo, "Quit\n");
}

#[test]
fn after_a_halt_the_window_stays() {
    let Some(server) = Server::start() else { return };
    let demo = start(&server, &["1"]);
    demo.keys(&["f"]);
    let (_, last) = last_result_and_leds();
    demo.shows("the last picture", |picture| shows(picture, &last));
    demo.keys(&["Escape"]);
    ends(demo, "Halted\n");
}

#[test]
fn after_the_halt_of_a_machine_that_is_held_its_last_result_is_shown_or_the_leds() {
    let Some(server) = Server::start() else { return };
    let demo = start(&server, &["max", "hold"]);
    let (result, leds) = last_result_and_leds();
    assert_ne!(result, leds);
    demo.shows("the last solution", |picture| shows(picture, &result));
    demo.keys(&["l"]);
    demo.shows("the LEDs", |picture| shows(picture, &leds));
    demo.keys(&["l"]);
    demo.shows("the last solution again", |picture| shows(picture, &result));
    demo.keys(&["q"]);
    ends(demo, "Halted\n");
}

#[test]
fn without_a_server_opening_is_an_error_and_nothing_is_printed() {
    let output = output(Command::new(example("demo")).env("DISPLAY", ":987"));
    assert!(!output.status.success());
    assert_eq!(output.stdout, b"");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// What the LEDs show with the last result, and after the halt.
fn last_result_and_leds() -> (Light, Light) {
    with_queens(|session| {
        session.advance(u64::MAX, Duration::MAX).expect("it runs");
        session.take_light();
        (session.output().last_result().expect("there are solutions").light(), session.take_light())
    })
}

/// The demo at some speed.
fn start<'a>(server: &'a Server, speed: &[&str]) -> WindowedProgram<'a> {
    let mut command = Command::new(example("demo"));
    command.arg("window").args(speed);
    WindowedProgram::start(server, command)
}

/// Whether those LEDs are lit in a picture that are in a light.
fn shows(picture: &Picture, light: &Light) -> bool {
    (0..64).all(|led| {
        let pad = Pad { row: led / 8, column: led % 8 };
        let led = light.leds[usize::from(pad.row)][usize::from(pad.column)];
        picture.lit(pad) == (led.green > 0.0 || led.red > 0.0)
    })
}

fn ends(demo: WindowedProgram, message: &str) {
    let output = demo.end();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), message);
}
