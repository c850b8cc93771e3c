//! One check for `cargo fuzz`: that of the name of the program.

#![no_main]

use gray1_fuzz::TARGETS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: &[u8]| {
    let target = TARGETS.iter().find(|target| target.name == env!("CARGO_BIN_NAME"));
    (target.expect("a target of the table").check)(case);
});
