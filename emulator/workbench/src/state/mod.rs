//! The state of the screen as plain data: the program, the machine, and the state of each pane. Input changes it and
//! views draw it; it depends on neither of them.

pub mod board;
pub mod display;
pub mod help;
pub mod messages;
pub mod output;
pub mod points;
pub mod prompt;
pub mod ram;
pub mod source;
pub mod time;

use crate::listing::{Listing, Row};
use crate::machine::MachineData;
use crate::pane::{Pane, Panes};
use board::BoardPane;
use gray1_debugger::{Debugger, Reply};
use gray1_machine::board::Board;
use gray1_text::wrap_lines;
use help::Help;
use messages::{MessagesPane, Role};
use output::OutputPane;
use points::PointsPane;
use prompt::Prompt;
use ram::RamPane;
use ratatui_core::layout::Rect;
use source::SourcePane;
use std::time::Duration;
use time::TimeLine;

/// An answer of up to this many lines does not need the pane of messages.
const SHORT_ANSWER: usize = 3;

/// The state of the screen.
pub struct ScreenState {
    pub(crate) panes: Panes,
    pub(crate) listing: Listing,
    pub(crate) machine: MachineData,
    /// The machine at the previous stop, to find what has changed.
    pub(crate) machine_before: MachineData,
    pub(crate) source: SourcePane,
    pub(crate) board: BoardPane,
    pub(crate) ram: RamPane,
    pub(crate) output: OutputPane,
    pub(crate) points: PointsPane,
    pub(crate) messages: MessagesPane,
    pub(crate) time: TimeLine,
    pub(crate) prompt: Prompt,
    /// The help, while it is shown.
    pub(crate) help: Option<Help>,
    /// The command that is running, if it takes long.
    pub(crate) running: Option<RunningCommand>,
}

/// The commands that step, except for commands that run to an end.
const STEPS: [&str; 8] =
    ["step", "next", "step cycle", "step phase", "back", "back next", "back cycle", "back phase"];

/// A command that takes long.
pub struct RunningCommand {
    pub line: String,
    pub elapsed: Duration,
    /// The cycle where it began.
    pub start: u64,
}

impl ScreenState {
    /// Whether the command is a step, which takes no noticeable time unless the computer is busy. Keys that are pressed
    /// during a step are kept until its end.
    pub(crate) fn is_stepping(&self) -> bool {
        self.running.as_ref().is_some_and(|running| STEPS.contains(&&*running.line))
    }

    pub(crate) fn new(listing: Listing, board: Board, machine: MachineData) -> ScreenState {
        let shows_words = listing.files.is_empty();
        let netlist = board.netlist();
        let nets = netlist.nets.iter().map(|net| &net.name);
        let chips = netlist.chips.iter().map(|chip| &chip.name);
        let names = listing.names().map(str::to_owned).chain(nets.chain(chips).cloned()).collect();
        let panes = Panes::new(netlist.chips.len());
        let mut state = ScreenState {
            messages: MessagesPane::new(message_width(panes.screen)),
            panes,
            source: SourcePane { shows_words, ..SourcePane::default() },
            board: BoardPane::new(board),
            ram: RamPane { shows_bytes: shows_words, ..RamPane::default() },
            output: OutputPane::default(),
            points: PointsPane::default(),
            time: TimeLine::default(),
            prompt: Prompt::new(names),
            help: None,
            running: None,
            machine_before: machine.clone(),
            listing,
            machine,
        };
        state.follow();
        state
    }

    /// Sets the size of the screen.
    pub fn resize(&mut self, screen: Rect) {
        if self.panes.screen != screen {
            self.panes.screen = screen;
            self.messages.width = message_width(screen);
            // The pane with the focus stays visible.
            if self.panes.rows_of(self.panes.focus) == 0 {
                self.panes.focus_on(self.panes.focus);
            }
            self.show_cursor();
        }
    }

    /// Updates the machine after a command. A command that only scrubs does not count as a stop.
    pub(crate) fn update(&mut self, machine: MachineData, debugger: &Debugger, is_stop: bool) {
        let has_moved = machine.position != self.machine.position;
        // Changes that the user makes are marked as well.
        let has_changed = machine.ram != self.machine.ram || machine.registers != self.machine.registers;
        let before = std::mem::replace(&mut self.machine, machine);
        self.time.update(&self.machine, has_moved && is_stop);
        self.points.list = debugger.breakpoints().to_vec();
        if !std::ptr::eq(self.board.netlist(), &**debugger.board().netlist()) {
            self.board.board = debugger.board().clone(); // cells have been burned
        }
        if has_moved {
            self.output.back = 0;
        }
        if has_moved || has_changed {
            self.machine_before = before;
            self.follow();
        }
    }

    /// Updates the machine while a command runs.
    pub(crate) fn update_running(&mut self, machine: MachineData) {
        let (start, end) = (self.machine.start, self.machine.end.max(machine.position));
        self.machine = MachineData { start, end, ..machine };
    }

    /// Shows the answer of a command. The location, which the whole screen shows, is reduced to a few words after the
    /// command.
    pub(crate) fn answer(&mut self, reply: &Reply) {
        let text = reply.to_string();
        let lines = wrap_lines(&text, self.messages.width).lines().count();
        let visible =
            usize::from(self.panes.layout().messages.height).max(self.panes.rows_of(Pane::Messages));
        if lines > visible.max(SHORT_ANSWER) {
            // A long answer replaces the source until Esc is pressed. It is shown from its first line on.
            self.panes.focus_on(Pane::Messages);
            self.messages.say(Role::Answer, &text);
            let end = (lines + 1).min(self.messages.list.len());
            self.messages.back = end.saturating_sub(self.panes.rows_of(Pane::Messages));
            return;
        }
        if reply.location.is_some() {
            let label = self.listing.source.location_name(self.machine.running).unwrap_or_default();
            self.messages.note_arrival(format!("{}  {label}", self.machine.position));
        }
        self.messages.say(Role::Answer, &reply.text);
    }

    /// The rows of the source pane.
    pub(crate) fn source_rows(&self) -> Vec<Row> {
        self.source.rows(&self.listing, self.machine.running)
    }

    /// The location at the cursor of the source pane, as commands write it.
    pub(crate) fn location_at_cursor(&self) -> Option<String> {
        self.source.location(&self.listing, *self.source_rows().get(self.source.cursor)?)
    }

    /// Moves the cursor of the source pane to the current instruction.
    pub(crate) fn follow(&mut self) {
        self.source.follow(&self.listing, self.machine.running);
        self.show_cursor();
    }

    /// Scrolls the source pane so that its cursor is visible.
    pub(crate) fn show_cursor(&mut self) {
        let (count, height) = (self.source_rows().len(), self.panes.rows_of(Pane::Source));
        self.source.show_cursor(count, height);
    }

    /// Moves the cursor of a pane by rows, or scrolls the pane.
    pub(crate) fn move_by(&mut self, pane: Pane, rows: isize) {
        let moved = |from: usize, by: isize, count: usize| {
            from.saturating_add_signed(by).min(count.saturating_sub(1))
        };
        let width = usize::from(self.panes.inside(pane).width);
        match pane {
            Pane::Source => {
                self.source.cursor = moved(self.source.cursor, rows, self.source_rows().len());
                self.show_cursor();
            }
            Pane::Board => self.board.chip = moved(self.board.chip, rows, self.board.netlist().chips.len()),
            Pane::Ram => {
                let count = self.ram.rows(&self.listing.variables, width).len();
                self.ram.row = moved(self.ram.row, rows, count);
            }
            Pane::Points => self.points.top = moved(self.points.top, rows, self.points.list.len()),
            Pane::Output => {
                let count = output::lines(&self.machine.output, width).len();
                self.output.back = moved(self.output.back, -rows, count);
            }
            Pane::Messages => self.messages.back = moved(self.messages.back, -rows, self.messages.list.len()),
            Pane::Registers | Pane::Display => {}
        }
    }

    pub(crate) fn scroll_help(&mut self, rows: isize) {
        if let Some(help) = &mut self.help {
            help.scroll(rows, self.panes.screen);
        }
    }

    /// The text for the selection in a command that takes RAM or a net.
    pub(crate) fn selected(&self) -> String {
        match self.panes.focus {
            Pane::Board => "net ".to_owned(),
            Pane::Ram => {
                let width = usize::from(self.panes.inside(Pane::Ram).width);
                self.ram.selected(&self.listing.variables, width).unwrap_or_default().to_owned()
            }
            _ => String::new(),
        }
    }
}

/// The columns of a message: less than the screen by a frame and the sign of a command.
fn message_width(screen: Rect) -> usize {
    usize::from(screen.width).saturating_sub(4).max(20)
}
