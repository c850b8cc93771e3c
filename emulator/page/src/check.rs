//! The assembler's messages, as on the command line, and their places in the editor.

use crate::Refusal;
use crate::protocol::{Checked, Diagnostic, LineCost, Place, Program, Proved, Symbol};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gray1_assembler::{
    self as assembler, Assembly, MemoryLoader, Options, Report, Sources, Span, SymbolKind, assemble, beside,
    cycles,
};
use gray1_debugger::Source;
use gray1_isa::Image;
use gray1_proof::contracts::{Limits, lenses, title};
use std::collections::BTreeMap;

/// The name of a program that has none.
const NAMELESS: &str = "program.g1";

/// Assembles a program, or takes its image. Returns the diagnostics as well, and the source if there was no error.
pub fn check(program: &Program) -> Result<(Checked, Option<Source>), Refusal> {
    if let Some(image) = &program.image {
        let bytes = STANDARD.decode(image).map_err(|error| format!("the image is not base64: {error}"))?;
        let image = Image::from_bytes(&bytes).map_err(|error| format!("{}: {error}", program.name))?;
        return Ok((Checked::default(), Some(Source::of_image(image))));
    }
    let Assembly { program: assembled, report } = assembled(program);
    let diagnostics = report.diagnostics.iter().map(|diagnostic| shown(&report, diagnostic));
    let diagnostics: Vec<Diagnostic> = diagnostics.collect();
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error).count();
    let mut checked = Checked {
        errors,
        warnings: diagnostics.len() - errors,
        diagnostics,
        text: report.to_string(),
        ..Checked::default()
    };
    let Some(assembled) = assembled else { return Ok((checked, None)) };
    checked.words = assembled.words.len();
    checked.ram_bytes = assembled.ram_bytes();
    checked.symbols = assembled.symbols.iter().filter_map(|one| symbol(&report.sources, one)).collect();
    checked.contracts = proved(&assembled, &report.sources);
    checked.defaults.clone_from(&assembled.defaults);
    let source = Source::of_assembly(Assembly { program: Some(assembled), report });
    checked.costs = source.as_ref().map_or(Vec::new(), costs);
    Ok((checked, source))
}

/// Resource limits for each contract: it is proved after every change of the program.
const LIMITS: Limits =
    Limits { words: 20_000, words_of_program: 100_000, words_before_invariants: 5_000, nodes: 100_000 };

/// The verdicts on the contracts in the program's own file.
fn proved(program: &assembler::Program, sources: &Sources) -> Vec<Proved> {
    let proved = |(span, name): (Span, &str)| {
        let text = title(program, sources, name, LIMITS, &|| false).ok()?;
        Some(Proved { line: sources.position(span).line, text })
    };
    lenses(program, 0).into_iter().filter_map(proved).collect()
}

/// Assembles a program.
pub fn assembled(program: &Program) -> Assembly {
    let name = match program.name.as_str() {
        "" => NAMELESS,
        name => name,
    };
    let root = beside(None, name);
    let others = program.files.iter().map(|(name, text)| (beside(None, name), text.as_str()));
    let files = others.chain([(root.clone(), program.text.as_str())]);
    let constants = program.constants.iter().map(|(name, value)| (name.clone(), *value)).collect();
    assemble(&MemoryLoader::new(files), &root, &Options { constants, ..Options::default() })
}

fn shown(report: &Report, diagnostic: &assembler::Diagnostic) -> Diagnostic {
    let sources = &report.sources;
    let chain = diagnostic.chain.iter().map(|expansion| expansion.span);
    let in_root = diagnostic.span.into_iter().chain(chain).find(|span| span.file == 0);
    Diagnostic {
        is_error: diagnostic.is_error(),
        code: diagnostic.code.name(),
        message: diagnostic.message.clone(),
        label: diagnostic.label.clone(),
        help: diagnostic.help.clone(),
        place: in_root.or(diagnostic.span).map(|span| place(sources, span)),
        text: report.render_one(diagnostic, false),
    }
}

fn place(sources: &Sources, span: Span) -> Place {
    let position = sources.position(span);
    let text = sources.text(span.file);
    let units = |end: u32| {
        let before = &text[..end as usize];
        if before.is_ascii() { before.len() } else { before.encode_utf16().count() }
    };
    Place {
        file: position.file,
        is_root: span.file == 0,
        line: position.line,
        column: position.column,
        from: units(span.start),
        to: units(span.end.max(span.start)),
    }
}

fn symbol(sources: &Sources, symbol: &assembler::Symbol) -> Option<Symbol> {
    let kind = match symbol.kind {
        SymbolKind::Label | SymbolKind::Routine => "label",
        SymbolKind::Ram => "ram",
        SymbolKind::Constant | SymbolKind::Variable => "constant",
        SymbolKind::Macro | SymbolKind::Function | SymbolKind::Table => "macro",
    };
    let line = symbol.span.filter(|span| span.file == 0).map(|span| sources.position(span).line);
    let (name, value, size) = (symbol.name.clone(), symbol.value, symbol.size);
    (!symbol.is_inside_expansion).then_some(Symbol { name, kind, value, size, line })
}

/// The cost of each line of the root file: the words it makes, directly and through what it calls.
fn costs(source: &Source) -> Vec<LineCost> {
    let mut lines: BTreeMap<usize, Vec<u16>> = BTreeMap::new();
    for sequence in 0..source.image().words().len() as u16 {
        if let Some(line) = root_line(source, sequence) {
            lines.entry(line).or_default().push(sequence);
        }
    }
    let cost = |(line, words): (usize, Vec<u16>)| {
        let (first, last) = (words[0], words[words.len() - 1]);
        let is_in_one_piece = usize::from(last - first) + 1 == words.len();
        let cycles =
            if is_in_one_piece { cycles(source.image(), first, last + 1).to_string() } else { String::new() };
        LineCost { line, words: words.len(), cycles, first }
    };
    lines.into_iter().map(cost).collect()
}

/// The line of the root file that a word is on, or that has called the code it is in.
pub fn root_line(source: &Source, sequence: u16) -> Option<usize> {
    let root = source.root()?;
    source.statement(sequence).iter().rev().find(|frame| frame.file == root).map(|frame| frame.line)
}
