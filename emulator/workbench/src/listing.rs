//! The program as it is shown: its files line by line, what each line was expanded to, and its names.
//!
//! All of it is read once, at the start: the machine may be running on another thread while a line is drawn.

use gray1_debugger::{ExpansionKind, Name, Source};
use gray1_isa::memory_map::{BUILT_IN_NAMES, DISPLAY_SIZE, OUT, WORKING_RAM_END};
use gray1_isa::{Operand, PROGRAM_WORDS, Word};
use std::collections::HashMap;

pub struct Listing {
    /// The files, the main one first; none if only an image is known.
    pub files: Vec<File>,
    words: Vec<ListedWord>,
    /// For each line, the sequence numbers where its expansions begin.
    starts: HashMap<Line, Vec<u16>>,
    labels: HashMap<u16, String>,
    pub variables: Vec<Variable>,
    /// Every name of the program.
    pub names: Vec<String>,
}

pub struct File {
    pub path: String,
    pub lines: Vec<String>,
}

/// RAM that has a name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    pub address: u16,
    pub size: u16,
    pub name: String,
}

/// A line of a file, both counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line {
    pub file: usize,
    pub line: usize,
}

/// A word of the program, and the lines it came from, the outermost first.
struct ListedWord {
    word: Word,
    frames: Vec<Frame>,
}

#[derive(PartialEq, Eq)]
struct Frame {
    line: Line,
    /// What the line expands to, unless it is the line of the word itself.
    expansion: Option<ExpansionKind>,
}

/// A row of the source pane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A line of the file that is shown.
    Line(usize),
    /// A line inside an expansion that is expanded itself: the first word it makes, and how deep the line is nested.
    Call { sequence: u16, depth: usize },
    /// A word, and how deep its line is nested.
    Word { sequence: u16, depth: usize },
}

impl Listing {
    pub fn new(source: &Source) -> Listing {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        let files = source.files().map(|(path, text)| File { path: path.to_owned(), lines: lines(text) });
        let files: Vec<File> = files.collect();
        let numbers: HashMap<&str, usize> =
            files.iter().enumerate().map(|(number, file)| (file.path.as_str(), number)).collect();
        let words = (0..PROGRAM_WORDS as u16).map(|sequence| {
            let frames = source.frames(sequence).iter().map(|frame| Frame {
                line: Line {
                    file: numbers.get(frame.file.as_str()).copied().unwrap_or(0),
                    line: frame.line.saturating_sub(1),
                },
                expansion: frame.expansion.clone(),
            });
            ListedWord { word: source.image().word(sequence), frames: frames.collect() }
        });
        let words: Vec<ListedWord> = words.collect();
        let mut listing = Listing {
            starts: expansion_starts(&words),
            words,
            labels: HashMap::new(),
            variables: Vec::new(),
            names: Vec::new(),
            files,
        };
        for (name, meaning) in source.names() {
            // A label inside an expansion has a name that nobody types, and that says less than the label before it.
            if name.contains('@') {
                continue;
            }
            let name = name.to_owned();
            listing.names.push(name.clone());
            match meaning {
                Name::Ram(address, size) if address < WORKING_RAM_END => {
                    listing.variables.push(Variable { address, size: size.max(1), name });
                }
                Name::Label(sequence) => {
                    listing.labels.entry(sequence).or_insert(name);
                }
                _ => {}
            }
        }
        listing.variables.sort();
        listing
    }

    /// Whether there are lines, not only words.
    pub fn has_lines(&self) -> bool {
        !self.files.is_empty()
    }

    pub fn word(&self, sequence: u16) -> Word {
        self.words[usize::from(sequence) % PROGRAM_WORDS].word
    }

    pub fn label(&self, sequence: u16) -> Option<&str> {
        self.labels.get(&sequence).map(String::as_str)
    }

    /// The nearest label at or before a word, and the distance from there.
    pub fn nearest_label(&self, sequence: u16) -> Option<String> {
        let (at, label) = (0..=sequence).rev().find_map(|at| Some((at, self.label(at)?)))?;
        Some(if at == sequence { label.to_owned() } else { format!("{label}+{}", sequence - at) })
    }

    /// A word as an instruction, with the names of the program.
    pub fn disassemble(&self, word: Word) -> String {
        let mnemonic = word.opcode().row().mnemonic;
        if let Some(target) = word.landing() {
            let name = self.label(target).map_or_else(|| format!("${target:03X}"), str::to_owned);
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
        let own = self.variables.iter().map(|own| (own.name.as_str(), own.address, own.size));
        let built_in = BUILT_IN_NAMES.into_iter().map(|(name, first)| {
            let is_plane = (WORKING_RAM_END..OUT).contains(&first);
            (name, first, if is_plane { DISPLAY_SIZE as u16 } else { 1 })
        });
        let holds =
            |(_, first, size): &(&str, u16, u16)| (*first..first.saturating_add(*size)).contains(&address);
        own.chain(built_in).find(holds).map(|(name, first, _)| (name, address - first))
    }

    /// The text of a line; empty if there is no such line.
    pub fn text(&self, line: Line) -> &str {
        let file = self.files.get(line.file);
        file.and_then(|file| file.lines.get(line.line)).map_or("", String::as_str)
    }

    /// The line of a word when macros are folded. Iterations of a loop are not: their lines stand in the source.
    pub fn statement(&self, sequence: u16) -> Option<Line> {
        self.line_at(sequence, 0)
    }

    /// The line that a word itself was written on.
    pub fn innermost(&self, sequence: u16) -> Option<Line> {
        self.frames(sequence).last().map(|frame| frame.line)
    }

    /// The line that is nested so deep in the statement of a word.
    pub fn line_at(&self, sequence: u16, depth: usize) -> Option<Line> {
        let frames = self.frames(sequence);
        frames.get(statement_depth(frames) + depth).map(|frame| frame.line)
    }

    /// The expansions that a word lies in, the outermost first.
    pub fn expansions(&self, sequence: u16) -> impl Iterator<Item = &ExpansionKind> {
        self.frames(sequence).iter().filter_map(|frame| frame.expansion.as_ref())
    }

    /// The sequence numbers where the expansions of a line begin.
    pub fn starts(&self, line: Line) -> &[u16] {
        self.starts.get(&line).map_or(&[], Vec::as_slice)
    }

    /// Whether a line is a statement that is expanded to others.
    pub fn can_unfold(&self, line: Line) -> bool {
        self.starts(line).first().is_some_and(|&first| {
            let frames = self.frames(first);
            let depth = statement_depth(frames);
            depth + 1 < frames.len() && frames[depth].line == line
        })
    }

    /// Whether a word is part of the expansion of its statement, but not its first word.
    pub fn is_inside_expansion(&self, sequence: u16) -> bool {
        let frames = self.frames(sequence);
        let depth = statement_depth(frames);
        let before = sequence.checked_sub(1).map_or(&[][..], |before| self.frames(before));
        depth + 1 < frames.len() && before.get(..=depth) == frames.get(..=depth)
    }

    /// What the statement of a word was expanded to, in the expansion that has this word: nothing if it is an
    /// instruction.
    pub fn expansion(&self, sequence: u16) -> Vec<Row> {
        let frames = self.frames(sequence);
        let depth = statement_depth(frames);
        if depth + 1 >= frames.len() {
            return Vec::new();
        }
        let outer = &frames[..=depth];
        let belongs = |sequence: &u16| self.frames(*sequence).starts_with(outer);
        let first = (0..=sequence).rev().take_while(belongs).last().unwrap_or(sequence);
        let mut rows = Vec::new();
        let mut before = outer;
        for sequence in (first..PROGRAM_WORDS as u16).take_while(belongs) {
            let frames = self.frames(sequence);
            for level in depth + 1..frames.len().saturating_sub(1) {
                if before.get(..=level) != frames.get(..=level) {
                    rows.push(Row::Call { sequence, depth: level - depth });
                }
            }
            rows.push(Row::Word { sequence, depth: frames.len() - 1 - depth });
            before = frames;
        }
        rows
    }

    fn frames(&self, sequence: u16) -> &[Frame] {
        &self.words[usize::from(sequence) % PROGRAM_WORDS].frames
    }
}

/// The index of the statement in the frames of a word: it comes after the iterations of loops around it.
fn statement_depth(frames: &[Frame]) -> usize {
    let is_iteration = |frame: &&Frame| frame.expansion.as_ref().is_some_and(ExpansionKind::is_iteration);
    let iterations = frames.iter().take_while(is_iteration).count();
    iterations.min(frames.len().saturating_sub(1))
}

/// Where the expansions of each line begin: at words whose predecessor belongs to another expansion of it, or to none.
fn expansion_starts(words: &[ListedWord]) -> HashMap<Line, Vec<u16>> {
    let mut starts: HashMap<Line, Vec<u16>> = HashMap::new();
    let mut before: &[Frame] = &[];
    for (sequence, word) in (0..).zip(words) {
        for (depth, frame) in word.frames.iter().enumerate() {
            let is_same = before.get(..=depth) == word.frames.get(..=depth);
            let starts = starts.entry(frame.line).or_default();
            if !is_same && starts.last() != Some(&sequence) {
                starts.push(sequence);
            }
        }
        before = &word.frames;
    }
    starts
}
