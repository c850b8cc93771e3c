//! Long work on a separate thread: backward searches, and commands of the console. The program is moved to that thread
//! and comes back when the job is done.

use super::program::{Program, Standing};
use crate::dap::message::Request;
use gray1_debugger::{DebugError, Frame, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};

/// A job under way.
pub(super) struct Job {
    pub news: Receiver<News>,
    pub interrupt: Arc<AtomicBool>,
    /// The state of the machine before a command of the console; `None` for a run.
    pub standing: Option<Standing>,
    /// The command of the console, once it has turned out to take long: its response comes when it is done.
    pub request: Option<Request>,
    /// Requests that wait for the program.
    pub waiting: Vec<Request>,
}

/// A message from a job.
pub(super) enum News {
    /// The message of a logpoint.
    Logged(String),
    /// It is done.
    Done(Box<Program>, Outcome),
}

/// The outcome of a job.
pub(super) enum Outcome {
    /// A command of the console: its reply, and whether it failed.
    Replied(String, Result<(), DebugError>),
    /// A run, and the expansions that had been entered where it began.
    Arrived(Result<StopReason, DebugError>, Vec<Frame>),
}

/// The connection of a job's thread to the session: where messages go, and the flag that ends the job.
pub(super) struct Link {
    pub news: SyncSender<News>,
    pub interrupt: Arc<AtomicBool>,
}

impl Link {
    /// Sends the message of a logpoint. If the session is over, interrupts the job.
    pub fn log(&self, message: &str) {
        if self.news.send(News::Logged(message.to_owned())).is_err() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// Another handle to the same connection.
    pub fn share(&self) -> Link {
        Link { news: self.news.clone(), interrupt: Arc::clone(&self.interrupt) }
    }
}

impl Job {
    /// Whether this is a command of the console whose request has not been stored yet.
    pub fn wants_request(&self) -> bool {
        self.standing.is_some() && self.request.is_none()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}
