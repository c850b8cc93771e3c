//! A program image: the 4,096 words of program memory, in sequence order.

use crate::{Opcode, Word, gray};
use thiserror::Error;

/// Words of program memory.
pub const PROGRAM_WORDS: usize = 4096;
/// Bytes of an image file.
pub const IMAGE_BYTES: usize = 2 * PROGRAM_WORDS;

/// The contents of program memory: one word for each sequence number.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    words: Box<[Word; PROGRAM_WORDS]>,
}

/// The reason why bytes are not an image.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ImageError {
    /// The size of the file is not 8,192 bytes.
    #[error(
        "an image has {IMAGE_BYTES} bytes (4,096 words, low byte first), this has {0}; \
         make one with `gray1 asm`, or name a source `.g1`"
    )]
    Size(usize),
}

impl Image {
    /// Returns an image in which every word is a jump to itself.
    pub fn blank() -> Image {
        let mut words = Box::new([Word::default(); PROGRAM_WORDS]);
        for (sequence, word) in (0..).zip(words.iter_mut()) {
            *word = Word::jump(Opcode::Jmp, sequence);
        }
        Image { words }
    }

    /// Returns an image that starts with these words and is blank after them; words past the 4,096th are dropped.
    pub fn from_words(words: impl IntoIterator<Item = Word>) -> Image {
        let mut image = Image::blank();
        for (cell, word) in image.words.iter_mut().zip(words) {
            *cell = word;
        }
        image
    }

    /// Reads an image file: words in sequence order, low byte first.
    pub fn from_bytes(bytes: &[u8]) -> Result<Image, ImageError> {
        if bytes.len() != IMAGE_BYTES {
            return Err(ImageError::Size(bytes.len()));
        }
        Ok(Image::from_words(bytes.chunks_exact(2).map(|pair| Word(u16::from_le_bytes([pair[0], pair[1]])))))
    }

    /// Returns the bytes of an image file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.0.to_le_bytes()).collect()
    }

    /// Returns the contents of the two program chips, low and high bytes, in physical (Gray) order: what is burned.
    pub fn to_proms(&self) -> [Vec<u8>; 2] {
        let mut proms = [vec![0; PROGRAM_WORDS], vec![0; PROGRAM_WORDS]];
        for (sequence, word) in (0..).zip(self.words.iter()) {
            let [low, high] = word.0.to_le_bytes();
            proms[0][gray(sequence) as usize] = low;
            proms[1][gray(sequence) as usize] = high;
        }
        proms
    }

    /// Returns the word of a sequence number (its lowest 12 bits count).
    pub fn word(&self, sequence: u16) -> Word {
        self.words[sequence as usize % PROGRAM_WORDS]
    }

    /// Puts a word at a sequence number (its lowest 12 bits count).
    pub fn set_word(&mut self, sequence: u16, word: Word) {
        self.words[sequence as usize % PROGRAM_WORDS] = word;
    }

    /// Returns all words, in sequence order.
    pub fn words(&self) -> &[Word; PROGRAM_WORDS] {
        &self.words
    }
}

impl std::fmt::Debug for Image {
    /// Shows the program without the blank cells: a failing test prints a listing.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "image:")?;
        for (sequence, &word) in (0..).zip(self.words.iter()) {
            if word != Word::jump(Opcode::Jmp, sequence) {
                writeln!(f, "  {sequence:4}  {:04x}  {word}", word.0)?;
            }
        }
        Ok(())
    }
}
