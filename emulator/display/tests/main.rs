//! Tests of the displays.

mod animation;
mod pictures;
mod schematic;
mod terminal;
mod waves;
mod window;
