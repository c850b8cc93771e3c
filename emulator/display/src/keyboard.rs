//! The keyboard of the window: every press counts, however short, on any keyboard layout. A tap is held for a moment,
//! because a program reads the keys only now and then.
//!
//! The keys of the machine are read as keys that are held. All other keys are read by the character they type, so that
//! `+` works on any keyboard layout.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use minifb::{InputCallback, Key, Window};

use gray1_isa::memory_map::KEY_NAMES;

use crate::controls::{self, Action, KeyName};

/// The minimum time that a key or a click counts: some pictures, and the loop of most programs that read keys.
pub const TAP: Duration = Duration::from_millis(150);

/// The keys pressed now, and those pressed since the last frame.
#[derive(Clone, Default)]
pub struct Keyboard(Rc<RefCell<Events>>);

#[derive(Default)]
struct Events {
    held: Vec<Key>,
    /// The keys of the machine that went down since the last frame; some may be up again.
    tapped: u8,
    /// Until when a key that was tapped counts as held.
    tapped_until: [Duration; KEY_NAMES.len()],
    actions: Vec<Action>,
    /// Whether the last key went down while it was held: the keyboard repeats it.
    repeated: bool,
    active: bool,
}

impl Keyboard {
    /// The keyboard of a window.
    pub fn of(window: &mut Window) -> Self {
        let keyboard = Self::default();
        window.set_input_callback(Box::new(keyboard.clone()));
        keyboard
    }

    /// The user's actions since the last call. A window that is no longer `active` gets no events when keys
    /// are released.
    pub fn pressed(&self, active: bool) -> Vec<Action> {
        let mut events = self.0.borrow_mut();
        if events.active && !active {
            events.held.clear();
        }
        events.active = active;
        std::mem::take(&mut events.actions)
    }

    /// The keys of the machine that are held at time `now`, or were tapped a moment ago.
    pub fn machine(&self, now: Duration) -> u8 {
        let mut events = self.0.borrow_mut();
        let held = events.held.iter().filter_map(|key| special(*key));
        let held = held.fold(0, |bits, key| bits | controls::machine_bit(key));
        let tapped = std::mem::take(&mut events.tapped);
        let taps = events.tapped_until.iter_mut().enumerate().map(|(bit, until)| {
            if tapped >> bit & 1 == 1 {
                *until = now + TAP;
            }
            u8::from(now < *until) << bit
        });
        held | taps.sum::<u8>()
    }
}

impl Events {
    fn act(&mut self, key: KeyName) {
        match controls::action(key) {
            None => {}
            Some(action) if self.repeated && !action.repeats() => {}
            Some(action) => self.actions.push(action),
        }
    }

    fn down(&mut self, key: Key) {
        self.repeated = self.held.contains(&key);
        if !self.repeated {
            self.held.push(key);
        }
        if let Some(key) = special(key) {
            self.tapped |= controls::machine_bit(key);
            self.act(key);
        }
    }
}

/// The window reports its events.
impl InputCallback for Keyboard {
    fn add_char(&mut self, letter: u32) {
        let mut events = self.0.borrow_mut();
        if let Some(letter) = char::from_u32(letter).filter(|letter| !letter.is_control()) {
            let key = KeyName::Char(letter.to_ascii_lowercase());
            if controls::machine_bit(key) == 0 {
                events.act(key);
            }
        }
    }

    fn set_key_state(&mut self, key: Key, down: bool) {
        let mut events = self.0.borrow_mut();
        if down { events.down(key) } else { events.held.retain(|held| *held != key) }
    }
}

/// The keys that are read as keys: those of the machine, and those that type no character.
fn special(key: Key) -> Option<KeyName> {
    Some(match key {
        Key::Left => KeyName::Left,
        Key::Right => KeyName::Right,
        Key::Up => KeyName::Up,
        Key::Down => KeyName::Down,
        Key::A => KeyName::Char('a'),
        Key::B => KeyName::Char('b'),
        Key::Enter | Key::NumPadEnter => KeyName::Enter,
        Key::Escape => KeyName::Esc,
        Key::F1 => KeyName::F1,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tap_shorter_than_a_frame_is_held_for_a_moment() {
        let mut keyboard = Keyboard::default();
        let at = Duration::from_millis;
        keyboard.set_key_state(Key::Left, true);
        keyboard.set_key_state(Key::Left, false);
        assert_eq!(
            (keyboard.machine(at(1000)), keyboard.machine(at(1149)), keyboard.machine(at(1150))),
            (1, 1, 0)
        );
    }

    #[test]
    fn keys_are_held_together_until_released_or_the_window_loses_them() {
        let mut keyboard = Keyboard::default();
        keyboard.pressed(true);
        keyboard.set_key_state(Key::A, true);
        keyboard.set_key_state(Key::Enter, true);
        let at = Duration::from_secs;
        assert_eq!((keyboard.machine(at(1)), keyboard.machine(at(2))), (0b101_0000, 0b101_0000));
        keyboard.set_key_state(Key::A, false);
        assert_eq!(keyboard.machine(at(3)), 0b100_0000);
        keyboard.pressed(false);
        assert_eq!(keyboard.machine(at(4)), 0);
    }

    #[test]
    fn a_key_that_repeats_steps_again_but_does_not_pause_again() {
        let mut keyboard = Keyboard::default();
        for _ in 0..3 {
            keyboard.set_key_state(Key::Space, true);
            keyboard.add_char(' '.into());
        }
        assert_eq!(keyboard.pressed(true), [Action::Pause]);
        for _ in 0..3 {
            keyboard.set_key_state(Key::S, true);
            keyboard.add_char('s'.into());
        }
        assert_eq!(keyboard.pressed(true), [Action::Step; 3]);
    }

    #[test]
    fn letters_count_once_and_escape_is_a_key() {
        let mut keyboard = Keyboard::default();
        keyboard.set_key_state(Key::Escape, true);
        keyboard.add_char(0x1B);
        keyboard.set_key_state(Key::A, true);
        keyboard.add_char('A'.into());
        assert_eq!(keyboard.pressed(true), [Action::Quit, Action::Machine(4)]);
    }
}
