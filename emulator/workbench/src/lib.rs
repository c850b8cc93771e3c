//! The debugger of the Gray-1 on a full screen, in a terminal.
//!
//! [`open`] takes the terminal and lets the user debug a program until they quit. Without a terminal, a [`Workbench`]
//! takes events and is drawn into a buffer, which is how tests see it:
//!
//! ```
//! use gray1_assembler::{MemoryLoader, Options, assemble};
//! use gray1_debugger::{Debugger, Dialogue, Source};
//! use gray1_display::terminal::{Capabilities, Colors};
//! use gray1_machine::board::Board;
//! use gray1_machine::{ChipsEngine, Noise, Script};
//! use gray1_workbench::{Request, Theme, Workbench, draw};
//! use ratatui_core::buffer::Buffer;
//! use crossterm::event::{Event, KeyCode};
//! use std::sync::atomic::AtomicBool;
//!
//! let files = MemoryLoader::new([("seven.g1", "      lda #7\nhalt: jmp halt\n")]);
//! let source = Source::of_assembly(assemble(&files, "seven.g1", &Options::default())).unwrap();
//! let board = Board::gray1();
//! let machine = ChipsEngine::power_up(&board, source.image(), Noise::Random(1)).unwrap();
//! let debugger = Debugger::new(machine, board, source, Script::default()).unwrap();
//! let mut workbench = Workbench::new(Dialogue::new(debugger));
//!
//! // A key stands for a command, which the workbench carries out.
//! let request = workbench.screen.event(&Event::Key(KeyCode::Char('s').into()));
//! assert_eq!(request, Some(Request::Command("step".to_owned())));
//! workbench.carry_out(&request.unwrap(), &AtomicBool::new(false), |_| Ok(())).unwrap();
//!
//! let mut buffer = Buffer::empty(ratatui_core::layout::Rect::new(0, 0, 80, 24));
//! let theme = Theme::new(Capabilities { colors: Colors::None, unicode: false, moves_cursor: true });
//! draw(&workbench.screen, &mut buffer, theme);
//! assert!(format!("{buffer:?}").contains("a    $07"));
//! ```
//!
//! # How it is built
//!
//! ```text
//!   listing    the program as it is shown             \
//!   machine    the data about board and machine        |  plain data
//!   state      the state of the screen, pane by pane  /
//!   pane       the layout of the panes, on a screen of any size
//!   keys       the table of keys and the commands they stand for
//!   input, mouse, commands    events -> changes of the state, requests
//!   views      the state -> a buffer of cells, one file for each pane
//!   workbench  a state and a dialogue: carries commands out
//!   terminal   the real terminal: events in, cells out
//! ```
//!
//! The debugging itself is done by `gray1-debugger`, through commands that can also be typed. The crate draws on
//! the buffers of ratatui, which know the width of characters and which cells have changed; `terminal` writes these.

mod canvas;
mod commands;
mod input;
pub mod keys;
mod listing;
mod machine;
mod mouse;
mod pane;
mod state;
mod terminal;
mod theme;
mod views;
mod workbench;

pub use commands::Request;
pub use state::ScreenState;
pub use terminal::{can_open, open};
pub use theme::Theme;
pub use views::draw;
pub use workbench::Workbench;
