//! Runs the command in a temporary folder.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use test_support::folder;
use test_support::process::{Process, output};

/// The binary under test.
pub const GRAY1: &str = env!("CARGO_BIN_EXE_gray1");

/// A temporary folder, which is removed on drop.
pub struct Folder(folder::Folder);

impl Folder {
    pub fn new() -> Folder {
        Folder(folder::Folder::create())
    }

    /// Makes a folder with a program `p.g1`.
    pub fn with(program: &str) -> Folder {
        let folder = Folder::new();
        folder.write("p.g1", program);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Lists the names of all files, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Makes a command with these arguments, in this folder and without a display.
    pub fn command(&self, line: &(impl CommandLine + ?Sized)) -> Command {
        let mut command = Command::new(GRAY1);
        command.args(line.words()).current_dir(self.0.path()).env_remove("DISPLAY").stdin(Stdio::null());
        command
    }

    pub fn gray1(&self, line: &(impl CommandLine + ?Sized)) -> Outcome {
        Outcome::of(&line.words(), &output(&mut self.command(line)))
    }

    /// Runs the command with this text on standard input.
    pub fn gray1_with_input(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut process = Process::start(
            self.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()),
        );
        // A command that ends before it has read everything closes the pipe.
        let _ = process.stdin.take().unwrap().write_all(input);
        Outcome::of(arguments, &process.output())
    }

    /// Starts the command with these arguments. Its output goes to pipes.
    pub fn start(&self, line: &(impl CommandLine + ?Sized)) -> Process {
        let mut command = self.command(line);
        Process::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }
}

/// A command line: a text with blanks between its words, or the words.
pub trait CommandLine {
    fn words(&self) -> Vec<&str>;
}

impl CommandLine for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl CommandLine for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> CommandLine for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl CommandLine for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

/// The result of a command.
#[derive(Debug)]
pub struct Outcome {
    #[allow(dead_code)] // shown when a test fails
    pub arguments: String,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    fn of(arguments: &[&str], output: &Output) -> Outcome {
        Outcome {
            arguments: arguments.join(" "),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts that the command succeeded.
    #[track_caller]
    pub fn succeeds(self) -> Outcome {
        self.ends_with(0)
    }

    #[track_caller]
    pub fn ends_with(self, code: i32) -> Outcome {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts that the command failed with all of these messages and wrote nothing to standard output.
    #[track_caller]
    pub fn fails(self, code: i32, messages: &[&str]) -> Outcome {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        for message in messages {
            assert!(self.stderr.contains(message), "`{message}` is missing in {self:#?}");
        }
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }
}

/// A program that sends `hi`, and then counts in the green top row for ever.
pub const ENDLESS: &str = "
        lda  #'h'
        sta  OUT
        lda  #'i'
        sta  OUT
        lda  #10
        sta  OUT
again:  lda  GREEN
        add  #1
        sta  GREEN
        jmp  again
";

/// A program that counts in six bytes. Its state does not repeat for years.
pub const COUNTS: &str = "
.ram  x, 6
again:
.for  k, 0, 6
      lda  #1
      add  x+k
      sta  x+k
      jc   .next
      jmp  again
.next:
.endfor
      jmp  again
";

/// A program that sends `hi` and halts.
pub const HI: &str = "
        lda  #'h'
        sta  OUT
        lda  #'i'
        sta  OUT
        lda  #10
        sta  OUT
halt:   jmp  halt
";
