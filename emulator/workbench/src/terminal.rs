//! The workbench in a real terminal: events in, cells out. The terminal is lent and given back as the display does.

use crate::input::Order;
use crate::paint::Paint;
use crate::workbench::{Busy, Workbench};
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use crossterm::{queue, terminal};
use gray1_debugger::Dialogue;
use gray1_display::terminal::{Capabilities, Guard, Signals, Stream, has_event, next_event};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::io::{self, BufWriter, IsTerminal, Stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a picture stays at least, while a command is carried out.
const FRAME: Duration = Duration::from_millis(33);
/// How often signals are looked for, while nothing happens.
const IDLE: Duration = Duration::from_millis(100);

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The person has had enough.
    Quit,
    /// A signal asked to end.
    Interrupted,
}

/// Whether there is a terminal that can show the screen.
pub fn can_open() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && capabilities().moves_cursor
}

/// Debugs on the whole terminal, until somebody quits.
pub fn open(dialogue: Dialogue) -> io::Result<Ending> {
    let mut workbench = Workbench::new(dialogue);
    let signals = Signals::new()?;
    let guard = Guard::new(Stream::Output)?;
    let mut screen = Screen::new();
    workbench.resize(screen.area());
    screen.draw(|buffer, paint| workbench.draw(buffer, paint))?;
    // Of several places that the mouse is dragged over, the last counts.
    let mut scrub: Option<String> = None;
    loop {
        let wait = if scrub.is_some() { Duration::ZERO } else { IDLE };
        let mut order = next_event(wait)?.and_then(|event| workbench.event(&event));
        if let Some(Order::Quiet(line)) = order {
            scrub = Some(line);
            order = None;
            if has_event()? {
                continue;
            }
        }
        let mut lines: Vec<(String, bool)> = scrub.take().map(|line| (line, true)).into_iter().collect();
        if let Some(Order::Line(line)) = &order {
            lines.push((line.clone(), false));
        }
        for (line, is_quiet) in lines {
            let mut attendant = Attendant::new(&mut screen, &guard, &signals);
            let stop = AtomicBool::new(false);
            workbench.carry_out(&line, is_quiet, &stop, |busy| attendant.attend(busy, &stop));
            attendant.fault.map_or(Ok(()), Err)?;
        }
        if order == Some(Order::Quit) || workbench.is_over() {
            return Ok(Ending::Quit);
        }
        if signals.end() {
            return Ok(Ending::Interrupted);
        }
        let resumed = guard.suspend(&signals, order == Some(Order::Suspend))?;
        if resumed || order == Some(Order::Repaint) {
            screen.forget();
        }
        let area = screen.area();
        workbench.resize(area);
        if !has_event()? {
            screen.draw(|buffer, paint| workbench.draw(buffer, paint))?;
        }
    }
}

/// Looks after the terminal while a command is carried out.
struct Attendant<'a> {
    screen: &'a mut Screen,
    guard: &'a Guard,
    signals: &'a Signals,
    drawn: Option<Instant>,
    fault: Option<io::Error>,
}

impl<'a> Attendant<'a> {
    fn new(screen: &'a mut Screen, guard: &'a Guard, signals: &'a Signals) -> Attendant<'a> {
        Attendant { screen, guard, signals, drawn: None, fault: None }
    }

    fn attend(&mut self, busy: &mut Busy, stop: &AtomicBool) {
        if let Err(fault) = self.try_to(busy, stop) {
            stop.store(true, Ordering::Relaxed);
            self.fault.get_or_insert(fault);
        }
    }

    fn try_to(&mut self, busy: &mut Busy, stop: &AtomicBool) -> io::Result<()> {
        let mut suspend = false;
        while let Some(event) = next_event(Duration::ZERO)? {
            match busy.event(&event) {
                Some(Order::Interrupt) => stop.store(true, Ordering::Relaxed),
                Some(Order::Suspend) => suspend = true,
                Some(Order::Repaint) => self.screen.forget(),
                Some(Order::Quit | Order::Line(_) | Order::Quiet(_)) | None => {}
            }
        }
        if self.signals.end() {
            stop.store(true, Ordering::Relaxed);
        }
        if self.guard.suspend(self.signals, suspend)? {
            self.screen.forget();
        }
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
            self.screen.draw(|buffer, paint| busy.draw(buffer, paint))?;
            self.drawn = Some(Instant::now());
        }
        Ok(())
    }
}

/// The terminal's screen: what it shows, so that only what changes is written. (ratatui's own keeper of a screen asks
/// the terminal where its cursor is, and some never answer.)
struct Screen {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// What is there now; nothing is known of it in the beginning, or after somebody else has had the terminal.
    shown: Option<(Buffer, Option<Position>)>,
    paint: Paint,
}

impl Screen {
    fn new() -> Screen {
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        Screen { backend, shown: None, paint: Paint::new(capabilities()) }
    }

    /// Its size; a usual one where the terminal does not tell.
    fn area(&self) -> Rect {
        let size = terminal::size().ok().filter(|(width, height)| *width > 0 && *height > 0);
        let (width, height) = size.unwrap_or((80, 24));
        Rect::new(0, 0, width, height)
    }

    fn forget(&mut self) {
        self.shown = None;
    }

    fn draw(&mut self, view: impl FnOnce(&mut Buffer, Paint) -> Option<Position>) -> io::Result<()> {
        let mut buffer = Buffer::empty(self.area());
        let cursor = view(&mut buffer, self.paint);
        let known = self.shown.take().filter(|(shown, _)| shown.area == buffer.area);
        let is_new = known.is_none();
        let (before, cursor_before) = known.unwrap_or_else(|| (Buffer::empty(buffer.area), None));
        if is_new || before != buffer || cursor_before != cursor {
            queue!(self.backend, BeginSynchronizedUpdate)?;
            if is_new {
                queue!(self.backend, Clear(ClearType::All))?;
            }
            self.backend.draw(before.diff(&buffer).into_iter())?;
            match cursor {
                Some(Position { x, y }) => queue!(self.backend, MoveTo(x, y), Show)?,
                None => queue!(self.backend, Hide)?,
            }
            queue!(self.backend, EndSynchronizedUpdate)?;
            io::Write::flush(&mut self.backend)?;
        }
        self.shown = Some((buffer, cursor));
        Ok(())
    }
}

fn capabilities() -> Capabilities {
    Capabilities::of(|name| std::env::var(name).ok())
}
