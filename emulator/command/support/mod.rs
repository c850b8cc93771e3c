//! Code that several subcommands share.

pub mod choice;
pub mod completion;
pub mod conditions;
pub mod cores;
pub mod csv;
pub mod files;
pub mod interrupt;
pub mod json;
pub mod machine;
pub mod message;
pub mod numbers;
pub mod output;
pub mod program;
pub mod program_facts;
pub mod progress;
pub mod selftest;
pub mod source;
