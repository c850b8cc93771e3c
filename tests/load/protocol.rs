//! One end of a conversation that knows which of its requests have no answer yet.

use serde_json::Value;
use std::collections::HashSet;
use std::io::BufReader;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use test_support::process::{Process, until};

/// A server, and what is said to it.
pub struct Client {
    /// The server.
    pub process: Process,
    to: ChildStdin,
    /// The number of the newest request.
    pub sent: u64,
    heard: Arc<Mutex<Heard>>,
}

/// What has come from the server.
#[derive(Default)]
struct Heard {
    /// The requests without an answer.
    waiting: HashSet<u64>,
    /// The newest answer.
    newest: Option<(u64, Value)>,
}

impl Client {
    /// Starts a server. `number` finds the request that a message answers; `tell` is given what answers none.
    pub fn start(
        subcommand: &str,
        number: fn(&Value) -> Option<u64>,
        mut tell: impl FnMut(Value) + Send + 'static,
    ) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
        let mut process =
            Process::start(command.arg(subcommand).stdin(Stdio::piped()).stdout(Stdio::piped()));
        let to = process.stdin.take().expect("piped");
        let mut from = BufReader::new(process.stdout.take().expect("piped"));
        let heard = Arc::new(Mutex::new(Heard::default()));
        let shared = Arc::clone(&heard);
        thread::spawn(move || {
            while let Some(text) = gray1_wire::read(&mut from).expect("whole messages") {
                let message = gray1_wire::parse(&text).expect("JSON");
                let Some(number) = number(&message) else {
                    tell(message);
                    continue;
                };
                let mut heard = shared.lock().expect("who sends has not failed");
                assert!(heard.waiting.remove(&number), "nobody waits for this answer: {message}");
                heard.newest = Some((number, message));
            }
        });
        Client { process, to, sent: 0, heard }
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().expect("every answer was waited for")
    }

    /// Sends a request; `message` is given its number.
    pub fn request(&mut self, message: impl FnOnce(u64) -> Value) {
        self.sent += 1;
        self.heard().waiting.insert(self.sent);
        self.notify(&message(self.sent));
    }

    /// Sends what has no answer.
    pub fn notify(&mut self, message: &Value) {
        gray1_wire::write(&mut self.to, message).expect("the server reads");
    }

    /// Waits until every request has been answered; returns how many there were.
    pub fn all_answered(&self) -> u64 {
        until("every request has an answer", || self.heard().waiting.is_empty().then_some(()));
        self.sent
    }

    /// Sends a request when those before it have been answered, and waits for the answer.
    pub fn ask(&mut self, message: impl FnOnce(u64) -> Value) -> Value {
        self.all_answered();
        self.request(message);
        self.all_answered();
        let (number, answer) = self.heard().newest.take().expect("an answer");
        assert_eq!(number, self.sent);
        answer
    }
}
