//! Child processes that never outlive their test.

pub use rustix::process::Signal;
use rustix::process::{Pid, kill_process, kill_process_group};
use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The timeout for everything that a test waits for. It is generous, so that a busy computer does not fail a test.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// A running command. It is killed on drop, even if the test panics.
pub struct Process {
    child: Child,
    /// Set if the command leads a process group, which is killed with it.
    leads_group: bool,
    /// The standard input, if it is a pipe.
    pub stdin: Option<ChildStdin>,
    /// The standard output, if it is a pipe.
    pub stdout: Option<ChildStdout>,
    /// Standard error, if it is a pipe.
    pub stderr: Option<ChildStderr>,
}

impl Process {
    /// Starts a command that must be installed.
    pub fn start(command: &mut Command) -> Process {
        Process::spawn(command, false)
    }

    /// Starts a command that starts other processes, such as a shell, in a new process group. The whole group is killed
    /// on drop. A Ctrl-C that ends the test run does not reach the group.
    pub fn start_group(command: &mut Command) -> Process {
        Process::spawn(command.process_group(0), true)
    }

    #[allow(clippy::disallowed_methods)] // the one place where tests start processes
    fn spawn(command: &mut Command, leads_group: bool) -> Process {
        let program = command.get_program().to_owned();
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Process { child, leads_group, stdin, stdout, stderr }
    }

    /// Returns the process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the exit status, or `None` while the command runs.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be waited for")
    }

    /// Waits until the command ends.
    pub fn wait(&mut self) -> ExitStatus {
        until("the command has ended", || self.exit_status())
    }

    /// Waits until the command ends, and returns all its output.
    pub fn output(mut self) -> Output {
        drop(self.stdin.take());
        let (stdout, stderr) = (read(self.stdout.take()), read(self.stderr.take()));
        let status = self.wait();
        // A process left behind by the command could keep the pipes open.
        self.kill_group();
        let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().expect("reading does not panic"));
        Output { status, stdout, stderr }
    }

    fn kill_group(&self) {
        if self.leads_group {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
    }

    /// Sends the signal of Ctrl-C, as soon as the command handles it.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// Sends a signal as soon as the command handles it.
    pub fn signal(&self, signal: Signal) {
        self.handles(signal);
        kill_process(Pid::from_child(&self.child), signal).expect("the command has not ended yet");
    }

    /// Waits until the command has installed a handler for the signal, because earlier the signal would kill it. A
    /// signal between the installation of the handler and the registration of its actions has no effect. Therefore this
    /// also waits for the handler of SIGTERM, which is installed next.
    fn handles(&self, signal: Signal) {
        let status = format!("/proc/{}/status", self.id());
        let handled = || {
            let text = fs::read_to_string(&status).ok()?;
            let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
            let is_caught = |signal: Signal| caught >> (signal.as_raw() - 1) & 1 == 1;
            (is_caught(signal) && is_caught(Signal::TERM)).then_some(())
        };
        until("the command handles the signal", handled);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command without input and waits until it ends.
pub fn output(command: &mut Command) -> Output {
    Process::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped())).output()
}

/// Reads a number from the status of a process, by the prefix of its line; `None` once the process has ended.
pub fn kilobytes(process: u32, line: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let text = status.lines().find_map(|text| text.strip_prefix(line))?;
    text.trim().trim_end_matches(" kB").parse().ok()
}

/// Polls `look` until it returns a value. After the timeout, panics with `what`.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < TIMEOUT, "not within {} seconds: {what}", TIMEOUT.as_secs());
        thread::sleep(Duration::from_millis(1));
    }
}

fn read(from: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            from.read_to_end(&mut bytes).expect("a pipe can be read");
        }
        bytes
    })
}
