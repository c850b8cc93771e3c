//! Messages: incoming requests, and outgoing responses and events with their sequence numbers.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// A message from the client.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A request.
    Request(Request),
    /// Anything else, and what is wrong with it.
    Invalid(String),
}

/// A request of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// Its name.
    pub command: String,
    /// Its arguments.
    pub arguments: Value,
}

/// The reason for a refused request, for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub String);

/// The answer to a request: the body of the response, `Null` for none.
pub type Answer = Result<Value, Refusal>;

impl Incoming {
    /// Reads the text of a message.
    pub fn read(text: &[u8]) -> Incoming {
        let message = match crate::framing::parse(text) {
            Ok(message) => message,
            Err(error) => return Incoming::Invalid(format!("a message that is not JSON: {error}")),
        };
        match (message["type"].as_str(), message["command"].as_str()) {
            (Some("request"), Some(command)) => Incoming::Request(Request {
                seq: message["seq"].as_i64().unwrap_or(0),
                command: command.to_owned(),
                arguments: message["arguments"].clone(),
            }),
            (Some("request"), None) => Incoming::Invalid("a request without a command".to_owned()),
            _ => Incoming::Invalid("a message that is not a request".to_owned()),
        }
    }
}

/// Reads all arguments of a request. Missing `arguments` count as empty.
pub fn arguments<T: DeserializeOwned>(values: &Value) -> Result<T, Refusal> {
    let empty = Value::Object(Map::new());
    let values = if values.is_null() { &empty } else { values };
    T::deserialize(values).map_err(|error| not_understood(&error))
}

/// Reads one argument of a request; `None` stands for one that is missing.
pub fn argument<T: DeserializeOwned>(values: &Value, name: &str) -> Result<T, Refusal> {
    T::deserialize(&values[name]).map_err(|error| match values.get(name) {
        Some(_) => not_understood(&format!("`{name}`: {error}")),
        None => not_understood(&format!("missing field `{name}`")),
    })
}

/// Reads one argument, which has a default.
pub fn argument_or_default<T: DeserializeOwned + Default>(values: &Value, name: &str) -> Result<T, Refusal> {
    Ok(argument::<Option<T>>(values, name)?.unwrap_or_default())
}

fn not_understood(reason: &dyn Display) -> Refusal {
    Refusal(format!("these arguments are not understood: {reason}"))
}

impl<T: Display> From<T> for Refusal {
    fn from(reason: T) -> Refusal {
        Refusal(reason.to_string())
    }
}

/// Requests that a user makes with a key or a button: the editor should show why one is refused. Other requests come
/// from the editor itself, at every step and wherever the mouse rests.
const ASKED_FOR: [&str; 12] = [
    "launch",
    "attach",
    "restart",
    "terminate",
    "continue",
    "reverseContinue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "pause",
    "goto",
];

/// Messages to be sent. Events that a request causes are sent after its response, but before a refusal, since a client
/// may close the connection after that.
#[derive(Debug, Default)]
pub struct Outbox {
    messages: Vec<Value>,
    /// While a request is executed, the events that wait for its response.
    waiting: Option<Vec<Value>>,
    seq: i64,
}

impl Outbox {
    /// Takes out what has to be sent.
    pub fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }

    /// Begins a request: from now on, events wait for its response.
    pub fn begin(&mut self) {
        self.waiting.get_or_insert_default();
    }

    /// Sends an event to the client.
    pub fn event(&mut self, event: &str, body: Value) {
        let mut message = json!({ "type": "event", "event": event });
        if !body.is_null() {
            message["body"] = body;
        }
        match &mut self.waiting {
            Some(waiting) => waiting.push(message),
            None => self.send(message),
        }
    }

    /// Answers a request, and sends the events that have waited.
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
                // In a format, braces are variables.
                let format = reason.replace('{', "(").replace('}', ")");
                let show = ASKED_FOR.contains(&request.command.as_str());
                message["body"] = json!({ "error": { "id": 1, "format": format, "showUser": show } });
                message["message"] = Value::String(reason);
            }
        }
        let mut all = self.waiting.take().unwrap_or_default();
        let at = if message["success"] == true { 0 } else { all.len() };
        all.insert(at, message);
        all.into_iter().for_each(|message| self.send(message));
    }

    /// Sends the waiting events without the response, which comes later or not at all.
    pub fn release(&mut self) {
        self.waiting.take().unwrap_or_default().into_iter().for_each(|event| self.send(event));
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        self.messages.push(message);
    }
}
