//! The checks. Each takes any bytes and panics where something is wrong: a promise that does not hold, an answer too
//! long, work without end.

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

/// No answer of a server or of the debugger is longer, in bytes.
const LONGEST_ANSWER: usize = 4 << 20;

/// What a strategy makes.
fn drawn<T>(runner: &mut TestRunner, strategy: &impl Strategy<Value = T>) -> T {
    strategy.new_tree(runner).expect("the strategy makes something").current()
}

/// The text of a case, and its lines.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
