//! Memory for code is never writable and executable at once.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise};

/// The permissions of all mappings of this process, such as `rw-p`.
fn mappings() -> Vec<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the map of this process");
    maps.lines().filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned)).collect()
}

#[test]
fn no_memory_is_writable_and_executable() {
    let executable = |mappings: &[String]| mappings.iter().filter(|mapping| mapping.contains('x')).count();
    let before = executable(&mappings());
    let image = Image::from_words([Word::constant(Opcode::Add, 1), Word::jump(Opcode::Jmp, 0)]);
    let mut engine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros).expect("the board settles");
    engine.compile_eagerly(gray1_native::translate);
    engine.run(10_000, &mut ()).expect("it always settles");
    let mappings = mappings();
    assert!(executable(&mappings) > before, "the code is in a mapping of its own");
    assert!(!mappings.iter().any(|mapping| mapping.contains("wx")), "{mappings:?}");
}
