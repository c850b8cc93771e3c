//! How far a long command is: a line on standard error, where that is a terminal. Commands that take a moment show
//! none, and no trace of it is left.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// What takes longer than this is long.
const MOMENT: Duration = Duration::from_millis(500);

/// The way to a known number of things; any thread may report.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Once,
}

impl Progress {
    /// So many things to do, called by their plural.
    pub fn of(things: u64, name: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(things), ProgressDrawTarget::hidden());
        let template = format!("{{bar:24}} {{human_pos}} of {{human_len}} {name}, {{elapsed}}  {{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("━━─"));
        }
        Progress { bar, begun: Instant::now(), shown: Once::new() }
    }

    /// So many more are done.
    pub fn add(&self, things: u64) {
        self.show();
        self.bar.inc(things);
    }

    /// What there is to say beside.
    pub fn say(&self, message: String) {
        self.show();
        self.bar.set_message(message);
    }

    /// Does something to which the line must give way, such as writing to standard output.
    pub fn aside<Outcome>(&self, work: impl FnOnce() -> Outcome) -> Outcome {
        self.bar.suspend(work)
    }

    fn show(&self) {
        if self.begun.elapsed() > MOMENT {
            // Draws nothing where standard error is no terminal.
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
