//! The failures of requests, and their error responses.

use crate::documents::Interrupted;
use lsp_server::ErrorCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The failure of a request.
#[derive(Debug)]
pub(crate) enum Failure {
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
    pub fn response(self) -> (ErrorCode, String) {
        match self {
            Failure::NotBegun => (ErrorCode::ServerNotInitialized, "`initialize` comes first".to_owned()),
            Failure::BegunAlready => (ErrorCode::InvalidRequest, "`initialize` comes only once".to_owned()),
            Failure::Over => (ErrorCode::InvalidRequest, "after `shutdown`, only `exit` can come".to_owned()),
            Failure::UnknownMethod(method) => {
                (ErrorCode::MethodNotFound, format!("there is no `{method}` here"))
            }
            Failure::WrongParams(reason) => (ErrorCode::InvalidParams, reason),
            Failure::Cancelled => (ErrorCode::RequestCanceled, "cancelled".to_owned()),
            Failure::Refused(reason) => (ErrorCode::RequestFailed, reason),
        }
    }
}

/// Parameters as the type that the protocol defines.
pub(crate) fn typed<T: DeserializeOwned>(params: &Value) -> Result<T, Failure> {
    T::deserialize(params).map_err(|error| Failure::WrongParams(error.to_string()))
}
