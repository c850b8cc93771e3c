//! What the terminal has to tell, for as long as there is one.
//!
//! Once a terminal has gone away (its window was closed, its connection broke) crossterm looks for more bytes for
//! ever, and hears no signal meanwhile. So the waiting is done here, and crossterm is asked only while the terminal is
//! there.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::OnceLock;
use std::time::Duration;

use crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Waits for what comes next, but not longer than this.
///
/// # Errors
/// When the terminal has gone away.
pub fn next_event(wait: Duration) -> io::Result<Option<Event>> {
    if !has_event()? {
        look(wait)?;
        if !has_event()? {
            return Ok(None);
        }
    }
    event::read().map(Some)
}

/// Whether something has come.
///
/// # Errors
/// When the terminal has gone away.
pub fn has_event() -> io::Result<bool> {
    look(Duration::ZERO)?;
    event::poll(Duration::ZERO)
}

/// Waits until there is something to read, or a signal has come.
fn look(wait: Duration) -> io::Result<()> {
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
    Ok(())
}

/// Where crossterm reads: standard input if that is a terminal, else the one that the process belongs to.
fn terminal() -> io::Result<BorrowedFd<'static>> {
    static STDIN: OnceLock<io::Stdin> = OnceLock::new();
    static OWN: OnceLock<File> = OnceLock::new();
    let stdin = STDIN.get_or_init(io::stdin);
    if stdin.is_terminal() {
        return Ok(stdin.as_fd());
    }
    if OWN.get().is_none() {
        let _ = OWN.set(File::open("/dev/tty")?); // another thread's is as good
    }
    OWN.get().map(AsFd::as_fd).ok_or_else(|| io::Error::other("there is no terminal"))
}
