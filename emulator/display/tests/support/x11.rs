//! A window on an X server of its own: started, looked at, clicked, closed. The tests of the display and of the
//! whole command use it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gray1_display::Pad;
use gray1_display::layout::Layout;

const PATIENCE: Duration = Duration::from_secs(20);

/// An X server that ends with this.
pub struct Server {
    process: Child,
    display: String,
}

impl Server {
    /// Starts one on a display that is free; none when the programs are not there, which is allowed except
    /// where `CI` is set.
    pub fn start() -> Option<Self> {
        let found = Self::start_if_there();
        if found.is_none() {
            assert!(std::env::var_os("CI").is_none(), "Xvfb and xdotool are needed to test the window");
            println!("skipped: Xvfb and xdotool are not there");
        }
        found
    }

    fn start_if_there() -> Option<Self> {
        Command::new("xdotool").arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        let mut process = Command::new("Xvfb")
            // Without -noreset it begins anew, and is deaf for a moment, whenever its last client leaves.
            .args(["-displayfd", "1", "-noreset", "-screen", "0", "1024x900x24", "-nolisten", "tcp"])
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

/// A program in its window, with the focus.
pub struct Shown<'a> {
    server: &'a Server,
    pub process: Child,
    /// The window's number, as xdotool names it.
    pub window: String,
    folder: PathBuf,
}

impl<'a> Shown<'a> {
    /// Starts a program that opens a window called Gray-1; its pictures go to a folder of its own.
    pub fn start(server: &'a Server, mut program: Command) -> Self {
        let name = format!("window-{}", server.display.trim_start_matches(':'));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the pictures");
        let process = program
            .current_dir(&folder)
            .env("DISPLAY", &server.display)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut demo = Self { server, process, window: String::new(), folder };
        let start = Instant::now();
        while demo.window.is_empty() {
            if start.elapsed() > PATIENCE || demo.process.try_wait().expect("a process").is_some() {
                let _ = demo.process.kill();
                let mut text = String::new();
                let _ = demo.process.stderr.take().expect("piped").read_to_string(&mut text);
                panic!("no window has opened on {}: {text}", server.display);
            }
            // A window that is not on the screen yet cannot have the focus.
            demo.window = demo.xdotool(&["search", "--onlyvisible", "--name", "Gray-1"]).trim().to_owned();
        }
        demo.xdotool(&["windowfocus", "--sync", &demo.window]);
        demo
    }

    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.server.display).output();
        String::from_utf8(output.expect("xdotool runs").stdout).expect("text")
    }

    pub fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key"], keys].concat());
    }

    /// Looks until the window shows what is expected.
    pub fn shows(&self, what: &str, seen: impl Fn(&Picture) -> bool) {
        let start = Instant::now();
        while !seen(&self.picture()) {
            assert!(start.elapsed() < PATIENCE, "the window does not show {what}");
        }
    }

    /// What the window shows, by its own screenshot.
    pub fn picture(&self) -> Picture {
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
    pub fn end(&mut self) -> String {
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

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a window shows.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Red, green and blue of each pixel.
    pub bytes: Vec<u8>,
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

    pub fn rgb_of(&self, pad: Pad) -> [u8; 3] {
        let cell = Layout::new(self.width, self.height).cell(pad);
        self.rgb((cell.y + cell.height / 2) * self.width + cell.x + cell.width / 2)
    }

    pub fn board(&self, layout: &Layout) -> Vec<[u8; 3]> {
        let area = layout.board;
        let rows = area.y..area.y + area.height;
        rows.flat_map(|y| (area.x..area.x + area.width).map(move |x| self.rgb(y * self.width + x))).collect()
    }

    pub fn lit(&self, pad: Pad) -> bool {
        self.rgb_of(pad).iter().any(|channel| *channel > 100)
    }
}
