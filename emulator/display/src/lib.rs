//! The visible part of the Gray-1: an 8x8 matrix of two-colour LEDs, in a window, in a terminal, in pictures.
//!
//! ```text
//!   stores of the program -> Exposure -> Light -> Renderer -> window, PNG, Animation (GIF)
//!                                              -> terminal
//!   keys of the user -> controls -> Session -> the machine
//!   waves       nets over time, as a waveform file (VCD)
//!   schematic   the board as a drawing
//! ```
//!
//! The crate knows no engine: a [`Session`] plays the machine of any [`Driver`](gray1_machine::Driver). Hand it to a
//! display, which plays it until it stops. Everything that can be decided without a screen (what a picture looks like,
//! where a click lands) is implemented by plain functions of plain data.
//!
//! ```no_run
//! use gray1_display::{DisplayError, Session, Settings, terminal, window};
//! use gray1_machine::{Driver, Engine, Speed, Stop};
//! use std::sync::atomic::AtomicBool;
//! use std::time::Instant;
//!
//! fn show(machine: &mut dyn Engine, interrupt: &AtomicBool) -> Result<Stop, DisplayError> {
//!     let start = Instant::now();
//!     let clock = || start.elapsed();
//!     let mut session = Session::new(Driver::new(machine, interrupt, &clock));
//!     let settings = Settings::new(Speed::Hz(8_000));
//!     match window::open("Gray-1") {
//!         Ok(screen) => screen.show(&mut session, settings),
//!         Err(_) => {
//!             let stream = terminal::Stream::find().ok_or(DisplayError::NoTerminal)?;
//!             terminal::show(stream, &mut session, settings, &mut || ())
//!         }
//!     }
//! }
//! ```
//!
//! No screen is needed to save what a display shows:
//!
//! ```
//! use gray1_display::render::Renderer;
//! use gray1_display::status::Status;
//! use gray1_display::{Exposure, LINES};
//!
//! let mut exposure = Exposure::new(0, [0; LINES]);
//! exposure.store(10, 3, 0b1000_0001); // from cycle 10 on, two green LEDs of row 3 are lit
//! let light = exposure.take(20);
//! assert_eq!(light.leds[3][0].green, 0.5);
//!
//! let mut renderer = Renderer::new(640, 672);
//! renderer.draw(&light, &Status::default(), None);
//! let mut png = Vec::new();
//! renderer.write_png(&mut png)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// In a browser there is neither a window nor a terminal, and code that only these need is unused.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

pub mod animation;
pub mod controls;
pub mod layout;
pub mod overlay;
pub mod render;
pub mod schematic;
#[cfg(not(target_family = "wasm"))]
pub mod signals;
pub mod status;
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
pub mod waves;
#[cfg(not(target_family = "wasm"))]
pub mod window;

mod color;
mod ending;
mod error;
mod exposure;
#[cfg(not(target_family = "wasm"))]
mod files;
mod font;
#[cfg(not(target_family = "wasm"))]
mod keyboard;
mod legend;
mod output;
mod session;
mod settings;
mod sprite;
#[cfg(not(target_family = "wasm"))]
mod viewer;

pub use error::DisplayError;
pub use exposure::{Exposure, LINES, Led, Light};
pub use layout::Pad;
pub use output::{Moment, Output};
pub use session::{Session, Sink};
pub use settings::Settings;
