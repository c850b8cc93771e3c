//! Input from a terminal: keys, the mouse, a new size.
//!
//! A terminal reports when a key goes down, but not when it goes up. So a key of the machine counts as held for
//! [`HELD`] after each press; while it stays down, the keyboard repeats it and so prolongs that time.

use std::io;
use std::time::Duration;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use gray1_isa::memory_map::KEY_NAMES;

use super::system::next_event;
use crate::controls::{self, Action, KeyName};

/// The time for which a key of the machine counts as held.
pub const HELD: Duration = Duration::from_millis(150);

/// A request of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A control of the display.
    Act(Action),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// To draw the whole screen again: it has a new size, or Ctrl-L was pressed.
    Repaint,
}

/// The state of the keys and the mouse.
#[derive(Default)]
pub struct Input {
    held_until: [Duration; KEY_NAMES.len()],
    /// The column and row where the mouse is held down.
    mouse: Option<(usize, usize)>,
    /// The position at which the mouse went down since the last frame; it may be up again.
    clicked: Option<(usize, usize)>,
}

impl Input {
    /// Waits for input, but no longer than `time`.
    pub fn wait(&mut self, time: Duration, now: Duration) -> io::Result<Option<Request>> {
        Ok(next_event(time)?.and_then(|event| self.read(&event, now)))
    }

    /// The keys of the machine that are held at time `now`.
    pub fn keys(&self, now: Duration) -> u8 {
        (0..KEY_NAMES.len()).filter(|bit| now < self.held_until[*bit]).fold(0, |keys, bit| keys | 1 << bit)
    }

    /// The position at which the mouse is, or was since the last call, held down.
    pub fn mouse(&mut self) -> Option<(usize, usize)> {
        self.clicked.take().or(self.mouse)
    }

    fn read(&mut self, event: &Event, now: Duration) -> Option<Request> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, now),
            Event::Mouse(mouse) => {
                self.moved(mouse);
                None
            }
            Event::Resize(..) => Some(Request::Repaint),
            _ => None,
        }
    }

    fn key(&mut self, event: &KeyEvent, now: Duration) -> Option<Request> {
        if event.modifiers.contains(KeyModifiers::CONTROL) {
            return match event.code {
                KeyCode::Char('c') => Some(Request::Interrupt),
                KeyCode::Char('z') => Some(Request::Suspend),
                KeyCode::Char('l') => Some(Request::Repaint),
                _ => None,
            };
        }
        match controls::action(name(event.code)?)? {
            Action::Machine(bit) => {
                self.held_until[usize::from(bit)] = now + HELD;
                Some(Request::Act(Action::Machine(bit)))
            }
            action => Some(Request::Act(action)),
        }
    }

    fn moved(&mut self, event: &MouseEvent) {
        let cell = (usize::from(event.column), usize::from(event.row));
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.mouse = Some(cell);
                self.clicked = Some(cell);
            }
            MouseEventKind::Drag(MouseButton::Left) => self.mouse = Some(cell),
            MouseEventKind::Up(MouseButton::Left) => self.mouse = None,
            _ => {}
        }
    }
}

/// The name of a key, if the displays have one for it.
fn name(code: KeyCode) -> Option<KeyName> {
    Some(match code {
        KeyCode::Left => KeyName::Left,
        KeyCode::Right => KeyName::Right,
        KeyCode::Up => KeyName::Up,
        KeyCode::Down => KeyName::Down,
        KeyCode::Enter => KeyName::Enter,
        KeyCode::Esc => KeyName::Esc,
        KeyCode::F(1) => KeyName::F1,
        KeyCode::Char(letter) => KeyName::Char(letter.to_ascii_lowercase()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn control(letter: char) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
    }

    fn mouse(kind: MouseEventKind) -> Event {
        Event::Mouse(MouseEvent { kind, column: 5, row: 3, modifiers: KeyModifiers::NONE })
    }

    #[test]
    fn a_machine_key_is_held_for_a_moment_and_longer_when_it_repeats() {
        let mut input = Input::default();
        let at = Duration::from_millis;
        input.read(&key(KeyCode::Left), at(1000));
        input.read(&key(KeyCode::Char('B')), at(1100));
        assert_eq!(input.keys(at(1149)), 0b10_0001);
        assert_eq!(input.keys(at(1150)), 0b10_0000);
        input.read(&key(KeyCode::Char('b')), at(1200));
        assert_eq!(input.keys(at(1300)), 0b10_0000);
        assert_eq!(input.keys(at(1350)), 0);
    }

    #[test]
    fn control_keys_are_no_letters() {
        let mut input = Input::default();
        assert_eq!(input.read(&control('c'), HELD), Some(Request::Interrupt));
        assert_eq!(input.read(&control('z'), HELD), Some(Request::Suspend));
        assert_eq!(input.read(&control('a'), HELD), None);
        assert_eq!(input.keys(HELD), 0);
        assert_eq!(input.read(&key(KeyCode::Char('q')), HELD), Some(Request::Act(Action::Quit)));
        assert_eq!(input.read(&key(KeyCode::Tab), HELD), None);
    }

    #[test]
    fn a_click_shorter_than_a_frame_is_seen_once() {
        let mut input = Input::default();
        input.read(&mouse(MouseEventKind::Down(MouseButton::Left)), HELD);
        input.read(&mouse(MouseEventKind::Up(MouseButton::Left)), HELD);
        assert_eq!(input.mouse(), Some((5, 3)));
        assert_eq!(input.mouse(), None);
        input.read(&mouse(MouseEventKind::Down(MouseButton::Left)), HELD);
        assert_eq!((input.mouse(), input.mouse()), (Some((5, 3)), Some((5, 3))));
    }
}
