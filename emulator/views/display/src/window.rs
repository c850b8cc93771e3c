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
use crate::overlay::Help;
use crate::player::Player;
use crate::render::Renderer;
use crate::settings::Settings;
use crate::status::Status;

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
    pub fn show(mut self, player: &mut Player, settings: Settings) -> Result<Stop, DisplayError> {
        let Settings { speed, mut shapes, hold, about } = settings;
        player.play(speed, hold, FRAME);
        let mut files = Files::default();
        let mut ending = Ending::new(hold);
        // The scroll position of the help, while it is shown.
        let mut help = None;
        // The LED that was clicked last, and until when it counts as pressed.
        let mut clicked = (None, Duration::ZERO);
        let mut renderer = Renderer::new(0, 0);
        let mut refreshed = Duration::ZERO;
        let mut next = player.now() + FRAME;
        while self.window.is_open() {
            if player.is_interrupted() {
                return Ok(Stop::Interrupted);
            }
            let (width, height) = self.window.get_size();
            if renderer.size() != (width, height) {
                renderer = Renderer::captioned(width, height, &about);
            }
            for action in self.keyboard.pressed(self.window.is_active()) {
                match action {
                    Action::Quit if help.is_some() => help = None,
                    Action::Quit => return Ok(player.stop().unwrap_or(Stop::Quit)),
                    Action::Help => help = if help.is_some() { None } else { Some(0) },
                    Action::Shapes => shapes = !shapes,
                    Action::Ending => ending.toggle(player),
                    Action::Screenshot => {
                        renderer.put_help_aside();
                        files.save_picture(&renderer, player.now());
                    }
                    Action::Record => files.toggle_recording(player.now()),
                    _ => match help {
                        Some(from) => {
                            help = action.scrolls(from, renderer.help_end(&about)).or(help);
                            player.act(action)?;
                        }
                        None => player.act(action)?,
                    },
                }
            }
            let now = player.now();
            let pad = self.pad(&renderer).filter(|_| self.window.get_mouse_down(MouseButton::Left));
            if pad.is_some() {
                clicked = (pad, now + TAP);
            }
            let pad = pad.or(clicked.0.filter(|_| now < clicked.1));
            let keys = self.keyboard.machine(now);
            player.press(Inputs { pad: pad.map(Pad::into), keys: if help.is_some() { 0 } else { keys } });
            player.frame()?;

            let now = player.now();
            let light = player.take_light();
            let last = ending.last_result(player, &light);
            let light = LastResult::light(last.as_ref(), light);
            files.record(&light, now);
            let status = Status::of(player, last.as_ref(), files.message(now));
            renderer.set_shapes(shapes);
            if renderer.draw(&light, &status, help.map(|from| Help { about: &about, from }))
                || now.saturating_sub(refreshed) >= REFRESH
            {
                self.window.update_with_buffer(renderer.pixels(), width, height)?;
                refreshed = now;
            } else {
                self.window.update();
            }
            next = (next + FRAME).max(player.now());
            thread::sleep(next.saturating_sub(player.now()));
        }
        Ok(player.stop().unwrap_or(Stop::Quit))
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
