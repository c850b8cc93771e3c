//! The text shown about the name or word under the pointer.

use crate::lsp::describe::{
    comment, cost, costs, definition, item_costs, listed, meaning, number, routine_costs, statement_costs,
};
use crate::lsp::formulas;
use crate::lsp::names::meant;
use crate::lsp::view::View;
use gen_lsp_types::{Contents, Documentation, Hover, MarkupContent, MarkupKind, Range};
use gray1_assembler::{Cost, Cycles, Found, Item, StatementAt, literal, split_comment};
use gray1_isa::Opcode;
use gray1_text::counted;

/// Maximum number of meanings shown for a pasted name.
const MAX_ITEMS: usize = 4;

pub fn hover(view: &View, offset: u32) -> Option<Hover> {
    let (text, range) = about_name(view, offset).or_else(|| about_word(view, offset))?;
    let contents = Contents::MarkupContent(text.markup(view.workspace.client.markdown));
    Some(Hover { contents, range: Some(range) })
}

/// A text in parts, each either code or prose.
#[derive(Default)]
pub struct Text(Vec<(bool, String)>);

impl Text {
    pub fn code(mut self, text: impl Into<String>) -> Text {
        self.0.push((true, text.into()));
        self
    }

    pub fn prose(mut self, text: impl Into<String>) -> Text {
        self.0.push((false, text.into()));
        self
    }

    /// The text in the form of the protocol.
    pub fn markup(&self, markdown: bool) -> MarkupContent {
        let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
        MarkupContent { kind, value: self.rendered(markdown) }
    }

    /// The same as documentation of a completion, or `None` if the text is empty.
    pub fn documentation(&self, markdown: bool) -> Option<Documentation> {
        Some(self.markup(markdown))
            .filter(|markup| !markup.value.is_empty())
            .map(Documentation::MarkupContent)
    }

    fn rendered(&self, markdown: bool) -> String {
        let parts = self.0.iter().filter(|(_, text)| !text.is_empty());
        let parts = parts.map(|(is_code, text)| match *is_code && markdown {
            // The fence is longer than any row of backticks in the code, so that none of these ends it.
            true => {
                let fence = "`".repeat(longest_run(text).max(2) + 1);
                format!("{fence}gray1\n{text}\n{fence}")
            }
            false => text.clone(),
        });
        parts.collect::<Vec<_>>().join("\n\n")
    }
}

/// The length of the longest row of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn about_name(view: &View, offset: u32) -> Option<(Text, Range)> {
    let place = view.analysis.occurrence_at(view.file, offset)?;
    let items = meant(view, offset);
    let mut text = Text::default();
    for &(number, item) in items.iter().take(MAX_ITEMS) {
        text = about_item(view, number, item, text);
    }
    if items.len() > MAX_ITEMS {
        text = text.prose(format!("… and {} more", items.len() - MAX_ITEMS));
    }
    if let Some(statement) = view.analysis.statement_at(view.file, offset)
        && statement.kind == StatementAt::Call
        && let Some(here) = statement_costs(view, &statement)
        && (statement.span == place.span || view.source(statement.span).eq_ignore_ascii_case("call"))
    {
        text = text.prose(format!("here: {here}"));
    }
    Some((text, view.lines().range(place.span.start, place.span.end)))
}

/// The whole text about an item.
pub fn about_item(view: &View, number: u32, item: &Item, text: Text) -> Text {
    let mut meaning = meaning(view, item);
    if let Some(costs) = item_costs(view, number) {
        meaning = format!("{meaning}; {costs}");
    }
    if item.is_of_library {
        meaning += ", of the library";
    }
    text.code(definition(view, item)).prose(meaning).code(comment(view, item))
}

/// The text about a word that is not a name of the program: an instruction, a directive, a function, a number.
fn about_word(view: &View, offset: u32) -> Option<(Text, Range)> {
    let lines = view.lines();
    let (start, end) = lines.bounds(lines.line_of(offset));
    let code = split_comment(&view.text()[start..end]).0;
    let at = (offset as usize - start).min(code.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$%.'\\".contains(c);
    let first = code[..at]
        .rfind(|c| !is_word(c))
        .map_or(0, |before| before + code[before..].chars().next().map_or(1, char::len_utf8));
    let last = code[at..].find(|c| !is_word(c)).map_or(code.len(), |length| at + length);
    let word = &code[first..last];
    let range = lines.range((start + first) as u32, (start + last) as u32);
    let statement = view.analysis.statement_at(view.file, offset);
    let text = about_instruction(word)
        .or_else(|| about_contract(code, word))
        .or_else(|| about_statement(view, word, statement?))
        .or_else(|| match literal(word) {
            Ok(Some((value, length))) if length == word.len() => Some(Text::default().prose(number(value))),
            _ => None,
        })?;
    Some((text, range))
}

/// A directive of contracts, or a word of its formula.
fn about_contract(code: &str, word: &str) -> Option<Text> {
    let first = code.split_whitespace().next()?;
    let directive = formulas::contract(first)?;
    let meaning = if word == first { Some(directive) } else { formulas::word(word) };
    meaning.map(|meaning| Text::default().prose(meaning))
}

fn about_instruction(word: &str) -> Option<Text> {
    let row = Opcode::from_mnemonic(word)?.row();
    let cost = cost(&Cost { words: 1, cycles: Some(Cycles { least: Some(1), most: Some(1) }) });
    Some(Text::default().code(row.effect).prose(format!("{}; {cost}", row.meaning)))
}

/// The costs of a block or a `call`.
fn about_statement(view: &View, word: &str, statement: Found) -> Option<Text> {
    let text = Text::default();
    let analysis = &view.analysis;
    let is_head = view.source(statement.span).starts_with(word);
    match statement.kind {
        StatementAt::Call if is_head => Some(text.prose(statement_costs(view, &statement)?)),
        StatementAt::Loop if is_head => {
            let rounds = analysis.rounds(statement.span);
            let values: Vec<String> = rounds.iter().map(ToString::to_string).collect();
            let rounds = format!("{}: {}", counted(rounds.len(), "round"), listed(&values));
            let costs = costs(&analysis.costs_of_loop(statement.span)).unwrap_or_default();
            Some(text.prose(rounds).prose(costs))
        }
        StatementAt::Control | StatementAt::Routine if is_head => {
            let block = analysis.blocks(view.file).find(|block| block.opener == statement.span)?;
            Some(text.prose(routine_costs(view, block.opener, block.closer)?))
        }
        _ => None,
    }
}
