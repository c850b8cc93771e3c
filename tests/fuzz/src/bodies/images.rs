//! Images: every image can be disassembled, and the result assembles to the same image.

use super::drawn;
use super::sources::assembled;
use gray1_assembler::disassemble;
use gray1_isa::{IMAGE_BYTES, Image};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use test_support::random::{program, whole_program};

pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    drawn(runner, &prop_oneof![9 => program(), 1 => whole_program()]).image().to_bytes()
}

/// Checks the image that begins with these bytes and is blank from there on.
pub fn check(case: &[u8]) {
    let mut bytes = Image::blank().to_bytes();
    let length = case.len().min(IMAGE_BYTES);
    bytes[..length].copy_from_slice(&case[..length]);
    let image = Image::from_bytes(&bytes).expect("as many bytes as an image has");
    let source = disassemble(&image);
    assert_eq!(assembled(source.as_bytes()), Some(image), "disassembled:\n{source}");
}
