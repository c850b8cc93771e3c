//! The queue of messages between the thread that reads them and the one that answers them.
//!
//! Some messages concern work that is already under way, such as a cancellation or a pause. So a [`Watch`] sees every
//! message as it arrives and as it is taken, and sets flags that long work checks.

use crate::framing::{WireError, read};
use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The reading thread pauses while more than this is waiting.
const MAX_MESSAGES: usize = 4_096;
const MAX_BYTES: usize = 64 << 20;

/// An element of the queue.
#[derive(Debug)]
pub enum Delivery<M> {
    /// A message.
    Message(M),
    /// The end of the stream.
    End(Result<(), WireError>),
}

/// Sees deliveries as they arrive and are taken.
pub trait Watch<M> {
    /// Called when a delivery has arrived; it is the last in the queue.
    fn on_arrival(&mut self, waiting: &mut VecDeque<Delivery<M>>);

    /// Called when a delivery was taken, or `None` if the queue was empty. The work for the one taken before is finished.
    fn on_take(&mut self, taken: Option<&Delivery<M>>, waiting: &VecDeque<Delivery<M>>);
}

/// Messages in their order of arrival.
pub struct Queue<M, W> {
    state: Mutex<Contents<M, W>>,
    changed: Condvar,
}

struct Contents<M, W> {
    waiting: VecDeque<Delivery<M>>,
    /// The length in bytes of each waiting message, and the sum of the lengths.
    lengths: VecDeque<usize>,
    bytes: usize,
    watch: W,
    is_closed: bool,
}

impl<M, W: Watch<M>> Queue<M, W> {
    /// An empty queue.
    pub fn new(watch: W) -> Queue<M, W> {
        let (waiting, lengths) = (VecDeque::new(), VecDeque::new());
        let state = Contents { waiting, lengths, bytes: 0, watch, is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Reads a stream into the queue, until the stream ends or the queue is closed.
    pub fn fill(&self, input: impl Read, message: impl Fn(&[u8]) -> M) {
        let mut input = BufReader::new(input);
        loop {
            let (delivery, length) = match read(&mut input) {
                Ok(Some(text)) => (Delivery::Message(message(&text)), text.len()),
                Ok(None) => (Delivery::End(Ok(())), 0),
                Err(error) => (Delivery::End(Err(error)), 0),
            };
            let is_end = matches!(delivery, Delivery::End(_));
            if !self.put(delivery, length) || is_end {
                return;
            }
        }
    }

    /// Adds a delivery of this length in bytes. Returns `false` if the queue is closed.
    fn put(&self, delivery: Delivery<M>, length: usize) -> bool {
        let mut state = self.lock();
        while (state.waiting.len() >= MAX_MESSAGES || state.bytes >= MAX_BYTES) && !state.is_closed {
            state = self.wait(state);
        }
        state.waiting.push_back(delivery);
        state.lengths.push_back(length);
        state.bytes += length;
        let Contents { waiting, watch, .. } = &mut *state;
        watch.on_arrival(waiting);
        self.changed.notify_all();
        !state.is_closed
    }

    /// Takes the next delivery, if there is one.
    pub fn try_take(&self) -> Option<Delivery<M>> {
        self.take_from(&mut self.lock())
    }

    /// Waits for the next delivery.
    pub fn take(&self) -> Delivery<M> {
        let mut state = self.lock();
        loop {
            match self.take_from(&mut state) {
                Some(delivery) => return delivery,
                None => state = self.wait(state),
            }
        }
    }

    /// Closes the queue: nothing will be taken out of it any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn take_from(&self, state: &mut Contents<M, W>) -> Option<Delivery<M>> {
        let taken = state.waiting.pop_front();
        state.bytes -= state.lengths.pop_front().unwrap_or(0);
        state.watch.on_take(taken.as_ref(), &state.waiting);
        self.changed.notify_all();
        taken
    }

    fn wait<'a>(&self, state: MutexGuard<'a, Contents<M, W>>) -> MutexGuard<'a, Contents<M, W>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Contents<M, W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Records the maximum number of waiting deliveries.
    struct Most(usize);

    impl Watch<Vec<u8>> for &mut Most {
        fn on_arrival(&mut self, waiting: &mut VecDeque<Delivery<Vec<u8>>>) {
            self.0 = self.0.max(waiting.len());
        }

        fn on_take(&mut self, _: Option<&Delivery<Vec<u8>>>, _: &VecDeque<Delivery<Vec<u8>>>) {}
    }

    fn stream(count: usize) -> Vec<u8> {
        (0..count).flat_map(|number| format!("Content-Length: 6\r\n\r\n{number:06}").into_bytes()).collect()
    }

    #[test]
    fn all_comes_in_order_and_never_too_much_of_it() {
        let mut most = Most(0);
        let queue = Queue::new(&mut most);
        let input = stream(10_000);
        thread::scope(|scope| {
            scope.spawn(|| queue.fill(&input[..], <[u8]>::to_vec));
            for number in 0..10_000 {
                let Delivery::Message(text) = queue.take() else { panic!("{number} is missing") };
                assert_eq!(text, format!("{number:06}").into_bytes());
            }
            assert!(matches!(queue.take(), Delivery::End(Ok(()))));
            assert!(queue.try_take().is_none());
        });
        drop(queue);
        assert!(most.0 <= MAX_MESSAGES, "{}", most.0);
    }

    #[test]
    fn a_closed_queue_releases_the_reader() {
        let mut most = Most(0);
        let queue = Queue::new(&mut most);
        let input = stream(2 * MAX_MESSAGES);
        thread::scope(|scope| {
            let reader = scope.spawn(|| queue.fill(&input[..], <[u8]>::to_vec));
            queue.take();
            queue.close();
            reader.join().expect("it ends");
        });
    }
}
