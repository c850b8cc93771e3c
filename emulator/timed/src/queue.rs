//! The events to come, in the order of time: a wheel of buckets.
//!
//! All events to come lie within one turn of the wheel, since no delay is longer. So a bucket holds those of one short
//! span of time, mostly none or one, and the next event is in the next bucket that is not empty, which a few bits tell.

use crate::log::Cause;

/// Buckets, 64 to a word of the bits that tell which are not empty.
const BUCKETS: usize = 64 * WORDS;
const WORDS: usize = u16::BITS as usize;
/// No event.
const NONE: u32 = u32::MAX;

/// Events to come. Those at the same time are taken in the order in which they were added.
pub struct Queue {
    /// Events, and places for more.
    events: Vec<Event>,
    /// The first of the free places; the others follow it.
    free: u32,
    /// For each bucket, the first of its events; the others follow it.
    first: Box<[u32; BUCKETS]>,
    /// Which buckets have events, and which words of that are not 0.
    used: [u64; WORDS],
    used_words: u16,
    /// The bucket where time stands.
    now: usize,
    /// The length of a bucket in picoseconds, as a power of two.
    span: u32,
}

/// An event to come, or one that is due.
#[derive(Clone, Copy)]
pub struct Event {
    pub at: u64,
    /// The line, chip or path of the event.
    pub index: u32,
    pub cause: Cause,
    /// Whether it belongs to a transient.
    pub is_transient: bool,
    /// Another event, which the owner of both wants to find again.
    pub before: u32,
    /// The next in its bucket.
    next: u32,
}

impl Event {
    pub fn new(at: u64, index: usize, cause: Cause) -> Event {
        Event { at, index: index as u32, cause, is_transient: false, before: NONE, next: NONE }
    }

    /// This event as part of a transient.
    pub fn of_transient(self) -> Event {
        Event { is_transient: true, ..self }
    }
}

impl Queue {
    /// A queue to which no event is added that is more than `longest` picoseconds ahead.
    pub fn new(longest: u64) -> Queue {
        // An event must not come into the bucket where time stands after a whole turn.
        let span = (0..u64::BITS).find(|span| longest >> span < BUCKETS as u64 - 1).unwrap_or(u64::BITS - 1);
        Queue {
            events: Vec::new(),
            free: NONE,
            first: Box::new([NONE; BUCKETS]),
            used: [0; WORDS],
            used_words: 0,
            now: 0,
            span,
        }
    }

    /// Time goes on to here: all events that were due before have been taken.
    pub fn go_on(&mut self, now: u64) {
        self.now = self.bucket(now);
    }

    /// Adds an event; the number finds it again until it has been taken.
    #[inline]
    pub fn add(&mut self, event: Event) -> u32 {
        let number = self.free;
        let number = match self.events.get_mut(number as usize) {
            Some(place) => {
                self.free = place.next;
                *place = event;
                number
            }
            None => {
                self.events.push(event);
                self.events.len() as u32 - 1
            }
        };
        let bucket = self.bucket(event.at);
        let first = self.first[bucket];
        if first == NONE {
            self.first[bucket] = number;
            self.used[bucket / 64 % WORDS] |= 1 << (bucket % 64);
            self.used_words |= 1 << (bucket / 64);
        } else {
            self.line_up(bucket, number);
        }
        number
    }

    /// Puts an event in its place among others of its bucket.
    fn line_up(&mut self, bucket: usize, number: u32) {
        let at = self.events[number as usize].at;
        let (mut before, mut after) = (NONE, self.first[bucket]);
        while let Some(event) = self.events.get(after as usize)
            && event.at <= at
        {
            (before, after) = (after, event.next);
        }
        self.events[number as usize].next = after;
        *self.link(bucket, before) = number;
    }

    /// Takes an event out before it is due.
    pub fn remove(&mut self, number: u32) {
        let Event { at, next, .. } = self.events[number as usize];
        let bucket = self.bucket(at);
        let (mut before, mut other) = (NONE, self.first[bucket]);
        while other != number {
            (before, other) = (other, self.events[other as usize].next);
        }
        *self.link(bucket, before) = next;
        self.is_gone(bucket, number);
    }

    /// The link to the event after this one of a bucket.
    fn link(&mut self, bucket: usize, before: u32) -> &mut u32 {
        match self.events.get_mut(before as usize) {
            Some(event) => &mut event.next,
            None => &mut self.first[bucket],
        }
    }

    /// The next event, unless it comes after this time.
    #[inline]
    pub fn next(&mut self, end: u64) -> Option<Event> {
        if self.used_words == 0 {
            return None;
        }
        let (word, bit) = (self.now / 64 % WORDS, self.now % 64);
        let here = self.used[word] & !0 << bit;
        // The words behind this one come first, this one last.
        let ahead = self.used_words.rotate_right(word as u32 + 1).trailing_zeros() as usize;
        let other = (word + 1 + ahead) % WORDS;
        let (word, used) = if here != 0 { (word, here) } else { (other, self.used[other]) };
        let bucket = word * 64 + used.trailing_zeros() as usize;
        let number = self.first[bucket % BUCKETS];
        let event = self.events[number as usize];
        if event.at > end {
            return None;
        }
        self.now = bucket;
        self.first[bucket % BUCKETS] = event.next;
        self.is_gone(bucket, number);
        Some(event)
    }

    /// An event is no longer in its bucket.
    #[inline]
    fn is_gone(&mut self, bucket: usize, number: u32) {
        if self.first[bucket % BUCKETS] == NONE {
            let used = &mut self.used[bucket / 64 % WORDS];
            *used &= !(1 << (bucket % 64));
            self.used_words &= !(u16::from(*used == 0) << (bucket / 64));
        }
        self.events[number as usize].next = self.free;
        self.free = number;
    }

    /// An event that is to come.
    #[inline]
    pub fn event(&self, number: u32) -> &Event {
        &self.events[number as usize]
    }

    /// Whether no event is to come.
    pub fn is_empty(&self) -> bool {
        self.used_words == 0
    }

    pub fn clear(&mut self) {
        if self.is_empty() {
            return;
        }
        self.events.clear();
        self.free = NONE;
        self.first.fill(NONE);
        self.used.fill(0);
        self.used_words = 0;
    }

    #[inline]
    fn bucket(&self, at: u64) -> usize {
        (at >> self.span) as usize % BUCKETS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An action on a queue; numbers are taken modulo the number of possibilities.
    #[derive(Clone, Debug)]
    enum Action {
        Add(u64),
        Remove(usize),
        Next(u64),
        Clear,
    }

    fn action(longest: u64) -> impl Strategy<Value = Action> {
        prop_oneof![
            40 => (0..=longest).prop_map(Action::Add),
            20 => (0..4u64).prop_map(Action::Add),
            10 => any::<usize>().prop_map(Action::Remove),
            30 => (0..=2 * longest).prop_map(Action::Next),
            1 => Just(Action::Clear),
        ]
    }

    fn actions() -> impl Strategy<Value = (u64, Vec<Action>)> {
        let longest = prop_oneof![1..5_000u64, 1..500_000u64, 1..1u64 << 40];
        longest.prop_flat_map(|longest| (Just(longest), prop::collection::vec(action(longest), 0..400)))
    }

    proptest! {
        /// A list in the order of adding, of which the first of the earliest is taken.
        #[test]
        fn events_come_as_from_a_plain_list((longest, actions) in actions()) {
            let (mut queue, mut list) = (Queue::new(longest), Vec::new());
            let (mut now, mut added) = (0, 0);
            for action in actions {
                match action {
                    Action::Add(after) => {
                        let number = queue.add(Event::new(now + after, added, Cause::OUTSIDE));
                        list.push((now + after, added, number));
                        added += 1;
                    }
                    Action::Remove(index) if !list.is_empty() => {
                        let (.., number) = list.remove(index % list.len());
                        queue.remove(number);
                    }
                    Action::Remove(_) => {}
                    Action::Clear => {
                        queue.clear();
                        list.clear();
                    }
                    Action::Next(after) => {
                        let end = now + after;
                        let first = (0..list.len()).min_by_key(|&event| list[event].0);
                        let expected = first.filter(|&event| list[event].0 <= end).map(|event| list.remove(event));
                        let event = queue.next(end);
                        prop_assert_eq!(
                            event.map(|event| (event.at, event.index as usize)),
                            expected.map(|(at, index, _)| (at, index))
                        );
                        now = event.map_or(end, |event| event.at);
                        if event.is_none() {
                            queue.go_on(now);
                        }
                    }
                }
            }
        }
    }
}
