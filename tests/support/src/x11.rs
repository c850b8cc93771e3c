//! Runs programs in a window on a virtual X server: mouse, keys, screenshots. The tests of the display and of the
//! command use it.

use crate::folder::Folder;
use crate::process::{Process, TIMEOUT, output, until};
use crate::tools::installed;
use gray1_display::Pad;
use gray1_display::layout::Layout;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// An X server, which is killed on drop.
pub struct Server {
    _process: Process,
    /// The value of `DISPLAY` for its programs.
    pub display: String,
}

impl Server {
    /// Starts a server on a free display. Returns `None` if the test must be skipped.
    pub fn start() -> Option<Self> {
        if !installed(&["Xvfb", "xdotool"]) {
            return None;
        }
        let mut process = Process::start(
            Command::new("Xvfb")
                // Without -noreset the server resets when its last client disconnects, and then does not respond for a
                // moment.
                .args(["-displayfd", "1", "-noreset", "-screen", "0", "1024x900x24", "-nolisten", "tcp"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        );
        let mut number = String::new();
        let stdout = process.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb prints its display");
        Some(Self { _process: process, display: format!(":{}", number.trim()) })
    }
}

/// A program whose window has the focus.
pub struct WindowedProgram<'a> {
    server: &'a Server,
    process: Process,
    /// The window's ID for xdotool.
    pub window: String,
    folder: Folder,
}

impl<'a> WindowedProgram<'a> {
    /// Starts a program that opens a window titled Gray-1. Its screenshots go to a temporary folder.
    pub fn start(server: &'a Server, mut program: Command) -> Self {
        let folder = Folder::create();
        let process = Process::start(
            program
                .current_dir(folder.path())
                .env("DISPLAY", &server.display)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        );
        let mut program_window = Self { server, process, window: String::new(), folder };
        program_window.window = until("a window has opened", || {
            if program_window.process.exit_status().is_some() {
                let mut text = String::new();
                let _ = program_window.process.stderr.take().expect("piped").read_to_string(&mut text);
                panic!("no window has opened on {}: {text}", server.display);
            }
            // Only a visible window can have the focus.
            let window =
                program_window.xdotool(&["search", "--onlyvisible", "--name", "Gray-1"]).trim().to_owned();
            (!window.is_empty()).then_some(window)
        });
        program_window.xdotool(&["windowfocus", "--sync", &program_window.window]);
        program_window
    }

    /// Returns the process ID.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Runs xdotool on the server, and returns its output.
    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let mut xdotool = Command::new("xdotool");
        let output = output(xdotool.args(arguments).env("DISPLAY", &self.server.display));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Moves the mouse to an LED, and then presses or releases its button: `mousedown` or `mouseup`.
    pub fn mouse(&self, pad: Pad, what: &str) {
        let geometry = self.xdotool(&["getwindowgeometry", "--shell", &self.window]);
        let side = |name: &str| {
            let line = geometry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.and_then(|number| number.parse().ok()).expect("the size of the window")
        };
        let cell = Layout::new(side("WIDTH"), side("HEIGHT")).cell(pad);
        let (x, y) = (cell.x + cell.width / 2, cell.y + cell.height / 2);
        self.xdotool(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string(), what, "1"]);
    }

    /// Presses keys one after the other, by their names in xdotool.
    pub fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key"], keys].concat());
    }

    /// Waits until a screenshot fulfils a condition, which `what` describes.
    pub fn shows(&self, what: &str, seen: impl Fn(&Picture) -> bool) {
        let start = Instant::now();
        while !seen(&self.picture()) {
            assert!(start.elapsed() < TIMEOUT, "the window does not show {what}");
        }
    }

    /// Takes a screenshot with the window's own function.
    pub fn picture(&self) -> Picture {
        self.keys(&["p"]);
        let path = self.folder.path().join("gray1-1.png");
        let picture = until("a screenshot is saved", || Picture::read(&path));
        fs::remove_file(path).expect("the screenshot is there");
        picture
    }

    /// Sends the signal of Ctrl-C.
    pub fn interrupt(&self) {
        self.process.interrupt();
    }

    /// Waits until the program ends, and returns what it printed.
    pub fn end(self) -> Output {
        self.process.output()
    }
}

/// A screenshot of a window.
pub struct Picture {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// Red, green and blue of each pixel.
    pub bytes: Vec<u8>,
}

impl Picture {
    /// Reads a picture, or `None` while the file is missing or incomplete.
    fn read(path: &Path) -> Option<Self> {
        let mut reader = png::Decoder::new(BufReader::new(fs::File::open(path).ok()?)).read_info().ok()?;
        let mut bytes = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut bytes).ok()?;
        Some(Self { width: info.width as usize, height: info.height as usize, bytes })
    }

    fn rgb(&self, index: usize) -> [u8; 3] {
        [self.bytes[index * 3], self.bytes[index * 3 + 1], self.bytes[index * 3 + 2]]
    }

    /// The colour in the middle of an LED.
    pub fn rgb_of(&self, pad: Pad) -> [u8; 3] {
        let cell = Layout::new(self.width, self.height).cell(pad);
        self.rgb((cell.y + cell.height / 2) * self.width + cell.x + cell.width / 2)
    }

    /// The pixels of the area with the LEDs.
    pub fn board(&self, layout: &Layout) -> Vec<[u8; 3]> {
        let area = layout.board;
        let rows = area.y..area.y + area.height;
        rows.flat_map(|y| (area.x..area.x + area.width).map(move |x| self.rgb(y * self.width + x))).collect()
    }

    /// Whether an LED is lit.
    pub fn lit(&self, pad: Pad) -> bool {
        self.rgb_of(pad).iter().any(|channel| *channel > 100)
    }
}
