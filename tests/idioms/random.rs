//! The sequences of random numbers: their length, and how random they are.

use crate::support::Bench;
use std::collections::HashSet;

/// The sequence that the machine computes: `w` and A after each step.
fn sequence(call: &str, length: usize) -> (Bench, Vec<(u16, u8)>) {
    let mut bench = Bench::new(&format!("      {call}\n      jmp halt"));
    let (mut state, mut sequence) = (0u16, Vec::new());
    for _ in 0..length {
        bench.set_wide("w", state);
        bench.state.c = state % 3 == 0;
        let outcome = bench.run();
        state = bench.wide(&outcome, "w");
        sequence.push((state, outcome.state.a));
    }
    (bench, sequence)
}

/// The correlation of a sequence of bytes with itself at a distance: 0 if they are unrelated, 1 if they are equal.
fn correlation(sequence: &[u8], distance: usize) -> f64 {
    let centred = |byte: u8| f64::from(byte) - 127.5;
    let others = sequence.iter().cycle().skip(distance);
    let sum: f64 = sequence.iter().zip(others).map(|(&one, &other)| centred(one) * centred(other)).sum();
    sum / sequence.iter().map(|&byte| centred(byte) * centred(byte)).sum::<f64>()
}

#[test]
fn random_has_a_full_period() {
    let (_, sequence) = sequence("random w", 256);
    assert!(sequence.iter().all(|(w, a)| w.to_le_bytes() == [*a, 0]), "A is the number, and only w changes");
    let numbers: Vec<u8> = sequence.iter().map(|(_, a)| *a).collect();
    assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), 256);
    assert_eq!(numbers[255], 0, "the sequence comes back to where it began");
    let related = correlation(&numbers, 1);
    assert!((0.15..0.16).contains(&related), "neighbours are related: {related}");
}

#[test]
fn random16_has_a_full_period_and_random_bytes() {
    let (mut bench, sequence) = sequence("random16 w", 65_536);
    assert_eq!(sequence.iter().map(|(w, _)| *w).collect::<HashSet<_>>().len(), 65_536);
    assert_eq!(sequence[65_535].0, 0, "the sequence comes back to where it began");
    assert!(sequence.iter().all(|(w, a)| w.to_be_bytes()[0] == *a), "A is the high byte");

    let bytes: Vec<u8> = sequence.iter().map(|(_, a)| *a).collect();
    let mut counts = [0; 256];
    bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
    assert_eq!(counts, [256; 256], "each byte comes as often");
    let pairs: HashSet<(u8, u8)> = bytes.iter().copied().zip(bytes.iter().copied().cycle().skip(1)).collect();
    assert!(pairs.len() > 65_200, "{} of 65,536 pairs", pairs.len());
    for distance in 1..300 {
        let related = correlation(&bytes, distance);
        assert!(related.abs() < 0.04, "bytes at a distance of {distance} are related: {related}");
    }
    for bit in 0..8 {
        let ones = bytes.iter().zip(bytes.iter().cycle().skip(1));
        let same = ones.filter(|(one, next)| (**one ^ **next) >> bit & 1 == 0).count();
        assert!((32_000..33_536).contains(&same), "bit {bit} is the same again {same} times in 65,536");
    }

    let mut chips = bench.on_chips();
    for seed in (0..=u16::MAX).step_by(4_099) {
        bench.set_wide("w", seed);
        assert_eq!(chips(&bench.state), bench.run(), "after {seed} on the chips");
    }
}
