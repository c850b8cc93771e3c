//! Tests of the displays.

mod animation;
mod example;
mod pictures;
mod terminal;
mod window;
