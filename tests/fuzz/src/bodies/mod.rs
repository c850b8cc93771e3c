//! The checks, each with its generator of cases. A check takes any bytes. It panics if an invariant is broken, an
//! answer is too long, or work does not end.

pub mod boards;
pub mod commands;
pub mod editing;
pub mod engines;
pub mod images;
mod machines;
pub mod messages;
pub mod requests;
pub mod sources;
pub mod states;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// The limit on an answer of a server or of the debugger, in bytes.
const MAX_ANSWER: usize = 4 << 20;

/// A value drawn from a strategy.
fn drawn<T>(runner: &mut TestRunner, strategy: &impl Strategy<Value = T>) -> T {
    strategy.new_tree(runner).expect("the strategy makes something").current()
}

/// The text of a case.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
