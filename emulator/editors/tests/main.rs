//! Tests of the crate, one program.

mod dap;
mod lsp;
