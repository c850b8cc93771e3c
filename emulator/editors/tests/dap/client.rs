//! A client that talks to a session in the same process.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{Debugger, Source};
use gray1_editors::dap::{Host, Incoming, Launch, Request, Session};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A program with two names in RAM, a macro in a macro, and output.
pub const COUNT: &str = "\
.include \"send.g1\"
.ram  n
.ram  list, 3
      lda  #3
      sta  n
loop: send n
      lda  n
      add  #-1
      sta  n
      jz   halt
      jmp  loop
halt: jmp  halt
";

pub const SEND: &str = "\
.macro digit of
      lda  of
      add  #'0'
.endmacro
.macro send of
      digit of
      sta  OUT
.endmacro
";

pub const ENDLESS: &str = ".ram n\nloop: lda n\n add #1\n sta n\n jmp loop\n";

/// `outer` calls `inner`, which has two calls.
pub const CALLS: &str = "\
.ram  n
      lda  #3
      sta  n
      call outer
      call inner
halt: jmp  halt
.routine outer
      lda  n
      call inner
      sta  OUT
.endroutine
.routine inner
      lda  n
      add  #1
      sta  n
.endroutine
";

/// Programs in memory, under `/p/`; the board of a launch are changed cells.
pub struct Shelf(pub Rc<RefCell<MemoryLoader>>);

impl Host for Shelf {
    fn load(
        &mut self,
        launch: &Launch,
        log: &mut dyn FnMut(String),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Debugger, Box<dyn Error>> {
        let path = launch.program.trim_start_matches("/p/");
        while path == "long.g1" && !is_stopped() {
            std::thread::yield_now();
        }
        let source = if path == "image" {
            Source::of_image(Image::blank())
        } else {
            let assembly = assemble(&*self.0.borrow(), path, &Options::default());
            let report = assembly.report.render(false);
            if !report.is_empty() {
                log(report.clone());
            }
            Source::of_assembly(assembly).ok_or(report)?
        };
        let mut board = Board::gray1();
        for cell in launch.board.iter().flat_map(|cells| cells.split_whitespace()) {
            board.change(&cell.parse().unwrap()).unwrap();
        }
        let machine = ChipsEngine::power_up(&board, source.image(), Noise::Zeros).unwrap();
        Ok(Debugger::new(machine, board, source, Script::default()).unwrap())
    }

    fn full_path(&self, path: &str) -> String {
        format!("/p/{path}")
    }

    fn canonical_path(&self, path: &str) -> String {
        path.trim_start_matches("/p/").to_owned()
    }
}

pub struct Client {
    pub session: Session,
    pub shelf: Rc<RefCell<MemoryLoader>>,
    pub events: Vec<Value>,
    /// All messages that arrived with the last response.
    pub heard: Vec<Value>,
    number: i64,
}

impl Client {
    pub fn new() -> Client {
        let files = [("count.g1", COUNT), ("send.g1", SEND), ("endless.g1", ENDLESS), ("calls.g1", CALLS)];
        let shelf = Rc::new(RefCell::new(MemoryLoader::new(files)));
        let host = Box::new(Shelf(Rc::clone(&shelf)));
        let session = Session::new(host, Arc::new(AtomicBool::new(false)));
        Client { session, shelf, events: Vec::new(), heard: Vec::new(), number: 0 }
    }

    /// A client that is stopped at the beginning of this program.
    pub fn at_entry(program: &str) -> Client {
        let mut client = Client::new();
        client
            .ask("initialize", json!({ "supportsInvalidatedEvent": true, "supportsMemoryReferences": true }));
        client.ask("launch", json!({ "program": format!("/p/{program}"), "stopOnEntry": true }));
        client.ask("configurationDone", Value::Null);
        assert_eq!(client.stopped()["reason"], "entry");
        client
    }

    /// The response to a request.
    pub fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.number += 1;
        self.events.extend(self.session.outgoing());
        let request = Request { seq: self.number, command: command.to_owned(), arguments };
        // A run under way ends before the response, and a long command announces that the machine runs.
        let mut is_long = self.session.is_running();
        self.session.receive(Incoming::Request(request));
        let (mut response, mut told) = (None, 0);
        self.heard = self.session.outgoing();
        while self.session.is_running() && !self.heard.iter().any(|message| message["type"] == "response") {
            self.session.run_on();
            self.heard.extend(self.session.outgoing());
        }
        for message in self.heard.clone() {
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], self.number);
                let is_in_order = told == 0 || is_long || message["success"] == false;
                assert!(is_in_order, "what `{command}` makes happen is told before its response");
                assert_eq!(response.replace(message), None, "two responses to `{command}`");
            } else {
                told += 1;
                is_long |= message["event"] == "continued" && told == 1;
                self.events.push(message);
            }
        }
        response.unwrap_or_else(|| panic!("no response to `{command}`"))
    }

    /// Sends a request that must succeed, and returns the body of the response.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// Sends a request that must be refused, and returns the reason.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        response["message"].as_str().unwrap().to_owned()
    }

    /// Lets the machine run until it stops, and returns the body of the `stopped` event.
    pub fn stopped(&mut self) -> Value {
        while self.session.is_running() {
            self.session.run_on();
            self.events.extend(self.session.outgoing());
        }
        let stops = self.events.iter().rposition(|event| event["event"] == "stopped");
        let stop = stops.unwrap_or_else(|| panic!("it has not stopped: {:?}", self.events));
        self.events[stop]["body"].clone()
    }

    /// Sends a request that moves the machine, and returns the reason for which it stops.
    pub fn go(&mut self, command: &str) -> String {
        self.events.clear();
        self.ask(command, json!({ "threadId": 1 }));
        self.stopped()["reason"].as_str().unwrap().to_owned()
    }

    /// The frames, the innermost first: `name file:line`.
    pub fn stack(&mut self) -> String {
        let body = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frames = body["stackFrames"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let shown = frames.map(|frame| {
            format!("{} {}:{}", text(&frame["name"]), text(&frame["source"]["name"]), frame["line"])
        });
        shown.collect::<Vec<_>>().join(" < ")
    }

    pub fn value(&mut self, expression: &str) -> String {
        let body = self.ask("evaluate", json!({ "expression": expression }));
        body["result"].as_str().unwrap().to_owned()
    }

    /// The output of this category received so far.
    pub fn told(&self, category: &str) -> String {
        let bodies = self.events.iter().map(|event| &event["body"]);
        let output = bodies.filter(|body| body["category"] == category);
        output.filter_map(|body| body["output"].as_str()).collect()
    }

    pub fn saw(&self, event: &str) -> bool {
        self.events.iter().any(|seen| seen["event"] == event)
    }
}
