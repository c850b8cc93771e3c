//! Whatever a client sends, in whatever order, every request gets one response, and nothing panics or hangs.

use crate::dap::client::{Client, Shelf};
use gray1_editors::dap::{Session, serve};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use test_support::random::requests;

/// Longer than any answer takes, even on a slow computer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A known or unknown request.
fn request() -> impl Strategy<Value = (String, Value)> {
    requests::request(Session::commands().map(str::to_owned).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_request_has_one_response(
        begun in any::<bool>(),
        requests in prop::collection::vec((request(), any::<bool>()), 1..40),
    ) {
        let mut client = if begun { Client::at_entry("count.g1") } else { Client::new() };
        for ((command, arguments), runs) in requests {
            let response = client.request(&command, arguments);
            prop_assert_eq!(&response["command"], &json!(command));
            let says_why = response["success"] == true || !response["message"].as_str().unwrap_or("").is_empty();
            prop_assert!(says_why, "{}", response);
            if runs {
                client.session.run_on();
            }
        }
    }

    #[test]
    fn every_stream_of_bytes_comes_to_its_end(
        messages in prop::collection::vec(prop_oneof![
            3 => request().prop_map(|(command, arguments)| framed(
                json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments }).to_string().as_bytes(),
            )),
            1 => "\\PC{0,40}".prop_map(|text| framed(text.as_bytes())),
            1 => prop::collection::vec(any::<u8>(), 0..40),
            1 => "(Content-Length: [0-9-]{0,20}(\r\n){0,2}){0,2}".prop_map(String::into_bytes),
        ], 0..12),
    ) {
        let stream = messages.concat();
        let mut answers = Vec::new();
        let host = Client::new().shelf;
        let _ = serve(io::Cursor::new(stream), &mut answers, Box::new(Shelf(host)));
        prop_assert!(answers.is_empty() || answers.starts_with(b"Content-Length: "));
    }
}

fn framed(text: &[u8]) -> Vec<u8> {
    let mut message = format!("Content-Length: {}\r\n\r\n", text.len()).into_bytes();
    message.extend(text);
    message
}

/// A stream that another thread writes while it is read.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// Passes on each message as it is written.
struct Listener(std::sync::mpsc::Sender<String>);

impl Write for Listener {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.send(String::from_utf8_lossy(buffer).into_owned()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All ways to end a program that never halts. The last request is sent when the machine is certainly running.
#[test]
fn an_endless_program_locks_nobody_out() {
    let launch = |program: &str| {
        [
            json!({ "command": "initialize" }),
            json!({ "command": "launch", "arguments": { "program": program } }),
            json!({ "command": "configurationDone" }),
        ]
    };
    let waits =
        json!({ "command": "evaluate", "arguments": { "expression": "until cycle < 0", "context": "repl" } });
    let stop = json!({ "command": "pause" });
    let cases: [(Vec<Value>, Option<Value>, &str); 6] = [
        (vec![], Some(stop.clone()), "\"reason\":\"pause\""),
        (vec![], Some(json!({ "command": "terminate" })), "\"event\":\"terminated\""),
        (vec![], Some(json!({ "command": "disconnect" })), "\"command\":\"disconnect\""),
        (vec![], Some(json!({ "command": "restart" })), "\"command\":\"restart\""),
        (vec![], None, ""),
        (vec![stop, waits], Some(json!({ "command": "pause" })), "interrupted"),
    ];
    for (then, last, part) in cases {
        let (sender, receiver) = channel();
        let (listener, said) = channel();
        let server = thread::spawn(move || {
            let host = Client::new().shelf;
            serve(Pipe(receiver, Vec::new()), Listener(listener), Box::new(Shelf(host)))
        });
        let mut seq = 0;
        let mut send = |mut message: Value| {
            seq += 1;
            message["seq"] = seq.into();
            message["type"] = "request".into();
            sender.send(framed(message.to_string().as_bytes())).unwrap();
        };
        launch("/p/endless.g1").into_iter().chain(then).for_each(&mut send);
        let mut heard = String::new();
        // The response to `configurationDone` shows that the machine is running.
        while !heard.contains("\"configurationDone\"") {
            heard += &said.recv_timeout(PATIENCE).unwrap();
        }
        thread::sleep(Duration::from_millis(100));
        heard.clear();
        match &last {
            Some(message) => send(message.clone()),
            None => heard.push_str(part),
        }
        while !heard.contains(part) {
            heard += &said.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{last:?}: no {part}"));
        }
        drop(sender);
        server.join().unwrap().unwrap_or_else(|error| panic!("{last:?}: {error}"));
    }
}

/// Slow loading of a program does not delay a client that disconnects. If loading is quick,
/// requests that were sent together all get their answers.
#[test]
fn loading_is_cancelled_only_if_it_takes_long() {
    let end = json!({ "command": "disconnect" });
    let cases: [(&str, Option<Value>, &str); 3] = [
        ("long.g1", Some(end.clone()), "cancelled"),
        ("long.g1", None, "cancelled"),
        ("count.g1", Some(end), "\"event\":\"initialized\""),
    ];
    for (program, last, part) in cases {
        let launch = json!({ "command": "launch", "arguments": { "program": format!("/p/{program}") } });
        let (sender, receiver) = channel();
        let client = thread::spawn(move || {
            let requests = [json!({ "command": "initialize" }), launch].into_iter().chain(last);
            for (seq, mut request) in (1..).zip(requests) {
                // Sent while the program is being loaded; the other client sends everything at once.
                if seq == 3 && program == "long.g1" {
                    thread::sleep(Duration::from_millis(100));
                }
                request["seq"] = seq.into();
                request["type"] = "request".into();
                sender.send(framed(request.to_string().as_bytes())).unwrap();
            }
        });
        let mut output = Vec::new();
        serve(Pipe(receiver, Vec::new()), &mut output, Box::new(Shelf(Client::new().shelf))).unwrap();
        client.join().unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(output.contains(part), "{program}: {output}");
    }
}
