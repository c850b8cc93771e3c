//! Signature help: the parameters of a macro or a function while its arguments are being written.

use crate::lsp::describe::{comment, parameters};
use crate::lsp::hover::Text;
use crate::lsp::view::View;
use gen_lsp_types::{ParameterInformation, ParameterInformationLabel, SignatureHelp, SignatureInformation};
use gray1_assembler::{Item, ItemKind, SymbolKind, split_comment};

pub fn signature(view: &View, offset: u32) -> Option<SignatureHelp> {
    let lines = view.lines();
    let (start, _) = lines.bounds(lines.line_of(offset));
    let before = &view.text()[start..offset as usize];
    if split_comment(before).0.len() < before.len() {
        return None;
    }
    let (name, argument) = function_call(before).or_else(|| macro_call(before))?;
    let visible = view.analysis.visible(view.file, offset);
    let is_called = |item: &&&Item| {
        let takes = matches!(item.kind, ItemKind::Symbol(SymbolKind::Macro | SymbolKind::Function));
        takes && item.name == name
    };
    let (label, parameters, documentation) = match visible.iter().find(is_called) {
        Some(item) => {
            let parameters = parameters(view, item);
            (label(name, &parameters, item.kind), parameters, comment(view, item))
        }
        None => {
            let idiom = view.workspace.idioms.iter().find(|idiom| idiom.name == name)?;
            let parameters: Vec<String> = idiom.parameters.iter().map(|&name| name.to_owned()).collect();
            (label(name, &parameters, ItemKind::Symbol(SymbolKind::Macro)), parameters, idiom.comment.clone())
        }
    };
    let information = |name: String| ParameterInformation {
        label: ParameterInformationLabel::String(name),
        documentation: None,
    };
    let signature = SignatureInformation {
        label,
        documentation: Text::default().code(documentation).documentation(view.workspace.client.markdown),
        parameters: Some(parameters.into_iter().map(information).collect()),
        active_parameter: None,
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some(argument.into()),
    })
}

fn label(name: &str, parameters: &[String], kind: ItemKind) -> String {
    let parameters = parameters.join(", ");
    match kind {
        ItemKind::Symbol(SymbolKind::Function) => format!("{name}({parameters})"),
        _ => format!("{name} {parameters}"),
    }
}

/// The function whose parentheses are open, and how many arguments are complete.
fn function_call(before: &str) -> Option<(&str, u32)> {
    let mut depth = 0;
    let mut commas = 0;
    for (at, sign) in before.char_indices().rev() {
        match sign {
            ')' => depth += 1,
            '(' if depth > 0 => depth -= 1,
            '(' => {
                let name = last_name(before[..at].trim_end());
                return (!name.is_empty()).then_some((name, commas));
            }
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

fn last_name(text: &str) -> &str {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    &text[text.trim_end_matches(is_letter).len()..]
}

/// The macro that is called on this line, and how many arguments are complete.
fn macro_call(before: &str) -> Option<(&str, u32)> {
    let statement = match before.split_once(':') {
        Some((label, rest)) if !label.trim().contains(char::is_whitespace) => rest,
        _ => before,
    };
    let (name, arguments) = statement.trim_start().split_once(char::is_whitespace)?;
    let (mut quoted, mut depth) = (false, 0);
    let commas = arguments.chars().filter(|&sign| {
        quoted ^= sign == '"';
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        sign == ',' && !quoted && depth == 0
    });
    Some((name, commas.count() as u32))
}
