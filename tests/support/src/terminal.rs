//! Runs commands on a pseudo-terminal, which `script` of util-linux provides. A terminal emulator in memory interprets
//! the output, so that tests can check what a user would see.

use crate::process::{Process, TIMEOUT};
use crate::tools::installed;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

const ROWS: u16 = 24;
const COLUMNS: u16 = 80;

/// The escape sequence that switches to the alternate screen.
pub const ALTERNATE_SCREEN: &str = "\x1b[?1049h";

/// A shell on a pseudo-terminal.
pub struct Shell {
    process: Process,
    output: Receiver<Vec<u8>>,
    /// The terminal emulator.
    pub terminal: vt100::Parser,
    /// All bytes of the output.
    pub all: Vec<u8>,
}

impl Shell {
    /// Runs a command, and prints the modes of the terminal before and after it. Returns `None` if the test must be
    /// skipped.
    pub fn start(command: &str, term: &str) -> Option<Self> {
        if !installed(&["script"]) {
            return None;
        }
        let line = format!("stty rows {ROWS} cols {COLUMNS}; stty -g; {command}; stty -g");
        let shell = format!("bash --norc -c \"{}\"", line.replace('$', "\\$"));
        let mut process = Process::start(
            Command::new("script")
                .args(["--quiet", "--flush", "--command", &shell, "/dev/null"])
                .env("TERM", term)
                .env("LC_ALL", "C.UTF-8")
                .env("RUST_BACKTRACE", "0")
                .env_remove("COLORTERM")
                .env_remove("NO_COLOR")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        );
        let mut from = process.stdout.take().expect("piped");
        let (to, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                if to.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Self { process, output, terminal: vt100::Parser::new(ROWS, COLUMNS, 0), all: Vec::new() })
    }

    /// Types a text.
    pub fn keys(&mut self, keys: &str) {
        let input = self.process.stdin.as_mut().expect("piped");
        input.write_all(keys.as_bytes()).and_then(|()| input.flush()).expect("the terminal listens");
    }

    /// Reads until the screen fulfils a condition, which `what` describes.
    pub fn until(&mut self, what: &str, seen: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !seen(self.terminal.screen()) {
            assert!(start.elapsed() < TIMEOUT, "no {what}:\n{}", self.terminal.screen().contents());
            assert!(self.read(), "ended without {what}:\n{}", self.terminal.screen().contents());
        }
    }

    /// Reads until a text has been written this many times, whether or not it is still visible.
    pub fn until_written(&mut self, text: &str, times: usize) {
        let start = Instant::now();
        while self.all.windows(text.len()).filter(|window| *window == text.as_bytes()).count() < times {
            assert!(start.elapsed() < TIMEOUT, "no {text:?}:\n{}", self.terminal.screen().contents());
            assert!(self.read(), "ended without {text:?}:\n{}", self.terminal.screen().contents());
        }
    }

    /// Reads until the command ends. The screen must show `message`, and the modes of the terminal must be restored.
    pub fn ends_restored(&mut self, message: &str) {
        let start = Instant::now();
        while self.read() {
            assert!(start.elapsed() < TIMEOUT, "no end:\n{}", self.terminal.screen().contents());
        }
        let text = String::from_utf8_lossy(&self.all).into_owned();
        let modes: Vec<&str> = text.lines().filter(|line| line.matches(':').count() > 20).collect();
        assert!(modes.len() >= 2 && modes.iter().all(|mode| *mode == modes[0]), "{modes:#?}\n{text}");
        let screen = self.terminal.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{text}");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(screen.contents().contains(message), "{}", screen.contents());
    }

    /// Reads the available output. Returns false at the end.
    fn read(&mut self) -> bool {
        match self.output.recv_timeout(Duration::from_millis(100)) {
            Ok(bytes) => {
                self.terminal.process(&bytes);
                self.all.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }
}
