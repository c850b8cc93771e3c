//! The program as it is shown: its files line by line, what each line was expanded to, and its names.
//!
//! All of it is read once, at the beginning: the machine may be running elsewhere while a line is drawn.

use gray1_debugger::{ExpansionKind, Name, Source};
use gray1_isa::memory_map::{BUILT_IN_NAMES, DISPLAY_SIZE, OUT, WORKING_RAM_END};
use gray1_isa::{Operand, PROGRAM_WORDS, Word};
use std::collections::HashMap;

/// A program, ready to be shown.
pub struct Listing {
    /// Its files, the one that it begins with first; none if only an image is known.
    pub files: Vec<File>,
    words: Vec<Entry>,
    /// For each line, where its expansions begin.
    begins: HashMap<Line, Vec<u16>>,
    labels: HashMap<u16, String>,
    /// The expansions of the program, each kind once.
    expansions: Vec<ExpansionKind>,
    /// RAM that has a name: first byte, size, name.
    pub ram: Vec<(u16, u16, String)>,
    /// All names.
    pub names: Vec<String>,
}

/// A file of the source.
pub struct File {
    /// Its path.
    pub path: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// A line: the number of its file, and its own, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The file.
    pub file: usize,
    /// The line.
    pub line: usize,
}

/// A word of the program, and the lines it came from, the outermost first.
struct Entry {
    word: Word,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    line: Line,
    is_iteration: bool,
    /// The number of the expansion that this line asks for, if it does.
    expansion: Option<usize>,
}

/// A row of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A line of the file that is shown.
    Line(usize),
    /// A line within an expansion that is expanded itself: the first word of that, and how deep the line lies.
    Call(u16, usize),
    /// A word, and how deep it lies.
    Word(u16, usize),
}

impl Listing {
    /// Reads a program.
    pub fn new(source: &Source) -> Listing {
        let files: Vec<File> = source
            .files()
            .map(|(path, text)| File {
                path: path.to_owned(),
                lines: text.lines().map(str::to_owned).collect(),
            })
            .collect();
        let numbers: HashMap<&str, usize> =
            files.iter().enumerate().map(|(number, file)| (file.path.as_str(), number)).collect();
        let mut expansions: Vec<ExpansionKind> = Vec::new();
        let mut known: HashMap<ExpansionKind, usize> = HashMap::new();
        let mut number_of = |kind: &ExpansionKind| {
            *known.entry(kind.clone()).or_insert_with(|| {
                expansions.push(kind.clone());
                expansions.len() - 1
            })
        };
        let mut entry = |place: u16| {
            let frames = source.frames(place).iter().map(|frame| Step {
                line: Line {
                    file: numbers.get(frame.file.as_str()).copied().unwrap_or(0),
                    line: frame.line.saturating_sub(1),
                },
                is_iteration: frame.is_iteration(),
                expansion: frame.expansion.as_ref().map(&mut number_of),
            });
            Entry { word: source.image().word(place), steps: frames.collect() }
        };
        let words: Vec<Entry> = (0..PROGRAM_WORDS as u16).map(&mut entry).collect();
        let mut ram = Vec::new();
        let mut labels = HashMap::new();
        let mut names = Vec::new();
        for (name, meaning) in source.names() {
            // A label within an expansion has a name that nobody types, and that says less than the one before it.
            if name.contains('@') {
                continue;
            }
            names.push(name.to_owned());
            match meaning {
                Name::Ram(first, size) if first < WORKING_RAM_END => ram.push((first, size, name.to_owned())),
                Name::Label(place) => {
                    labels.entry(place).or_insert_with(|| name.to_owned());
                }
                _ => {}
            }
        }
        ram.sort();
        let begins = begins(&words);
        Listing { files, words, begins, labels, expansions, ram, names }
    }

    /// Whether there are lines, not only words.
    pub fn has_lines(&self) -> bool {
        !self.files.is_empty()
    }

    /// A word of the program.
    pub fn word(&self, place: u16) -> Word {
        self.words[usize::from(place) % PROGRAM_WORDS].word
    }

    /// The label of a word.
    pub fn label(&self, place: u16) -> Option<&str> {
        self.labels.get(&place).map(String::as_str)
    }

    /// The nearest label up to a word, and how far the word is from it.
    pub fn place_name(&self, place: u16) -> Option<String> {
        let near = (0..=place).rev().find_map(|at| Some((at, self.label(at)?)));
        near.map(|(at, name)| if at == place { name.to_owned() } else { format!("{name}+{}", place - at) })
    }

    /// A word as an instruction, with the names of the program.
    pub fn named(&self, word: Word) -> String {
        let mnemonic = word.opcode().row().mnemonic;
        if let Some(place) = word.landing() {
            let name = self.label(place).map_or_else(|| format!("${place:03X}"), str::to_owned);
            return format!("{mnemonic} {name}");
        }
        let is_constant = word.m() && word.opcode().row().operand == Operand::Value;
        match self.ram_name(word.x()).filter(|_| !is_constant) {
            Some((name, 0)) => format!("{mnemonic} {name}"),
            Some((name, index)) => format!("{mnemonic} {name}[{index}]"),
            None => word.to_string(),
        }
    }

    /// The name of a byte of RAM, and which of its bytes that is.
    fn ram_name(&self, address: u16) -> Option<(&str, u16)> {
        let own = self.ram.iter().map(|(first, size, name)| (name.as_str(), *first, (*size).max(1)));
        let built_in = BUILT_IN_NAMES.into_iter().map(|(name, first)| {
            let is_plane = (WORKING_RAM_END..OUT).contains(&first);
            (name, first, if is_plane { DISPLAY_SIZE as u16 } else { 1 })
        });
        let holds =
            |(_, first, size): &(&str, u16, u16)| (*first..first.saturating_add(*size)).contains(&address);
        own.chain(built_in).find(holds).map(|(name, first, _)| (name, address - first))
    }

    /// The text of a line; nothing for one that is not there.
    pub fn text(&self, line: Line) -> &str {
        let file = self.files.get(line.file);
        file.and_then(|file| file.lines.get(line.line)).map_or("", String::as_str)
    }

    /// The line that a word stands on when macros are folded: rounds of a loop stand in the source as they are.
    pub fn statement(&self, place: u16) -> Option<Line> {
        let steps = self.steps(place);
        steps.get(statement_depth(steps)).map(|step| step.line)
    }

    /// The line that a word itself was written on.
    pub fn innermost(&self, place: u16) -> Option<Line> {
        self.steps(place).last().map(|step| step.line)
    }

    /// The line of the call that [`Row::Call`] shows.
    pub fn call_line(&self, place: u16, depth: usize) -> Option<Line> {
        let steps = self.steps(place);
        steps.get(statement_depth(steps) + depth).map(|step| step.line)
    }

    /// The expansions that a word lies in, the outermost first.
    pub fn expansions(&self, place: u16) -> impl Iterator<Item = &ExpansionKind> {
        self.steps(place).iter().filter_map(|step| self.expansions.get(step.expansion?))
    }

    /// Where the expansions of a line begin.
    pub fn places(&self, line: Line) -> &[u16] {
        self.begins.get(&line).map_or(&[], Vec::as_slice)
    }

    /// Whether a word's statement is expanded to others.
    pub fn is_expanded(&self, place: u16) -> bool {
        let steps = self.steps(place);
        statement_depth(steps) + 1 < steps.len()
    }

    /// Whether a word lies within the expansion of its statement, behind its first word.
    pub fn is_within(&self, place: u16) -> bool {
        let steps = self.steps(place);
        let depth = statement_depth(steps);
        let before = place.checked_sub(1).map_or(&[][..], |before| self.steps(before));
        depth + 1 < steps.len() && before.get(..=depth) == steps.get(..=depth)
    }

    /// What a statement was expanded to, at the place that this word lies in: nothing, if it is an instruction.
    pub fn expansion(&self, place: u16) -> Vec<Row> {
        let steps = self.steps(place);
        let depth = statement_depth(steps);
        if depth + 1 >= steps.len() {
            return Vec::new();
        }
        let outer = &steps[..=depth];
        let belongs = |place: &u16| self.steps(*place).starts_with(outer);
        let first = (0..=place).rev().take_while(belongs).last().unwrap_or(place);
        let mut rows = Vec::new();
        let mut before: &[Step] = outer;
        for place in (first..PROGRAM_WORDS as u16).take_while(belongs) {
            let steps = self.steps(place);
            for level in depth + 1..steps.len().saturating_sub(1) {
                if before.get(..=level) != steps.get(..=level) {
                    rows.push(Row::Call(place, level - depth));
                }
            }
            rows.push(Row::Word(place, steps.len() - 1 - depth));
            before = steps;
        }
        rows
    }

    fn steps(&self, place: u16) -> &[Step] {
        &self.words[usize::from(place) % PROGRAM_WORDS].steps
    }
}

/// How deep a statement lies: past the rounds of loops that are written in the same file.
fn statement_depth(steps: &[Step]) -> usize {
    let iterations = steps.iter().take_while(|step| step.is_iteration).count();
    iterations.min(steps.len().saturating_sub(1))
}

/// Where each line begins: at words of which the word before belongs to another of its expansions, or to none.
fn begins(words: &[Entry]) -> HashMap<Line, Vec<u16>> {
    let mut begins: HashMap<Line, Vec<u16>> = HashMap::new();
    let mut before: &[Step] = &[];
    for (place, entry) in words.iter().enumerate() {
        for (depth, step) in entry.steps.iter().enumerate() {
            let is_same = before.len() > depth && before[..=depth] == entry.steps[..=depth];
            let places = begins.entry(step.line).or_default();
            if !is_same && places.last() != Some(&(place as u16)) {
                places.push(place as u16);
            }
        }
        before = &entry.steps;
    }
    begins
}

/// What the program's pane shows: a file with some of its lines opened, or all words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// So many lines, and behind some of them the rows of an expansion.
    Lines(usize, Vec<(usize, Vec<Row>)>),
    /// Every word of the program.
    Words,
}

impl Sheet {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Sheet::Lines(lines, opened) => lines + opened.iter().map(|(_, rows)| rows.len()).sum::<usize>(),
            Sheet::Words => PROGRAM_WORDS,
        }
    }

    /// A row by its number.
    pub fn row(&self, mut number: usize) -> Option<Row> {
        if number >= self.len() {
            return None;
        }
        let Sheet::Lines(_, opened) = self else { return Some(Row::Word(number as u16, 0)) };
        for (line, rows) in opened {
            if number <= *line {
                break;
            }
            if let Some(row) = rows.get(number - line - 1) {
                return Some(*row);
            }
            number -= rows.len();
        }
        Some(Row::Line(number))
    }

    /// The number of a line's row.
    pub fn of_line(&self, wanted: usize) -> usize {
        let Sheet::Lines(_, opened) = self else { return 0 };
        let before = opened.iter().filter(|(line, _)| *line < wanted);
        wanted + before.map(|(_, rows)| rows.len()).sum::<usize>()
    }

    /// The number of a word's own row, if it has one.
    pub fn of_word(&self, wanted: u16) -> Option<usize> {
        let Sheet::Lines(_, opened) = self else { return Some(usize::from(wanted)) };
        let is_it = |row: &Row| matches!(row, Row::Word(place, _) if *place == wanted);
        opened.iter().find_map(|(line, rows)| Some(self.of_line(*line) + 1 + rows.iter().position(is_it)?))
    }
}
