//! The source pane: the file, its unfolded lines, and the position of the cursor.

use crate::listing::{File, FileLine, Listing, Row};
use gray1_debugger::split_comment;
use gray1_isa::PROGRAM_WORDS;
use std::collections::HashMap;

/// The minimum number of columns of a line number.
const MIN_DIGITS: usize = 3;

#[derive(Default)]
pub struct SourcePane {
    pub file: usize,
    /// Whether the words of the program are shown instead of a file.
    pub shows_words: bool,
    /// The first row that is visible.
    pub top: usize,
    pub cursor: usize,
    /// The number of columns by which it is scrolled.
    pub left: usize,
    /// Lines that the user has unfolded or folded.
    pub unfolded: HashMap<FileLine, bool>,
    /// Whether macros stay folded while they run.
    pub stays_folded: bool,
    /// The text searched for last, in small letters.
    pub sought: String,
}

impl SourcePane {
    /// The file that is shown, unless the words of the program are shown.
    pub fn shown_file<'a>(&self, listing: &'a Listing) -> Option<&'a File> {
        listing.files.get(self.file).filter(|_| !self.shows_words)
    }

    /// All rows, while the instruction at this sequence number runs.
    pub fn rows(&self, listing: &Listing, running: u16) -> Vec<Row> {
        let Some(file) = self.shown_file(listing) else {
            return (0..PROGRAM_WORDS as u16).map(|sequence| Row::Word { sequence, depth: 0 }).collect();
        };
        let now = listing.statement(running);
        let unfolds_now = !self.stays_folded && listing.is_inside_expansion(running);
        let mut rows = Vec::new();
        for number in 0..file.lines.len() {
            rows.push(Row::Line(number));
            let line = FileLine { file: self.file, line: number };
            let is_now = Some(line) == now;
            if self.unfolded.get(&line).copied().unwrap_or(is_now && unfolds_now) {
                let first = if is_now { Some(running) } else { listing.starts(line).first().copied() };
                rows.extend(first.map_or(Vec::new(), |first| listing.expansion(first)));
            }
        }
        rows
    }

    /// The index of the row of the current instruction.
    pub fn running_row(&self, rows: &[Row], listing: &Listing, running: u16) -> Option<usize> {
        let is_word = |row: &Row| matches!(row, Row::Word { sequence, .. } if *sequence == running);
        rows.iter().position(is_word).or_else(|| {
            let line = listing.statement(running).filter(|line| line.file == self.file)?;
            rows.iter().position(|row| *row == Row::Line(line.line))
        })
    }

    /// Moves the cursor to the current instruction.
    pub fn follow(&mut self, listing: &Listing, running: u16) {
        if let Some(line) = listing.statement(running) {
            self.file = line.file;
        }
        let rows = self.rows(listing, running);
        self.cursor = self.running_row(&rows, listing, running).unwrap_or(self.cursor);
    }

    /// Scrolls so that the cursor is visible: the pane shows `height` of `count` rows.
    pub fn show_cursor(&mut self, count: usize, height: usize) {
        if height == 0 {
            return;
        }
        self.cursor = self.cursor.min(count.saturating_sub(1));
        // A few rows around the cursor are visible too.
        let margin = (height / 5).min(3);
        let highest = (self.cursor + margin + 1).saturating_sub(height);
        let lowest = self.cursor.saturating_sub(margin);
        let is_far = self.cursor + height < self.top || self.cursor > self.top + 2 * height;
        self.top = match is_far {
            true => self.cursor.saturating_sub(height / 2),
            false => self.top.clamp(highest.min(lowest), lowest),
        };
        self.top = self.top.min(count.saturating_sub(height));
    }

    /// Scrolls, and keeps the cursor inside the pane.
    pub fn scroll(&mut self, by: isize, count: usize, height: usize) {
        self.top = self.top.saturating_add_signed(by).min(count.saturating_sub(height));
        self.cursor = self.cursor.clamp(self.top, (self.top + height).saturating_sub(1).max(self.top));
    }

    /// Unfolds the statement at the cursor, or folds it; returns whether it can be unfolded at all.
    pub fn unfold(&mut self, listing: &Listing, running: u16) -> bool {
        let rows = self.rows(listing, running);
        let statement = (0..=self.cursor).rev().find_map(|index| match rows.get(index) {
            Some(Row::Line(line)) => Some((index, *line)),
            _ => None,
        });
        let Some((index, line)) = statement else { return true };
        let is_open = rows.get(index + 1).is_some_and(|row| !matches!(row, Row::Line(_)));
        let line = FileLine { file: self.file, line };
        self.unfolded.insert(line, !is_open);
        self.cursor = index;
        let can_unfold = is_open || self.rows(listing, running).len() > rows.len();
        if !can_unfold {
            self.unfolded.remove(&line);
        }
        can_unfold
    }

    /// Searches the rows for a text, from the one after the cursor on and then from the top; an empty text searches for
    /// the last one again.
    pub fn find(&mut self, text: &str, listing: &Listing, running: u16) -> bool {
        if !text.is_empty() {
            self.sought = text.to_lowercase();
        }
        let rows = self.rows(listing, running);
        let ahead = (1..=rows.len()).map(|ahead| (self.cursor + ahead) % rows.len());
        let mut matches =
            ahead.filter(|index| self.row_text(listing, rows[*index]).to_lowercase().contains(&self.sought));
        let found = matches.next();
        self.cursor = found.unwrap_or(self.cursor);
        found.is_some()
    }

    /// The text of a row.
    pub fn row_text(&self, listing: &Listing, row: Row) -> String {
        match row {
            Row::Line(line) => listing.text(FileLine { file: self.file, line }).to_owned(),
            Row::Call { sequence, depth } => {
                listing.line_at(sequence, depth).map_or("", |line| listing.text(line)).trim().to_owned()
            }
            Row::Word { sequence, .. } => {
                let word = listing.source.image().word(sequence);
                let line = listing.innermost(sequence).map_or("", |line| listing.text(line));
                let code = split_comment(line).0.trim();
                if !self.shows_words && !code.is_empty() {
                    return code.to_owned();
                }
                let label =
                    listing.source.label(sequence).map_or(String::new(), |label| format!("{label}: "));
                format!("{:04X}  {label}{}", word.0, listing.source.instruction(sequence))
            }
        }
    }

    /// The sequence numbers at which a breakpoint in a row stops.
    pub fn sequences(&self, listing: &Listing, row: Row) -> Vec<u16> {
        match row {
            Row::Line(line) => listing.starts(FileLine { file: self.file, line }),
            Row::Call { sequence, .. } | Row::Word { sequence, .. } => vec![sequence],
        }
    }

    /// The location of a row, as commands write it.
    pub fn location(&self, listing: &Listing, row: Row) -> Option<String> {
        let line = match row {
            Row::Word { sequence, .. } | Row::Call { sequence, .. } => return Some(format!("at {sequence}")),
            Row::Line(line) => FileLine { file: self.file, line },
        };
        let path = &listing.files.get(line.file)?.path;
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_name = |path: &str| path == name || path.ends_with(&format!("/{name}"));
        let namesakes = listing.files.iter().filter(|file| is_name(&file.path)).count();
        let name = if namesakes > 1 { path } else { name };
        Some(match (line.file, listing.starts(line).first()) {
            (0, _) => (line.line + 1).to_string(),
            // In a command, the name of a file ends at a space.
            (_, Some(first)) if name.contains(char::is_whitespace) => format!("at {first}"),
            _ => format!("{name}:{}", line.line + 1),
        })
    }

    /// The digits of a line number.
    pub fn digits(&self, listing: &Listing) -> usize {
        self.shown_file(listing).map_or(MIN_DIGITS, |file| file.lines.len().to_string().len().max(MIN_DIGITS))
    }

    /// The number of columns before the text, where a click sets a breakpoint.
    pub fn gutter(&self, listing: &Listing) -> usize {
        self.digits(listing) + 4
    }
}
