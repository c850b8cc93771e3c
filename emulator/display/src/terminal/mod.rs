//! The display in a terminal.
//!
//! When the program halts, the display ends and leaves its last result or picture on the screen, so that scripts can go
//! on. A terminal that cannot move its cursor (`TERM=dumb`) shows only that picture. The mouse presses an LED if the
//! terminal has a mouse; the arrows are keys of the machine.

mod capabilities;
mod guard;
mod input;
mod picture;
mod screen;
mod signals;
#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(not(windows), path = "unix.rs")]
mod system;

use std::thread;
use std::time::Duration;

use gray1_machine::{Inputs, Stop};

pub use capabilities::{Capabilities, Colors};
pub use guard::{Guard, Stream};
use input::{Input, Request};
use picture::Picture;
pub use signals::Signals;
pub use system::{has_event, next_event};

use crate::controls::Action;
use crate::ending::{Ending, LastResult};
use crate::error::DisplayError;
use crate::layout::Pad;
use crate::session::Session;
use crate::settings::Settings;
use crate::status::Status;
use crate::viewer::Viewer;

/// Half as many frames as in the window: a terminal is slower.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// Plays a machine in the terminal on `stream` until it stops, the user quits, or the run is interrupted.
///
/// Until then nothing else may write to the terminal: on [`Stream::Output`], what the program sends to its output port
/// has to be held back. `before_last` may write it: it is called when the terminal has been given back, before the last
/// picture is left there.
///
/// SIGINT, SIGTERM and SIGHUP end the display like an interruption. Afterwards these signals do nothing unless the caller
/// catches them; it should, and interrupt the run.
///
/// # Errors
/// If the machine fails or the terminal is lost. The terminal is given back first.
pub fn show(
    stream: Stream,
    session: &mut Session,
    settings: Settings,
    before_last: &mut dyn FnMut(),
) -> Result<Stop, DisplayError> {
    let capabilities = Capabilities::from_environment();
    // Without drawing there is no reason to hold the machine.
    let hold = if capabilities.moves_cursor { settings.hold } else { Duration::ZERO };
    session.play(settings.speed, hold, FRAME);
    let viewer = Viewer::new(settings);
    let mut show = Show { stream, capabilities, signals: Signals::new()?, viewer, session };
    let stop = if show.capabilities.moves_cursor { show.draw() } else { show.wait() };
    before_last();
    let stop = stop?;
    if matches!(stop, Stop::Halted | Stop::Limit) {
        show.leave_last_picture()?;
    }
    Ok(stop)
}

/// No screen is larger than this; a terminal that reports a larger size is wrong, and a picture of that size would fill
/// the memory.
const MAX_SIZE: (u16, u16) = (1000, 500);

/// Columns and rows of the terminal; the usual size if it does not tell.
pub fn size() -> (u16, u16) {
    believed(crossterm::terminal::size().unwrap_or_default())
}

fn believed((columns, rows): (u16, u16)) -> (u16, u16) {
    if columns == 0 || rows == 0 { (80, 24) } else { (columns.min(MAX_SIZE.0), rows.min(MAX_SIZE.1)) }
}

/// A machine being shown.
struct Show<'a, 'p> {
    stream: Stream,
    capabilities: Capabilities,
    signals: Signals,
    viewer: Viewer,
    session: &'a mut Session<'p>,
}

impl Show<'_, '_> {
    /// Plays and draws, while the terminal is taken.
    fn draw(&mut self) -> Result<Stop, DisplayError> {
        let guard = Guard::new(self.stream)?;
        let mut input = Input::default();
        let mut picture = self.picture(0);
        let mut shown = None;
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
                    Some(Request::Act(action)) => {
                        repaint |= action == Action::Shapes;
                        let help_end = picture.help_end(&self.viewer.settings.about);
                        if let Some(stop) = self.viewer.act(action, self.session, help_end)? {
                            return Ok(stop);
                        }
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
                picture = self.picture(0);
                shown = None;
            }
            let pad = input.mouse().and_then(|(column, row)| picture.pad_at(column, row));
            let keys = self.viewer.keys(input.keys(self.now()));
            self.session.press(Inputs { pad: pad.map(Pad::into), keys });
            self.session.frame()?;
            let light = self.session.take_light();
            let screen = picture.screen(&light, &Status::of(self.session, None, None), self.viewer.help());
            let changes = screen.changes(shown.as_ref());
            if !changes.is_empty() {
                self.stream.send(&changes)?;
            }
            shown = Some(screen);
            if let Some(stop) = self.session.stop() {
                return Ok(stop);
            }
        }
    }

    /// Plays without drawing.
    fn wait(&mut self) -> Result<Stop, DisplayError> {
        loop {
            if self.interrupted() {
                return Ok(Stop::Interrupted);
            }
            let next = self.now() + FRAME;
            self.session.frame()?;
            if let Some(stop) = self.session.stop() {
                return Ok(stop);
            }
            thread::sleep(next.saturating_sub(self.now()));
        }
    }

    fn leave_last_picture(&mut self) -> Result<(), DisplayError> {
        // The next prompt needs a line below the picture.
        let mut picture = self.picture(1);
        // The second light is what the machine shows now, not what it has shown since the last frame.
        self.session.take_light();
        let light = self.session.take_light();
        let last = Ending::new(self.viewer.settings.hold).last_result(self.session, &light);
        let status = Status::of(self.session, last.as_ref(), None);
        // Nothing can be pressed any more.
        let status = Status { hint: String::new(), ..status };
        let screen = picture.screen(&LastResult::light(last.as_ref(), light), &status, None);
        Ok(self.stream.send(&screen.lines())?)
    }

    /// A picture that leaves this many rows free.
    fn picture(&self, free: u16) -> Picture {
        let (columns, rows) = size();
        let rows = rows.saturating_sub(free).into();
        let Settings { shapes, about, .. } = &self.viewer.settings;
        Picture::captioned(columns.into(), rows, self.capabilities, *shapes, about)
    }

    fn interrupted(&self) -> bool {
        self.session.is_interrupted() || self.signals.end()
    }

    fn now(&self) -> Duration {
        self.session.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_no_screen_has_is_not_believed() {
        let sizes = [(0, 50), (80, 0), (120, 40), (65_535, 65_535), (9_000, 30)].map(believed);
        assert_eq!(sizes, [(80, 24), (80, 24), (120, 40), MAX_SIZE, (1000, 30)]);
    }
}
