//! What keys and typed lines do to the desk; and what they ask of the debugger.

use crate::desk::{Desk, Help, Kind};
use crate::keys::{self, Does, Key};
use crate::listing::{Line, Row};
use crate::pane::{PANES, Pane};
use crate::prompt::{Prompt, Typed, remember};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use gray1_debugger::COMMANDS;
use ratatui::layout::Rect;

/// What has to be done by somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The debugger is to carry out a line.
    Line(String),
    /// The same, without a word of it in the messages.
    Quiet(String),
    /// The command being carried out is to end.
    Interrupt,
    /// The terminal is to be given back for a while.
    Suspend,
    /// Everything is to be drawn anew.
    Repaint,
    /// It is over.
    Quit,
}

/// Columns by which long lines are moved.
const SIDEWAYS: usize = 8;

impl Desk {
    /// Takes what has happened.
    pub fn event(&mut self, event: &Event) -> Option<Order> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(width, height) => {
                self.resize(Rect::new(0, 0, *width, *height));
                Some(Order::Repaint)
            }
            _ => None,
        }
    }

    fn key(&mut self, event: &KeyEvent) -> Option<Order> {
        match event.code {
            _ if !event.modifiers.contains(KeyModifiers::CONTROL) => {}
            KeyCode::Char('l') => return Some(Order::Repaint),
            KeyCode::Char('z') => return Some(Order::Suspend),
            // What was typed before the screen was there, or is pasted, ends its lines so.
            KeyCode::Char('j') => return self.key(&KeyCode::Enter.into()),
            _ => {}
        }
        if let Some(mut prompt) = self.prompt.take() {
            let names = self.all_names();
            match prompt.key(event, &self.typed, &names) {
                Typed::On => self.prompt = Some(prompt),
                Typed::Given => {}
                Typed::Line(line) => {
                    remember(&mut self.typed, &line);
                    return self.line(&line);
                }
            }
            return None;
        }
        let key = Key::of(event);
        if self.help.is_some() {
            return self.help_key(key);
        }
        let interrupts = key.code == KeyCode::Esc
            || key.code == KeyCode::Char(' ')
            || (key.control && key.code == KeyCode::Char('c'));
        if self.running.is_some() && interrupts {
            return Some(Order::Interrupt);
        }
        if key.code == KeyCode::Esc {
            self.zoom = false;
            if matches!(self.focus, Pane::Messages | Pane::Board) {
                self.focus = Pane::Source;
            }
            self.show_cursor();
            return None;
        }
        if key.control && key.code == KeyCode::Char('c') {
            self.say(Kind::Answer, "q quits; Ctrl-C ends a command that takes long");
            return None;
        }
        let Some(binding) = keys::binding(key) else {
            self.say(Kind::Answer, &format!("{} does nothing here; ? shows the keys", key.name()));
            return None;
        };
        match binding.does {
            Does::Command(text) => self.line(text),
            Does::AtCursor(text) => match self.place_at_cursor() {
                Some(place) => self.line(&text.replace('@', &place)),
                None => None,
            },
            Does::Type(text) => {
                let is_place = text.starts_with("break") || text.starts_with("log");
                let own = if is_place { self.place_at_cursor().unwrap_or_default() } else { self.selected() };
                let text = match text.split_once('@') {
                    Some((before, _)) if own.is_empty() => before.to_owned(),
                    Some((before, behind)) => format!("{before}{own}{behind}"),
                    None => text.to_owned(),
                };
                self.prompt = Some(Prompt::new(&text));
                None
            }
        }
    }

    pub(crate) fn help_key(&mut self, key: Key) -> Option<Order> {
        let page = usize::from(self.area.height.saturating_sub(4)).max(1);
        let help = self.help.get_or_insert_default();
        match key.code {
            KeyCode::Esc | KeyCode::Char('?' | 'q') => self.help = None,
            KeyCode::Up => help.top = help.top.saturating_sub(1),
            KeyCode::Down => help.top += 1,
            KeyCode::PageUp => help.top = help.top.saturating_sub(page),
            KeyCode::PageDown => help.top += page,
            KeyCode::Home => help.top = 0,
            _ => help.key = Some(key),
        }
        if let Some(help) = &mut self.help {
            help.top =
                help.top.min(crate::views::help::rows(usize::from(self.area.width)).saturating_sub(page));
        }
        None
    }

    /// Carries out a line: what concerns the screen here, the rest is for the debugger.
    pub fn line(&mut self, line: &str) -> Option<Order> {
        let (name, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match (own_command(name), rest) {
            (Some("pane"), _) => self.pane(rest),
            (Some("zoom"), _) => {
                self.zoom = !self.zoom;
                self.show_cursor();
            }
            (Some("scroll"), _) => self.scroll(rest),
            (Some("unfold"), "auto") => {
                self.program.stays_folded = !self.program.stays_folded;
                self.follow();
            }
            (Some("unfold"), _) => self.unfold(),
            (Some("code"), _) => {
                self.program.words = !self.program.words || !self.listing.has_lines();
                self.focus_on(Pane::Source);
                self.follow();
            }
            (Some("bytes"), _) => {
                self.ram = (0, !self.ram.1 || self.listing.ram.is_empty());
                self.focus_on(Pane::Ram);
            }
            (Some("file"), _) => self.file(rest),
            (Some("find"), _) => self.find(rest),
            (Some("toggle"), place) => return self.toggle(place),
            (Some("scrub"), hundredths) => return self.scrub(hundredths.parse().unwrap_or(0)),
            _ if name == "help" && rest.is_empty() => self.help = Some(Help::default()),
            _ if self.running.is_some() && !line.trim().is_empty() => {
                self.say(Kind::Fault, "wait for the end of this command, or press Esc");
            }
            _ if name == "quit" && rest.is_empty() => return Some(Order::Quit),
            _ if name == "where" => {
                self.follow();
                return Some(Order::Line(line.trim().to_owned()));
            }
            _ if line.trim().is_empty() => {}
            _ => return Some(Order::Line(line.trim().to_owned())),
        }
        None
    }

    fn pane(&mut self, name: &str) {
        let shown: Vec<Pane> = self.arrangement().panes.iter().map(|(pane, _)| *pane).collect();
        // Where one pane is seen at a time, the next one is any other.
        let ring = if shown.len() > 1 { &shown[..] } else { &PANES[..] };
        let now = ring.iter().position(|pane| *pane == self.focus).unwrap_or(0);
        let pane = match name {
            "next" => Some(ring[(now + 1) % ring.len()]),
            "previous" => Some(ring[(now + ring.len() - 1) % ring.len()]),
            _ => PANES.iter().copied().find(|pane| !name.is_empty() && pane.name().starts_with(name)),
        };
        match pane {
            // What is seen already keeps its place.
            Some(pane) if shown.contains(&pane) => self.focus = pane,
            Some(pane) => self.focus_on(pane),
            None => {
                let names: Vec<&str> = PANES.iter().map(|pane| pane.name()).collect();
                self.say(Kind::Fault, &format!("the panes are {}", names.join(", ")));
            }
        }
        self.show_cursor();
    }

    fn scroll(&mut self, to: &str) {
        let page = self.rows_of(self.focus).saturating_sub(1).max(1) as isize;
        match to {
            "up" => self.move_by(self.focus, -1),
            "down" => self.move_by(self.focus, 1),
            "pageup" => self.move_by(self.focus, -page),
            "pagedown" => self.move_by(self.focus, page),
            "left" => self.program.left = self.program.left.saturating_sub(SIDEWAYS),
            "right" => self.program.left = (self.program.left + SIDEWAYS).min(1 << 20),
            _ => self.say(Kind::Fault, "scroll up, down, left, right, pageup or pagedown"),
        }
    }

    /// Moves by rows in a pane.
    pub(crate) fn move_by(&mut self, pane: Pane, rows: isize) {
        let moved = |from: usize, count: usize| from.saturating_add_signed(rows).min(count.saturating_sub(1));
        match pane {
            Pane::Source => {
                self.program.cursor = moved(self.program.cursor, self.sheet().len());
                self.show_cursor();
            }
            Pane::Board => self.chip = moved(self.chip, self.cards.len()),
            Pane::Ram => self.ram.0 = moved(self.ram.0, crate::views::ram::rows(self)),
            Pane::Points => self.point = moved(self.point, self.points.len()),
            Pane::Output => {
                let most = crate::views::output::rows(self);
                self.output = self.output.saturating_add_signed(-rows).min(most.saturating_sub(1));
            }
            Pane::Messages => {
                let (messages, back) = &mut self.messages;
                *back = back.saturating_add_signed(-rows).min(messages.len().saturating_sub(1));
            }
            Pane::Registers | Pane::Display => {}
        }
    }

    fn unfold(&mut self) {
        let sheet = self.sheet();
        let cursor = self.program.cursor;
        // Within an expansion, its statement is meant.
        let line = (0..=cursor).rev().find_map(|row| match sheet.row(row) {
            Some(Row::Line(line)) => Some(line),
            _ => None,
        });
        let Some(line) = line.map(|line| Line { file: self.program.file, line }) else { return };
        let is_open = sheet.row(sheet.of_line(line.line) + 1).is_some_and(|row| !matches!(row, Row::Line(_)));
        self.program.unfolded.insert(line, !is_open);
        self.program.cursor = self.sheet().of_line(line.line);
        self.show_cursor();
        if !is_open && self.sheet() == sheet {
            self.program.unfolded.remove(&line);
            self.say(Kind::Answer, "this line is not expanded to anything");
        }
    }

    fn file(&mut self, name: &str) {
        let count = self.listing.files.len();
        let end = format!("/{name}");
        let file = match name {
            _ if count == 0 => None,
            "next" => Some((self.program.file + 1) % count),
            "previous" => Some((self.program.file + count - 1) % count),
            _ => self.listing.files.iter().position(|file| file.path == name || file.path.ends_with(&end)),
        };
        let Some(file) = file else {
            let paths: Vec<&str> = self.listing.files.iter().map(|file| file.path.as_str()).collect();
            let text = if paths.is_empty() {
                "there is no source".to_owned()
            } else {
                format!("the files are {}", paths.join(", "))
            };
            return self.say(Kind::Fault, &text);
        };
        if file != self.program.file {
            (self.program.file, self.program.cursor, self.program.top) = (file, 0, 0);
        }
        self.program.words = false;
        self.focus_on(Pane::Source);
        self.show_cursor();
    }

    /// Looks for a text in the rows of the program, from the one behind the cursor on, and from the top again.
    fn find(&mut self, text: &str) {
        if !text.is_empty() {
            self.sought = text.to_lowercase();
        }
        if self.sought.is_empty() {
            return self.say(Kind::Fault, "expected a text to look for");
        }
        let sheet = self.sheet();
        let count = sheet.len();
        let contains = |row: &usize| {
            let row = sheet.row(*row);
            row.is_some_and(|row| {
                crate::views::source::row_text(self, row).to_lowercase().contains(&self.sought)
            })
        };
        match (1..=count).map(|ahead| (self.program.cursor + ahead) % count.max(1)).find(contains) {
            Some(row) => {
                self.program.cursor = row;
                self.focus_on(Pane::Source);
                self.show_cursor();
            }
            None => self.say(Kind::Fault, &format!("`{}` is nowhere here", self.sought.clone())),
        }
    }

    pub(crate) fn toggle(&mut self, place: &str) -> Option<Order> {
        let row = self.sheet().row(self.program.cursor)?;
        let is_here = self.place_at_cursor().as_deref() == Some(place);
        let places = match row {
            _ if !is_here => Vec::new(),
            Row::Word(place, _) | Row::Call(place, _) => vec![place],
            Row::Line(line) => self.listing.places(Line { file: self.program.file, line }).to_vec(),
        };
        match self.point_at(&places) {
            Some((number, true)) => Some(Order::Line(format!("delete {number}"))),
            _ => Some(Order::Line(format!("break {place}"))),
        }
    }

    fn scrub(&mut self, hundredths: i64) -> Option<Order> {
        let (start, end) = (self.look.start.cycle, self.look.end.cycle);
        let step = ((end - start) / 100).max(1) as i128 * i128::from(hundredths);
        let to = (i128::from(self.look.position.cycle) + step).clamp(i128::from(start), i128::from(end));
        self.running.is_none().then(|| Order::Quiet(format!("goto cycle {to}")))
    }
}

/// The command of the screen that a name, or its first letters, stand for: where the debugger has none such.
fn own_command(name: &str) -> Option<&'static str> {
    let is_debuggers = COMMANDS.iter().any(|command| !name.is_empty() && command.name.starts_with(name));
    let mut begun =
        keys::screen_commands().filter(|command| !name.is_empty() && command.name.starts_with(name));
    match (begun.next(), begun.next()) {
        _ if keys::screen_commands().any(|command| command.name == name) => {
            keys::screen_commands().find(|command| command.name == name).map(|command| command.name)
        }
        (Some(command), None) if !is_debuggers => Some(command.name),
        _ => None,
    }
}
