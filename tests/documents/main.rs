//! Keeps the documents true: every command they show is run and its output compared, every link leads somewhere,
//! and every table that could be computed is.
//!
//! A table that a test computes stands between `<!-- begin: NAME -->` and `<!-- end: NAME -->`. `UPDATE=1` rewrites it
//! when the code has changed.

mod causes;
mod compare;
mod console;
mod document;
mod examples;
mod lessons;
mod library;
mod links;
mod options;
mod phases;
mod pictures;
mod tables;
mod tree;
mod waves;
