//! The display in a window of an X11 screen, with mouse and keyboard.
//!
//! Sixty times a second: read what is pressed, play what is due, draw what has changed. When the program has halted,
//! its last result or its last picture stays until the user closes the window.

use std::thread;
use std::time::Duration;

use gray1_machine::{Inputs, Stop};
use minifb::{CursorStyle, MouseButton, MouseMode, ScaleMode, Window, WindowOptions};

use crate::controls::Action;
use crate::ending::{Ending, LastResult};
use crate::error::DisplayError;
use crate::files::Files;
use crate::keyboard::{Keyboard, TAP};
use crate::layout::Pad;
use crate::render::Renderer;
use crate::session::Session;
use crate::settings::Settings;
use crate::status::Status;
use crate::viewer::Viewer;

/// The size of a new window.
const SIZE: (usize, usize) = (640, 800);
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The picture goes to the screen this often even if nothing has changed: there is no event when a covered window
/// becomes visible again.
const REFRESH: Duration = Duration::from_millis(250);

/// An open window that does not show anything yet.
pub struct Screen {
    window: Window,
    keyboard: Keyboard,
}

/// Opens a window. This is also the way to find out whether one can be opened: nothing is printed if not.
///
/// # Errors
/// If no X server can be reached.
pub fn open(title: &str) -> Result<Screen, DisplayError> {
    // The picture always has the size of the window: it is copied, not scaled.
    let options =
        WindowOptions { resize: true, scale_mode: ScaleMode::UpperLeft, ..WindowOptions::default() };
    // A title with characters that are not allowed must not keep a program from running.
    let title: String = title.chars().filter(|letter| !letter.is_control()).collect();
    let mut window = Window::new(&title, SIZE.0, SIZE.1, options)?;
    window.set_target_fps(0);
    let keyboard = Keyboard::of(&mut window);
    Ok(Screen { window, keyboard })
}

impl Screen {
    /// Plays a machine until the user closes the window or the run is interrupted.
    ///
    /// # Errors
    /// If the machine fails or the window is lost.
    pub fn show(mut self, session: &mut Session, settings: Settings) -> Result<Stop, DisplayError> {
        session.play(settings.speed, settings.hold, FRAME);
        let mut view = View::new(settings);
        // The LED that was clicked last, and until when it counts as pressed.
        let mut clicked = (None, Duration::ZERO);
        let mut refreshed = Duration::ZERO;
        let mut next = session.now() + FRAME;
        while self.window.is_open() {
            if session.is_interrupted() {
                return Ok(Stop::Interrupted);
            }
            let (width, height) = self.window.get_size();
            view.resize((width, height));
            for action in self.keyboard.pressed(self.window.is_active()) {
                if let Some(stop) = view.act(action, session)? {
                    return Ok(stop);
                }
            }
            let now = session.now();
            let pad = self.pad(&view.renderer).filter(|_| self.window.get_mouse_down(MouseButton::Left));
            if pad.is_some() {
                clicked = (pad, now + TAP);
            }
            let pad = pad.or(clicked.0.filter(|_| now < clicked.1));
            let keys = view.viewer.keys(self.keyboard.machine(now));
            session.press(Inputs { pad: pad.map(Pad::into), keys });
            session.frame()?;

            let now = session.now();
            if view.draw(session) || now.saturating_sub(refreshed) >= REFRESH {
                self.window.update_with_buffer(view.renderer.pixels(), width, height)?;
                refreshed = now;
            } else {
                self.window.update();
            }
            next = (next + FRAME).max(session.now());
            thread::sleep(next.saturating_sub(session.now()));
        }
        Ok(session.stop().unwrap_or(Stop::Quit))
    }

    /// The LED under the mouse. The shape of the pointer shows that it can be pressed.
    fn pad(&mut self, renderer: &Renderer) -> Option<Pad> {
        let (x, y) = self.window.get_mouse_pos(MouseMode::Discard)?;
        let pad = renderer.layout().pad_at(x as usize, y as usize);
        let pointer = if pad.is_some() { CursorStyle::OpenHand } else { CursorStyle::Arrow };
        self.window.set_cursor_style(pointer);
        pad
    }
}

/// The picture in the window, and the user's choices.
struct View {
    viewer: Viewer,
    ending: Ending,
    files: Files,
    renderer: Renderer,
}

impl View {
    fn new(settings: Settings) -> View {
        let ending = Ending::new(settings.hold);
        View { viewer: Viewer::new(settings), ending, files: Files::default(), renderer: Renderer::new(0, 0) }
    }

    fn resize(&mut self, (width, height): (usize, usize)) {
        if self.renderer.size() != (width, height) {
            self.renderer = Renderer::captioned(width, height, &self.viewer.settings.about);
        }
    }

    /// Executes an action of the user; returns the reason for the end if it closes the window.
    fn act(&mut self, action: Action, session: &mut Session) -> Result<Option<Stop>, DisplayError> {
        match action {
            Action::Ending => self.ending.toggle(session),
            Action::Screenshot => {
                self.renderer.put_help_aside();
                self.files.save_picture(&self.renderer, session.now());
            }
            _ => {
                let help_end = self.renderer.help_end(&self.viewer.settings.about);
                return Ok(self.viewer.act(action, session, help_end)?);
            }
        }
        Ok(None)
    }

    /// Draws the light of the frame; returns whether the picture has changed.
    fn draw(&mut self, session: &mut Session) -> bool {
        let light = session.take_light();
        let last = self.ending.last_result(session, &light);
        let light = LastResult::light(last.as_ref(), light);
        let status = Status::of(session, last.as_ref(), self.files.message(session.now()));
        self.renderer.set_shapes(self.viewer.settings.shapes);
        self.renderer.draw(&light, &status, self.viewer.help())
    }
}
