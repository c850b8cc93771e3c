//! The debug information of a program: its names, and the source lines of its words.

use crate::routines::Routines;
use gray1_assembler::{
    Assembly, ExpansionKind, Local, Program, Sources, Span, SymbolKind, is_built_in, split_comment,
};
use gray1_isa::memory_map::{BUILT_IN_NAMES, DISPLAY_SIZE, GREEN, RAM_BYTES, RED};
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_text::visible;
use std::collections::{BTreeMap, HashMap};

/// A program to be debugged: the image, and its source if there is one.
pub struct Source {
    image: Image,
    pub(crate) names: BTreeMap<String, Name>,
    /// For each word, by its sequence number, the lines that generated it.
    frames: HashMap<u16, Vec<Frame>>,
    /// The assembled program, if there is a source.
    program: Option<Program>,
    /// For each file and line, the first word of each of its expansions.
    line_starts: BTreeMap<(u32, usize), Vec<u16>>,
    sources: Sources,
    routines: Routines,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A number.
    Constant(i64),
    /// A sequence number.
    Label(u16),
    /// Bytes of RAM: the address of the first, and their number.
    Ram(u16, u16),
    /// A constant that is an address of RAM: `queens = RED`, `second = list+1`.
    Address(u16),
}

/// A line that generated a word: the line itself, or a call or loop around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The expansion that contains the following frames; `None` for the line of the word itself, which is the last.
    pub expansion: Option<ExpansionKind>,
    span: Span,
}

impl Frame {
    /// Whether this is an iteration of a loop, whose lines are in the source itself.
    pub fn is_iteration(&self) -> bool {
        self.expansion.as_ref().is_some_and(ExpansionKind::is_iteration)
    }
}

impl Source {
    /// A program without source.
    pub fn of_image(image: Image) -> Source {
        let names = BUILT_IN_NAMES.map(|(name, address)| (name.to_owned(), Name::Ram(address, 1)));
        let (frames, program, line_starts, sources, routines) = Default::default();
        Source { image, names: names.into(), frames, program, line_starts, sources, routines }
    }

    /// A program with its source; `None` if it could not be assembled.
    pub fn of_assembly(assembly: Assembly) -> Option<Source> {
        let program = assembly.program?;
        let sources = assembly.report.sources;
        let frames = program.words.iter().map(|word| {
            let expansions = program.chain(word).filter(|outer| outer.kind != ExpansionKind::Include);
            let expansions = expansions.collect::<Vec<_>>().into_iter().rev();
            let lines = expansions.map(|outer| (outer.span, Some(outer.kind.clone())));
            let frames: Vec<Frame> = lines
                .chain([(word.span, None)])
                .map(|(span, expansion)| {
                    let position = sources.position(span);
                    Frame { file: position.file, line: position.line, expansion, span }
                })
                .collect();
            (word.sequence, frames)
        });
        let mut source = Source {
            frames: frames.collect(),
            line_starts: BTreeMap::new(),
            names: names(&program),
            routines: Routines::new(&program),
            image: program.image.clone(),
            program: Some(program),
            sources,
        };
        source.find_line_starts();
        Some(source)
    }

    /// The routines.
    pub(crate) fn routines(&self) -> &Routines {
        &self.routines
    }

    /// The name of the routine that an instruction belongs to.
    pub fn routine(&self, sequence: u16) -> Option<&str> {
        self.routines.of(sequence)
    }

    fn find_line_starts(&mut self) {
        let mut starts: BTreeMap<(u32, usize), Vec<u16>> = BTreeMap::new();
        for sequence in 0..PROGRAM_WORDS as u16 {
            for (frame, _) in self.lines(sequence).filter(|(_, is_begun)| *is_begun) {
                starts.entry((frame.span.file, frame.line)).or_default().push(sequence);
            }
        }
        self.line_starts = starts;
    }

    /// The frames of a word, the outermost first, each with whether this is the first of its words. In a recursive macro
    /// several frames are on the same line: the outermost counts.
    pub(crate) fn lines(&self, sequence: u16) -> impl Iterator<Item = (&Frame, bool)> {
        let frames = self.frames(sequence);
        let is_on =
            |frame: &Frame, outer: &Frame| (outer.span.file, outer.line) == (frame.span.file, frame.line);
        let lines = frames.iter().enumerate();
        let lines =
            lines.filter(move |(depth, frame)| !frames[..*depth].iter().any(|outer| is_on(frame, outer)));
        lines.map(move |(depth, frame)| (frame, self.begins_line(sequence, depth)))
    }

    /// The image.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Looks up a name.
    pub fn name(&self, name: &str) -> Option<Name> {
        self.names.get(name).copied()
    }

    /// All names that can be typed.
    pub fn names(&self) -> impl Iterator<Item = (&str, Name)> {
        self.names.iter().map(|(name, meaning)| (name.as_str(), *meaning))
    }

    /// The lines that generated a word, the outermost first: calls of macros and loops, then its own line.
    pub fn frames(&self, sequence: u16) -> &[Frame] {
        self.frames.get(&sequence).map_or(&[], Vec::as_slice)
    }

    /// The parameters and counters that are in scope on the line of a frame of a word, the innermost first.
    pub fn locals(&self, sequence: u16, frame: usize) -> Vec<(String, Name)> {
        let word = |program: &Program| program.words.iter().position(|word| word.sequence == sequence);
        let Some((program, word)) = self.program.as_ref().and_then(|program| Some((program, word(program)?)))
        else {
            return Vec::new();
        };
        let word = &program.words[word];
        let inside = program.chain(word).zip(program.locals(word));
        let inside = inside.filter(|(outer, _)| outer.kind != ExpansionKind::Include);
        // The outermost line is in no expansion; the others are in the reverse order.
        let frames = self.frames(sequence).len();
        let found = frames.checked_sub(frame + 1).filter(|_| frame > 0);
        let found = found.and_then(|outwards| inside.map(|(_, locals)| locals).nth(outwards));
        found.map(|locals| locals.filter_map(local).collect()).unwrap_or_default()
    }

    /// The full name of a local label such as `.loop`: the one in the same part of the program as this instruction, or
    /// else the only one in the program.
    pub(crate) fn local_label(&self, label: &str, sequence: u16) -> Option<&str> {
        let part =
            self.nearest_label(sequence).map_or("", |(name, _)| name.split('.').next().unwrap_or(name));
        let mut all = self.names.keys().filter(|name| name.ends_with(label) && label.starts_with('.'));
        let here = all.clone().find(|name| name.strip_suffix(label) == Some(part));
        here.or_else(|| all.next().filter(|_| all.next().is_none())).map(String::as_str)
    }

    /// The frames of a word outside the built-in library.
    pub(crate) fn own_frames(&self, sequence: u16) -> &[Frame] {
        let frames = self.frames(sequence);
        let own = frames.iter().take_while(|frame| !is_built_in(&frame.file)).count();
        &frames[..own]
    }

    /// Whether a word belongs to the built-in library and not to a line that uses it.
    pub(crate) fn is_in_library(&self, sequence: u16) -> bool {
        self.own_frames(sequence).is_empty() && !self.frames(sequence).is_empty()
    }

    /// The frames of a word that a user sees as its statement: loop iterations, and then one line, which may call a
    /// macro.
    pub fn statement(&self, sequence: u16) -> &[Frame] {
        let frames = self.frames(sequence);
        let iterations = frames.iter().take_while(|frame| frame.is_iteration()).count();
        &frames[..frames.len().min(iterations + 1)]
    }

    /// The path of the main file.
    pub fn root(&self) -> Option<&str> {
        self.sources.paths().next()
    }

    /// The listing of the program, if there is a source.
    pub fn listing(&self) -> Option<String> {
        Some(self.program.as_ref()?.listing(&self.sources))
    }

    /// The path and the text of each file, the main file first.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources.paths().zip(0..).map(|(path, number)| (path, self.sources.text(number)))
    }

    /// The text of a file.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.files().find(|(path, _)| *path == file).map(|(_, text)| text)
    }

    /// The text of a line.
    pub fn line(&self, file: &str, line: usize) -> Option<&str> {
        self.text(file)?.lines().nth(line.checked_sub(1)?)
    }

    /// The path of the source file that is given by its path or by the end of its path.
    pub fn find_file(&self, written: &str) -> Option<&str> {
        let end = format!("/{written}");
        self.sources.paths().find(|path| *path == written || path.ends_with(&end))
    }

    /// Whether a word is the first word of its frame with this index.
    pub fn begins_line(&self, sequence: u16, index: usize) -> bool {
        let before = sequence.checked_sub(1).map_or(&[][..], |before| self.frames(before));
        self.frames(sequence).get(..=index).is_some_and(|frames| !before.starts_with(frames))
    }

    /// The first word of each expansion of a line.
    pub fn line_starts(&self, file: &str, line: usize) -> Vec<u16> {
        let starts = self.file_number(file).and_then(|file| self.line_starts.get(&(file, line)));
        starts.cloned().unwrap_or_default()
    }

    /// The file and the line of a location such as `12` or `lib.g1:12`; no file if the program has none with this name.
    pub(crate) fn written_line(&self, word: &str) -> Option<(Option<&str>, usize)> {
        let (file, digits) = match word.rsplit_once(':') {
            Some((file, digits)) => (self.find_file(file), digits),
            None => (self.root(), word),
        };
        Some((file, digits.parse().ok()?))
    }

    /// The line that a location begins with, and the next one with instructions, if it has none itself.
    pub(crate) fn moved(&self, written: &str) -> Option<(usize, usize)> {
        let (file, wanted) = self.written_line(written.split_whitespace().next()?)?;
        let line = self.line_from(file?, wanted)?;
        (line != wanted).then_some((wanted, line))
    }

    /// The first line from this one on that generates instructions.
    pub fn line_from(&self, file: &str, wanted: usize) -> Option<usize> {
        let file = self.file_number(file)?;
        self.line_starts.range((file, wanted)..(file + 1, 0)).next().map(|((_, line), _)| *line)
    }

    fn file_number(&self, file: &str) -> Option<u32> {
        self.sources.paths().zip(0..).find(|(path, _)| *path == file).map(|(_, number)| number)
    }

    /// The nearest label at or before an instruction, and the distance in instructions.
    pub fn nearest_label(&self, sequence: u16) -> Option<(&str, u16)> {
        let labels = self.names().filter_map(|(name, meaning)| match meaning {
            Name::Label(label) if label <= sequence => Some((label, name)),
            _ => None,
        });
        let (label, name) = labels.min_by_key(|(label, _)| sequence - label)?;
        Some((name, sequence - label))
    }

    /// An instruction by its nearest label: `loop`, `loop+2`.
    pub fn location_name(&self, sequence: u16) -> Option<String> {
        let (label, offset) = self.nearest_label(sequence)?;
        Some(if offset == 0 { label.to_owned() } else { format!("{label}+{offset}") })
    }

    /// The line of a word as text: `sum.g1:5, from line 3`; `None` for a word without a line.
    pub fn line_name(&self, sequence: u16) -> Option<String> {
        let frames = self.frames(sequence);
        let innermost = frames.last()?;
        let mut text = format!("{}:{}", visible(&innermost.file), innermost.line);
        for frame in frames.iter().rev().skip(1) {
            text += &format!(", from line {}", frame.line);
        }
        Some(text)
    }

    /// The code on the line of a word, without its comment and its spacing.
    pub fn line_text(&self, sequence: u16) -> Option<String> {
        let frame = self.frames(sequence).last()?;
        let line = self.line(&frame.file, frame.line)?;
        Some(split_comment(line).0.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// A byte of RAM as a name with an index: `n`, `list[2]`, `RED[7]`.
    pub fn named_byte(&self, address: u16) -> Option<String> {
        let (name, first, _) = self.block(address)?;
        Some(if first == address { name.to_owned() } else { format!("{name}[{}]", address - first) })
    }

    /// The block of bytes that contains this one: its name, its first address, and its size.
    fn block(&self, address: u16) -> Option<(&str, u16, u16)> {
        let blocks = self.names().filter_map(|(name, meaning)| match meaning {
            Name::Ram(first @ (GREEN | RED), _) => Some((name, first, DISPLAY_SIZE as u16)),
            Name::Ram(first, size) => Some((name, first, size)),
            _ => None,
        });
        let blocks = blocks.filter(|&(_, first, size)| first <= address && address - first < size);
        blocks.min_by_key(|&(_, first, _)| address - first)
    }

    /// The number of bytes from this one to the end of its block.
    pub(crate) fn room(&self, address: u16) -> u16 {
        let rest = (RAM_BYTES as u16).saturating_sub(address);
        self.block(address).map_or(rest, |(_, first, size)| size - (address - first)).min(rest)
    }

    /// A byte of RAM by its name, or by its address in hexadecimal.
    pub fn ram_name(&self, address: u16) -> String {
        self.named_byte(address).unwrap_or_else(|| format!("ram[${address:03X}]"))
    }
}

/// The number of an instruction, if it is one.
pub fn sequence_number(number: i64) -> Option<u16> {
    u16::try_from(number).ok().filter(|&number| usize::from(number) < PROGRAM_WORDS)
}

fn local(local: &Local) -> Option<(String, Name)> {
    let number = u16::try_from(local.value).ok();
    let meaning = match local.kind {
        SymbolKind::Label => Name::Label(number?),
        SymbolKind::Ram => Name::Address(number?),
        _ => Name::Constant(local.value),
    };
    Some((local.name.to_string(), meaning))
}

fn names(program: &Program) -> BTreeMap<String, Name> {
    let meaning = |symbol: &gray1_assembler::Symbol| {
        let value = symbol.value;
        Some(match symbol.kind {
            SymbolKind::Constant | SymbolKind::Variable if symbol.is_address => {
                Name::Address(u16::try_from(value).ok()?)
            }
            SymbolKind::Constant | SymbolKind::Variable => Name::Constant(value),
            SymbolKind::Label | SymbolKind::Routine => Name::Label(u16::try_from(value).ok()?),
            SymbolKind::Ram => Name::Ram(u16::try_from(value).ok()?, symbol.size.max(1)),
            SymbolKind::Macro | SymbolKind::Function | SymbolKind::Table => return None,
        })
    };
    // The name of a label inside an expansion cannot be typed, and tells less than the source lines.
    let symbols = program.symbols.iter().filter(|symbol| !symbol.is_inside_expansion);
    symbols.filter_map(|symbol| Some((symbol.name.clone(), meaning(symbol)?))).collect()
}
