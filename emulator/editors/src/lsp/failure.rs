//! The failures of requests, and their error responses.

use crate::lsp::documents::Interrupted;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The failure of a request.
#[derive(Debug)]
pub(crate) enum Failure {
    NotJson(String),
    /// It is JSON, but no message of JSON-RPC.
    NoMessage,
    NotBegun,
    BegunAlready,
    Over,
    UnknownMethod(String),
    WrongParams(String),
    /// The request was cancelled.
    Cancelled,
    /// The request cannot be executed, for a reason that is shown to the user.
    Refused(String),
}

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Failure {
        Failure::Cancelled
    }
}

impl Failure {
    /// The code of JSON-RPC or of the protocol, and the message.
    pub fn response(self) -> (i32, String) {
        match self {
            Failure::NotJson(reason) => (-32700, reason),
            Failure::NoMessage => {
                (-32600, "expected a request, a notification or a response of JSON-RPC".to_owned())
            }
            Failure::NotBegun => (-32002, "`initialize` comes first".to_owned()),
            Failure::BegunAlready => (-32600, "`initialize` comes only once".to_owned()),
            Failure::Over => (-32600, "after `shutdown`, only `exit` can come".to_owned()),
            Failure::UnknownMethod(method) => (-32601, format!("there is no `{method}` here")),
            Failure::WrongParams(reason) => (-32602, reason),
            Failure::Cancelled => (-32800, "cancelled".to_owned()),
            Failure::Refused(reason) => (-32803, reason),
        }
    }
}

/// Parameters as the type that the protocol defines.
pub(crate) fn typed<T: DeserializeOwned>(params: &Value) -> Result<T, Failure> {
    T::deserialize(params).map_err(|error| Failure::WrongParams(error.to_string()))
}
