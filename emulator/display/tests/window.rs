//! The real window, on an X server of its own: it opens, shows the board, reacts to mouse and keyboard, and
//! closes cleanly.
//!
//! Needs the programs `Xvfb` and `xdotool`; without them the test says so and passes, except where `CI` is
//! set.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gray1_display::layout::Layout;
use gray1_display::render::Renderer;
use gray1_display::status::Status;
use gray1_display::{Light, Pad, Player};
use support::Queens;

const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn a_window_opens_shows_reacts_and_closes() {
    let Some(server) = Server::start() else {
        assert!(std::env::var_os("CI").is_none(), "Xvfb and xdotool are needed to test the window");
        println!("skipped: Xvfb and xdotool are not there");
        return;
    };
    let mut demo = Demo::start(&server);

    // Paused before anything has run, it shows what the machine shows before its first step.
    demo.keys(&["space"]);
    let picture = demo.picture();
    let layout = Layout::new(picture.width, picture.height);
    assert!(layout.board.width > 300, "{layout:?}");
    let mut expected = Renderer::new(picture.width, picture.height);
    expected.draw(&Light::default(), &Status::default(), false);
    let drawn: Vec<u8> =
        expected.pixels().iter().flat_map(|pixel| pixel.to_be_bytes()[1..].to_vec()).collect();
    let drawn = Picture { bytes: drawn, ..picture };
    assert!(picture.board(&layout) == drawn.board(&layout), "the board, all LEDs dark");

    // An LED lights up in amber while it is pressed.
    let pad = Pad { row: 2, column: 5 };
    let cell = layout.cell(pad);
    let place = (cell.x + cell.width / 2, cell.y + cell.height / 2);
    demo.xdotool(&["mousemove", "--window", &demo.window, &place.0.to_string(), &place.1.to_string()]);
    demo.xdotool(&["mousedown", "1"]);
    demo.settle();
    assert!(demo.picture().lit(pad), "{pad:?} is pressed");
    demo.xdotool(&["mouseup", "1"]);
    demo.settle();
    assert!(!demo.picture().lit(pad), "{pad:?} is released");

    // A key of the machine shows in the bottom row.
    let right = Pad { row: 7, column: 1 };
    assert!(!demo.picture().lit(right));
    demo.xdotool(&["keydown", "Right"]);
    demo.settle();
    assert!(demo.picture().lit(right));
    demo.xdotool(&["keyup", "Right"]);
    demo.settle();
    assert!(!demo.picture().lit(right));

    // The help covers the board.
    let before = demo.picture();
    demo.keys(&["h"]);
    let helped = demo.picture();
    assert!(helped.bytes.iter().filter(|byte| **byte > 150).count() > 1000, "text is bright");
    demo.keys(&["h"]);
    assert!(demo.picture().board(&layout) == before.board(&layout));

    // Another size, and the board fills that.
    demo.xdotool(&["windowsize", &demo.window, "300", "400"]);
    demo.settle();
    let picture = demo.picture();
    assert_eq!((picture.width, picture.height), (300, 400));
    assert!(picture.bytes.len() == 300 * 400 * 3);

    demo.keys(&["q"]);
    assert_eq!(demo.end(), "Quit\n");
}

#[test]
fn after_a_halt_the_window_stays() {
    let Some(server) = Server::start() else { return };
    let mut demo = Demo::start(&server);
    demo.keys(&["f"]);
    thread::sleep(Duration::from_secs(1));
    let mut queens = Queens::new();
    queens.advance(u64::MAX);
    queens.take_light();
    let expected = queens.take_light();
    let picture = demo.picture();
    for row in 0..8 {
        for column in 0..8 {
            let led = expected.leds[row][column];
            let pad = Pad { row: row as u8, column: column as u8 };
            assert_eq!(picture.lit(pad), led.green > 0.0 || led.red > 0.0, "{pad:?}");
        }
    }
    demo.keys(&["Escape"]);
    assert_eq!(demo.end(), "Halted\n");
}

#[test]
fn without_a_server_opening_is_an_error_and_nothing_is_printed() {
    let output = Command::new(example()).env("DISPLAY", ":987").output().expect("the example runs");
    assert!(!output.status.success());
    assert_eq!(output.stdout, b"");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// An X server that ends with this.
struct Server {
    process: Child,
    display: String,
}

impl Server {
    /// Starts one on a display that is free; none when the programs are not there.
    fn start() -> Option<Self> {
        Command::new("xdotool").arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1024x900x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb tells its display");
        Some(Self { process, display: format!(":{}", number.trim()) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The demo in its window, with the focus.
struct Demo<'a> {
    server: &'a Server,
    process: Child,
    window: String,
    folder: PathBuf,
}

impl<'a> Demo<'a> {
    fn start(server: &'a Server) -> Self {
        let name = format!("window-{}", server.display.trim_start_matches(':'));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the pictures");
        let process = Command::new(example())
            .args(["window", "1"])
            .current_dir(&folder)
            .env("DISPLAY", &server.display)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the example starts");
        let mut demo = Self { server, process, window: String::new(), folder };
        let start = Instant::now();
        while demo.window.is_empty() {
            assert!(start.elapsed() < PATIENCE, "no window has opened");
            // A window that is not on the screen yet cannot have the focus.
            demo.window = demo.xdotool(&["search", "--onlyvisible", "--name", "Gray-1"]).trim().to_owned();
        }
        demo.xdotool(&["windowfocus", "--sync", &demo.window]);
        demo.settle();
        demo
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.server.display).output();
        String::from_utf8(output.expect("xdotool runs").stdout).expect("text")
    }

    fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key"], keys].concat());
        self.settle();
    }

    /// Gives the window some frames to react in.
    fn settle(&self) {
        thread::sleep(Duration::from_millis(300));
    }

    /// What the window shows, by its own screenshot.
    fn picture(&self) -> Picture {
        self.keys(&["p"]);
        let start = Instant::now();
        let newest = || {
            let names = fs::read_dir(&self.folder).expect("the folder").filter_map(Result::ok);
            names
                .map(|entry| entry.path())
                .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        };
        let path = loop {
            assert!(start.elapsed() < PATIENCE, "no screenshot has been saved");
            match newest() {
                Some(path) => break path,
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        let file = BufReader::new(fs::File::open(&path).expect("the screenshot"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a small picture")];
        let info = reader.next_frame(&mut bytes).expect("a whole PNG");
        fs::remove_file(path).expect("the screenshot is there");
        Picture { width: info.width as usize, height: info.height as usize, bytes }
    }

    /// What it printed when it had ended in peace.
    fn end(&mut self) -> String {
        let start = Instant::now();
        let status = loop {
            match self.process.try_wait().expect("a process") {
                Some(status) => break status,
                None if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
                None => panic!("the window does not close"),
            }
        };
        let mut text = String::new();
        self.process.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
        assert!(status.success(), "{status}: {text}");
        text
    }
}

impl Drop for Demo<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Picture {
    fn rgb(&self, index: usize) -> [u8; 3] {
        [self.bytes[index * 3], self.bytes[index * 3 + 1], self.bytes[index * 3 + 2]]
    }

    fn rgb_of(&self, pad: Pad) -> [u8; 3] {
        let cell = Layout::new(self.width, self.height).cell(pad);
        self.rgb((cell.y + cell.height / 2) * self.width + cell.x + cell.width / 2)
    }

    fn board(&self, layout: &Layout) -> Vec<[u8; 3]> {
        let area = layout.board;
        let rows = area.y..area.y + area.height;
        rows.flat_map(|y| (area.x..area.x + area.width).map(move |x| self.rgb(y * self.width + x))).collect()
    }

    fn lit(&self, pad: Pad) -> bool {
        self.rgb_of(pad).iter().any(|channel| *channel > 100)
    }
}

/// The demo: cargo builds examples with the tests, beside them.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(Path::parent).expect("target/debug/deps");
    folder.join("examples/demo")
}
