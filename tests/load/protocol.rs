//! A client of `gray1 dap` and `gray1 lsp` that sends requests without waiting, and checks that each gets one response.

use serde_json::Value;
use std::collections::HashSet;
use std::io::BufReader;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use test_support::process::{Process, until};

/// A client with its server.
pub struct Client {
    /// The process of the server.
    pub process: Process,
    to: ChildStdin,
    /// The number of the newest request.
    pub sent: u64,
    received: Arc<Mutex<Received>>,
}

/// The messages received from the server.
#[derive(Default)]
struct Received {
    /// The requests that have no response yet.
    waiting: HashSet<u64>,
    /// The newest response.
    newest: Option<(u64, Value)>,
}

impl Client {
    /// Starts a server. `number` gives the request that a message responds to; `on_message` receives all other
    /// messages.
    pub fn start(
        subcommand: &str,
        number: fn(&Value) -> Option<u64>,
        mut on_message: impl FnMut(Value) + Send + 'static,
    ) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
        let mut process =
            Process::start(command.arg(subcommand).stdin(Stdio::piped()).stdout(Stdio::piped()));
        let to = process.stdin.take().expect("piped");
        let mut from = BufReader::new(process.stdout.take().expect("piped"));
        let received = Arc::new(Mutex::new(Received::default()));
        let shared = Arc::clone(&received);
        thread::spawn(move || {
            while let Some(text) = gray1_editors::framing::read(&mut from).expect("whole messages") {
                let message = gray1_editors::framing::parse(&text).expect("JSON");
                let Some(number) = number(&message) else {
                    on_message(message);
                    continue;
                };
                let mut received = shared.lock().expect("the sender has not failed");
                assert!(received.waiting.remove(&number), "no request waits for this response: {message}");
                received.newest = Some((number, message));
            }
        });
        Client { process, to, sent: 0, received }
    }

    fn received(&self) -> MutexGuard<'_, Received> {
        self.received.lock().expect("the reader has not failed")
    }

    /// Sends a request, which `message` makes from its number.
    pub fn request(&mut self, message: impl FnOnce(u64) -> Value) {
        self.sent += 1;
        self.received().waiting.insert(self.sent);
        self.notify(&message(self.sent));
    }

    /// Sends a message that gets no response.
    pub fn notify(&mut self, message: &Value) {
        gray1_editors::framing::write(&mut self.to, message).expect("the server reads");
    }

    /// Waits until every request has its response, and returns how many there were.
    pub fn all_answered(&self) -> u64 {
        until("every request has an answer", || self.received().waiting.is_empty().then_some(()));
        self.sent
    }

    /// Waits for all responses, then sends a request and waits for its response.
    pub fn ask(&mut self, message: impl FnOnce(u64) -> Value) -> Value {
        self.all_answered();
        self.request(message);
        self.all_answered();
        let (number, answer) = self.received().newest.take().expect("an answer");
        assert_eq!(number, self.sent);
        answer
    }
}
