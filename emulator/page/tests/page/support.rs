//! A page, and short ways to ask it.

use gray1_page::Page;
use serde_json::{Value, json};

/// A page with a program.
pub struct Asked(Page);

impl Asked {
    /// A page without a program.
    pub fn new() -> Asked {
        Asked(Page::new())
    }

    /// A page with this program, which must have no errors.
    pub fn loaded(source: &str) -> Asked {
        Asked::with(source, json!({ "ram": "zero" }))
    }

    /// The same with options.
    pub fn with(source: &str, options: Value) -> Asked {
        let mut asked = Asked::new();
        let program = json!({ "name": "a.g1", "text": source });
        let answer = asked.ask(json!({ "ask": "load", "program": program, "options": options }));
        assert_eq!(
            (&answer["answer"], &answer["checked"]["errors"]),
            (&json!("loaded"), &json!(0)),
            "{answer}"
        );
        asked
    }

    /// The answer to a request.
    pub fn ask(&mut self, request: Value) -> Value {
        self.raw(&request.to_string())
    }

    /// The answer to a text.
    pub fn raw(&mut self, request: &str) -> Value {
        serde_json::from_str(&self.0.ask(request)).unwrap()
    }

    /// What the last request has made.
    pub fn take(&mut self) -> Vec<u8> {
        self.0.take()
    }

    /// Moves, and asserts that it stops for this reason.
    pub fn go(&mut self, way: &str, to: &str, cycles: u64, stop: &str) -> Value {
        let answer = self.ask(json!({ "ask": "go", "way": way, "to": to, "cycles": cycles }));
        assert_eq!(answer["stop"], stop, "{way} {to}: {answer}");
        answer["moment"].clone()
    }

    /// Goes to a position.
    pub fn seek(&mut self, cycle: u64, phase: u8) -> Value {
        self.ask(json!({ "ask": "seek", "cycle": cycle, "phase": phase, "cycles": 100_000_000 }))["moment"]
            .clone()
    }

    /// Where the machine is.
    pub fn look(&mut self) -> Value {
        self.ask(json!({ "ask": "look" }))
    }

    /// The text of an error.
    pub fn error(&mut self, request: Value) -> String {
        let answer = self.ask(request.clone());
        assert_eq!(answer["answer"], "error", "{request}: {answer}");
        answer["text"].as_str().unwrap().to_owned()
    }
}

/// The cycle and the phase of a moment.
pub fn position(moment: &Value) -> (u64, u64) {
    (moment["cycle"].as_u64().unwrap(), moment["phase"].as_u64().unwrap())
}

/// The text of a file of the project.
pub fn text(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}
