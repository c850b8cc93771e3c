//! Shows the progress of a long command on standard error, if that is a terminal. The line appears after a delay and is
//! erased at the end.
//!
//! The line leaves space at the right edge for `^C`, which terminals print. If that wrapped to the next line, the
//! progress line could not be erased.

use crate::message::is_quiet;
use gray1_debugger::Debugger;
use gray1_display::terminal;
use gray1_machine::Engine;
use gray1_text::grouped;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The delay before progress is shown.
const SHOW_DELAY: Duration = Duration::from_millis(500);
/// The minimum time between two updates of the line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);
/// The width of the bar.
const BAR_WIDTH: u64 = 24;
/// The width of the space for `^C`.
const EDGE_WIDTH: usize = 4;

/// Progress towards a known total. Any thread may report.
pub struct Progress {
    total: u64,
    /// The unit, in the plural.
    unit: String,
    begun: Instant,
    state: Mutex<Tally>,
}

struct Tally {
    done: u64,
    message: String,
    line: ProgressLine,
}

impl Progress {
    /// Starts at zero; `unit` is a plural noun.
    pub fn of(total: u64, unit: &str) -> Progress {
        let state = Tally { done: 0, message: String::new(), line: ProgressLine::new() };
        Progress { total, unit: unit.to_owned(), begun: Instant::now(), state: Mutex::new(state) }
    }

    /// Adds completed units.
    pub fn add(&self, count: u64) {
        let mut state = self.state();
        state.done += count;
        self.draw(&mut state);
    }

    /// Sets the text beside the bar.
    pub fn set_message(&self, message: String) {
        let mut state = self.state();
        state.message = message;
        self.draw(&mut state);
    }

    /// Runs work that writes to the terminal: erases the line first.
    pub fn suspend<Answer>(&self, work: impl FnOnce() -> Answer) -> Answer {
        let mut state = self.state();
        state.line.erase();
        work()
    }

    fn state(&self) -> MutexGuard<'_, Tally> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self, Tally { done, message, line }: &mut Tally) {
        if self.begun.elapsed() > SHOW_DELAY {
            line.draw(|| {
                format!("{}  {message}", share(*done, self.total, &self.unit, self.begun.elapsed()))
            });
        }
    }
}

/// The progress of a run, in cycles. If the program's output goes to a terminal too, the line is erased before output.
/// It is drawn again once the program has been silent for a while and its last line is complete.
pub struct RunProgress {
    cycles: u64,
    /// The maximum number of cycles.
    limit: Option<u64>,
    begun: Instant,
    /// The time of the program's last output.
    quiet_since: Instant,
    is_within_line: bool,
    shares_terminal: bool,
    line: ProgressLine,
}

impl RunProgress {
    /// Starts the progress of a run with this limit.
    pub fn new(limit: Option<u64>) -> RunProgress {
        let now = Instant::now();
        RunProgress {
            cycles: 0,
            limit,
            begun: now,
            quiet_since: now,
            is_within_line: false,
            shares_terminal: io::stdout().is_terminal(),
            line: ProgressLine::new(),
        }
    }

    /// Adds executed cycles.
    pub fn add(&mut self, cycles: u64) {
        self.cycles += cycles;
        if !self.is_within_line && self.quiet_since.elapsed() > SHOW_DELAY {
            let RunProgress { cycles, limit, begun, .. } = *self;
            self.line.draw(|| match limit {
                Some(limit) => share(cycles, limit, "cycles", begun.elapsed()),
                None => format!("{} cycles, {}", grouped(cycles), seconds(begun.elapsed())),
            });
        }
    }

    /// Erases the line before output of the program is written.
    pub fn make_way(&mut self, bytes: &[u8]) {
        if let (true, Some(last)) = (self.shares_terminal, bytes.last()) {
            self.line.erase();
            self.quiet_since = Instant::now();
            self.is_within_line = *last != b'\n';
        }
    }
}

/// The progress of a search in the debugger.
pub struct SearchProgress {
    begun: Instant,
    line: ProgressLine,
}

impl SearchProgress {
    /// Starts the progress of a search.
    pub fn new() -> SearchProgress {
        SearchProgress { begun: Instant::now(), line: ProgressLine::new() }
    }

    /// Shows the progress of a debugger until it is dropped or gets another observer.
    pub fn observe(debugger: &mut Debugger) {
        let mut progress = SearchProgress::new();
        debugger
            .history_mut()
            .set_observer(Box::new(move |machine, _, _| progress.set_cycle(machine.cycle())));
    }

    /// Restarts the clock for another search.
    pub fn restart(&mut self) {
        self.begun = Instant::now();
    }

    /// Sets the cycle that the search has reached.
    pub fn set_cycle(&mut self, cycle: u64) {
        let time = self.begun.elapsed();
        if time > SHOW_DELAY {
            self.line.draw(|| format!("at cycle {}, {}; Ctrl-C stops it", grouped(cycle), seconds(time)));
        }
    }

    /// Erases the line before other output is written.
    pub fn make_way(&mut self) {
        self.line.erase();
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

/// Formats progress as a bar and as text.
fn share(done: u64, total: u64, unit: &str, time: Duration) -> String {
    let part = u128::from(done.min(total)) * u128::from(BAR_WIDTH) / u128::from(total.max(1));
    let bar = |width: u64, mark: &str| mark.repeat(width as usize);
    format!(
        "{}{} {} of {} {unit}, {}",
        bar(part as u64, "━"),
        bar(BAR_WIDTH - part as u64, "─"),
        grouped(done),
        grouped(total),
        seconds(time)
    )
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
        let bar = |done, things| share(done, things, "runs", Duration::from_secs(75));
        assert_eq!(bar(0, 4), "──────────────────────── 0 of 4 runs, 1 min 15 s");
        assert_eq!(bar(1, 4), "━━━━━━────────────────── 1 of 4 runs, 1 min 15 s");
        assert_eq!(bar(9, 4), "━━━━━━━━━━━━━━━━━━━━━━━━ 9 of 4 runs, 1 min 15 s");
        assert!(
            bar(0, 0).starts_with('─') && bar(u64::MAX, u64::MAX).starts_with("━━━━━━━━━━━━━━━━━━━━━━━━ ")
        );
        assert_eq!(seconds(Duration::from_secs(3_900)), "1 h 05 min");
    }
}
