//! Where messages wait for the session, and how one that cannot wait makes itself heard.
//!
//! One thread reads, another runs the machine. Between two stretches of a run the session looks into the mailbox.
//! Some requests are for ending what is under way: they raise a flag that every long way looks at.

use crate::message::{Incoming, Request};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Who sends more than this without waiting has to wait.
const MOST_WAITING: usize = 1024;
/// The requests that end what is under way.
const URGENT: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];

/// Messages in the order they came.
#[derive(Default)]
pub struct Mailbox {
    state: Mutex<State>,
    changed: Condvar,
    interrupt: Arc<AtomicBool>,
}

/// What lies in the mailbox.
#[derive(Debug, PartialEq)]
pub enum Post {
    /// A message.
    Message(Incoming),
    /// Nothing more will come; why, if it is a fault.
    End(Result<(), String>),
}

#[derive(Default)]
struct State {
    posts: VecDeque<Post>,
    /// The request that is being carried out.
    current: Option<i64>,
    /// Whether the current one has been taken back.
    is_taken_back: bool,
    is_closed: bool,
}

impl Mailbox {
    /// What ends a long way.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Puts something in; says whether anybody will ever look.
    pub fn put(&self, post: Post) -> bool {
        let mut state = self.lock();
        while state.posts.len() >= MOST_WAITING && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if let Post::Message(Incoming::Request(request)) = &post {
            state.take_back(request);
        }
        state.posts.push_back(post);
        self.raise(&state);
        self.changed.notify_all();
        !state.is_closed
    }

    /// Takes the next message, if there is one.
    pub fn try_take(&self) -> Option<Post> {
        self.take_from(self.lock())
    }

    /// Waits for the next message.
    pub fn take(&self) -> Post {
        let mut state = self.lock();
        while state.posts.is_empty() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.take_from(state).unwrap_or(Post::End(Ok(())))
    }

    /// Nobody will look any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn take_from(&self, mut state: MutexGuard<State>) -> Option<Post> {
        let post = state.posts.pop_front();
        state.current = match &post {
            Some(Post::Message(Incoming::Request(request))) => Some(request.seq),
            _ => None,
        };
        state.is_taken_back = false;
        self.raise(&state);
        self.changed.notify_all();
        post
    }

    /// Raises the flag, or lowers it: what has been taken out is no reason any more.
    fn raise(&self, state: &State) {
        let is_urgent = state.is_taken_back || state.posts.iter().any(Post::is_urgent);
        self.interrupt.store(is_urgent, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes back the request that this one means, whether it waits or is being carried out.
    fn take_back(&mut self, cancel: &Request) {
        let Some(number) = cancel.takes_back() else { return };
        self.is_taken_back |= self.current == Some(number);
        for post in &mut self.posts {
            if let Post::Message(Incoming::Request(request)) = post
                && request.seq == number
            {
                *post = Post::Message(Incoming::Cancelled(request.clone()));
            }
        }
    }
}

impl Post {
    fn is_urgent(&self) -> bool {
        match self {
            Post::Message(Incoming::Request(request)) => URGENT.contains(&request.command.as_str()),
            Post::Message(_) => false,
            Post::End(_) => true,
        }
    }
}
