//! What the program has sent to the output port, as far as memory allows.

/// The bytes sent up to the latest position reached. Of very much output only the newest part is kept.
#[derive(Clone, Debug)]
pub struct Output {
    bytes: Vec<u8>,
    /// Bytes sent before the first that is kept.
    dropped: u64,
    memory: usize,
}

impl Output {
    /// Output of which so many bytes are kept at most.
    pub fn new(memory: usize) -> Output {
        Output { bytes: Vec::new(), dropped: 0, memory: memory.max(2) }
    }

    /// The bytes among the first `sent`, and how many of these are no longer there.
    pub fn until(&self, sent: u64) -> (&[u8], u64) {
        let kept = sent.saturating_sub(self.dropped).min(self.bytes.len() as u64) as usize;
        (&self.bytes[..kept], self.dropped.min(sent))
    }

    /// The bytes of memory that this takes.
    pub fn size(&self) -> usize {
        self.bytes.capacity()
    }

    /// Keeps the byte of this number, unless it has been kept before.
    pub(crate) fn keep(&mut self, number: u64, byte: u8) {
        if number < self.dropped + self.bytes.len() as u64 {
            return; // the run is being repeated
        }
        if self.bytes.len() + 1 > self.memory / 2 {
            let half = self.bytes.len().div_ceil(2);
            self.bytes.drain(..half);
            self.dropped += half as u64;
        }
        self.bytes.push(byte);
    }

    /// Forgets all but the first `sent` bytes.
    pub(crate) fn forget_after(&mut self, sent: u64) {
        self.bytes.truncate(sent.saturating_sub(self.dropped) as usize);
        self.dropped = self.dropped.min(sent);
    }
}
