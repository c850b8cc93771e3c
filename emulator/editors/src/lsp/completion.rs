//! Completions: the words that can be written at a place.

use crate::lsp::describe::{comment, meaning};
use crate::lsp::formulas::{WORDS, contract};
use crate::lsp::hover::Text;
use crate::lsp::library::{Idiom, brings};
use crate::lsp::view::View;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind as Kind, CompletionItemTextEdit, CompletionList, Documentation,
    InsertTextFormat, Position, Range, TextEdit,
};
use gray1_assembler::{DIRECTIVES, Item, ItemKind, LIBRARY_FILES, SymbolKind, Warning, split_comment};
use gray1_isa::{INSTRUCTIONS, Operand};

/// The functions and words of expressions.
const FUNCTIONS: [(&str, &str); 7] = [
    ("byte", "byte(v, k): byte k of a constant, or of RAM the address k bytes further on"),
    ("gray", "gray(n): the Gray code of a sequence number"),
    ("here", "the sequence number of this instruction"),
    ("isconst", "isconst(p): whether a parameter was given with `#`"),
    ("isknown", "isknown(p): whether a parameter was given with `#` and has a value by now"),
    ("len", "len(\"text\"): the bytes of a text"),
    ("size", "size(x): the bytes from an address to the end of its `.ram`"),
];
/// The words that begin a statement and are neither instructions nor directives.
const STATEMENTS: [(&str, &str); 3] = [
    ("call", "jumps to a routine, which comes back"),
    ("return", "comes back from a routine"),
    ("read_table", "puts a value of a table into A, by the number in A"),
];

/// The word being completed, and its surroundings on the line.
struct Place<'t> {
    /// The part of the word that has been written, and the offset at which it begins.
    word: &'t str,
    start: u32,
    end: u32,
    /// The text before it on the line, without labels.
    before: &'t str,
    /// The quotes that are missing around the name of a file.
    quotes: (&'static str, &'static str),
}

pub fn completion(view: &View, offset: u32) -> CompletionList {
    let Some(place) = place(view, offset) else { return CompletionList::default() };
    let lines = view.lines();
    let range = lines.range(place.start, place.end);
    let first = place.before.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let mut writer = Writer { view, range, items: Vec::new() };
    match first.as_str() {
        "" => writer.statements(offset, place.word),
        ".include" => writer.files(place.quotes),
        ".allow" => writer.warnings(),
        // A new name is defined here, so nothing is offered.
        ".ram" | ".macro" | ".routine" | ".function" | ".table" if !place.before.contains(',') => {}
        first => {
            let wanted = match place.before.trim_end().ends_with('#') {
                true => Some(SymbolKind::Constant),
                false => operand_wanted(first),
            };
            writer.operands(offset, wanted);
            let words = contract(first).map_or(&[][..], |_| &WORDS);
            words.iter().for_each(|(word, meaning)| {
                writer.add(word, Kind::Function, (*meaning).to_owned(), 3);
            });
        }
    }
    CompletionList { is_incomplete: false, items: writer.items, ..CompletionList::default() }
}

/// Which names come first as an operand: RAM, labels, or routines and tables.
fn operand_wanted(first: &str) -> Option<SymbolKind> {
    match first {
        "call" => Some(SymbolKind::Routine),
        "read_table" | ".extend" => Some(SymbolKind::Table),
        mnemonic => {
            let row = INSTRUCTIONS.iter().find(|row| row.mnemonic.eq_ignore_ascii_case(mnemonic))?;
            Some(if row.operand == Operand::Target { SymbolKind::Label } else { SymbolKind::Ram })
        }
    }
}

fn place<'v>(view: &'v View, offset: u32) -> Option<Place<'v>> {
    let lines = view.lines();
    let text = view.text();
    let (line_start, line_end) = lines.bounds(lines.line_of(offset));
    let before = &text[line_start..offset as usize];
    // Nothing is offered in a comment.
    if split_comment(&text[line_start..line_end]).0.len() < before.len() {
        return None;
    }
    let after = &text[offset as usize..line_end];
    let first = statement(before).split([' ', '\t', '"']).next().unwrap_or_default();
    let (is_file, is_warning) =
        (first.eq_ignore_ascii_case(".include"), first.eq_ignore_ascii_case(".allow"));
    let is_letter = |c: char| {
        c.is_ascii_alphanumeric() || c == '_' || is_file && "/.-".contains(c) || is_warning && c == '-'
    };
    let letters = before.trim_end_matches(is_letter).len();
    let start = if before[..letters].ends_with('.') { letters - 1 } else { letters };
    let end = after.len() - after.trim_start_matches(is_letter).len();
    let (mut start, mut end, mut quotes) = (start, end, ("", ""));
    if is_file && statement(before) != first {
        // The name of a file is everything between the quotes.
        let opened = before.matches('"').count();
        match (before.rfind('"'), after.find('"')) {
            (Some(quote), closed) if opened == 1 => {
                start = quote + 1;
                end = closed.unwrap_or(end);
                quotes = ("", if closed.is_some() { "" } else { "\"" });
            }
            (None, _) => quotes = ("\"", "\""),
            _ => return None,
        }
    }
    Some(Place {
        word: &before[start..],
        start: (line_start + start) as u32,
        end: offset + end as u32,
        before: statement(&before[..start]),
        quotes,
    })
}

/// The part of a line after its label, which ends with a colon.
fn statement(line: &str) -> &str {
    let statement = match line.rfind(": ").or(line.ends_with(':').then(|| line.len() - 1)) {
        Some(colon) if !line[..colon].trim().contains(char::is_whitespace) => &line[colon + 1..],
        _ => line,
    };
    statement.trim_start()
}

struct Writer<'v, 's> {
    view: &'v View<'s>,
    range: Range,
    items: Vec<CompletionItem>,
}

impl Writer<'_, '_> {
    fn add(&mut self, label: &str, kind: Kind, detail: String, order: u32) -> &mut CompletionItem {
        let edit = TextEdit { range: self.range, new_text: label.to_owned() };
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: Some(detail).filter(|detail| !detail.is_empty()),
            sort_text: Some(format!("{order}{label}")),
            filter_text: Some(label.to_owned()),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    fn documentation(&self, text: &Text) -> Option<Documentation> {
        text.documentation(self.view.workspace.client.markdown)
    }

    /// The words with which a statement can begin.
    fn statements(&mut self, offset: u32, word: &str) {
        if word.starts_with('.') {
            return self.directives();
        }
        let in_capitals = word.starts_with(|c: char| c.is_ascii_uppercase());
        for row in &INSTRUCTIONS {
            let mnemonic = row.mnemonic.to_ascii_lowercase();
            let label = if in_capitals { row.mnemonic } else { &mnemonic };
            self.add(label, Kind::Keyword, format!("{}; 1 word, 1 cycle", row.effect), 0);
        }
        for (word, meaning) in STATEMENTS {
            self.add(word, Kind::Keyword, meaning.to_owned(), 0);
        }
        self.directives();
        let is_macro = |item: &&Item| item.kind == ItemKind::Symbol(SymbolKind::Macro);
        let analysis = self.view.analysis.clone();
        let visible = analysis.visible(self.view.file, offset);
        let mut known: Vec<&str> = Vec::new();
        let idioms = &self.view.workspace.idioms;
        for item in visible.iter().copied().filter(is_macro).filter(|item| !item.name.starts_with('_')) {
            known.push(&item.name);
            let idiom = idioms.iter().find(|idiom| item.is_of_library && idiom.name == item.name);
            match idiom {
                Some(idiom) => self.idiom(idiom, false),
                None => {
                    let detail = meaning(self.view, item);
                    let documentation = Text::default().code(comment(self.view, item));
                    let documentation = self.documentation(&documentation);
                    self.add(&item.name, Kind::Function, detail, 1).documentation = documentation;
                }
            }
        }
        for idiom in idioms.iter().filter(|idiom| !known.contains(&idiom.name)) {
            self.idiom(idiom, true);
        }
    }

    /// An idiom of the library, with the include that it needs.
    fn idiom(&mut self, idiom: &Idiom, is_new: bool) {
        let detail = idiom.costs().first().cloned().unwrap_or_default();
        let documentation = self.documentation(&Text::default().code(idiom.comment.as_str()));
        let include = is_new.then(|| include(self.view, idiom.file)).flatten();
        let include = include.map(|edit| self.apart(edit));
        let (snippets, range) = (self.view.workspace.client.snippets, self.range);
        let item = self.add(idiom.name, Kind::Function, detail, 2 + u32::from(is_new));
        item.documentation = documentation;
        item.additional_text_edits = include.map(|edit| vec![edit]);
        if snippets && !idiom.parameters.is_empty() {
            let holes =
                idiom.parameters.iter().zip(1..).map(|(name, number)| format!("${{{number}:{name}}}"));
            let new_text = format!("{} {}", idiom.name, holes.collect::<Vec<_>>().join(", "));
            item.text_edit = Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text }));
            item.insert_text_format = Some(InsertTextFormat::Snippet);
        }
    }

    /// Moves an include so that it does not touch the word being completed: above the line, if that is the last one.
    fn apart(&self, include: TextEdit) -> TextEdit {
        let line = self.range.start.line;
        if include.range.start.line != line {
            return include;
        }
        let start = Position { line, character: 0 };
        TextEdit { range: Range { start, end: start }, new_text: include.new_text.trim_start().to_owned() }
    }

    fn directives(&mut self) {
        for directive in DIRECTIVES {
            let meaning = contract(directive).unwrap_or_default();
            self.add(directive, Kind::Keyword, meaning.to_owned(), 0);
        }
    }

    fn operands(&mut self, offset: u32, wanted: Option<SymbolKind>) {
        let analysis = self.view.analysis.clone();
        for item in analysis.visible(self.view.file, offset) {
            let hidden = item.name.starts_with('_') && item.is_of_library;
            // After `#`, an address is hardly meant: a byte of RAM has no constant value.
            let is_address = wanted == Some(SymbolKind::Constant)
                && matches!(item.kind, ItemKind::Symbol(SymbolKind::Ram | SymbolKind::Routine));
            if hidden || is_address || item.kind == ItemKind::Symbol(SymbolKind::Macro) {
                continue;
            }
            let kind = match item.kind {
                ItemKind::Symbol(SymbolKind::Constant) | ItemKind::Counter => Kind::Constant,
                ItemKind::Symbol(SymbolKind::Function) => Kind::Function,
                ItemKind::Symbol(SymbolKind::Routine) => Kind::Method,
                ItemKind::Symbol(SymbolKind::Label) => Kind::Reference,
                _ => Kind::Variable,
            };
            let is_near =
                matches!(item.kind, ItemKind::Parameter | ItemKind::Counter) || item.name.starts_with('.');
            let is_wanted = wanted.is_some_and(|wanted| item.kind == ItemKind::Symbol(wanted));
            let order = u32::from(!is_near) + u32::from(!is_wanted) + u32::from(item.is_of_library);
            let detail = meaning(self.view, item);
            let documentation = self.documentation(&Text::default().code(comment(self.view, item)));
            self.add(&item.name, kind, detail, order).documentation = documentation;
        }
        for (name, meaning) in FUNCTIONS {
            self.add(name, Kind::Function, meaning.to_owned(), 4);
        }
    }

    fn files(&mut self, (before, after): (&str, &str)) {
        for (name, text) in LIBRARY_FILES {
            let detail = text.lines().find_map(|line| line.strip_prefix("; ")).unwrap_or_default();
            let path = format!("lib/{name}");
            let edit = TextEdit { range: self.range, new_text: format!("{before}{path}{after}") };
            self.add(&path, Kind::File, detail.to_owned(), 0).text_edit = Some(edit.into());
        }
    }

    fn warnings(&mut self) {
        for warning in Warning::ALL {
            self.add(warning.name(), Kind::EnumMember, String::new(), 0);
        }
    }
}

/// The edit that includes a file of the library at the end of the program. `None` if the file is included already,
/// directly or through another one.
pub fn include(view: &View, file: &str) -> Option<TextEdit> {
    let sources = &view.analysis.report.sources;
    let included = sources.paths().filter_map(|path| path.rsplit_once("lib/").map(|(_, name)| name));
    if included.into_iter().any(|included| brings(included, file)) {
        return None;
    }
    // Most programs need more than one file sooner or later, and unused parts of the library take no words.
    let file = if brings("all.g1", file) { "all.g1" } else { file };
    let lines = view.lines();
    let end = Position { line: lines.count() as u32 - 1, ..lines.position(view.text().len() as u32) };
    let gap = match view.text().ends_with('\n') || view.text().is_empty() {
        true => "\n",
        false => "\n\n",
    };
    let new_text = format!("{gap}.include \"lib/{file}\"\n").replace('\n', lines.end());
    Some(TextEdit { range: Range { start: end, end }, new_text })
}
