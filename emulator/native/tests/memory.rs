//! Memory for code is never writable and executable at once.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise};

#[test]
fn no_memory_is_writable_and_executable() {
    let image = Image::from_words([Word::constant(Opcode::Add, 1), Word::jump(Opcode::Jmp, 0)]);
    let mut engine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros).expect("the board settles");
    engine.compile_eagerly(gray1_native::translate);
    engine.run(10_000, &mut ()).expect("it always settles");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the map of this process");
    let mappings: Vec<Vec<&str>> = maps.lines().map(|line| line.split_whitespace().collect()).collect();
    // Code of a file has the name of the file behind its permissions, offset, device and inode.
    let is_made = |mapping: &&Vec<&str>| mapping[1].contains('x') && mapping.len() == 5;
    assert!(mappings.iter().any(|mapping| is_made(&mapping)), "the code is in a mapping of its own");
    assert!(!mappings.iter().any(|mapping| mapping[1].contains("wx")), "{maps}");
}
