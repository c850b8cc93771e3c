//! Tests of the `gray1` command as scripts use it: exit codes, what goes where, files whole or absent.

mod asm;
mod chips;
mod endings;
mod files;
mod run;
mod support;
