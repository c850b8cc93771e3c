//! One client, from its first message to its last.

use crate::mailbox::{Mailbox, Post};
use crate::message::Incoming;
use crate::session::{Session, World};
use crate::wire;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::thread;

/// Serves the client that writes `input` and reads `output`, until it says goodbye or closes its end. An error says
/// what was wrong with the stream.
pub fn serve(
    input: impl Read + Send + 'static,
    mut output: impl Write,
    world: Box<dyn World>,
) -> Result<(), String> {
    let mailbox = Arc::new(Mailbox::default());
    let letters = Arc::clone(&mailbox);
    thread::spawn(move || deliver(input, &letters));
    let result = converse(&mailbox, &mut output, world);
    mailbox.close();
    result
}

/// Puts what comes in into the mailbox.
fn deliver(input: impl Read, mailbox: &Mailbox) {
    let mut input = BufReader::new(input);
    loop {
        let post = match wire::read(&mut input) {
            Ok(Some(text)) => Post::Message(Incoming::read(&text)),
            Ok(None) => Post::End(Ok(())),
            Err(message) => Post::End(Err(message)),
        };
        let is_end = matches!(post, Post::End(_));
        if !mailbox.put(post) || is_end {
            return;
        }
    }
}

fn converse(mailbox: &Mailbox, output: &mut impl Write, world: Box<dyn World>) -> Result<(), String> {
    let mut session = Session::new(world, mailbox.interrupt());
    let mut result = None;
    while result.is_none() && !session.is_over() {
        let post = if session.is_running() { mailbox.try_take() } else { Some(mailbox.take()) };
        match post {
            Some(Post::Message(message)) => session.receive(message),
            Some(Post::End(end)) => {
                if let Err(message) = &end {
                    session.complain(message);
                }
                result = Some(end);
            }
            None => session.run_on(),
        }
        let sent = session.outgoing().iter().try_for_each(|message| wire::write(output, message));
        match sent.and_then(|()| output.flush()) {
            Ok(()) => {}
            // Who has gone needs no answer.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(format!("cannot write to the client: {error}")),
        }
    }
    result.unwrap_or(Ok(()))
}
