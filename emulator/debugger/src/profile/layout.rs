//! The layout of a program before it runs: the routine, the macro call and the lines of each word.

use gray1_assembler::{ExpansionKind, Program, Sources, Span, SymbolKind, WordOrigin};
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::program_mark;
use std::collections::{BTreeMap, HashMap};

/// The routine with this number is the program outside all routines.
pub(crate) const PROGRAM: u32 = 0;
/// The macro call with this number is none.
pub(crate) const NO_MACRO: u32 = 0;

/// A program, laid out for a [`Recorder`](crate::profile::Recorder).
pub struct Layout {
    pub(crate) mark: String,
    /// For each word, by its sequence number, where it belongs.
    pub(crate) places: Vec<Home>,
    /// The routines, the first of which is the program itself.
    pub(crate) routines: Vec<RoutineCode>,
    /// The macro calls, the first of which is none.
    pub(crate) calls: Vec<MacroCall>,
    pub(crate) lines: Vec<LineCode>,
    /// The words of the program, in ascending order: all that the source made, or that are not blank in an image.
    pub(crate) words: Vec<u16>,
}

/// The routine, the macro call and the line of a word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Home {
    /// Its routine.
    pub routine: u32,
    /// The innermost macro call around it, among those in its routine.
    pub call: u32,
    /// The routine that it enters, if it is the jump of a `call`; otherwise [`PROGRAM`].
    pub enters: u32,
    /// Its line, if it has one.
    pub line: Option<u32>,
}

/// A routine.
#[derive(Default)]
pub(crate) struct RoutineCode {
    pub name: String,
    /// Its first word.
    pub start: u16,
    pub source: Option<String>,
}

/// A macro call.
#[derive(Default)]
pub(crate) struct MacroCall {
    pub name: String,
    /// The macro call around it, in the same routine.
    pub parent: u32,
    /// The line of the call.
    pub source: Option<String>,
    /// The definition of the macro.
    pub defined: Option<String>,
}

/// A line that generated words.
pub(crate) struct LineCode {
    pub file: String,
    pub line: usize,
    pub text: String,
    /// The first word of each of its stretches of words.
    pub starts: Vec<u16>,
    /// All words that it generated, itself or by a macro call or a loop.
    pub words: Vec<u16>,
}

impl Layout {
    /// A program without source.
    pub fn of_image(image: &Image) -> Layout {
        let blank = Image::blank();
        let is_used = |&at: &u16| image.word(at) != blank.word(at);
        Layout {
            mark: program_mark(image),
            places: vec![Home::default(); PROGRAM_WORDS],
            routines: vec![RoutineCode::default()],
            calls: vec![MacroCall::default()],
            lines: Vec::new(),
            words: (0..PROGRAM_WORDS as u16).filter(is_used).collect(),
        }
    }

    /// A program with its source. `sources` are those of the report that came with it.
    pub fn of_program(program: &Program, sources: &Sources) -> Layout {
        let mut layout = Layout::of_image(&program.image);
        let mut words: Vec<u16> = program.words.iter().map(|word| word.sequence).collect();
        words.sort_unstable();
        layout.words = words;
        layout.routines[0].source = program.words.first().map(|word| named(sources, word.span));
        layout.add_routines(program, sources);
        layout.add_calls(program, sources);
        layout.add_lines(program, sources);
        layout
    }

    fn add_routines(&mut self, program: &Program, sources: &Sources) {
        for (number, routine) in (1..).zip(&program.routines) {
            for at in routine.words.clone() {
                self.places[usize::from(at) % PROGRAM_WORDS].routine = number;
            }
            for &at in &routine.calls {
                self.places[usize::from(at) % PROGRAM_WORDS].enters = number;
            }
            self.routines.push(RoutineCode {
                name: routine.name.clone(),
                start: routine.words.start,
                source: Some(named(sources, routine.span)),
            });
        }
    }

    fn add_calls(&mut self, program: &Program, sources: &Sources) {
        let macros = program.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Macro);
        let defined: HashMap<&str, Span> =
            macros.filter_map(|symbol| Some((symbol.name.as_str(), symbol.span?))).collect();
        // A macro call that is in an expansion around a routine is not a part of that routine.
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        for word in &program.words {
            let place = &mut self.places[usize::from(word.sequence) % PROGRAM_WORDS];
            let around =
                place.routine.checked_sub(1).map(|routine| program.routines[routine as usize].expansion);
            let inside = program.numbered_chain(word).take_while(|(number, _)| Some(*number) != around);
            let calls: Vec<_> = inside
                .filter_map(|(number, expansion)| match &expansion.kind {
                    ExpansionKind::Macro(name) => Some((number, name, expansion.span)),
                    _ => None,
                })
                .collect();
            let mut parent = NO_MACRO;
            for (number, name, span) in calls.into_iter().rev() {
                parent = *numbers.entry((place.routine, number)).or_insert_with(|| {
                    self.calls.push(MacroCall {
                        name: name.to_string(),
                        parent,
                        source: Some(named(sources, span)),
                        defined: defined.get(&**name).map(|&span| named(sources, span)),
                    });
                    self.calls.len() as u32 - 1
                });
            }
            place.call = parent;
        }
    }

    fn add_lines(&mut self, program: &Program, sources: &Sources) {
        type LineIndex = (u32, usize);
        let line_of = |span: Span| (span.file, sources.line_index(span.file, span.start));
        // The lines of a word, the outermost first: those of the calls and loops around it, with their numbers, and its own.
        let path = |word: &WordOrigin| -> Vec<(LineIndex, Option<u32>)> {
            let chain = program.numbered_chain(word);
            let around = chain.filter(|(_, outer)| outer.kind != ExpansionKind::Include);
            let around = around.map(|(number, outer)| (line_of(outer.span), Some(number)));
            let inwards: Vec<_> = [(line_of(word.span), None)].into_iter().chain(around).collect();
            inwards.into_iter().rev().collect()
        };
        let paths: BTreeMap<u16, _> = program.words.iter().map(|word| (word.sequence, path(word))).collect();
        /// The words with which a line begins, and all its words.
        type Words = (Vec<u16>, Vec<u16>);
        let mut lines: BTreeMap<LineIndex, Words> = BTreeMap::new();
        for (&at, path) in &paths {
            let before = at.checked_sub(1).and_then(|before| paths.get(&before));
            for (depth, (line, _)) in path.iter().enumerate() {
                // In a recursive macro several calls are on the same line: the outermost counts.
                if path[..depth].iter().any(|(outer, _)| outer == line) {
                    continue;
                }
                let (starts, words) = lines.entry(*line).or_default();
                words.push(at);
                if !before.is_some_and(|before| before.starts_with(&path[..=depth])) {
                    starts.push(at);
                }
            }
        }
        let numbers: HashMap<LineIndex, u32> = lines.keys().copied().zip(0..).collect();
        for (&at, path) in &paths {
            let own = path.last().and_then(|(line, _)| numbers.get(line));
            self.places[usize::from(at) % PROGRAM_WORDS].line = own.copied();
        }
        self.lines = lines
            .into_iter()
            .map(|((file, line), (starts, words))| LineCode {
                file: sources.path(file).to_owned(),
                line: line + 1,
                text: sources.line(file, line).1.trim().to_owned(),
                starts,
                words,
            })
            .collect();
    }

    pub(crate) fn place(&self, at: u16) -> Home {
        self.places[usize::from(at) % PROGRAM_WORDS]
    }

    /// The line of a word as text.
    pub(crate) fn source(&self, at: u16) -> Option<String> {
        let line = &self.lines[self.place(at).line? as usize];
        Some(format!("{}:{}", line.file, line.line))
    }
}

fn named(sources: &Sources, span: Span) -> String {
    let position = sources.position(span);
    format!("{}:{}", position.file, position.line)
}
