//! The files of a program, each loaded and parsed once however often it is included.

use crate::built_in;
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::expansion::{Expansion, ExpansionKind};
use crate::names::Names;
use crate::source::{Loaded, Loader, MAX_FILE_BYTES, Sources, Span};
use crate::syntax::{ParsedFile, Range, Syntax, parse};
use gray1_text::closest;
use hashbrown::HashMap;
use std::io::ErrorKind;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// All files so far.
pub(crate) struct Library<'a> {
    pub loader: &'a dyn Loader,
    pub sources: Sources,
    pub syntax: Syntax,
    pub names: Names,
    /// Syntax errors, and files that cannot be read.
    pub diagnostics: Diagnostics,
    pub files: Vec<ParsedFile>,
    by_path: HashMap<String, u32>,
    /// The file for each path, by the path and the file that includes it.
    pub included: HashMap<(String, u32), Option<u32>>,
}

impl<'a> Library<'a> {
    pub fn new(loader: &'a dyn Loader) -> Library<'a> {
        Library {
            loader,
            sources: Sources::default(),
            syntax: Syntax::default(),
            names: Names::default(),
            diagnostics: Diagnostics::default(),
            files: Vec::new(),
            by_path: HashMap::new(),
            included: HashMap::new(),
        }
    }

    /// Loads the root file.
    pub fn root(&mut self, path: &str) -> Option<u32> {
        match self.loader.load(path, None) {
            Ok(loaded) => Some(self.add(loaded, &[])),
            Err(reason) => {
                let message = format!("cannot read `{path}`: {reason}");
                self.diagnostics.push(Diagnostic::error(ErrorCode::CannotRead, None, message, ""));
                None
            }
        }
    }

    /// Loads the file of the `.include` at `span`; `text` is the number of its path.
    pub fn include(&mut self, text: u32, span: Span, chain: &[Expansion]) -> Option<u32> {
        let path = &self.syntax.texts[text as usize];
        let key = (path.clone(), span.file);
        if let Some(&known) = self.included.get(&key) {
            return known;
        }
        let from = self.sources.path(span.file);
        let found = built_in::load_beside(from, path).map_or_else(|| self.loader.load(path, Some(from)), Ok);
        let found = found.or_else(|reason| match reason.kind() {
            ErrorKind::NotFound => built_in::load(path).ok_or(reason),
            _ => Err(reason),
        });
        let found = match found {
            Ok(loaded) => {
                let here = Expansion { kind: ExpansionKind::Include, span };
                Some(self.add(loaded, &[&[here], chain].concat()))
            }
            Err(reason) => {
                let message = format!("cannot include `{path}`: {reason}");
                let label = "expected the name of a file that can be read";
                let names: Vec<String> = built_in::names().collect();
                let meant = closest(path, names.iter().map(String::as_str));
                let diagnostic =
                    Diagnostic::error(ErrorCode::CannotInclude, span, message, label).did_you_mean(meant);
                self.diagnostics.push(diagnostic.within(chain.to_vec()));
                // The file that is probably meant is loaded, so that its names are not unknown.
                let meant = meant.and_then(built_in::load);
                meant.map(|loaded| self.add(loaded, chain))
            }
        };
        self.included.insert(key, found);
        found
    }

    /// The file that an `.include` of this path in the file `from` has loaded, if any.
    pub fn included_file(&self, text: &str, from: u32) -> Option<u32> {
        let key = (text.to_owned(), from);
        self.included.get(&key).copied().flatten()
    }

    /// The statements of a file.
    pub fn statements(&self, file: u32) -> Range {
        self.files[file as usize].statements
    }

    /// Whether a file is an unchanged file of the built-in library.
    pub fn is_of_library(&self, file: u32) -> bool {
        self.files.get(file as usize).is_some_and(|file| file.is_of_library)
    }

    /// Whether a file silences this warning.
    pub fn allows(&self, file: u32, warning: Warning) -> bool {
        self.files.get(file as usize).is_some_and(|file| file.allowed.contains(&warning))
    }

    /// Whether names may be missing because a file was not understood. A file that cannot be read defines no local labels
    /// for others.
    pub fn is_incomplete(&self, is_local: bool) -> bool {
        self.files.iter().any(|file| file.incomplete)
            || !is_local && self.included.values().any(Option::is_none)
    }

    /// Parses and adds a file, unless it has been added before.
    pub fn add(&mut self, loaded: Loaded, chain: &[Expansion]) -> u32 {
        let Loaded { path, mut bytes } = loaded;
        if let Some(&known) = self.by_path.get(&path) {
            return known;
        }
        // A byte order mark is not a column of the first line.
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let number = self.files.len() as u32;
        let at = |offset: usize| Span { file: number, start: offset as u32, end: offset as u32 };
        let mut refusal = None;
        if bytes.len() > MAX_FILE_BYTES {
            let message = format!("this file has more than {} megabytes", MAX_FILE_BYTES >> 20);
            refusal = Some(Diagnostic::error(ErrorCode::FileTooLarge, at(0), message, "it is not read"));
            bytes.clear();
        }
        let text = String::from_utf8(bytes).unwrap_or_else(|wrong| {
            let offset = wrong.utf8_error().valid_up_to();
            let message = format!("this file is not UTF-8: found the byte ${:02X}", wrong.as_bytes()[offset]);
            refusal = Some(Diagnostic::error(ErrorCode::NotUtf8, at(offset), message, "expected UTF-8 text"));
            let readable_part = &wrong.as_bytes()[..(offset + 200).min(wrong.as_bytes().len())];
            String::from_utf8_lossy(readable_part).into_owned()
        });
        let is_of_library = built_in::is_of_library(&text);
        let file = self.sources.add(path.clone(), text);
        self.by_path.insert(path, file);
        let mut parsed = match refusal {
            None => parse(&self.sources, file, is_of_library, &mut self.syntax, &mut self.names),
            Some(refusal) => ParsedFile {
                diagnostics: vec![refusal],
                incomplete: true,
                is_of_library,
                ..ParsedFile::default()
            },
        };
        for error in parsed.diagnostics.drain(..) {
            self.diagnostics.push(Diagnostic { chain: chain.to_vec(), ..error });
        }
        self.files.push(parsed);
        file
    }
}
