//! Inlay hints, shown between the words of a source: the costs of calls, and the values of loop counters.

use crate::lsp::describe::{listed, statement_costs};
use crate::lsp::view::View;
use gen_lsp_types::{InlayHint, Range};
use gray1_assembler::{Found, Span, StatementAt};

pub fn hints(view: &View, range: Range) -> Vec<InlayHint> {
    let Span { start, end, .. } = view.span(range);
    let lines = view.lines();
    let statements = view.analysis.statements(view.file);
    let shown = statements.filter(|statement| (start..=end).contains(&statement.span.start));
    let hint = |statement: Found| {
        let label = label(view, &statement)?;
        let last = statement.operands.iter().map(|operand| operand.end).max().unwrap_or_default();
        let mut offset = last.max(statement.span.end);
        if statement.kind == StatementAt::Loop {
            // The values of a loop are shown after its head.
            let (line, code) = (lines.line_of(offset), lines.line(lines.line_of(offset)));
            let code = gray1_assembler::split_comment(code).0.trim_end();
            offset = (lines.bounds(line).0 + code.len()) as u32;
        }
        let (position, padding) = (lines.position(offset), Some(true));
        Some(InlayHint::new(position, label.into(), None, None, None, padding, None, None))
    };
    shown.filter_map(hint).collect()
}

fn label(view: &View, statement: &Found) -> Option<String> {
    match statement.kind {
        StatementAt::Call => statement_costs(view, statement),
        StatementAt::Loop => {
            let rounds = view.analysis.rounds(statement.span);
            let values: Vec<String> = rounds.iter().map(ToString::to_string).collect();
            (!values.is_empty()).then(|| listed(&values))
        }
        _ => None,
    }
}
