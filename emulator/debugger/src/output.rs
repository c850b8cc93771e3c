//! The bytes that the program has sent to the output port, within a limit of memory.

/// The bytes sent up to the latest position reached. When memory runs out, the older half is dropped.
#[derive(Clone, Debug)]
pub struct Output {
    bytes: Vec<u8>,
    dropped: u64,
    memory: usize,
}

impl Output {
    /// An empty buffer that takes at most this many bytes of memory.
    pub(crate) fn new(memory: usize) -> Output {
        Output { bytes: Vec::new(), dropped: 0, memory: memory.max(2) }
    }

    /// The bytes up to number `sent` that are still kept, and how many before them were dropped.
    pub fn until(&self, sent: u64) -> (&[u8], u64) {
        let kept = sent.saturating_sub(self.dropped).min(self.bytes.len() as u64) as usize;
        (&self.bytes[..kept], self.dropped.min(sent))
    }

    pub(crate) fn size(&self) -> usize {
        self.bytes.capacity()
    }

    /// Keeps byte number `number`, unless it is already here, because a part of the run is being repeated.
    pub(crate) fn keep(&mut self, number: u64, byte: u8) {
        if number < self.dropped + self.bytes.len() as u64 {
            return;
        }
        if self.bytes.len() + 1 > self.memory / 2 {
            let half = self.bytes.len().div_ceil(2);
            self.bytes.drain(..half);
            self.dropped += half as u64;
        }
        self.bytes.push(byte);
    }

    pub(crate) fn forget_after(&mut self, sent: u64) {
        self.bytes.truncate(sent.saturating_sub(self.dropped) as usize);
        self.dropped = self.dropped.min(sent);
    }
}
