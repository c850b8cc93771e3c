//! The open buffers, and the analyses of the programs that they belong to.
//!
//! Every buffer is taken to be a separate program, unless an open program includes it: then it is analysed as a part of
//! that program.

use crate::lsp::host::{Host, Settings};
use crate::lsp::text::changed;
use gen_lsp_types::TextDocumentContentChangeEvent;
use gray1_assembler::{Analysis, Code, ErrorCode, Loaded, Loader, analyze, beside};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

/// Maximum number of open buffers; further ones are ignored.
const MAX_OPEN: usize = 1_000;
const MAX_BYTES: usize = 256 << 20;

/// An open buffer.
pub struct Document {
    /// The URI in the spelling of the editor.
    pub uri: String,
    pub text: String,
    pub version: i32,
    /// The result of assembling it last, if that was possible.
    analysis: Option<Rc<Analysis>>,
    /// Whether it, or a file that it includes, has changed since then.
    is_stale: bool,
}

/// All open buffers, by their paths.
#[derive(Default)]
pub struct Documents {
    open: BTreeMap<String, Document>,
    /// Whether there are new results since this was last set to false.
    pub has_news: bool,
}

/// The error of work that was abandoned because a more urgent message has arrived.
#[derive(Debug)]
pub struct Interrupted;

impl Documents {
    pub fn get(&self, path: &str) -> Option<&Document> {
        self.open.get(path)
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// Opens a buffer. Returns the reason if it is ignored.
    pub fn open(&mut self, path: String, uri: String, text: String, version: i32) -> Result<(), String> {
        let others =
            self.open.iter().filter(|(other, _)| **other != path).map(|(_, document)| document.text.len());
        if others.clone().count() >= MAX_OPEN || others.sum::<usize>() + text.len() > MAX_BYTES {
            self.open.remove(&path);
            return Err(format!("{path}: too much is open; this buffer is ignored"));
        }
        let document = Document { uri, text, version, analysis: None, is_stale: true };
        self.touch(&path);
        self.open.insert(path, document);
        Ok(())
    }

    /// Changes a buffer. Does nothing if it is not open.
    pub fn change(
        &mut self,
        path: &str,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
    ) -> Result<(), String> {
        let Some(document) = self.open.get_mut(path) else { return Ok(()) };
        let mut text = std::mem::take(&mut document.text);
        for change in changes {
            text = changed(&text, change);
        }
        let uri = document.uri.clone();
        let before = document.analysis.take();
        self.open(path.to_owned(), uri, text, version)?;
        if let Some(document) = self.open.get_mut(path) {
            document.analysis = before;
        }
        Ok(())
    }

    pub fn close(&mut self, path: &str) {
        self.open.remove(path);
        self.touch(path);
        self.has_news = true;
    }

    /// Marks as stale the programs that include a changed file, and programs with a missing include.
    pub fn touch(&mut self, path: &str) {
        for (root, document) in &mut self.open {
            let depends = |analysis: &Rc<Analysis>| {
                let is_missing = |code: Code| code == Code::Error(ErrorCode::CannotInclude);
                has_source(analysis, path)
                    || analysis.report.diagnostics.iter().any(|diagnostic| is_missing(diagnostic.code))
            };
            document.is_stale |= root == path || document.analysis.as_ref().is_none_or(depends);
        }
    }

    /// Whether there is a program that has changed since it was last assembled.
    pub fn is_stale(&self) -> bool {
        self.open.values().any(|document| document.is_stale)
    }

    /// The first program that has changed since it was last assembled.
    pub fn first_stale(&self) -> Option<String> {
        self.open.iter().find(|(_, document)| document.is_stale).map(|(path, _)| path.clone())
    }

    /// Assembles a program again if it is stale.
    pub fn refresh(
        &mut self,
        path: &str,
        host: &dyn Host,
        settings: &Settings,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        if self.open.get(path).is_none_or(|document| !document.is_stale) {
            return Ok(());
        }
        // Reading the root cannot fail, since its buffer is open.
        let analysis = self.assemble(path, host, settings, is_stopped)?;
        if let Some(document) = self.open.get_mut(path) {
            document.analysis = analysis;
            document.is_stale = false;
            self.has_news = true;
        }
        Ok(())
    }

    /// Assembles a program, which need not be open, with the buffers that are. `None` if it cannot be read.
    pub fn assemble(
        &self,
        path: &str,
        host: &dyn Host,
        settings: &Settings,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Rc<Analysis>>, Interrupted> {
        let was_stopped = Cell::new(false);
        let loader = Buffers { documents: self, host, settings, is_stopped, was_stopped: &was_stopped };
        let analysis = analyze(&loader, path, &settings.options).ok().map(Rc::new);
        if was_stopped.get() { Err(Interrupted) } else { Ok(analysis) }
    }

    /// The program that a buffer belongs to: one that includes it and is not included itself, or else the buffer. Of
    /// several such programs, or of buffers that include each other, it is the first.
    pub fn root(&self, path: &str) -> String {
        let mut above: BTreeSet<&str> = BTreeSet::new();
        let mut roots: BTreeSet<&str> = BTreeSet::new();
        let mut waiting = vec![path];
        while let Some(part) = waiting.pop() {
            let mut includers = self.includers(part).peekable();
            if includers.peek().is_none() {
                roots.insert(part);
            }
            waiting.extend(includers.filter(|&includer| above.insert(includer)));
        }
        roots.first().or(above.first()).map_or(path, |&root| root).to_owned()
    }

    /// The other buffers that include a file.
    fn includers(&self, path: &str) -> impl Iterator<Item = &str> {
        let includes = move |(other, document): &(&String, &Document)| {
            *other != path && document.analysis.as_ref().is_some_and(|analysis| has_source(analysis, path))
        };
        self.open.iter().filter(includes).map(|(other, _)| other.as_str())
    }

    /// The last analysis of a program.
    pub fn analysis(&self, root: &str) -> Option<Rc<Analysis>> {
        self.open.get(root)?.analysis.clone()
    }
}

/// Whether a file is part of a program.
pub fn has_source(analysis: &Analysis, path: &str) -> bool {
    analysis.report.sources.paths().any(|source| source == path)
}

/// Loads files in the state that the editor shows: from open buffers first.
struct Buffers<'a> {
    documents: &'a Documents,
    host: &'a dyn Host,
    settings: &'a Settings,
    is_stopped: &'a dyn Fn() -> bool,
    was_stopped: &'a Cell<bool>,
}

impl Buffers<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.documents.get(path) {
            Some(document) => Ok(document.text.clone().into_bytes()),
            None => self.host.read(path),
        }
    }
}

impl Loader for Buffers<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded> {
        let named = if from.is_none() { path.to_owned() } else { beside(from, path) };
        let in_folders = self.settings.folders.iter().map(|folder| beside(Some(&format!("{folder}/")), path));
        for path in std::iter::once(named.clone()).chain(in_folders) {
            match self.read(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                found => return found.map(|bytes| Loaded { path, bytes }),
            }
        }
        Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no file `{named}`")))
    }

    fn is_stopped(&self) -> bool {
        let is_stopped = self.was_stopped.get() || (self.is_stopped)();
        self.was_stopped.set(is_stopped);
        is_stopped
    }
}
