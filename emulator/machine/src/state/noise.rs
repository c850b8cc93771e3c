//! The contents of memory at power-up.

use crate::random::Random;
use gray1_isa::memory_map::RAM_BYTES;
use std::str::FromStr;
use thiserror::Error;

/// The contents of RAM at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Noise from a seed: the same seed gives the same noise on every computer.
    Random(u64),
    /// All bits 0.
    Zeros,
    /// All bits 1.
    Ones,
}

/// The text is not a kind of noise.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoiseError {
    /// The seed is not a number.
    #[error("the seed must be a whole number, 0 or more")]
    Seed,
    /// There is no such kind.
    #[error("write `random`, `random:SEED`, `zero` or `ones`")]
    Kind,
}

/// Reads `random`, `random:SEED`, `zero` or `ones`.
impl FromStr for Noise {
    type Err = NoiseError;

    fn from_str(text: &str) -> Result<Noise, NoiseError> {
        match text {
            "zero" => Ok(Noise::Zeros),
            "ones" => Ok(Noise::Ones),
            "random" => Ok(Noise::Random(1)),
            _ => match text.strip_prefix("random:").map(str::parse) {
                Some(Ok(seed)) => Ok(Noise::Random(seed)),
                Some(Err(_)) => Err(NoiseError::Seed),
                None => Err(NoiseError::Kind),
            },
        }
    }
}

impl Noise {
    /// The 4,096 bytes of RAM.
    pub fn ram(self) -> Box<[u8; RAM_BYTES]> {
        let mut ram = Box::new([0; RAM_BYTES]);
        ram.copy_from_slice(&self.bytes(0, RAM_BYTES));
        ram
    }

    /// Levels for the drivers of a board.
    pub fn levels<const N: usize>(self) -> [u16; N] {
        let bytes = self.bytes(1, 2 * N);
        std::array::from_fn(|driver| u16::from_le_bytes([bytes[2 * driver], bytes[2 * driver + 1]]))
    }

    /// Bytes of pseudo-random numbers; each stream starts at another state.
    fn bytes(self, stream: u64, count: usize) -> Vec<u8> {
        let mut random = match self {
            Noise::Zeros => return vec![0; count],
            Noise::Ones => return vec![0xFF; count],
            Noise::Random(seed) => Random::from_state(seed ^ stream.rotate_right(8)),
        };
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend(random.draw().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_the_same_each_time_and_looks_like_noise() {
        // The first numbers of SplitMix64 from seed 1, as its reference implementation gives them.
        assert_eq!(
            Noise::Random(1).ram()[..16],
            [0x910A2DEC89025CC1u64.to_le_bytes(), 0xBEEB8DA1658EEC67u64.to_le_bytes()].concat()
        );
        assert_ne!(Noise::Random(1).ram(), Noise::Random(2).ram());
        assert_eq!(*Noise::Ones.ram(), [0xFF; RAM_BYTES]);
        let ones: u32 = Noise::Random(1).ram().iter().map(|byte| byte.count_ones()).sum();
        assert!((15_000..18_000).contains(&ones), "{ones} of 32,768 bits are set");
    }
}
