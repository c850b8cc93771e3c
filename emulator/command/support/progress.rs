//! The progress of a long command: a line on standard error if that is a terminal. Short commands do not show it, and
//! it is erased at the end.
//!
//! The line leaves room at the right edge: a terminal prints `^C` there, and if that wrapped to the next line, the
//! progress line could not be erased.

use gray1_debugger::Debugger;
use gray1_display::terminal;
use gray1_machine::Engine;
use gray1_text::grouped;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Progress is shown only if the work takes longer than this.
const MOMENT: Duration = Duration::from_millis(500);
/// Minimum time between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);
/// The width of the bar, and of the room for `^C`.
const BAR: u64 = 24;
const EDGE: usize = 4;

/// Progress towards a known number of things. Any thread may report.
pub struct Progress {
    things: u64,
    /// The name of the things, in the plural.
    name: String,
    begun: Instant,
    state: Mutex<Tally>,
}

struct Tally {
    done: u64,
    message: String,
    line: ProgressLine,
}

impl Progress {
    /// Progress towards this number of things; `name` is their plural.
    pub fn of(things: u64, name: &str) -> Progress {
        let state = Tally { done: 0, message: String::new(), line: ProgressLine::new() };
        Progress { things, name: name.to_owned(), begun: Instant::now(), state: Mutex::new(state) }
    }

    /// Reports that this many more things are done.
    pub fn add(&self, things: u64) {
        let mut state = self.state();
        state.done += things;
        self.draw(&mut state);
    }

    /// Sets the text shown beside the bar.
    pub fn say(&self, message: String) {
        let mut state = self.state();
        state.message = message;
        self.draw(&mut state);
    }

    /// Erases the line while `work` runs, for work that writes to the terminal.
    pub fn aside<Answer>(&self, work: impl FnOnce() -> Answer) -> Answer {
        let mut state = self.state();
        state.line.wipe();
        work()
    }

    fn state(&self) -> MutexGuard<'_, Tally> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self, Tally { done, message, line }: &mut Tally) {
        if self.begun.elapsed() > MOMENT {
            line.draw(|| {
                format!("{}  {message}", share(*done, self.things, &self.name, self.begun.elapsed()))
            });
        }
    }
}

/// The number of cycles that have been run. If the program's output goes to a terminal too, the line is erased before
/// the output, and drawn again when the program has sent nothing for a moment and its last line is complete.
pub struct RunProgress {
    cycles: u64,
    /// The maximum number of cycles.
    limit: Option<u64>,
    begun: Instant,
    /// When the program last sent something.
    quiet_since: Instant,
    is_within_line: bool,
    shares_terminal: bool,
    line: ProgressLine,
}

impl RunProgress {
    /// The progress of a run with this limit of cycles.
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

    /// Reports that this many more cycles were run.
    pub fn add(&mut self, cycles: u64) {
        self.cycles += cycles;
        if !self.is_within_line && self.quiet_since.elapsed() > MOMENT {
            let RunProgress { cycles, limit, begun, .. } = *self;
            self.line.draw(|| match limit {
                Some(limit) => share(cycles, limit, "cycles", begun.elapsed()),
                None => format!("{} cycles, {}", grouped(cycles), seconds(begun.elapsed())),
            });
        }
    }

    /// Erases the line before this output of the program is written.
    pub fn give_way(&mut self, bytes: &[u8]) {
        if let (true, Some(last)) = (self.shares_terminal, bytes.last()) {
            self.line.wipe();
            self.quiet_since = Instant::now();
            self.is_within_line = *last != b'\n';
        }
    }
}

/// The progress of a search of the debugger.
pub struct SearchProgress {
    begun: Instant,
    line: ProgressLine,
}

impl SearchProgress {
    /// The progress of a search that starts now.
    pub fn new() -> SearchProgress {
        SearchProgress { begun: Instant::now(), line: ProgressLine::new() }
    }

    /// Shows the progress of a debugger, until it is dropped or has another observer.
    pub fn observe(debugger: &mut Debugger) {
        let mut progress = SearchProgress::new();
        debugger.history_mut().set_observer(Box::new(move |machine, _, _| progress.at(machine.cycle())));
    }

    /// Starts the time of another search.
    pub fn begin(&mut self) {
        self.begun = Instant::now();
    }

    /// Reports that the search has reached a cycle.
    pub fn at(&mut self, cycle: u64) {
        let time = self.begun.elapsed();
        if time > MOMENT {
            self.line.draw(|| format!("at cycle {}, {}; Ctrl-C stops it", grouped(cycle), seconds(time)));
        }
    }

    /// Erases the line before something else is written.
    pub fn give_way(&mut self) {
        self.line.wipe();
    }
}

/// The line on the terminal, and when it was last drawn; `None` if it is erased.
struct ProgressLine {
    /// Whether standard error is a terminal that can erase a line; otherwise nothing is drawn.
    has_terminal: bool,
    drawn: Option<Instant>,
}

impl ProgressLine {
    fn new() -> ProgressLine {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        ProgressLine { has_terminal: io::stderr().is_terminal() && !is_dumb, drawn: None }
    }

    fn draw(&mut self, text: impl FnOnce() -> String) {
        if self.has_terminal && self.drawn.is_none_or(|drawn| drawn.elapsed() > PAUSE) {
            self.drawn = Some(Instant::now());
            let (columns, _) = terminal::size();
            let room = usize::from(columns).saturating_sub(EDGE);
            let text: String = text().trim_end().chars().take(room).collect();
            let _ = write!(io::stderr(), "\r{text}\x1b[K"); // as in `tell`
        }
    }

    fn wipe(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// The share of things that are done, as a bar and in words.
fn share(done: u64, things: u64, name: &str, time: Duration) -> String {
    let part = u128::from(done.min(things)) * u128::from(BAR) / u128::from(things.max(1));
    let bar = |width: u64, mark: &str| mark.repeat(width as usize);
    format!(
        "{}{} {} of {} {name}, {}",
        bar(part as u64, "━"),
        bar(BAR - part as u64, "─"),
        grouped(done),
        grouped(things),
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
    fn a_bar_is_as_full_as_things_are_done() {
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
