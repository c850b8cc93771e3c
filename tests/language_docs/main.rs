//! The examples in the documents are true: every program is assembled, and where the text shows what comes of it,
//! in the block right behind, that is compared.
//!
//! ```text
//!   g1            assembles without an error
//!   g1,error      does not; the next block is all the assembler says, likewise g1,warning
//!   g1,listing    the next block is its listing
//!   g1,run        runs until it halts, without a warning; the next block is what it sends to the output port
//!   g1,display    the next block is the display at the end: g green, r red, a amber, . dark
//! ```
//!
//! All examples are in the layout of `gray1 fmt`. Run with `BLESS=1` to bring them there, and a second time to rewrite
//! the next blocks. An example stands as if in `programs/example.g1`.

use gray1_assembler::{Assembly, Loaded, Loader, Options, assemble, beside, format};
use gray1_isa::Image;
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, RED};
use gray1_machine::{Engine, FastEngine, Noise, Outside};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The documents, each with its number of examples.
const DOCUMENTS: [(&str, usize); 2] = [("docs/assembly-language.md", 18), ("docs/tutorial.md", 10)];

/// No example runs longer.
const MOST_CYCLES: u64 = 10_000_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A fenced block.
#[derive(Debug)]
struct Block {
    kind: String,
    /// Of its content.
    range: Range<usize>,
    line: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if let Some(kind) = line.trim_end().strip_prefix("```") {
            match open.take() {
                Some(mut block) => {
                    block.range.end = at;
                    blocks.push(block);
                }
                None => {
                    let start = at + line.len();
                    open = Some(Block { kind: kind.to_owned(), range: start..start, line: number });
                }
            }
        }
        at += line.len();
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The example in memory, the library on disk.
struct Example<'a>(&'a str);

impl Loader for Example<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> std::io::Result<Loaded> {
        if from.is_none() {
            return Ok(Loaded { path: path.to_owned(), bytes: self.0.as_bytes().to_vec() });
        }
        let path = beside(from, path);
        Ok(Loaded { bytes: std::fs::read(root().join("programs").join(&path))?, path })
    }
}

#[derive(Default)]
struct Port(Vec<u8>);

impl Outside for Port {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push(byte);
    }
}

/// What is sent to the output port, and the display at the end.
fn run(image: &Image) -> (String, String) {
    let mut engine = FastEngine::power_up(image, Noise::Random(1));
    let mut port = Port::default();
    engine.run(MOST_CYCLES, &mut port).expect("the board settles");
    assert!(engine.halted(), "the example does not halt");
    let ram = engine.state().ram;
    let mut display = String::new();
    for row in 0..DISPLAY_SIZE {
        for column in 0..DISPLAY_SIZE {
            let lit = |plane: u16| ram[usize::from(plane) + row] >> column & 1 == 1;
            display.push(match (lit(GREEN), lit(RED)) {
                (false, false) => '.',
                (true, false) => 'g',
                (false, true) => 'r',
                (true, true) => 'a',
            });
        }
        display.push('\n');
    }
    (String::from_utf8_lossy(&port.0).into_owned(), display)
}

/// What must stand in the block behind an example, if anything.
fn outcome(kind: &str, assembly: &Assembly, place: &str) -> Option<String> {
    let report = assembly.report.render(false);
    let expects_errors = kind == "g1,error";
    assert_eq!(assembly.program.is_none(), expects_errors, "{place}:\n{report}");
    let silent = assembly.report.diagnostics.is_empty();
    match (kind, &assembly.program) {
        ("g1", Some(_)) => None,
        ("g1,error" | "g1,warning", _) => {
            assert!(!silent, "{place}: there is no warning");
            Some(report.trim().to_owned() + "\n")
        }
        ("g1,listing", Some(program)) => Some(program.listing(&assembly.report.sources)),
        ("g1,run" | "g1,display", Some(program)) => {
            assert!(silent, "{place}:\n{report}");
            let (sent, display) = run(&program.image);
            let text = if kind == "g1,run" { sent } else { display };
            Some(text.trim_end().to_owned() + "\n")
        }
        _ => panic!("{place}: there are no examples of the kind `{kind}`"),
    }
}

/// Checks a document; how many examples it has.
fn check(document: &str) -> usize {
    let path: PathBuf = root().join(document);
    let mut text = std::fs::read_to_string(&path).expect("the document");
    let blocks = blocks(&text);
    let mut examples = 0;
    let mut replaced: Vec<(Range<usize>, String)> = Vec::new();
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.kind.starts_with("g1")) {
        let place = format!("{document}:{}", block.line);
        let source = &text[block.range.clone()];
        if let Ok(formatted) = format("example.g1", source.as_bytes()) {
            if formatted != source && std::env::var_os("BLESS").is_some() {
                replaced.push((block.range.clone(), formatted));
                continue;
            }
            assert_eq!(source, formatted, "{place}: not in the layout of `gray1 fmt`");
        }
        let assembly = assemble(&Example(source), "example.g1", &Options::default());
        examples += 1;
        let Some(expected) = outcome(&block.kind, &assembly, &place) else { continue };
        let next = blocks.get(index + 1).filter(|next| !next.kind.starts_with("g1"));
        let next = next.unwrap_or_else(|| panic!("{place}: no block behind it says what comes of it"));
        if std::env::var_os("BLESS").is_some() {
            replaced.push((next.range.clone(), expected));
        } else {
            assert_eq!(text[next.range.clone()], expected, "{place}");
        }
    }
    for (range, expected) in replaced.into_iter().rev() {
        text.replace_range(range, &expected);
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("the document can be written");
    }
    examples
}

#[test]
fn every_example_does_what_the_documents_say() {
    for (document, examples) in DOCUMENTS {
        assert_eq!(check(document), examples, "examples in {document}");
    }
}
