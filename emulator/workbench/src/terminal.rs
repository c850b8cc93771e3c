//! The workbench in a real terminal: events in, cells out. The crate `display` takes the terminal and gives it back.

use crate::commands::Request;
use crate::state::ScreenState;
use crate::theme::Theme;
use crate::views::draw;
use crate::workbench::Workbench;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::style::{Attribute, Color, Print, SetAttribute, SetForegroundColor};
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use gray1_debugger::Dialogue;
use gray1_display::terminal::{Capabilities, Guard, Signals, Stream, has_event, next_event, size};
use gray1_machine::Stop;
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::{Position, Rect, Size};
use ratatui_core::style::{self, Modifier, Style};
use std::collections::VecDeque;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The minimum time between two pictures while a command is running.
const FRAME: Duration = Duration::from_millis(33);
/// The maximum number of steps that wait, so that a key that was held down does not have an effect long after it is
/// released.
const MAX_TYPED: usize = 16;
/// The interval at which signals are checked while nothing happens.
const IDLE: Duration = Duration::from_millis(100);

/// Whether there is a terminal that can show the screen.
pub fn can_open() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && Capabilities::from_environment().moves_cursor
}

/// Debugs on the whole terminal until the user quits or a signal comes.
pub fn open(dialogue: Dialogue) -> io::Result<Stop> {
    let signals = Signals::new()?;
    let guard = Guard::new(Stream::Output)?;
    let mut session = Session { terminal: Terminal::new(), guard, signals, typed: VecDeque::new() };
    let mut workbench = Workbench::new(dialogue);
    workbench.screen.resize(session.terminal.area());
    session.terminal.draw(&workbench.screen)?;
    // The latest position to which the mouse was dragged.
    let mut scrub: Option<Request> = None;
    loop {
        let wait = if scrub.is_some() { Duration::ZERO } else { IDLE };
        let mut request = match session.typed.pop_front() {
            Some(request) => Some(request),
            None => next_event(wait)?.and_then(|event| workbench.screen.event(&event)),
        };
        if let Some(Request::Scrub(_)) = request {
            scrub = request.take();
            if has_event()? {
                continue;
            }
        }
        for request in scrub.take().iter().chain(&request) {
            let stop = AtomicBool::new(false);
            let mut drawn = None;
            workbench.carry_out(request, &stop, |screen| session.attend(screen, &stop, &mut drawn))?;
        }
        if request == Some(Request::Quit) || workbench.is_over() {
            return Ok(Stop::Quit);
        }
        if session.signals.end() {
            return Ok(Stop::Interrupted);
        }
        session.suspend(request == Some(Request::Suspend))?;
        if request == Some(Request::Repaint) {
            session.terminal.shown = None;
        }
        workbench.screen.resize(session.terminal.area());
        if !has_event()? {
            session.terminal.draw(&workbench.screen)?;
        }
    }
}

/// The terminal of a session, and its requests that wait.
struct Session {
    terminal: Terminal,
    guard: Guard,
    signals: Signals,
    /// Requests from keys that were pressed during a step.
    typed: VecDeque<Request>,
}

impl Session {
    /// Handles the events of a moment while a command is running, and draws the screen unless it was drawn just before.
    fn attend(
        &mut self,
        screen: &mut ScreenState,
        stop: &AtomicBool,
        drawn: &mut Option<Instant>,
    ) -> io::Result<()> {
        let mut suspend = false;
        while let Some(event) = next_event(Duration::ZERO)? {
            match screen.event(&event) {
                Some(Request::Interrupt) => {
                    stop.store(true, Ordering::Relaxed);
                    self.typed.clear();
                }
                Some(Request::Suspend) => suspend = true,
                Some(Request::Repaint) => self.terminal.shown = None,
                Some(request @ (Request::Quit | Request::Command(_)))
                    if screen.is_stepping() && self.typed.len() < MAX_TYPED =>
                {
                    self.typed.push_back(request);
                }
                Some(Request::Quit | Request::Command(_) | Request::Scrub(_)) | None => {}
            }
        }
        stop.fetch_or(self.signals.end(), Ordering::Relaxed);
        self.suspend(suspend)?;
        if drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
            self.terminal.draw(screen)?;
            *drawn = Some(Instant::now());
        }
        Ok(())
    }

    /// Gives the terminal back until the process continues, if that is requested here or by a signal.
    fn suspend(&mut self, is_requested: bool) -> io::Result<()> {
        if self.guard.suspend(&self.signals, is_requested)? {
            self.terminal.shown = None;
        }
        Ok(())
    }
}

/// The terminal and what it shows, so that only what changes is written. (ratatui's own `Terminal` queries the position
/// of the cursor, and some terminals never answer.)
struct Terminal {
    output: BufWriter<Stdout>,
    /// The current contents; unknown at first, and after another program has used the terminal.
    shown: Option<(Buffer, Option<Position>)>,
    theme: Theme,
}

impl Terminal {
    fn new() -> Terminal {
        let output = BufWriter::with_capacity(1 << 16, io::stdout());
        Terminal { output, shown: None, theme: Theme::new(Capabilities::from_environment()) }
    }

    fn area(&self) -> Rect {
        Rect::from((Position::ORIGIN, Size::from(size())))
    }

    fn draw(&mut self, screen: &ScreenState) -> io::Result<()> {
        let mut buffer = Buffer::empty(self.area());
        let cursor = draw(screen, &mut buffer, self.theme);
        let shown = self.shown.take().filter(|(shown, _)| shown.area == buffer.area);
        let is_unknown = shown.is_none();
        let (before, cursor_before) = shown.unwrap_or_else(|| (Buffer::empty(buffer.area), None));
        if is_unknown || before != buffer || cursor_before != cursor {
            queue!(self.output, BeginSynchronizedUpdate)?;
            if is_unknown {
                queue!(self.output, Clear(ClearType::All))?;
            }
            write_cells(&mut self.output, &before.diff(&buffer))?;
            match cursor {
                Some(Position { x, y }) => queue!(self.output, MoveTo(x, y), Show)?,
                None => queue!(self.output, Hide)?,
            }
            queue!(self.output, EndSynchronizedUpdate)?;
            self.output.flush()?;
        }
        self.shown = Some((buffer, cursor));
        Ok(())
    }
}

/// Writes cells; the style is reset before and after them.
fn write_cells(output: &mut impl Write, cells: &[(u16, u16, &Cell)]) -> io::Result<()> {
    queue!(output, SetAttribute(Attribute::Reset))?;
    let mut style = Style::reset();
    let mut next = None;
    for &(x, y, cell) in cells {
        if next != Some((x, y)) {
            queue!(output, MoveTo(x, y))?;
        }
        // A wide symbol is followed by a cell that is not written.
        next = Some((x + 1, y));
        if cell.style() != style {
            style = cell.style();
            let attributes = ATTRIBUTES.into_iter().filter(|(modifier, _)| cell.modifier.contains(*modifier));
            queue!(output, SetAttribute(Attribute::Reset))?;
            for (_, attribute) in attributes {
                queue!(output, SetAttribute(attribute))?;
            }
            queue!(output, SetForegroundColor(color(cell.fg)))?;
        }
        queue!(output, Print(cell.symbol()))?;
    }
    queue!(output, SetAttribute(Attribute::Reset))
}

/// The modifiers that [`Theme`] uses.
const ATTRIBUTES: [(Modifier, Attribute); 4] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::REVERSED, Attribute::Reverse),
];

/// A colour that [`Theme`] uses.
fn color(color: style::Color) -> Color {
    match color {
        style::Color::Red => Color::DarkRed,
        style::Color::Green => Color::DarkGreen,
        style::Color::Yellow => Color::DarkYellow,
        style::Color::Cyan => Color::DarkCyan,
        style::Color::Magenta => Color::DarkMagenta,
        _ => Color::Reset,
    }
}
