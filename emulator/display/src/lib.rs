//! What is seen of the Gray-1: an 8x8 matrix of two-colour LEDs, in a window, in a terminal, in pictures.
//!
//! ```text
//!   the engine's stores -> Exposure -> Light -> Renderer -> window, PNG, Animation (GIF)
//!                                            -> terminal
//!   the user's keys -> controls -> Playback -> Player (the machine) at its Pace
//! ```
//!
//! The crate knows no engine. To show a machine, implement [`Player`] and call [`window::open`] or [`terminal::show`];
//! both play it until it stops. Everything that can be decided without a screen (what a picture looks like, where a
//! click lands) is plain functions of plain data.

pub mod animation;
pub mod color;
pub mod controls;
pub mod exposure;
pub mod layout;
pub mod picture;
pub mod playback;
pub mod player;
pub mod render;
pub mod status;
pub mod terminal;
pub mod window;

mod error;
mod files;
mod font;
mod keyboard;
mod overlay;
mod sprite;

pub use error::DisplayError;
pub use exposure::{Exposure, LINES, Led, Light};
pub use player::{Pad, Player};
