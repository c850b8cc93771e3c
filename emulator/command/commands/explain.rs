//! `gray1 explain`: explains an error or a warning of the assembler.

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::json::print_answer;
use gray1_assembler::{Code, MemoryLoader, Options, assemble, closest};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Write;

#[derive(clap::Args)]
pub struct Arguments {
    /// The name of an error or a warning, as shown in brackets in its message; without a name, list all
    #[arg(value_parser = completion::code(parse_code), hide_possible_values = true)]
    code: Option<Code>,
    /// The format of the explanation
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text")]
    format: Format,
}

pub fn explain(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    print_answer(
        arguments.format,
        "explain",
        || arguments.code.map_or_else(list, page),
        || match arguments.code {
            Some(code) => json!({ "code": code.name(), "level": level(code), "text": page(code) }),
            None => json!({ "codes": Code::all().map(row).collect::<Vec<_>>() }),
        },
    )?;
    Ok(Ending::Done)
}

fn parse_code(name: &str) -> Result<Code, String> {
    Code::from_name(name).ok_or_else(|| match closest(name, Code::all().map(Code::name)) {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => "`gray1 explain` lists all names".to_owned(),
    })
}

fn list() -> String {
    let mut text = String::new();
    for (kind, of_kind) in [("Errors", "error"), ("Warnings", "warning")] {
        let _ = writeln!(text, "{kind}");
        for code in Code::all().filter(|code| level(*code) == of_kind) {
            let _ = writeln!(text, "  {:24}{}", code.name(), code.summary());
        }
    }
    text
}

fn row(code: Code) -> Value {
    json!({ "code": code.name(), "level": level(code), "summary": code.summary() })
}

fn level(code: Code) -> &'static str {
    if matches!(code, Code::Error(_)) { "error" } else { "warning" }
}

/// Formats a page: removes the Markdown fences around its example, and adds the assembler's message after the example.
fn page(code: Code) -> String {
    let mut text = format!("{}[{}]\n\n", level(code), code.name());
    let mut is_source = false;
    for line in code.page().lines() {
        match line.strip_prefix("```") {
            Some(_) => {
                if is_source {
                    text += &message(code);
                }
                is_source = !is_source;
            }
            None if is_source => {
                let _ = writeln!(text, "    {line}");
            }
            None => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

/// Returns the assembler's first diagnostic for the example of a page.
fn message(code: Code) -> String {
    let Some(source) = code.example() else { return String::new() };
    let files = MemoryLoader::new([("example.g1", source)]);
    let mut report = assemble(&files, "example.g1", &Options::default()).report;
    report.diagnostics.truncate(1);
    format!("\n{}", report.render(false).trim_end()) + "\n"
}
