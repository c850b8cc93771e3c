//! The display in a terminal.
//!
//! When the program halts, the display ends and leaves its last picture behind, so that scripts go on. A
//! terminal that cannot move its cursor (`TERM=dumb`) shows only that. An LED is pressed with the mouse, where
//! the terminal has one; the arrows are keys of the machine.

mod capabilities;
mod events;
mod guard;
mod input;
mod picture;
mod screen;
mod signals;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::terminal;

pub use capabilities::{Capabilities, Colors};
pub use events::{has_event, next_event};
pub use guard::{Guard, Stream};
use input::{Input, Request};
use picture::Picture;
pub use signals::Signals;

use crate::controls::Action;
use crate::error::DisplayError;
use crate::playback::Playback;
use crate::player::Player;
use crate::status::Status;
use gray1_machine::{Speed, Stop};

/// A terminal is slower than a window, and half as many pictures are enough.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// Plays a machine in the terminal on `stream` until it stops, the person quits, or `interrupt` is set.
///
/// Until then nobody else may write to the terminal: on [`Stream::Output`], what the program sends to its
/// output port has to be kept back and written afterwards.
///
/// Ends on SIGINT, SIGTERM and SIGHUP as on `interrupt`. Those signals do nothing afterwards, unless the
/// caller listens to them: it should, and pass what it hears as `interrupt`.
///
/// # Errors
/// When the machine fails or the terminal is lost; the terminal is given back first.
pub fn show(
    stream: Stream,
    player: &mut dyn Player,
    speed: Speed,
    interrupt: &AtomicBool,
) -> Result<Stop, DisplayError> {
    let mut show = Show {
        stream,
        capabilities: Capabilities::of(|name| std::env::var(name).ok()),
        signals: Signals::new()?,
        interrupt,
        playback: Playback::new(speed, FRAME, Duration::ZERO),
        player,
        start: Instant::now(),
    };
    let stop = if show.capabilities.moves_cursor { show.draw()? } else { show.wait()? };
    if matches!(stop, Stop::Halted | Stop::Limit) {
        show.leave_last_picture()?;
    }
    Ok(stop)
}

/// A machine being shown.
struct Show<'a> {
    stream: Stream,
    capabilities: Capabilities,
    signals: Signals,
    interrupt: &'a AtomicBool,
    playback: Playback,
    player: &'a mut dyn Player,
    start: Instant,
}

impl Show<'_> {
    /// Plays and draws, while the terminal is lent.
    fn draw(&mut self) -> Result<Stop, DisplayError> {
        let guard = Guard::new(self.stream)?;
        let mut input = Input::default();
        let mut help = false;
        let mut shown = None;
        let (columns, rows) = size();
        let mut picture = Picture::new(columns, rows, self.capabilities);
        let mut next = self.now();
        loop {
            next = (next + FRAME).max(self.now());
            let mut suspend = false;
            let mut repaint = false;
            loop {
                match input.wait(next.saturating_sub(self.now()), self.now())? {
                    None => {}
                    Some(Request::Interrupt) => return Ok(Stop::Interrupted),
                    Some(Request::Suspend) => suspend = true,
                    Some(Request::Repaint) => repaint = true,
                    Some(Request::Act(Action::Quit)) => return Ok(self.player.stop().unwrap_or(Stop::Quit)),
                    Some(Request::Act(Action::Help)) => help = !help,
                    Some(Request::Act(action)) => {
                        let now = self.now();
                        self.playback.act(action, self.player, now)?;
                    }
                }
                if self.now() >= next {
                    break;
                }
            }
            if self.interrupted() {
                return Ok(Stop::Interrupted);
            }
            if guard.suspend(&self.signals, suspend)? || repaint {
                let (columns, rows) = size();
                picture = Picture::new(columns, rows, self.capabilities);
                shown = None;
            }
            let pad = input.mouse().and_then(|(column, row)| picture.pad_at(column, row));
            self.player.press(pad, input.keys(self.now()));
            self.play()?;
            let status = Status::of(&self.playback, self.player, None);
            let screen = picture.screen(&self.player.take_light(), &status, help);
            let changes = screen.changes(shown.as_ref());
            if !changes.is_empty() {
                self.stream.send(&changes)?;
            }
            shown = Some(screen);
            if let Some(stop) = self.player.stop() {
                return Ok(stop);
            }
        }
    }

    /// Plays without drawing anything.
    fn wait(&mut self) -> Result<Stop, DisplayError> {
        loop {
            if self.interrupted() {
                return Ok(Stop::Interrupted);
            }
            let next = self.now() + FRAME;
            self.play()?;
            if let Some(stop) = self.player.stop() {
                return Ok(stop);
            }
            thread::sleep(next.saturating_sub(self.now()));
        }
    }

    fn leave_last_picture(&mut self) -> Result<(), DisplayError> {
        let (columns, rows) = size();
        // One row less: the line for the next command comes below.
        let mut picture = Picture::new(columns, rows.saturating_sub(1), self.capabilities);
        let status = Status::of(&self.playback, self.player, None);
        // Asked twice, a machine that stands tells what it shows, not what it has shown.
        self.player.take_light();
        let screen = picture.screen(&self.player.take_light(), &status, false);
        Ok(self.stream.send(&screen.lines())?)
    }

    fn play(&mut self) -> Result<(), DisplayError> {
        let start = self.start;
        self.playback.frame(self.player, &mut || start.elapsed())
    }

    fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.signals.end()
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Columns and rows of the terminal; a usual size when it does not tell.
fn size() -> (usize, usize) {
    let (columns, rows) = terminal::size().unwrap_or((80, 24));
    (columns.into(), rows.into())
}
