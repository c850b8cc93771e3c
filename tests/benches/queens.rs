//! `cargo bench --bench queens`: the size of each queens program, its cycles, and its time on the engine isa and one core.
//! Tests check the words, bytes and cycles; only the time depends on the computer.

use gray1_isa::Image;
use gray1_machine::{Engine, IsaEngine, Noise};
use std::time::{Duration, Instant};
use test_support::programs::assembled;

const PROGRAMS: [(&str, Option<i64>); 11] = [
    ("queens", None),
    ("queens-bits", None),
    ("queens-array", None),
    ("queens-permute", None),
    ("queens-masks", None),
    ("queens-brute", None),
    ("queens-small", None),
    ("nqueens", Some(8)),
    ("nqueens", Some(10)),
    ("nqueens", Some(11)),
    ("nqueens", Some(12)),
];

/// Each time is the best of this many rounds, because disturbances only make a measurement slower.
const ROUNDS: usize = 3;

fn main() {
    println!("{:<22} {:>6} {:>5} {:>12} {:>9}", "program", "words", "RAM", "cycles", "seconds");
    for (name, n) in PROGRAMS {
        let constants: Vec<(&str, i64)> = n.map(|n| ("N", n)).into_iter().collect();
        let program = assembled(name, &constants);
        let (cycles, time) = best(&program.image);
        let title = n.map_or(name.to_owned(), |n| format!("{name}, N = {n}"));
        let (words, ram) = (program.words.len(), program.ram_bytes());
        println!("{title:<22} {words:>6} {ram:>5} {cycles:>12} {:>9.4}", time.as_secs_f64());
    }
}

/// The cycles of a whole search, and its best time.
fn best(image: &Image) -> (u64, Duration) {
    let rounds = (0..ROUNDS).map(|_| {
        let mut engine = IsaEngine::power_up(image, Noise::Random(1));
        let begun = Instant::now();
        let run = engine.run(u64::MAX, &mut ());
        (run.expect("the engine isa always settles"), begun.elapsed())
    });
    rounds.min_by_key(|&(_, time)| time).expect("a round")
}
