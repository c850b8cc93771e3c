//! The command line: editing, what was typed before, and completing names.

use crate::keys;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A line may be so long.
const LONGEST: usize = 1000;
/// So many lines are remembered.
const MOST_REMEMBERED: usize = 500;

/// A line being typed.
#[derive(Default)]
pub struct Prompt {
    letters: Vec<char>,
    cursor: usize,
    /// Which of the lines before is shown, counted from the latest.
    recalled: usize,
    /// What was typed before another line was recalled.
    draft: Vec<char>,
    /// What the word at the cursor can become, and which of that it is now.
    offers: Vec<String>,
    offered: usize,
    offer_start: usize,
}

/// What a key has done to a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// It goes on.
    On,
    /// This is to be done.
    Line(String),
    /// Nothing is to be done.
    Given,
}

impl Prompt {
    /// A line that begins so.
    pub fn new(text: &str) -> Prompt {
        let letters: Vec<char> = text.chars().take(LONGEST).collect();
        Prompt { cursor: letters.len(), letters, ..Prompt::default() }
    }

    /// What has been typed.
    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    /// The part of it that has room in so many columns, and where in it the cursor is.
    pub fn window(&self, width: usize) -> (String, usize) {
        let first = (self.cursor + 1).saturating_sub(width.max(1));
        (self.letters[first..].iter().take(width).collect(), self.cursor - first)
    }

    /// What the word can become, and which of that it is.
    pub fn offers(&self) -> (&[String], usize) {
        (&self.offers, self.offered)
    }

    /// Types a key. `before` are the lines typed before, the latest last; `names` are those of the program.
    pub fn key(&mut self, event: &KeyEvent, before: &[String], names: &[&str]) -> Typed {
        if event.code != KeyCode::Tab && event.code != KeyCode::BackTab {
            self.offers.clear();
        }
        if event.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control_key(event.code);
        }
        match event.code {
            KeyCode::Esc => return Typed::Given,
            KeyCode::Enter => return Typed::Line(self.text()),
            KeyCode::Char(letter) if self.letters.len() < LONGEST => {
                self.letters.insert(self.cursor, letter);
                self.cursor += 1;
            }
            KeyCode::Backspace if self.letters.is_empty() => return Typed::Given,
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.letters.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.letters.len() => {
                self.letters.remove(self.cursor);
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.letters.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.letters.len(),
            KeyCode::Up => self.recall(self.recalled + 1, before),
            KeyCode::Down => self.recall(self.recalled.saturating_sub(1), before),
            KeyCode::Tab => self.complete(names, 1),
            KeyCode::BackTab => self.complete(names, usize::MAX),
            _ => {}
        }
        Typed::On
    }

    fn control_key(&mut self, code: KeyCode) -> Typed {
        match code {
            KeyCode::Char('c' | 'g') => return Typed::Given,
            KeyCode::Char('a') => self.cursor = 0,
            KeyCode::Char('e') => self.cursor = self.letters.len(),
            KeyCode::Char('k') => self.letters.truncate(self.cursor),
            KeyCode::Char('u') => {
                self.letters.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('w') => {
                let word_end = self.letters[..self.cursor].iter().rposition(|letter| *letter != ' ');
                let word_end = word_end.map_or(0, |last| last + 1);
                let start = word_start(&self.letters[..word_end], |letter| letter != ' ');
                self.letters.drain(start..self.cursor);
                self.cursor = start;
            }
            _ => {}
        }
        Typed::On
    }

    fn recall(&mut self, number: usize, before: &[String]) {
        if number > before.len() || number == self.recalled {
            return;
        }
        if self.recalled == 0 {
            self.draft = std::mem::take(&mut self.letters);
        }
        self.recalled = number;
        self.letters = match number {
            0 => std::mem::take(&mut self.draft),
            _ => before[before.len() - number].chars().collect(),
        };
        self.cursor = self.letters.len();
    }

    /// Completes the word at the cursor as far as it is clear; then goes through what it can be.
    fn complete(&mut self, names: &[&str], step: usize) {
        if self.offers.is_empty() {
            let start = word_start(&self.letters[..self.cursor], is_of_name);
            let begun: String = self.letters[start..self.cursor].iter().collect();
            let head: String = self.letters[..start].iter().collect();
            self.offers = offers(&head, &begun, names);
            (self.offer_start, self.offered) = (start, usize::MAX);
            let common = common_beginning(&self.offers);
            match self.offers.len() {
                0 => return,
                1 => {
                    let mut only = self.offers.remove(0);
                    only.push(' ');
                    self.replace_word(&only);
                    self.offers.clear();
                    return;
                }
                _ if common.len() > begun.len() => return self.replace_word(&common),
                _ => {}
            }
        }
        let count = self.offers.len();
        self.offered = match (self.offered, step) {
            (usize::MAX, 1) => 0,
            (usize::MAX, _) => count - 1,
            (offered, 1) => (offered + 1) % count,
            (offered, _) => (offered + count - 1) % count,
        };
        let offer = self.offers[self.offered].clone();
        self.replace_word(&offer);
    }

    fn replace_word(&mut self, word: &str) {
        self.letters.splice(self.offer_start..self.cursor, word.chars());
        self.cursor = self.offer_start + word.chars().count();
    }
}

/// Keeps a line for later, unless it is the one kept last.
pub fn remember(lines: &mut Vec<String>, line: &str) {
    if !line.trim().is_empty() && lines.last().is_none_or(|last| last != line) {
        lines.push(line.to_owned());
        if lines.len() > MOST_REMEMBERED {
            lines.remove(0);
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '.'
}

/// Where the word begins that these letters end with.
fn word_start(letters: &[char], belongs: impl Fn(char) -> bool) -> usize {
    letters.iter().rposition(|letter| !belongs(*letter)).map_or(0, |before| before + 1)
}

/// What a word can become: a command at the beginning of a line; behind it a word of how the command is written, or
/// a name.
fn offers(head: &str, begun: &str, names: &[&str]) -> Vec<String> {
    let commands = || keys::commands().map(|(name, ..)| name);
    let mut words: Vec<&str> = Vec::new();
    match head.split_whitespace().next() {
        None => words.extend(commands()),
        Some(command) => {
            let usage =
                keys::commands().find(|(name, ..)| *name == command).map_or("", |(_, usage, _)| usage);
            let is_fixed = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
            let fixed = usage.split(|c: char| !c.is_ascii_alphabetic()).filter(is_fixed);
            words.extend(fixed.filter(|word| *word != command));
            if command == "help" {
                words.extend(commands());
            }
            // Where nothing has been begun, names would hide what the command expects.
            if !begun.is_empty() || words.is_empty() {
                words.extend(names);
            }
        }
    }
    let mut offers: Vec<String> = Vec::new();
    for word in words {
        if word.starts_with(begun) && !offers.iter().any(|known| known == word) {
            offers.push(word.to_owned());
        }
    }
    offers
}

fn common_beginning(words: &[String]) -> String {
    let Some((first, others)) = words.split_first() else { return String::new() };
    let mut common = first.as_str();
    for other in others {
        while !other.starts_with(common) {
            let mut letters = common.chars();
            letters.next_back();
            common = letters.as_str();
        }
    }
    common.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, code: KeyCode) -> Typed {
        let before = ["run".to_owned(), "print n".to_owned()];
        prompt.key(&KeyEvent::new(code, KeyModifiers::NONE), &before, &["loop", "loop.inner", "list", "n"])
    }

    fn type_in(prompt: &mut Prompt, text: &str) {
        text.chars().for_each(|letter| assert_eq!(press(prompt, KeyCode::Char(letter)), Typed::On));
    }

    #[test]
    fn words_are_completed_as_far_as_they_are_clear() {
        let mut prompt = Prompt::default();
        type_in(&mut prompt, "pri");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(prompt.text(), "print ");
        type_in(&mut prompt, "2+lo");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(prompt.text(), "print 2+loop");
        assert_eq!(prompt.offers().0, ["loop", "loop.inner"]);
        press(&mut prompt, KeyCode::Tab);
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(prompt.text(), "print 2+loop.inner");
        press(&mut prompt, KeyCode::BackTab);
        assert_eq!(prompt.text(), "print 2+loop");
    }

    #[test]
    fn a_command_offers_the_words_it_is_written_with() {
        let mut prompt = Prompt::new("who ");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(prompt.offers().0, ["wrote", "writes", "read", "reads"]);
        let mut prompt = Prompt::new("zz");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(prompt.text(), "zz");
    }

    #[test]
    fn lines_before_can_be_recalled_and_what_was_typed_is_kept() {
        let mut prompt = Prompt::default();
        type_in(&mut prompt, "st");
        press(&mut prompt, KeyCode::Up);
        assert_eq!(prompt.text(), "print n");
        press(&mut prompt, KeyCode::Up);
        press(&mut prompt, KeyCode::Up);
        assert_eq!(prompt.text(), "run");
        press(&mut prompt, KeyCode::Down);
        press(&mut prompt, KeyCode::Down);
        assert_eq!(prompt.text(), "st");
    }

    #[test]
    fn a_line_longer_than_the_screen_shows_its_cursor() {
        let mut prompt = Prompt::new("0123456789");
        assert_eq!(prompt.window(4), ("789".to_owned(), 3));
        press(&mut prompt, KeyCode::Home);
        assert_eq!(prompt.window(4), ("0123".to_owned(), 0));
        assert_eq!(prompt.window(0).1, 0);
    }

    #[test]
    fn backspace_in_an_empty_line_leaves_it() {
        let mut prompt = Prompt::new("a");
        assert_eq!(press(&mut prompt, KeyCode::Backspace), Typed::On);
        assert_eq!(press(&mut prompt, KeyCode::Backspace), Typed::Given);
    }
}
