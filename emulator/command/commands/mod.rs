//! The subcommands, a module for each.

pub mod asm;
pub mod build;
pub mod capture;
pub mod check;
pub mod chips;
pub mod compare;
pub mod completions;
pub mod dap;
pub mod debug;
pub mod dis;
pub mod examples;
pub mod explain;
pub mod faults;
pub mod fmt;
pub mod lsp;
pub mod page;
pub mod run;
pub mod search;
pub mod timing;
pub mod tree;
pub mod verify;
pub mod why;
