//! `nqueens.g1` for every N that it supports.

use super::counts::work;
use super::solutions::ascending;
use gray1_machine::{Engine, IsaEngine, Noise};
use test_support::engines::Sent;
use test_support::engines::{Seen, engines};
use test_support::programs::assembled;

/// N, the number of solutions, the words of the program, and its cycles.
const COSTS: [(usize, usize, usize, u64); 12] = [
    (1, 1, 412, 262),
    (2, 0, 538, 525),
    (3, 0, 667, 1304),
    (4, 2, 796, 4178),
    (5, 10, 925, 14_782),
    (6, 4, 1054, 52_875),
    (7, 40, 1183, 207_723),
    (8, 92, 1312, 884_728),
    (9, 352, 1441, 3_929_248),
    (10, 724, 1570, 18_806_166),
    (11, 2680, 1699, 95_540_897),
    (12, 14_200, 1828, 534_933_218),
];

/// The cycles of each search that the chips engine runs. They cover the whole search up to N = 6.
const ON_CHIPS: u64 = 60_000;

#[test]
fn every_size_is_solved_at_the_cost_written_down() {
    let mut measured = Vec::new();
    for (size, count, ..) in COSTS {
        let program = assembled("nqueens", &[("N", size as i64)]);
        let solutions = ascending(size);
        assert_eq!(solutions.len(), count, "{size} queens");
        let lines: String = solutions.iter().map(|solution| format!("{solution}\n")).collect();
        let expected = format!("{lines}{count} solutions (tried {} positions)\n", work(size).positions);

        let mut fast = IsaEngine::power_up(&program.image, Noise::Random(1));
        let mut sent = Sent::default();
        fast.run(u64::from(u32::MAX), &mut sent).expect("the engine isa always settles");
        assert!(fast.halted(), "{size} queens");
        assert!(String::from_utf8_lossy(&sent.0) == expected, "{size} queens: another output");
        measured.push((size, count, program.words.len(), fast.cycle()));
    }
    assert_eq!(measured, COSTS, "N, solutions, words, cycles");
    let [.., (size, _, words, cycles)] = COSTS;
    let said = format!("(for N = {size}, {words} words and {cycles} cycles)");
    assert!(include_str!("../../../programs/nqueens.g1").contains(&said), "{said}");
}

#[test]
fn the_chips_agree_and_solutions_may_be_left_out() {
    let mut whole = 0;
    for (size, count, ..) in COSTS {
        let program = assembled("nqueens", &[("N", size as i64), ("PRINT", 0)]);
        let runs = engines(&program.image, Noise::Random(3)).into_iter().map(|(_, mut engine)| {
            let mut seen = Seen::default();
            engine.run(ON_CHIPS, &mut seen).expect("the board settles");
            (seen, engine.state(), engine.halted())
        });
        let runs: Vec<_> = runs.collect();
        assert!(runs.windows(2).all(|pair| pair[0] == pair[1]), "{size} queens: the engines part");
        let (seen, _, halted) = &runs[0];
        if *halted {
            let expected = format!("{count} solutions (tried {} positions)\n", work(size).positions);
            assert_eq!(String::from_utf8_lossy(&seen.bytes()), expected);
            whole += 1;
        }
    }
    assert_eq!(whole, 6);
}
