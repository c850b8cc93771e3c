//! Keeps the documents true: every command they show is run and its output compared, every link leads somewhere,
//! and every table that could be computed is.
//!
//! A table that a test computes stands between `<!-- begin: NAME -->` and `<!-- end: NAME -->`. When the code
//! changes, the test prints the text to paste there.

mod compare;
mod console;
mod document;
mod links;
mod options;
mod phases;
mod tables;
