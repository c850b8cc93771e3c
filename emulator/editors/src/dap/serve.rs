//! Serving one client, from its first message to its last.

use crate::dap::mailbox::{Attention, Mailbox};
use crate::dap::message::Incoming;
use crate::dap::session::{Host, Session};
use crate::framing::{self as wire, Delivery, WireError};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use thiserror::Error;

/// Why a session could not be completed.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A message of the client cannot be read.
    #[error(transparent)]
    Read(#[from] WireError),
    /// Writing to the client has failed.
    #[error("cannot write to the client: {0}")]
    Write(io::Error),
}

/// Serves the client that writes to `input` and reads from `output`, until it disconnects or closes its end.
pub fn serve(
    input: impl Read + Send + 'static,
    mut output: impl Write,
    host: Box<dyn Host>,
) -> Result<(), ServeError> {
    let attention = Attention::default();
    let session = Session::new(host, attention.interrupt());
    let mailbox = Arc::new(Mailbox::new(attention));
    let reader = Arc::clone(&mailbox);
    thread::spawn(move || reader.fill(input, Incoming::read));
    let result = converse(&mailbox, &mut output, session);
    mailbox.close();
    result
}

fn converse(mailbox: &Mailbox, output: &mut impl Write, mut session: Session) -> Result<(), ServeError> {
    let mut result = None;
    while result.is_none() && !session.is_over() {
        let delivery = if session.is_running() { mailbox.try_take() } else { Some(mailbox.take()) };
        match delivery {
            Some(Delivery::Message(message)) => session.receive(message),
            Some(Delivery::End(end)) => {
                if let Err(error) = &end {
                    session.report(error);
                }
                result = Some(end);
            }
            None => session.run_on(),
        }
        if !wire::write_all(output, &session.outgoing()).map_err(ServeError::Write)? {
            return Ok(()); // the client no longer reads
        }
    }
    Ok(result.unwrap_or(Ok(()))?)
}
