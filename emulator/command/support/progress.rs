//! Shows the progress of a long command on standard error, if that is a terminal. The line appears after a delay and is
//! erased at the end.
//!
//! The line leaves space at the right edge for `^C`, which terminals print. If that wrapped to the next line, the
//! progress line could not be erased.

use crate::support::message::is_quiet;
use gray1_debugger::Debugger;
use gray1_display::terminal;
use gray1_machine::Engine;
use gray1_text::grouped;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The delay before progress is shown.
const SHOW_DELAY: Duration = Duration::from_millis(500);
/// The minimum time between two updates of the line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);
/// The width of the bar.
const BAR_WIDTH: u64 = 24;
/// The width of the space for `^C`.
const EDGE_WIDTH: usize = 4;

/// The progress of a command. Any thread may report.
pub struct Progress {
    /// The amount of work, if it is known.
    total: Option<u64>,
    /// The unit, in the plural; empty for work that is not counted.
    unit: &'static str,
    state: Mutex<State>,
}

struct State {
    done: u64,
    /// The text beside the bar.
    message: String,
    begun: Instant,
    /// The time of the last output of the command on the same terminal.
    quiet_since: Instant,
    /// Set if the last line of that output is not complete.
    is_within_line: bool,
    line: ProgressLine,
}

impl Progress {
    /// Starts at zero; `unit` is a plural noun.
    pub fn new(total: impl Into<Option<u64>>, unit: &'static str) -> Progress {
        let (now, message) = (Instant::now(), String::new());
        let line = ProgressLine::new();
        let state = State { done: 0, message, begun: now, quiet_since: now, is_within_line: false, line };
        Progress { total: total.into(), unit, state: Mutex::new(state) }
    }

    /// Shows the cycle that a debugger has reached, until the debugger is dropped or gets another observer.
    pub fn observe(debugger: &mut Debugger) -> Arc<Progress> {
        let progress = Arc::new(Progress::new(None, "cycles"));
        let observed = Arc::clone(&progress);
        debugger.history_mut().set_observer(Box::new(move |machine, _, _| {
            observed.update(|state| state.done = machine.cycle());
        }));
        progress
    }

    /// Adds completed units.
    pub fn add(&self, count: u64) {
        self.update(|state| state.done += count);
    }

    /// Sets the text beside the bar.
    pub fn set_message(&self, message: String) {
        self.update(|state| state.message = message);
    }

    /// Restarts the clock for other work.
    pub fn restart(&self) {
        let mut state = self.state();
        (state.begun, state.quiet_since) = (Instant::now(), Instant::now());
    }

    /// Erases the line before other output is written.
    pub fn erase(&self) {
        self.state().line.erase();
    }

    /// Erases the line before output of a program is written to the same terminal. The line is drawn again once the
    /// program has been silent for a while and its last line is complete.
    pub fn make_way(&self, bytes: &[u8]) {
        if let (true, Some(last)) = (io::stdout().is_terminal(), bytes.last()) {
            let mut state = self.state();
            state.line.erase();
            (state.quiet_since, state.is_within_line) = (Instant::now(), *last != b'\n');
        }
    }

    /// Runs work that writes to the terminal: erases the line first.
    pub fn suspend<Answer>(&self, work: impl FnOnce() -> Answer) -> Answer {
        let mut state = self.state();
        state.line.erase();
        work()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        let State { done, message, begun, quiet_since, is_within_line, line } = &mut *state;
        if !*is_within_line && quiet_since.elapsed() > SHOW_DELAY {
            line.draw(|| text(*done, self.total, self.unit, message, begun.elapsed()));
        }
    }
}

/// The progress line on the terminal.
struct ProgressLine {
    /// Whether standard error is a terminal that can erase a line. Otherwise nothing is drawn.
    has_terminal: bool,
    /// The time when the line was last drawn; `None` if it is erased.
    drawn: Option<Instant>,
}

impl ProgressLine {
    fn new() -> ProgressLine {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        ProgressLine { has_terminal: io::stderr().is_terminal() && !is_dumb && !is_quiet(), drawn: None }
    }

    fn draw(&mut self, text: impl FnOnce() -> String) {
        if self.has_terminal && self.drawn.is_none_or(|drawn| drawn.elapsed() > UPDATE_INTERVAL) {
            self.drawn = Some(Instant::now());
            let (columns, _) = terminal::size();
            let room = usize::from(columns).saturating_sub(EDGE_WIDTH);
            let text: String = text().trim_end().chars().take(room).collect();
            let _ = write!(io::stderr(), "\r{text}\x1b[K"); // errors are ignored, as in `print_message`
        }
    }

    fn erase(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.erase();
    }
}

/// Formats progress, with a bar if the total is known.
fn text(done: u64, total: Option<u64>, unit: &str, message: &str, time: Duration) -> String {
    let (count, time) = (grouped(done), seconds(time));
    match total {
        None if unit.is_empty() => format!("{message}, {time}"),
        None => format!("{count} {unit}, {time}  {message}"),
        Some(total) => {
            let part = u128::from(done.min(total)) * u128::from(BAR_WIDTH) / u128::from(total.max(1));
            let (bar, rest) = ("━".repeat(part as usize), "─".repeat(BAR_WIDTH as usize - part as usize));
            format!("{bar}{rest} {count} of {} {unit}, {time}  {message}", grouped(total))
        }
    }
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_proportional() {
        let bar = |done, total| text(done, Some(total), "runs", "", Duration::from_secs(75));
        assert_eq!(bar(1, 4).trim_end(), "━━━━━━────────────────── 1 of 4 runs, 1 min 15 s");
        assert_eq!(bar(9, 4).trim_end(), "━━━━━━━━━━━━━━━━━━━━━━━━ 9 of 4 runs, 1 min 15 s");
        assert!(bar(0, 0).starts_with('─') && bar(u64::MAX, u64::MAX).starts_with(&"━".repeat(24)));
        assert_eq!(
            text(7, None, "cycles", "", Duration::from_secs(3_900)).trim_end(),
            "7 cycles, 1 h 05 min"
        );
        assert_eq!(text(0, None, "", "paths", Duration::from_secs(3)), "paths, 3 s");
    }
}
