//! The messages pane: commands and their answers.

use gray1_text::wrap_lines;

/// The number of lines that are kept.
const MAX_MESSAGES: usize = 5000;

pub struct MessagesPane {
    /// The number of columns into which messages are wrapped.
    pub width: usize,
    pub list: Vec<Message>,
    /// The number of rows by which it is scrolled back from the end.
    pub back: usize,
}

/// A line of the dialogue.
pub struct Message {
    pub role: Role,
    pub text: String,
    /// The position that a command has led to.
    pub arrival: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Command,
    Answer,
    Error,
}

impl MessagesPane {
    pub fn new(width: usize) -> MessagesPane {
        MessagesPane { width, list: Vec::new(), back: 0 }
    }

    pub fn say(&mut self, role: Role, text: &str) {
        let message = |line: &str| Message { role, text: line.to_owned(), arrival: String::new() };
        self.list.extend(wrap_lines(text, self.width).lines().map(message));
        self.list.drain(..self.list.len().saturating_sub(MAX_MESSAGES));
        self.back = 0;
    }

    /// Adds to the last command the position that it has led to.
    pub fn note_arrival(&mut self, arrival: String) {
        if let Some(command) = self.list.iter_mut().rev().find(|message| message.role == Role::Command) {
            command.arrival = arrival;
        }
    }

    /// The messages that are visible in this many rows.
    pub fn visible(&self, rows: usize) -> &[Message] {
        let end = self.list.len().saturating_sub(self.back);
        &self.list[end.saturating_sub(rows)..end]
    }
}
