//! What may take long, on a thread of its own: the search backwards of a run, and commands of the console. The program
//! goes there with it and comes back in the end.

use super::program::{Program, Standing};
use crate::message::Request;
use gray1_debugger::{DebugError, Frame, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};

/// A job under way.
pub(super) struct Job {
    pub news: Receiver<News>,
    pub interrupt: Arc<AtomicBool>,
    /// Where the machine was before a command of the console; `None` for a run.
    pub standing: Option<Standing>,
    /// The command of the console, once it has turned out to take long: its response comes when it is done.
    pub request: Option<Request>,
    pub is_cancelled: bool,
    /// Requests that wait for the program.
    pub waiting: Vec<Request>,
}

/// What is heard of a job.
pub(super) enum News {
    /// The message of a logpoint.
    Logged(String),
    /// It is done.
    Done(Box<Program>, Outcome),
}

/// How a job ended.
pub(super) enum Outcome {
    /// A command of the console: what it said, and whether it failed.
    Replied(String, Result<(), DebugError>),
    /// A run, and the expansions that had been entered where it began.
    Arrived(Result<StopReason, DebugError>, Vec<Frame>),
}

/// For the thread of a job: where messages go, and what ends it.
pub(super) struct Link {
    pub news: SyncSender<News>,
    pub interrupt: Arc<AtomicBool>,
}

impl Link {
    /// Sends the message of a logpoint. If nobody is there any more, the job is to end.
    pub fn log(&self, message: &str) {
        if self.news.send(News::Logged(message.to_owned())).is_err() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// The same for another owner.
    pub fn share(&self) -> Link {
        Link { news: self.news.clone(), interrupt: Arc::clone(&self.interrupt) }
    }
}

impl Job {
    /// Whether this is a command of the console that nobody knows the request of yet.
    pub fn wants_request(&self) -> bool {
        self.standing.is_some() && self.request.is_none()
    }

    /// Leaves the request to be answered when the job is done.
    pub fn answer_later(&mut self, request: Request) {
        self.request = Some(request);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}
