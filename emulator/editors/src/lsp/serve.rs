//! Serving one editor, from its first message to its last.

use crate::framing::{self as wire, Delivery, WireError};
use crate::lsp::host::{Host, Settings};
use crate::lsp::inbox::{Attention, Flags, Inbox};
use crate::lsp::server::Server;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The time for pending diagnostics after the editor has closed its end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why a session could not be completed.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A message of the editor cannot be read.
    #[error(transparent)]
    Read(#[from] WireError),
    /// Writing to the editor has failed.
    #[error("cannot write to the editor: {0}")]
    Write(io::Error),
    /// The editor has sent `exit` without `shutdown` before.
    #[error("the editor has left without `shutdown`")]
    NoShutdown,
}

/// Serves the editor that writes to `input` and reads from `output`, until it sends `exit` or closes its end.
pub fn serve(
    input: impl Read + Send + 'static,
    mut output: impl Write,
    host: Box<dyn Host>,
    settings: Settings,
) -> Result<(), ServeError> {
    let attention = Attention::default();
    let flags = attention.flags();
    let inbox = Arc::new(Inbox::new(attention));
    let reader = Arc::clone(&inbox);
    thread::spawn(move || reader.fill(input, |text| wire::parse(text).map_err(|error| error.to_string())));
    let result = converse(&inbox, &flags, &mut output, Server::new(host, settings));
    inbox.close();
    result
}

fn converse(
    inbox: &Inbox,
    flags: &Flags,
    output: &mut impl Write,
    mut server: Server,
) -> Result<(), ServeError> {
    let is_cancelled = || flags.is_cancelled.load(Ordering::Relaxed);
    let mut is_open = true;
    loop {
        let delivery = if server.has_work() { inbox.try_take() } else { Some(inbox.take()) };
        match delivery {
            Some(Delivery::Message(Ok(message))) => {
                if message.get("method").is_some_and(|method| method == "shutdown") {
                    finish(&mut server);
                }
                server.receive(&message, &is_cancelled);
            }
            Some(Delivery::Message(Err(reason))) => server.receive_nonsense(&reason),
            Some(Delivery::End(end)) => {
                end?;
                finish(&mut server);
                is_open = false;
            }
            None => server.work(&|| flags.is_urgent.load(Ordering::Relaxed)),
        }
        let is_read = wire::write_all(output, &server.outgoing()).map_err(ServeError::Write)?;
        if !is_read || !is_open {
            return Ok(());
        }
        if let Some(is_proper) = server.is_over() {
            return if is_proper { Ok(()) } else { Err(ServeError::NoShutdown) };
        }
    }
}

/// Completes the pending work, for at most [`FAREWELL`]: an editor that sends all messages at once and closes its end
/// leaves no time for it earlier.
fn finish(server: &mut Server) {
    let deadline = Instant::now() + FAREWELL;
    let is_late = || Instant::now() >= deadline;
    while server.has_work() && !is_late() {
        server.work(&is_late);
    }
}
