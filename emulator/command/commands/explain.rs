//! `gray1 explain`: explains an error or a warning of the assembler.

use crate::ending::Ending;
use crate::support::completion;
use crate::support::files::print;
use gray1_assembler::{Code, MemoryLoader, Options, assemble, closest};
use std::error::Error;
use std::fmt::Write;

#[derive(clap::Args)]
pub struct Arguments {
    /// The name of an error or a warning, as shown in brackets in its message; without a name, list all
    #[arg(value_parser = completion::code(parse_code), hide_possible_values = true)]
    code: Option<Code>,
}

pub fn explain(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let text = arguments.code.map_or_else(list, page);
    print(text.as_bytes())?;
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
    for (kind, is_error) in [("Errors", true), ("Warnings", false)] {
        let _ = writeln!(text, "{kind}");
        for code in Code::all().filter(|code| matches!(code, Code::Error(_)) == is_error) {
            let _ = writeln!(text, "  {:24}{}", code.name(), code.summary());
        }
    }
    text
}

/// Formats a page: removes the Markdown fences around its example, and adds the assembler's message after the example.
fn page(code: Code) -> String {
    let level = if matches!(code, Code::Error(_)) { "error" } else { "warning" };
    let mut text = format!("{level}[{}]\n\n", code.name());
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
