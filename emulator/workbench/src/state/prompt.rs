//! The command line: editing, history, and completion.

use crate::keys;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use gray1_debugger::expected_words;

/// The longest line, in characters.
const MAX_CHARACTERS: usize = 1000;
/// The number of lines that can be recalled.
const MAX_RECALLED: usize = 500;

/// The state of the command line, whether it is open or not.
#[derive(Default)]
pub struct Prompt {
    pub is_open: bool,
    /// The names that Tab completes, in addition to commands.
    names: Vec<String>,
    /// The previous lines, the latest last.
    history: Vec<String>,
    chars: Vec<char>,
    cursor: usize,
    /// The index of the line of the history that is shown, counted from the latest; 0 is the new line.
    recalled: usize,
    /// The new line, while a line of the history is shown.
    draft: Vec<char>,
    pub completions: Completions,
}

/// The completions of the word at the cursor.
#[derive(Default)]
pub struct Completions {
    pub words: Vec<String>,
    pub chosen: Option<usize>,
    /// The beginning of the word.
    start: usize,
}

impl Prompt {
    pub fn new(names: Vec<String>) -> Prompt {
        Prompt { names, ..Prompt::default() }
    }

    /// Opens the command line with some text in it.
    pub fn open(&mut self, text: &str) {
        self.is_open = true;
        self.recalled = 0;
        self.completions = Completions::default();
        self.set_text(text.chars().take(MAX_CHARACTERS).collect());
    }

    /// The part of the line that fits into this many columns, and the column of the cursor.
    pub fn window(&self, width: usize) -> (String, usize) {
        let first = (self.cursor + 1).saturating_sub(width.max(1));
        (self.chars[first..].iter().take(width).collect(), self.cursor - first)
    }

    /// Takes a key; returns the line when it is complete.
    pub fn key(&mut self, event: &KeyEvent) -> Option<String> {
        if !matches!(event.code, KeyCode::Tab | KeyCode::BackTab) {
            self.completions = Completions::default();
        }
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Esc => self.is_open = false,
            KeyCode::Char('c' | 'g') if control => self.is_open = false,
            KeyCode::Enter => {
                self.is_open = false;
                let line: String = self.chars.iter().collect();
                if !line.trim().is_empty() && self.history.last() != Some(&line) {
                    self.history.push(line.clone());
                    self.history.drain(..self.history.len().saturating_sub(MAX_RECALLED));
                }
                return Some(line);
            }
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.chars.len(),
            KeyCode::Char('k') if control => self.chars.truncate(self.cursor),
            KeyCode::Char('u') if control => self.delete_from(0),
            KeyCode::Char('w') if control => {
                let end = word_start(&self.chars[..self.cursor], |c| c == ' ');
                self.delete_from(word_start(&self.chars[..end], |c| c != ' '));
            }
            KeyCode::Char(c) if !control && self.chars.len() < MAX_CHARACTERS => {
                self.chars.insert(self.cursor, c);
                self.cursor += 1;
            }
            KeyCode::Backspace if self.chars.is_empty() => self.is_open = false,
            KeyCode::Backspace => self.delete_from(self.cursor.saturating_sub(1)),
            KeyCode::Delete if self.cursor < self.chars.len() => {
                self.chars.remove(self.cursor);
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.chars.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.chars.len(),
            KeyCode::Up => self.recall(self.recalled + 1),
            KeyCode::Down => self.recall(self.recalled.saturating_sub(1)),
            KeyCode::Tab => self.complete(true),
            KeyCode::BackTab => self.complete(false),
            _ => {}
        }
        None
    }

    fn set_text(&mut self, chars: Vec<char>) {
        self.cursor = chars.len();
        self.chars = chars;
    }

    /// Deletes everything from an index up to the cursor.
    fn delete_from(&mut self, start: usize) {
        self.chars.drain(start..self.cursor);
        self.cursor = start;
    }

    fn recall(&mut self, number: usize) {
        if number > self.history.len() || number == self.recalled {
            return;
        }
        if self.recalled == 0 {
            self.draft = std::mem::take(&mut self.chars);
        }
        self.recalled = number;
        let chars = match number {
            0 => std::mem::take(&mut self.draft),
            _ => self.history[self.history.len() - number].chars().collect(),
        };
        self.set_text(chars);
    }

    /// Completes the word at the cursor as far as it is unambiguous; after that, cycles through the completions.
    fn complete(&mut self, is_forward: bool) {
        if self.completions.words.is_empty() {
            let start =
                word_start(&self.chars[..self.cursor], |c| c.is_ascii_alphanumeric() || "_.".contains(c));
            let begun: String = self.chars[start..self.cursor].iter().collect();
            let head: String = self.chars[..start].iter().collect();
            let words = completions(&head, &begun, &self.names);
            self.completions = Completions { start, chosen: None, words };
            let common = common_beginning(&self.completions.words).to_owned();
            match &self.completions.words[..] {
                [] => return,
                [only] => {
                    let only = format!("{only} ");
                    self.replace_word(&only);
                    self.completions = Completions::default();
                    return;
                }
                _ if common.len() > begun.len() => return self.replace_word(&common),
                _ => {}
            }
        }
        let count = self.completions.words.len();
        let chosen = match (self.completions.chosen, is_forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(chosen), true) => (chosen + 1) % count,
            (Some(chosen), false) => (chosen + count - 1) % count,
        };
        self.completions.chosen = Some(chosen);
        let word = self.completions.words[chosen].clone();
        self.replace_word(&word);
    }

    fn replace_word(&mut self, word: &str) {
        let start = self.completions.start;
        self.chars.splice(start..self.cursor, word.chars());
        self.cursor = start + word.chars().count();
    }
}

/// The beginning of the word at the end of these characters.
fn word_start(chars: &[char], belongs: impl Fn(char) -> bool) -> usize {
    chars.iter().rposition(|c| !belongs(*c)).map_or(0, |before| before + 1)
}

/// The completions of a word: commands at the beginning of a line; after that, words of the command's grammar, and
/// names.
fn completions(head: &str, begun: &str, names: &[String]) -> Vec<String> {
    let (mut words, is_complete) = expected_words(keys::commands().map(|command| command.usage), head);
    // Without a first letter, the list of all names would hide the words that the command expects.
    if !head.trim().is_empty() && (!begun.is_empty() || (words.is_empty() && !is_complete)) {
        words.extend(names.iter().map(String::as_str));
    }
    let mut completions: Vec<String> = Vec::new();
    for word in words {
        if word.starts_with(begun) && !completions.iter().any(|known| known == word) {
            completions.push(word.to_owned());
        }
    }
    completions
}

fn common_beginning(words: &[String]) -> &str {
    let Some((first, others)) = words.split_first() else { return "" };
    let mut common = first.as_str();
    for other in others {
        let is_same = |(own, other): &(char, char)| own == other;
        let length =
            common.chars().zip(other.chars()).take_while(is_same).map(|(own, _)| own.len_utf8()).sum();
        common = &common[..length];
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(text: &str) -> Prompt {
        let names = ["loop", "loop.inner", "list", "n"].map(str::to_owned);
        let mut prompt = Prompt::new(names.to_vec());
        prompt.open(text);
        prompt
    }

    fn text(prompt: &Prompt) -> String {
        prompt.chars.iter().collect()
    }

    fn press(prompt: &mut Prompt, code: KeyCode) {
        assert_eq!(prompt.key(&code.into()), None);
    }

    fn type_in(prompt: &mut Prompt, text: &str) {
        text.chars().for_each(|c| press(prompt, KeyCode::Char(c)));
    }

    fn control(prompt: &mut Prompt, key: char) {
        assert_eq!(prompt.key(&KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL)), None);
    }

    #[test]
    fn words_are_completed_as_far_as_they_are_clear() {
        let mut prompt = prompt("");
        type_in(&mut prompt, "pri");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(text(&prompt), "print ");
        type_in(&mut prompt, "2+lo");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(text(&prompt), "print 2+loop");
        assert_eq!(prompt.completions.words, ["loop", "loop.inner"]);
        press(&mut prompt, KeyCode::Tab);
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(text(&prompt), "print 2+loop.inner");
        press(&mut prompt, KeyCode::BackTab);
        assert_eq!(text(&prompt), "print 2+loop");
    }

    #[test]
    fn a_command_offers_the_words_of_its_grammar() {
        let mut prompt = prompt("who ");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(
            prompt.completions.words,
            ["wrote", "writes", "read", "reads", "changed", "changes", "lit", "lights"]
        );
        assert_eq!(completions("who wrote untried ", "", &["untried".to_owned()]), [""; 0]);
        prompt.open("zz");
        press(&mut prompt, KeyCode::Tab);
        assert_eq!(text(&prompt), "zz");
    }

    #[test]
    fn earlier_lines_can_be_recalled_and_the_new_one_is_kept() {
        let mut prompt = prompt("");
        for line in ["run", "print n", "print n", " "] {
            prompt.open(line);
            assert_eq!(prompt.key(&KeyCode::Enter.into()).as_deref(), Some(line));
            assert!(!prompt.is_open);
        }
        prompt.open("");
        type_in(&mut prompt, "st");
        press(&mut prompt, KeyCode::Up);
        assert_eq!(text(&prompt), "print n");
        press(&mut prompt, KeyCode::Up);
        press(&mut prompt, KeyCode::Up);
        assert_eq!(text(&prompt), "run");
        press(&mut prompt, KeyCode::Down);
        press(&mut prompt, KeyCode::Down);
        assert_eq!(text(&prompt), "st");
    }

    #[test]
    fn control_keys_delete_words_and_the_ends_of_the_line() {
        let mut prompt = prompt("break loop if n  ");
        control(&mut prompt, 'w');
        assert_eq!(text(&prompt), "break loop if ");
        (0..4).for_each(|_| press(&mut prompt, KeyCode::Left));
        control(&mut prompt, 'k');
        assert_eq!(text(&prompt), "break loop");
        press(&mut prompt, KeyCode::Left);
        control(&mut prompt, 'u');
        assert_eq!(text(&prompt), "p");
        control(&mut prompt, 'e');
        assert_eq!(prompt.window(10), ("p".to_owned(), 1));
        control(&mut prompt, 'c');
        assert!(!prompt.is_open);
    }

    #[test]
    fn a_line_longer_than_the_screen_shows_its_cursor() {
        let mut prompt = prompt("0123456789");
        assert_eq!(prompt.window(4), ("789".to_owned(), 3));
        press(&mut prompt, KeyCode::Home);
        assert_eq!(prompt.window(4), ("0123".to_owned(), 0));
        assert_eq!(prompt.window(0).1, 0);
    }

    #[test]
    fn backspace_in_an_empty_line_closes_it() {
        let mut prompt = prompt("a");
        press(&mut prompt, KeyCode::Backspace);
        assert!(prompt.is_open);
        press(&mut prompt, KeyCode::Backspace);
        assert!(!prompt.is_open);
    }
}
