//! The handling of events: keys stand for commands, and typed lines are commands.

use crate::commands::{Request, carry_out};
use crate::keys::{self, Action};
use crate::mouse;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::state::help::Help;
use crate::state::messages::Role;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui_core::layout::Rect;

impl ScreenState {
    /// Handles an event; returns a request to the caller, if there is one.
    pub fn event(&mut self, event: &Event) -> Option<Request> {
        match event {
            Event::Key(event) if event.kind != KeyEventKind::Release => key(self, event),
            Event::Mouse(event) => mouse::mouse(self, event),
            Event::Resize(width, height) => {
                self.resize(Rect::new(0, 0, *width, *height));
                Some(Request::Repaint)
            }
            _ => None,
        }
    }
}

fn key(state: &mut ScreenState, event: &KeyEvent) -> Option<Request> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    match event.code {
        KeyCode::Char('l') if control => return Some(Request::Repaint),
        KeyCode::Char('z') if control => return Some(Request::Suspend),
        // Lines that are pasted, or were typed before the screen opened, end with Ctrl-J.
        KeyCode::Char('j') if control => return key(state, &KeyCode::Enter.into()),
        _ => {}
    }
    if state.prompt.is_open {
        let line = state.prompt.key(event)?;
        return carry_out(state, &line);
    }
    if state.help.is_some() {
        help_key(state, event);
        return None;
    }
    let is_control_c = control && event.code == KeyCode::Char('c');
    match event.code {
        _ if state.running.is_some()
            && (is_control_c || matches!(event.code, KeyCode::Esc | KeyCode::Char(' '))) =>
        {
            Some(Request::Interrupt)
        }
        KeyCode::Esc => {
            state.panes.is_zoomed = false;
            let was_unfolded = std::mem::take(&mut state.board.is_unfolded);
            if state.panes.focus == Pane::Messages || state.panes.focus == Pane::Board && !was_unfolded {
                state.panes.focus = Pane::Source;
            }
            state.show_cursor();
            None
        }
        _ if is_control_c => {
            state.messages.say(Role::Answer, "q quits; Ctrl-C stops a long command");
            None
        }
        _ => bound_key(state, &keys::name(event)),
    }
}

fn bound_key(state: &mut ScreenState, key: &str) -> Option<Request> {
    let Some(binding) = keys::binding(key) else {
        state.messages.say(Role::Answer, &format!("{key} has no meaning here; ? shows the keys"));
        return None;
    };
    match binding.action {
        Action::Command(text) => carry_out(state, text),
        Action::AtCursor(_) if key == "Enter" && state.panes.focus == Pane::Board => {
            carry_out(state, "unfold")
        }
        Action::AtCursor(_) if state.panes.rows_of(Pane::Source) == 0 => {
            state
                .messages
                .say(Role::Answer, &format!("{key} is for a line of the source: 1 shows the source"));
            None
        }
        Action::AtCursor(text) => {
            let location = state.location_at_cursor()?;
            carry_out(state, &text.replace('@', &location))
        }
        Action::Type(text) => {
            let selected = match text.contains("break") {
                true => state.location_at_cursor().unwrap_or_default(),
                false => state.selected(),
            };
            let text = match text.split_once('@') {
                Some((before, _)) if selected.is_empty() => before.to_owned(),
                _ => text.replace('@', &selected),
            };
            state.prompt.open(&text);
            None
        }
    }
}

fn help_key(state: &mut ScreenState, event: &KeyEvent) {
    let page = Help::page(state.panes.screen) as isize;
    match event.code {
        KeyCode::Esc | KeyCode::F(1) | KeyCode::Char('?' | 'q') => state.help = None,
        KeyCode::Up => state.scroll_help(-1),
        KeyCode::Down => state.scroll_help(1),
        KeyCode::PageUp => state.scroll_help(-page),
        KeyCode::PageDown => state.scroll_help(page),
        KeyCode::Home => state.scroll_help(isize::MIN),
        _ => state.help.get_or_insert_default().key = Some(keys::name(event)),
    }
}
