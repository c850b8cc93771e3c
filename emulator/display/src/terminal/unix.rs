//! The terminal on Unix: its events, and whether it still exists. `windows.rs` has the same interface.
//!
//! When a terminal has gone away (its window was closed, its connection is lost) crossterm polls forever and notices no
//! signal. So the waiting is done here, and crossterm is called only while the terminal is there. If the terminal goes
//! away while crossterm is reading, a thread ends that.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::dup2_stdin;

/// The time that a terminal may have been gone before crossterm is made to stop.
const GRACE: Duration = Duration::from_millis(300);

/// The default of an environment variable that is not set: none.
pub fn assumed(_variable: &str) -> Option<String> {
    None
}

/// Waits for the next event, but no longer than `wait`.
///
/// # Errors
/// If the terminal has gone away.
pub fn next_event(wait: Duration) -> io::Result<Option<Event>> {
    let is_ready = has_event()? || has_event_within(wait)?;
    if is_ready { event::read().map(Some) } else { Ok(None) }
}

/// Whether there is an event.
///
/// # Errors
/// If the terminal has gone away.
pub fn has_event() -> io::Result<bool> {
    has_event_within(Duration::ZERO)
}

/// Waits until there is something to read or a signal arrives, but no longer than `wait`.
fn has_event_within(wait: Duration) -> io::Result<bool> {
    let terminal = terminal()?;
    let mut watched = [PollFd::new(&terminal, PollFlags::IN)];
    let time = Timespec::try_from(wait).map_err(io::Error::other)?;
    match poll(&mut watched, Some(&time)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    if watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
        return Err(io::Error::new(io::ErrorKind::BrokenPipe, "the terminal has gone away"));
    }
    // Some systems cannot wait for this device (macOS, for /dev/tty), and say so at once.
    let can_wait = !watched[0].revents().contains(PollFlags::NVAL);
    event::poll(if can_wait { Duration::ZERO } else { wait })
}

/// The file that crossterm reads: standard input if it is a terminal, else the controlling terminal of the process.
fn terminal() -> io::Result<BorrowedFd<'static>> {
    static STDIN: OnceLock<io::Stdin> = OnceLock::new();
    static OWN: OnceLock<File> = OnceLock::new();
    static WATCH: OnceLock<JoinHandle<()>> = OnceLock::new();
    let stdin = STDIN.get_or_init(io::stdin);
    if stdin.is_terminal() {
        WATCH.get_or_init(|| thread::spawn(end_with_terminal));
        return Ok(stdin.as_fd());
    }
    if OWN.get().is_none() {
        let _ = OWN.set(File::open("/dev/tty")?); // a file opened by another thread is just as good
    }
    OWN.get().map(AsFd::as_fd).ok_or_else(|| io::Error::other("there is no terminal"))
}

/// Waits until the terminal on standard input goes away. If crossterm happens to read it then, it reads the end of the
/// file again and again; a pipe in its place, in which there is nothing yet, makes it stop.
fn end_with_terminal() {
    let stdin = io::stdin();
    while let Err(Errno::INTR) = poll(&mut [PollFd::new(&stdin, PollFlags::empty())], None) {}
    thread::sleep(GRACE);
    if let Ok((nothing, _writer)) = empty_pipe() {
        let _ = dup2_stdin(nothing); // if that fails, nothing has changed
        loop {
            thread::park(); // the pipe has to stay open
        }
    }
}

/// A pipe that says at once that there is nothing in it.
#[cfg(not(target_vendor = "apple"))]
fn empty_pipe() -> Result<(OwnedFd, OwnedFd), Errno> {
    use rustix::pipe::{PipeFlags, pipe_with};
    pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC)
}

/// Creates such a pipe in two steps, on systems that cannot do it in one.
#[cfg(target_vendor = "apple")]
fn empty_pipe() -> Result<(OwnedFd, OwnedFd), Errno> {
    let (reader, writer) = rustix::pipe::pipe()?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((reader, writer))
}
