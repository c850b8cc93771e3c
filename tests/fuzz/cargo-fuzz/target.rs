//! The entry point of every binary of `cargo fuzz`. The name of the binary selects the check.

#![no_main]

use gray1_fuzz::TARGETS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: &[u8]| {
    let target = TARGETS.iter().find(|target| target.name == env!("CARGO_BIN_NAME"));
    (target.expect("a target of the table").check)(case);
});
