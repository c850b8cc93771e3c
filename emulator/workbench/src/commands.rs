//! The commands of the screen itself, and requests to its caller for all others.

use crate::keys::{CommandHelp, SCREEN_COMMANDS};
use crate::pane::{PANES, Pane};
use crate::state::ScreenState;
use crate::state::help::Help;
use crate::state::messages::Role;
use gray1_debugger::{COMMANDS, Command};

/// A request of the screen to its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Execute a command of the debugger.
    Command(String),
    /// The same, without any message.
    Scrub(String),
    /// Stop the command that is running.
    Interrupt,
    /// Give the terminal back until the process continues.
    Suspend,
    /// Draw everything again.
    Repaint,
    /// End the session.
    Quit,
}

/// The number of columns by which long lines are scrolled sideways.
const SIDEWAYS: usize = 8;

/// Carries out a line that was typed, or the line of a key.
pub fn carry_out(state: &mut ScreenState, line: &str) -> Option<Request> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (own_command(name), rest) {
        (Some("pane"), _) => pane(state, rest),
        (Some("zoom"), _) => {
            state.panes.is_zoomed = !state.panes.is_zoomed;
            state.show_cursor();
        }
        (Some("scroll"), _) => scroll(state, rest),
        (Some("unfold"), "auto") => {
            state.source.stays_folded = !state.source.stays_folded;
            state.follow();
        }
        (Some("unfold"), _) if state.panes.focus == Pane::Board => {
            state.board.is_unfolded = !state.board.is_unfolded;
        }
        (Some("unfold"), _) => {
            if !state.source.unfold(&state.listing, state.machine.running) {
                state.messages.say(Role::Answer, "this line has no expansion");
            }
            state.show_cursor();
        }
        (Some("code"), _) => {
            state.source.shows_words = !state.source.shows_words || state.listing.files.is_empty();
            state.panes.focus_on(Pane::Source);
            state.follow();
        }
        (Some("bytes"), _) => {
            state.ram.row = 0;
            state.ram.shows_bytes = !state.ram.shows_bytes || state.listing.variables.is_empty();
            state.panes.focus_on(Pane::Ram);
        }
        (Some("file"), _) => file(state, rest),
        (Some("find"), _) => find(state, rest),
        (Some("toggle"), location) => return toggle(state, location),
        (Some("scrub"), hundredths) => return scrub(state, hundredths.parse().unwrap_or(0)),
        _ if line.is_empty() => {}
        _ if ["help", "h", "?"].contains(&name) && rest.is_empty() => state.help = Some(Help::default()),
        _ if state.running.is_some() && !state.is_stepping() => {
            state.messages.say(Role::Error, "a command is running: wait for its end, or press Esc");
        }
        _ if name == "quit" && rest.is_empty() => return Some(Request::Quit),
        _ => {
            if name == "where" {
                state.follow();
            }
            return Some(Request::Command(line.to_owned()));
        }
    }
    None
}

/// The command of the screen with this name. Its first letters are enough if no other command has them.
fn own_command(name: &str) -> Option<&'static str> {
    let names = || SCREEN_COMMANDS.iter().map(CommandHelp::name);
    let all = names().chain(COMMANDS.iter().map(Command::name));
    let begun: Vec<&str> = all.filter(|full| !name.is_empty() && full.starts_with(name)).collect();
    names().find(|full| *full == name || begun == [*full])
}

fn pane(state: &mut ScreenState, name: &str) {
    let visible: Vec<Pane> = state.panes.layout().panes.iter().map(|(pane, _)| *pane).collect();
    // If only one pane is visible at a time, the next one can be any pane.
    let ring = if visible.len() > 1 { &visible[..] } else { &PANES[..] };
    let now = ring.iter().position(|pane| *pane == state.panes.focus).unwrap_or(0);
    let pane = match name {
        "next" => Some(ring[(now + 1) % ring.len()]),
        "previous" => Some(ring[(now + ring.len() - 1) % ring.len()]),
        _ => PANES.iter().copied().find(|pane| !name.is_empty() && pane.name().starts_with(name)),
    };
    match pane {
        // A pane that is already visible stays where it is.
        Some(pane) if visible.contains(&pane) => state.panes.focus = pane,
        Some(pane) => state.panes.focus_on(pane),
        None => {
            let names = PANES.map(Pane::name).join(", ");
            state.messages.say(Role::Error, &format!("the panes are {names}"));
        }
    }
    state.show_cursor();
}

fn scroll(state: &mut ScreenState, to: &str) {
    let focus = state.panes.focus;
    let page = state.panes.rows_of(focus).saturating_sub(1).max(1) as isize;
    match to {
        "up" => state.move_by(focus, -1),
        "down" => state.move_by(focus, 1),
        "pageup" => state.move_by(focus, -page),
        "pagedown" => state.move_by(focus, page),
        "left" => state.source.left = state.source.left.saturating_sub(SIDEWAYS),
        "right" => state.source.left = (state.source.left + SIDEWAYS).min(1 << 20),
        _ => state.messages.say(Role::Error, "scroll up, down, left, right, pageup or pagedown"),
    }
}

fn file(state: &mut ScreenState, name: &str) {
    let files = &state.listing.files;
    let (count, now) = (files.len(), state.source.file);
    let end = format!("/{name}");
    let file = match name {
        _ if count == 0 => return state.messages.say(Role::Error, "there is no source"),
        "next" => Some((now + 1) % count),
        "previous" => Some((now + count - 1) % count),
        _ => files.iter().position(|file| file.path == name || file.path.ends_with(&end)),
    };
    let Some(file) = file else {
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        return state.messages.say(Role::Error, &format!("the files are {}", paths.join(", ")));
    };
    if file != now {
        (state.source.file, state.source.cursor, state.source.top) = (file, 0, 0);
    }
    state.source.shows_words = false;
    state.panes.focus_on(Pane::Source);
    state.show_cursor();
}

fn find(state: &mut ScreenState, text: &str) {
    if text.is_empty() && state.source.sought.is_empty() {
        state.messages.say(Role::Error, "expected a text to find");
    } else if state.source.find(text, &state.listing, state.machine.running) {
        state.panes.focus_on(Pane::Source);
        state.show_cursor();
    } else {
        let text = format!("`{}` is not found", state.source.sought);
        state.messages.say(Role::Error, &text);
    }
}

/// Removes the breakpoint at a location if the cursor is there, or sets one.
pub fn toggle(state: &ScreenState, location: &str) -> Option<Request> {
    let row = *state.source_rows().get(state.source.cursor)?;
    let is_here = state.source.location(&state.listing, row).as_deref() == Some(location);
    let point = state.points.breakpoint_at(&state.source.sequences(&state.listing, row));
    Some(Request::Command(match point.filter(|point| is_here && point.is_complete) {
        Some(point) => format!("delete {}", point.number),
        None => format!("break {location}"),
    }))
}

fn scrub(state: &ScreenState, hundredths: i64) -> Option<Request> {
    let (start, end) = (state.machine.start.cycle, state.machine.end.cycle);
    let step = ((end - start) / 100).max(1) as i128 * i128::from(hundredths);
    let to = (i128::from(state.machine.position.cycle) + step).clamp(i128::from(start), i128::from(end));
    state.running.is_none().then(|| Request::Scrub(format!("goto cycle {to}")))
}
