//! The choices of the user about a display, which window and terminal share.

use gray1_machine::{Failure, Stop};

use crate::controls::Action;
use crate::overlay::Help;
use crate::session::Session;
use crate::settings::Settings;

/// The settings of a display, and its help.
pub(crate) struct Viewer {
    pub settings: Settings,
    /// The scroll position of the help, while it is shown.
    help: Option<usize>,
}

impl Viewer {
    /// Makes a viewer without help.
    pub fn new(settings: Settings) -> Self {
        Self { settings, help: None }
    }

    /// Executes an action, and returns the reason for the end if it closes the display. `help_end` is the last scroll
    /// position of the help.
    pub fn act(
        &mut self,
        action: Action,
        session: &mut Session,
        help_end: usize,
    ) -> Result<Option<Stop>, Failure> {
        match (action, self.help) {
            (Action::Quit | Action::Help, Some(_)) => self.help = None,
            (Action::Quit, None) => return Ok(Some(session.stop().unwrap_or(Stop::Quit))),
            (Action::Help, None) => self.help = Some(0),
            (Action::Shapes, _) => self.settings.shapes = !self.settings.shapes,
            (action, help) => {
                self.help = help.map(|from| action.scrolls(from, help_end).unwrap_or(from));
                session.act(action)?;
            }
        }
        Ok(None)
    }

    /// Returns the help, while it is shown.
    pub fn help(&self) -> Option<Help<'_>> {
        self.help.map(|from| Help { about: &self.settings.about, from })
    }

    /// Returns the keys of the machine that count as held: the help takes them all.
    pub fn keys(&self, held: u8) -> u8 {
        if self.help.is_some() { 0 } else { held }
    }
}
