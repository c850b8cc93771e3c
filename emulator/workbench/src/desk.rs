//! Everything that is on the screen, without the screen and without the debugger: plain data that keys and answers
//! change and views draw.

use crate::keys::Key;
use crate::listing::{Line, Listing, Row, Sheet};
use crate::look::{Card, Look};
use crate::pane::{Arrangement, Pane, Wish, arrange};
use crate::prompt::Prompt;
use gray1_debugger::{Debugger, Position, Reply, Trigger};
use ratatui::layout::Rect;
use std::collections::BTreeMap;
use std::time::Duration;

/// So many lines of answers are kept.
const MOST_MESSAGES: usize = 5000;
/// An answer of so many lines need not be seen as a whole.
const SHORT_ANSWER: usize = 3;
/// So many stops are marked on the time line.
const MOST_STOPS: usize = 500;

/// What is on the screen.
pub struct Desk {
    /// The program.
    pub listing: Listing,
    /// The chips of the board.
    pub cards: Vec<Card>,
    /// Its nets.
    pub nets: Vec<String>,
    /// The machine, as it is.
    pub look: Look,
    /// The machine at the stop before, to see what has changed.
    pub before: Option<Look>,
    /// Breakpoints and watchpoints.
    pub points: Vec<PointRow>,
    /// The size of the screen.
    pub area: Rect,
    /// The pane that has the keys.
    pub focus: Pane,
    /// Whether it is seen alone.
    pub zoom: bool,
    /// The panes at the side, the most wanted first.
    pub side: Vec<Pane>,
    /// The program's pane.
    pub program: ProgramView,
    /// Rows scrolled by, and whether RAM is shown byte by byte.
    pub ram: (usize, bool),
    /// The chip that is described.
    pub chip: usize,
    /// Rows of output scrolled back from the end.
    pub output: usize,
    /// Rows of points scrolled by.
    pub point: usize,
    /// What has been answered, and how many rows are scrolled back from the end.
    pub messages: (Vec<Message>, usize),
    /// The command line, while somebody types.
    pub prompt: Option<Prompt>,
    /// Lines typed before.
    pub typed: Vec<String>,
    /// The help, while it is shown.
    pub help: Option<Help>,
    /// The command being carried out, if it takes long.
    pub running: Option<Running>,
    /// Whether the mouse is being dragged along the time line.
    pub drags_time: bool,
    /// The text looked for last.
    pub sought: String,
    /// Positions where one has stopped.
    pub stops: Vec<Position>,
    /// Where the machine is known to halt.
    pub halt: Option<Position>,
}

/// A point, ready to be shown.
pub struct PointRow {
    /// Its number.
    pub number: usize,
    /// What it is called.
    pub title: String,
    /// The instructions it is at, if it is a breakpoint.
    pub places: Vec<u16>,
    /// How often it has been met.
    pub hits: u64,
}

/// A line of the dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub kind: Kind,
    /// What.
    pub text: String,
    /// Where that led.
    pub place: String,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The person: a command.
    Command,
    /// The debugger.
    Answer,
    /// The debugger, of something that went wrong.
    Fault,
}

/// How the program is shown.
#[derive(Default)]
pub struct ProgramView {
    /// The file.
    pub file: usize,
    /// Whether all words are shown instead of a file.
    pub words: bool,
    /// The first row seen.
    pub top: usize,
    /// The row of the cursor.
    pub cursor: usize,
    /// Columns scrolled by.
    pub left: usize,
    /// Lines that somebody has opened or closed.
    pub unfolded: BTreeMap<Line, bool>,
    /// Whether macros stay closed while they are run.
    pub stays_folded: bool,
}

/// The help, while it is shown.
#[derive(Default)]
pub struct Help {
    /// Rows scrolled by.
    pub top: usize,
    /// The key that was asked for.
    pub key: Option<Key>,
}

/// A command that takes long.
#[derive(Clone)]
pub struct Running {
    /// The command.
    pub line: String,
    /// Since when.
    pub time: Duration,
    /// The cycle it began at.
    pub from: u64,
}

impl Desk {
    /// A desk for this program and board.
    pub fn new(listing: Listing, cards: Vec<Card>, nets: Vec<String>, look: Look) -> Desk {
        let words = !listing.has_lines();
        let mut desk = Desk {
            ram: (0, words),
            program: ProgramView { words, ..ProgramView::default() },
            listing,
            cards,
            nets,
            look,
            before: None,
            points: Vec::new(),
            area: Rect::new(0, 0, 80, 24),
            focus: Pane::Source,
            zoom: false,
            side: vec![Pane::Display, Pane::Ram, Pane::Output, Pane::Points],
            chip: 0,
            output: 0,
            point: 0,
            messages: (Vec::new(), 0),
            prompt: None,
            typed: Vec::new(),
            help: None,
            running: None,
            drags_time: false,
            sought: String::new(),
            stops: Vec::new(),
            halt: None,
        };
        desk.follow();
        desk
    }

    /// Where everything is.
    pub fn arrangement(&self) -> Arrangement {
        let wish =
            Wish { focus: self.focus, zoom: self.zoom, side: self.side.clone(), chips: self.cards.len() };
        arrange(self.area, &wish)
    }

    /// The rows within a pane's frame, if it is seen.
    pub fn rows_of(&self, pane: Pane) -> usize {
        self.arrangement().area_of(pane).map_or(0, |area| usize::from(area.height.saturating_sub(2)))
    }

    /// How many messages are seen.
    fn rows_of_messages(&self) -> usize {
        self.rows_of(Pane::Messages).max(usize::from(self.arrangement().messages.height))
    }

    /// Takes another size.
    pub fn resize(&mut self, area: Rect) {
        if self.area != area {
            self.area = area;
            // The pane that has the keys stays on the screen.
            if self.rows_of(self.focus) == 0 {
                self.focus_on(self.focus);
            }
            self.show_cursor();
        }
    }

    /// Shows a pane and gives it the keys.
    pub fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        if let Some(place) = self.side.iter().position(|other| *other == pane) {
            let pane = self.side.remove(place);
            self.side.insert(0, pane);
        }
    }

    /// Takes the machine as it is now, after a command.
    pub fn arrive(&mut self, look: Look, debugger: &Debugger, is_stop: bool) {
        let has_moved = look.position != self.look.position;
        self.stops.retain(|stop| *stop <= look.end);
        if has_moved && is_stop && !self.stops.contains(&look.position) {
            self.stops.push(look.position);
            if self.stops.len() > MOST_STOPS {
                self.stops.remove(0);
            }
        }
        self.halt = if look.is_halted { Some(look.position) } else { self.halt };
        self.halt = self.halt.filter(|halt| *halt <= look.end);
        let before = std::mem::replace(&mut self.look, look);
        // A change by hand is marked as well.
        let is_other = before.ram != self.look.ram || before.registers != self.look.registers;
        if has_moved || is_other {
            self.before = Some(before);
        }
        if has_moved {
            self.output = 0;
        }
        let rows = debugger.breakpoints().iter().map(|breakpoint| PointRow {
            number: breakpoint.number,
            title: breakpoint.title.clone(),
            places: match &breakpoint.trigger {
                Trigger::Instructions(places) => places.clone(),
                _ => Vec::new(),
            },
            hits: breakpoint.hits,
        });
        self.points = rows.collect();
        if has_moved || is_other {
            self.follow();
        }
    }

    /// Takes the machine as it is on its way.
    pub fn pass(&mut self, look: Look) {
        let (start, end) = (self.look.start, self.look.end.max(look.position));
        self.look = Look { start, end, ..look };
    }

    /// Says something.
    pub fn say(&mut self, kind: Kind, text: &str) {
        let (messages, back) = &mut self.messages;
        let message = |line: &str| Message { kind, text: line.to_owned(), place: String::new() };
        messages.extend(text.lines().map(message));
        if messages.len() > MOST_MESSAGES {
            messages.drain(..messages.len() - MOST_MESSAGES);
        }
        *back = 0;
    }

    /// Says what a command has answered. Where the machine is then, the whole screen shows: a few words of it stay
    /// behind the command, so that one can see later where one has been.
    pub fn answer(&mut self, reply: &Reply) {
        let position = self.look.position;
        // A long answer is worth the room of the source; Esc brings that back.
        let said = reply.to_string();
        let lines = said.lines().count();
        if lines > self.rows_of_messages().max(SHORT_ANSWER) {
            self.focus_on(Pane::Messages);
            self.say(Kind::Answer, &said);
            // It is read from its first line on.
            let rows = self.rows_of(Pane::Messages);
            self.messages.1 = (lines + 1).min(self.messages.0.len()).saturating_sub(rows);
            return;
        }
        if reply.location.is_none() {
            return self.say(Kind::Answer, &said);
        }
        let place = self.listing.place_name(self.look.running).unwrap_or_default();
        if let Some(command) = self.messages.0.iter_mut().rev().find(|message| message.kind == Kind::Command)
        {
            command.place = format!("{position}  {place}");
        }
        self.say(Kind::Answer, &reply.text);
    }

    /// What the program's pane shows.
    pub fn sheet(&self) -> Sheet {
        let view = &self.program;
        let Some(file) = self.listing.files.get(view.file).filter(|_| !view.words) else {
            return Sheet::Words;
        };
        let running = self.look.running;
        let now = self.listing.statement(running).filter(|line| line.file == view.file);
        let mut lines: Vec<Line> = view
            .unfolded
            .iter()
            .filter(|(line, is)| **is && line.file == view.file)
            .map(|(line, _)| *line)
            .collect();
        if let Some(now) = now.filter(|now| !view.unfolded.contains_key(now) && !view.stays_folded)
            && self.listing.is_within(running)
        {
            lines.push(now);
            lines.sort();
        }
        let opened = lines.into_iter().filter_map(|line| {
            let place = if Some(line) == now { running } else { *self.listing.places(line).first()? };
            Some((line.line, self.listing.expansion(place)))
        });
        Sheet::Lines(file.lines.len(), opened.collect())
    }

    /// The row that the machine is at.
    pub fn row_of_now(&self, sheet: &Sheet) -> Option<usize> {
        let place = self.look.running;
        let row = sheet.of_word(place);
        row.or_else(|| {
            let line = self.listing.statement(place).filter(|line| line.file == self.program.file)?;
            Some(sheet.of_line(line.line))
        })
    }

    /// Puts the cursor where the machine is.
    pub fn follow(&mut self) {
        if let Some(line) = self.listing.statement(self.look.running) {
            self.program.file = line.file;
        }
        let sheet = self.sheet();
        if let Some(row) = self.row_of_now(&sheet) {
            self.program.cursor = row;
        }
        self.show_cursor();
    }

    /// Scrolls the program so that the cursor is seen.
    pub fn show_cursor(&mut self) {
        let rows = match self.rows_of(Pane::Source) {
            0 => return,
            rows => rows,
        };
        let count = self.sheet().len();
        let view = &mut self.program;
        view.cursor = view.cursor.min(count.saturating_sub(1));
        // A few rows around the cursor tell where one is.
        let margin = (rows / 5).min(3);
        let highest = (view.cursor + margin + 1).saturating_sub(rows);
        let lowest = view.cursor.saturating_sub(margin);
        let is_far = view.cursor + rows < view.top || view.cursor > view.top + 2 * rows;
        view.top = if is_far {
            view.cursor.saturating_sub(rows / 2)
        } else {
            view.top.clamp(highest.min(lowest), lowest)
        };
        view.top = view.top.min(count.saturating_sub(rows));
    }

    /// Scrolls the program, and takes the cursor along where it would be lost.
    pub fn scroll_program(&mut self, rows: isize) {
        let (seen, count) = (self.rows_of(Pane::Source), self.sheet().len());
        let view = &mut self.program;
        view.top = view.top.saturating_add_signed(rows).min(count.saturating_sub(seen));
        view.cursor = view.cursor.clamp(view.top, (view.top + seen).saturating_sub(1).max(view.top));
    }

    /// The line at the cursor, as commands write it.
    pub fn place_at_cursor(&self) -> Option<String> {
        self.place_of(self.sheet().row(self.program.cursor)?)
    }

    fn place_of(&self, row: Row) -> Option<String> {
        match row {
            Row::Word(place, _) | Row::Call(place, _) => Some(format!("at {place}")),
            Row::Line(line) => {
                let line = Line { file: self.program.file, line };
                let places = self.listing.places(line);
                let path = &self.listing.files.get(line.file)?.path;
                let number = line.line + 1;
                let name = path.rsplit('/').next().unwrap_or(path);
                let is_name = |path: &str| path == name || path.ends_with(&format!("/{name}"));
                let namesakes = self.listing.files.iter().filter(|file| is_name(&file.path)).count();
                let name = if namesakes > 1 { path } else { name };
                match (line.file, places) {
                    (0, _) => Some(number.to_string()),
                    // A name with a space in it would end there.
                    (_, [place, ..]) if name.contains(char::is_whitespace) => Some(format!("at {place}")),
                    _ => Some(format!("{name}:{number}")),
                }
            }
        }
    }

    /// Whether there is a breakpoint at some of these instructions, and whether it is at all of them.
    pub fn point_at(&self, places: &[u16]) -> Option<(usize, bool)> {
        let covers = |point: &&PointRow| places.iter().all(|place| point.places.contains(place));
        let touches = |point: &&PointRow| places.iter().any(|place| point.places.contains(place));
        if places.is_empty() {
            return None;
        }
        let whole = self.points.iter().find(covers).map(|point| (point.number, true));
        whole.or_else(|| self.points.iter().find(touches).map(|point| (point.number, false)))
    }

    /// What stands for the selection in a command that asks for RAM or a net.
    pub fn selected(&self) -> String {
        match self.focus {
            Pane::Board => "net ".to_owned(),
            Pane::Ram if !self.ram.1 => {
                crate::views::ram::name_at(self, self.ram.0).unwrap_or_default().to_owned()
            }
            _ => String::new(),
        }
    }

    /// Every name that can be completed.
    pub fn all_names(&self) -> Vec<&str> {
        let names = self.listing.names.iter().chain(&self.nets).map(String::as_str);
        names.chain(self.cards.iter().map(|card| card.name.as_str())).collect()
    }
}
