//! Child processes that never outlive the test that started them.

pub use rustix::process::Signal;
use rustix::process::{Pid, kill_process, kill_process_group};
use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Nothing that a test waits for should take this long, however busy the computer is.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A running command. It is killed when this is dropped, also if the test panics.
pub struct Process {
    child: Child,
    /// Whether the command leads a process group that ends with it.
    leads_group: bool,
    /// Where the command reads from, if it was started with a pipe.
    pub stdin: Option<ChildStdin>,
    /// What the command prints, if it was started with a pipe.
    pub stdout: Option<ChildStdout>,
    /// The errors the command prints, if it was started with a pipe.
    pub stderr: Option<ChildStderr>,
}

impl Process {
    /// Starts a command that must be installed.
    pub fn start(command: &mut Command) -> Process {
        Process::spawn(command, false)
    }

    /// Starts a command that starts others, as a shell does. They end with it, but unlike those of [`Process::start`]
    /// they are not reached by a Ctrl-C that ends the test run.
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

    /// The process number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the command ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be waited for")
    }

    /// Waits for the end.
    pub fn wait(&mut self) -> ExitStatus {
        until("the command has ended", || self.ended())
    }

    /// Waits for the end, and reads what comes until then.
    pub fn output(mut self) -> Output {
        drop(self.stdin.take());
        let (stdout, stderr) = (read(self.stdout.take()), read(self.stderr.take()));
        let status = self.wait();
        // A process that it has left behind may hold the pipes.
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

    /// Waits until the command handles a signal.
    fn handles(&self, signal: Signal) {
        let status = format!("/proc/{}/status", self.id());
        let handled = || {
            let text = fs::read_to_string(&status).ok()?;
            let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
            (caught >> (signal.as_raw() - 1) & 1 == 1).then_some(())
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

/// Runs a command to its end, without input.
pub fn output(command: &mut Command) -> Output {
    Process::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped())).output()
}

/// Waits until something is there.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "not within {} seconds: {what}", PATIENCE.as_secs());
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
