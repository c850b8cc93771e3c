//! Tests of the displays.

mod animation;
mod pictures;
mod terminal;
mod window;
