//! Tests of the documents: every command that they show is run and its output compared, no link is broken, and every
//! table that can be computed is compared with the code.
//!
//! A computed table is between `<!-- begin: NAME -->` and `<!-- end: NAME -->`. `UPDATE=1` rewrites it.

mod circles;
mod compare;
mod console;
mod document;
mod examples;
mod lessons;
mod library;
mod links;
mod map;
mod phases;
mod pictures;
mod tables;
mod waves;
