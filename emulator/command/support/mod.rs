//! What the subcommands share.

pub mod choice;
pub mod conditions;
pub mod cores;
pub mod files;
pub mod interrupt;
pub mod known;
pub mod machine;
pub mod outlook;
pub mod output;
pub mod program;
pub mod progress;
pub mod selftest;
pub mod source;
pub mod table;
pub mod units;
