//! Cases by number. The seed and the number alone determine a case, so that a campaign can be repeated, divided among
//! computers, and continued.

use crate::target::{TARGETS, Target, corpus};
use proptest::prelude::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One case in this many is a mutation of a case in the corpus; the others are generated.
const MUTATION_PERIOD: u64 = 4;
/// The limit on the changes of a mutated case.
const MAX_CHANGES: u64 = 4;

/// The cases of a seed.
pub struct Campaign {
    seed: u64,
    /// The chosen targets, with their cases in the corpus.
    targets: Vec<(&'static Target, Vec<Vec<u8>>)>,
}

impl Campaign {
    /// A campaign of these targets, or of all targets if there are no names.
    pub fn new(seed: u64, names: &[String]) -> Campaign {
        let targets =
            TARGETS.iter().filter(|target| names.is_empty() || names.iter().any(|name| name == target.name));
        let kept = |target| corpus(target).into_iter().map(|(_, case)| case).collect();
        Campaign { seed, targets: targets.map(|target| (target, kept(target))).collect() }
    }

    /// The case with this number, and its target.
    pub fn case(&self, number: u64) -> (&'static Target, Vec<u8>) {
        let shares: u64 = self.targets.iter().map(|(target, _)| target.share).sum();
        let mut place = number % shares;
        let mut found = &self.targets[0];
        for entry in &self.targets {
            found = entry;
            match place.checked_sub(entry.0.share) {
                Some(rest) => place = rest,
                None => break,
            }
        }
        let (target, kept) = found;
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&number.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let config = Config { failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, rng);
        let case = (target.generate)(&mut runner);
        let is_mutated = number / shares % MUTATION_PERIOD == MUTATION_PERIOD - 1;
        (target, if is_mutated { mutated(&case, kept, &mut runner) } else { case })
    }
}

/// The message of a check that fails, or `None` if the case passes.
pub fn failure(target: &Target, case: &[u8]) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| (target.check)(case))).err().map(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// The case, or one of the corpus, with pieces deleted, repeated, changed, or inserted from the case.
fn mutated(case: &[u8], kept: &[Vec<u8>], runner: &mut TestRunner) -> Vec<u8> {
    let mut below = |limit: usize| (runner.rng().next_u64() % limit.max(1) as u64) as usize;
    let mut bytes = case.to_vec();
    if !kept.is_empty() && below(2) == 0 {
        bytes.clone_from(&kept[below(kept.len())]);
    }
    for _ in 0..=below(MAX_CHANGES as usize) {
        let start = below(bytes.len() + 1);
        let end = (start + below(16)).min(bytes.len());
        match below(6) {
            0 => drop(bytes.drain(start..end)),
            1 => {
                let piece = bytes[start..end].to_vec();
                let at = below(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
            2 if start < bytes.len() => bytes[start] ^= 1 << below(8),
            3 => bytes.insert(start, below(256) as u8),
            4 => bytes.truncate(start),
            _ => {
                let from = below(case.len() + 1);
                let piece = &case[from..(from + below(40)).min(case.len())];
                bytes.splice(start..end, piece.iter().copied());
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_found_with_their_message() {
        let target = |check| Target { name: "t", share: 1, generate: |_| Vec::new(), check };
        let picky = target(|case: &[u8]| assert!(case != b"bad", "not {}", case.len()));
        assert_eq!(failure(&picky, b"good"), None);
        assert_eq!(failure(&picky, b"bad").as_deref(), Some("not 3"));
        assert_eq!(failure(&target(|_| panic!("plain")), b"").as_deref(), Some("plain"));
    }

    #[test]
    fn a_case_follows_from_its_number() {
        let [one, same, other] = [1, 1, 2].map(|seed| Campaign::new(seed, &[]));
        let cases = |campaign: &Campaign| (0..500).map(|number| campaign.case(number).1).collect::<Vec<_>>();
        assert_eq!(cases(&one), cases(&same));
        let different = cases(&one).iter().zip(&cases(&other)).filter(|(one, other)| one != other).count();
        assert!(different > 400, "{different}");
    }
}
