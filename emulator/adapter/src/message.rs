//! What comes in and what goes out: requests, and responses and events with their numbers.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// What has come in.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A request.
    Request(Request),
    /// A request that the client has taken back before anybody looked at it.
    Cancelled(Request),
    /// Something else, and what is wrong with it.
    Nonsense(String),
}

/// A request of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// What is asked for.
    pub command: String,
    /// The details.
    pub arguments: Value,
}

/// Why a request is not carried out, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub String);

/// What a request is answered with: the body of the response, `Null` for none.
pub type Answer = Result<Value, Refusal>;

impl Incoming {
    /// Understands the text of a message.
    pub fn read(text: &[u8]) -> Incoming {
        let message: Value = match serde_json::from_slice(text) {
            Ok(message) => message,
            Err(error) => return Incoming::Nonsense(format!("a message that is not JSON: {error}")),
        };
        match (message["type"].as_str(), message["command"].as_str()) {
            (Some("request"), Some(command)) => Incoming::Request(Request {
                seq: message["seq"].as_i64().unwrap_or(0),
                command: command.to_owned(),
                arguments: message["arguments"].clone(),
            }),
            (Some("request"), None) => Incoming::Nonsense("a request without a command".to_owned()),
            _ => Incoming::Nonsense("a message that is not a request".to_owned()),
        }
    }
}

impl Request {
    /// The number of the request that this one takes back.
    pub fn takes_back(&self) -> Option<i64> {
        if self.command == "cancel" { self.arguments["requestId"].as_i64() } else { None }
    }
}

/// Understands the arguments of a request; none at all are as good as empty ones.
pub fn arguments<T: DeserializeOwned>(value: &Value) -> Result<T, Refusal> {
    let nothing = Value::Object(Map::new());
    let value = if value.is_null() { &nothing } else { value };
    T::deserialize(value).map_err(|error| Refusal(format!("these arguments are not understood: {error}")))
}

impl<T: std::fmt::Display> From<T> for Refusal {
    fn from(reason: T) -> Refusal {
        Refusal(reason.to_string())
    }
}

/// Messages on their way to the client. What a request makes happen is told after its response.
#[derive(Debug, Default)]
pub struct Outbox {
    messages: Vec<Value>,
    /// Events that have to wait for the response.
    waiting: Option<Vec<Value>>,
    seq: i64,
}

impl Outbox {
    /// Takes out what has to be sent.
    pub fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }

    /// From here on events wait for the response.
    pub fn begin(&mut self) {
        self.waiting.get_or_insert_default();
    }

    /// Says that something has happened.
    pub fn event(&mut self, event: &str, body: Value) {
        let message = json!({ "type": "event", "event": event, "body": body });
        match &mut self.waiting {
            Some(waiting) => waiting.push(message),
            None => self.send(message),
        }
    }

    /// Answers a request; then come the events that have waited for it.
    pub fn respond(&mut self, request: &Request, answer: Answer) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(Refusal(reason)) => {
                message["body"] =
                    json!({ "error": { "id": 1, "format": braced(&reason), "showUser": true } });
                message["message"] = Value::String(reason);
            }
        }
        self.send(message);
        for event in self.waiting.take().unwrap_or_default() {
            self.send(event);
        }
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        self.messages.push(message);
    }
}

/// A text for a place where braces stand for variables.
fn braced(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}
