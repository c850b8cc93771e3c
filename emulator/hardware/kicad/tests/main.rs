//! Tests of schematics and printed boards.

mod guide;
mod marks;
mod mechanics;
mod printed;
mod schematic;
mod support;
