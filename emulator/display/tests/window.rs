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

    // Paused before anything has run, it shows what the machine shows before its first step: dark LEDs.
    demo.keys(&["space"]);
    let picture = demo.picture();
    let (width, height) = (picture.width, picture.height);
    let layout = Layout::new(width, height);
    assert!(layout.board.width > 300, "{layout:?}");
    let mut renderer = Renderer::new(width, height);
    renderer.draw(&Light::default(), &Status::default(), false);
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

    // The help covers the board with bright text.
    demo.keys(&["h"]);
    demo.shows("the help", |picture| picture.bytes.iter().filter(|byte| **byte > 150).count() > 1000);
    demo.keys(&["h"]);
    demo.shows("the board again", |picture| picture.board(&layout) == dark);

    // Another size, and the picture has it.
    demo.xdotool(&["windowsize", &demo.window, "300", "400"]);
    demo.shows("the new size", |picture| (picture.width, picture.height) == (300, 400));

    demo.keys(&["q"]);
    assert_eq!(demo.end(), "Quit\n");
}

#[test]
fn after_a_halt_the_window_stays() {
    let Some(server) = Server::start() else { return };
    let mut demo = Demo::start(&server);
    demo.keys(&["f"]);
    let mut queens = Queens::new();
    queens.advance(u64::MAX);
    queens.take_light();
    let last = queens.take_light();
    demo.shows("the last picture", |picture| {
        (0..64).all(|led| {
            let pad = Pad { row: led / 8, column: led % 8 };
            let led = last.leds[usize::from(pad.row)][usize::from(pad.column)];
            picture.lit(pad) == (led.green > 0.0 || led.red > 0.0)
        })
    });
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
        demo
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.server.display).output();
        String::from_utf8(output.expect("xdotool runs").stdout).expect("text")
    }

    fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key"], keys].concat());
    }

    /// Looks until the window shows what is expected.
    fn shows(&self, what: &str, seen: impl Fn(&Picture) -> bool) {
        let start = Instant::now();
        while !seen(&self.picture()) {
            assert!(start.elapsed() < PATIENCE, "the window does not show {what}");
        }
    }

    /// What the window shows, by its own screenshot.
    fn picture(&self) -> Picture {
        self.keys(&["p"]);
        let start = Instant::now();
        let path = self.folder.join("gray1-1.png");
        loop {
            if let Some(picture) = Picture::read(&path) {
                fs::remove_file(path).expect("the screenshot is there");
                return picture;
            }
            assert!(start.elapsed() < PATIENCE, "no screenshot has been saved");
            thread::sleep(Duration::from_millis(20));
        }
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
    /// None while the file is not there or not whole yet.
    fn read(path: &Path) -> Option<Self> {
        let mut reader = png::Decoder::new(BufReader::new(fs::File::open(path).ok()?)).read_info().ok()?;
        let mut bytes = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut bytes).ok()?;
        Some(Self { width: info.width as usize, height: info.height as usize, bytes })
    }

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
