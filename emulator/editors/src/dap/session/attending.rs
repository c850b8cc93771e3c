//! The session during a job: it answers requests that do not need the program, ends the job on request, and queues all
//! other requests.

use super::job::{Job, Link, News, Outcome};
use super::program::{Program, Standing};
use super::state::{Needs, Session, Stage};
use crate::dap::message::{Answer, Request};
use gray1_debugger::DebugError;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A command that takes longer than this is announced as a run of the machine.
const PROMPT: Duration = Duration::from_millis(100);
/// The time to wait for the job before checking for requests again.
const MOMENT: Duration = Duration::from_millis(10);
/// Maximum number of messages of a job waiting to be sent, and of requests waiting for the program.
const MAX_WAITING: usize = 1024;

impl Session {
    /// Begins a job: a command of the console if `standing` is given, otherwise a run.
    pub(super) fn begin_job(
        &mut self,
        standing: Option<Standing>,
        work: impl FnOnce(&mut Program, &Link) -> Outcome + Send + 'static,
    ) {
        let Some(mut program) = self.program.take() else { return };
        let (sender, news) = sync_channel(MAX_WAITING);
        let interrupt = Arc::new(AtomicBool::new(false));
        let link = Link { news: sender, interrupt: Arc::clone(&interrupt) };
        thread::spawn(move || {
            let outcome = work(&mut program, &link);
            let _ = link.news.send(News::Done(Box::new(program), outcome)); // fails if the session is over
        });
        let (request, waiting) = (None, Vec::new());
        let job = Job { news, interrupt, standing, request, waiting };
        self.stage = Stage::Busy(Box::new(job));
    }

    /// The answer of a command that has just started, if it ends soon. Otherwise the command is announced as running.
    pub(super) fn soon(&mut self) -> Answer {
        let end = Instant::now() + PROMPT;
        while let Stage::Busy(_) = &self.stage {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.outbox.event("continued", json!({ "threadId": 1, "allThreadsContinued": true }));
                break;
            }
            if let Some((_, answer)) = self.news(left) {
                return answer;
            }
        }
        Ok(json!(null))
    }

    /// Waits a moment for news of the job. When it is done, answers the requests that have waited for it.
    pub(super) fn attend_to_job(&mut self) {
        let Some((mut job, answer)) = self.news(MOMENT) else { return };
        match job.request.take() {
            Some(request) => self.outbox.respond(&request, answer),
            None => self.outbox.release(),
        }
        std::mem::take(&mut job.waiting).into_iter().for_each(|request| self.carry_out(request));
    }

    /// Decides what to do with a request while a job runs; returns the request if it can be carried out now.
    pub(super) fn consider_job(&mut self, request: Request, needs: Needs) -> Option<Request> {
        let Stage::Busy(job) = &mut self.stage else { return Some(request) };
        match request.command.as_str() {
            "pause" | "terminate" | "disconnect" | "restart" => {
                self.end_job();
                Some(request)
            }
            "threads" => Some(request),
            _ if matches!(needs, Needs::Program) && job.waiting.len() < MAX_WAITING => {
                job.waiting.push(request);
                None
            }
            _ => Some(request),
        }
    }

    /// Interrupts the job and waits for its end.
    fn end_job(&mut self) {
        while let Stage::Busy(job) = &self.stage {
            job.interrupt.store(true, Ordering::Relaxed);
            self.attend_to_job();
        }
    }

    /// Waits for news of the job; returns the job and its answer if it is done. Events that belong to the answer wait
    /// until it is sent.
    fn news(&mut self, patience: Duration) -> Option<(Box<Job>, Answer)> {
        let Stage::Busy(job) = &self.stage else { return None };
        let news = job.news.recv_timeout(patience);
        match news {
            Ok(News::Logged(message)) => {
                self.say("console", &message);
                return None;
            }
            Err(RecvTimeoutError::Timeout) => return None,
            Ok(News::Done(..)) | Err(RecvTimeoutError::Disconnected) => {}
        }
        let Stage::Busy(mut job) = std::mem::replace(&mut self.stage, Stage::Stopped) else { return None };
        self.outbox.begin();
        let Ok(News::Done(program, outcome)) = news else {
            self.finish();
            return Some((job, Err("the debugger has failed".into())));
        };
        self.program = Some(*program);
        let answer = match (outcome, job.standing.take()) {
            (Outcome::Replied(reply, result), Some(standing)) => {
                let was_announced = job.request.is_some();
                self.reply(standing, was_announced, reply.trim_end(), result)
            }
            (Outcome::Arrived(result, entered), _) => {
                match result {
                    Ok(reason) => self.arrive(&reason, &entered),
                    Err(DebugError::Interrupted) => self.stop("pause", "Paused"),
                    Err(error) => self.stop("exception", &error.to_string()),
                }
                Ok(json!(null))
            }
            (Outcome::Replied(..), None) => Ok(json!(null)),
        };
        Some((job, answer))
    }
}
