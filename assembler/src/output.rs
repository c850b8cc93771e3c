//! The output formats of a finished program: Intel HEX and the symbol file. (The plain ones, `bin` and `prom`, are
//! [`gray1_isa::Image::to_bytes`] and [`gray1_isa::Image::to_proms`].)

use crate::kind::SymbolKind;
use crate::program::Program;
use crate::source::{Position, Sources, Span};
use gray1_isa::Image;
use ihex::Record;
use ron::ser::PrettyConfig;
use serde::Serialize;

/// The data bytes of one record of Intel HEX.
const RECORD_BYTES: usize = 16;

/// The contents of the two program chips, low and high bytes, in physical order, as Intel HEX.
pub fn intel_hex(image: &Image) -> [String; 2] {
    image.to_proms().map(|prom| {
        let data = (0u16..).step_by(RECORD_BYTES).zip(prom.chunks(RECORD_BYTES));
        let mut records: Vec<Record> =
            data.map(|(offset, bytes)| Record::Data { offset, value: bytes.to_vec() }).collect();
        records.push(Record::EndOfFile);
        // Sixteen bytes always fit in a record, so this cannot fail.
        ihex::create_object_file_representation(&records).unwrap_or_default()
    })
}

#[derive(Serialize)]
#[serde(rename = "Symbols")]
struct SymbolFile<'a> {
    names: Vec<NameEntry<'a>>,
    words: Vec<WordEntry<'a>>,
}

#[derive(Serialize)]
struct NameEntry<'a> {
    name: String,
    kind: SymbolKind,
    value: i64,
    size: u16,
    /// `None` for built-in and predefined names.
    position: Option<FilePosition<'a>>,
}

#[derive(Serialize)]
struct WordEntry<'a> {
    sequence: u16,
    word: u16,
    /// Innermost first: the line itself, then the calls, loops and includes that led there.
    positions: Vec<FilePosition<'a>>,
}

/// A file, a line and a column, the last two from 1.
#[derive(Serialize)]
struct FilePosition<'a>(&'a str, usize, usize);

impl Program {
    /// Formats names and the origins of words, in RON, for debuggers. `sources` are those of the program's report.
    pub fn symbol_file(&self, sources: &Sources) -> String {
        let position = |span: Span| {
            let Position { line, column, .. } = sources.position(span);
            FilePosition(sources.path(span.file), line, column)
        };
        let names = self.symbols.iter().map(|symbol| NameEntry {
            name: symbol.name.clone(),
            kind: symbol.kind,
            value: symbol.value,
            size: symbol.size,
            position: symbol.span.map(position),
        });
        let words = self.words.iter().map(|word| WordEntry {
            sequence: word.sequence,
            word: self.image.word(word.sequence).0,
            positions: [word.span]
                .into_iter()
                .chain(self.chain(word).map(|expansion| expansion.span))
                .map(position)
                .collect(),
        });
        let file = SymbolFile { names: names.collect(), words: words.collect() };
        let layout = PrettyConfig::new().depth_limit(2).struct_names(false).new_line("\n");
        // Serialising plain data into memory cannot fail.
        ron::ser::to_string_pretty(&file, layout).map(|text| text + "\n").unwrap_or_default()
    }
}
