//! `web/protocol.ts` has the types of `src/protocol`, translated line by line; `UPDATE=1` writes it.

use crate::support::text;
use std::fmt::Write;
use test_support::golden;

const HEAD: &str = "// The requests of the page and the answers of the machine, one JSON object each: the types of src/protocol, from which\n\
                    // `UPDATE=1 cargo test -p gray1-page --test page` makes this file.\n";

/// What has been read of a type before its fields or variants.
#[derive(Default)]
struct Type {
    name: String,
    is_enum: bool,
    /// The name of the field that tells the variants apart.
    tag: Option<String>,
    /// Whether fields may be left out: in requests, those that are optional or have a default.
    is_read: bool,
    has_defaults: bool,
}

/// A field or a variant in Rust, and the comment and the attributes before it.
#[derive(Default)]
struct Item {
    comment: Vec<String>,
    attributes: String,
}

impl Item {
    fn comment(&self, indent: &str) -> String {
        match &self.comment[..] {
            [] => String::new(),
            [line] => format!("{indent}/** {line} */\n"),
            lines => {
                format!("{indent}/**\n{indent} * {}\n{indent} */\n", lines.join(&format!("\n{indent} * ")))
            }
        }
    }
}

/// A type of Rust in TypeScript.
fn translated(rust: &str) -> String {
    let inside = |start: &str| rust.strip_prefix(start).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inside("Option<") {
        return format!("{} | null", translated(inner));
    } else if let Some(inner) = inside("Box<") {
        return translated(inner);
    } else if let Some(inner) = inside("Vec<") {
        return format!("{}[]", translated(inner));
    } else if let Some(inner) = inside("BTreeMap<") {
        return format!("Record<{}>", list(inner));
    } else if let Some(inner) = rust.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return format!("[{}]", list(inner));
    } else if let Some((inner, count)) = rust.strip_prefix('[').and_then(|rest| rest.split_once("; ")) {
        let (inner, count) = (translated(inner), count.trim_end_matches(']').parse::<usize>().unwrap());
        return if count > 4 { format!("{inner}[]") } else { format!("[{}]", vec![inner; count].join(", ")) };
    }
    match rust {
        "String" | "&'static str" => "string".to_owned(),
        "bool" => "boolean".to_owned(),
        _ if rust == "f64" || rust.starts_with(['u', 'i']) => "number".to_owned(),
        own => own.to_owned(),
    }
}

/// Types with commas between them.
fn list(rust: &str) -> String {
    let mut depth = 0;
    let parts = rust.split(|c| {
        depth += i32::from("(<[".contains(c)) - i32::from(")>]".contains(c));
        depth == 0 && c == ','
    });
    parts.map(|part| translated(part.trim())).collect::<Vec<_>>().join(", ")
}

/// The name of a variant as serde writes it.
fn kebab(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_ascii_uppercase() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// A field, without what ends it.
fn field(of: &Type, item: &Item, line: &str) -> String {
    let (name, rust) = line.trim_start_matches("pub ").trim_end_matches(',').split_once(": ").unwrap();
    let is_optional = of.has_defaults || item.attributes.contains("default") || rust.starts_with("Option<");
    format!("{name}{}: {}", if of.is_read && is_optional { "?" } else { "" }, translated(rust))
}

/// A variant in TypeScript; `Err` with its tag if its fields follow.
fn variant(of: &Type, item: &Item, code: &str) -> Result<String, String> {
    let (name, rest) = code.split_at(code.find(['(', ' ', ',']).unwrap());
    let name = format!("\"{}\"", kebab(name));
    let tagged = of.tag.as_ref().map_or(name.clone(), |tag| format!("{tag}: {name}"));
    let text = match rest.strip_prefix('(') {
        Some(inner) => format!("({{ {tagged} }} & {})", translated(inner.trim_end_matches("),"))),
        None if rest == " {" => return Err(tagged),
        None if of.tag.is_some() => format!("{{ {tagged} }}"),
        None => tagged,
    };
    Ok(format!("\n{}  | {text}", item.comment("  ")))
}

/// The types of a file, in TypeScript.
fn types(rust: &str) -> String {
    let (mut text, mut item, mut of) = (String::new(), Item::default(), Type::default());
    // The variant whose fields are being read, and its comment.
    let mut open: Option<(Vec<String>, String)> = None;
    for line in rust.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//!")) {
        let code = line.trim();
        if let Some(comment) = code.strip_prefix("///") {
            item.comment.push(comment.trim().to_owned());
            continue;
        } else if code.starts_with("#[") {
            item.attributes += code;
            continue;
        }
        let item = std::mem::take(&mut item);
        if line == "}" {
            text += match std::mem::take(&mut of) {
                Type { name, .. } if name.is_empty() => "", // the end of an `impl`
                Type { is_enum: true, .. } => ";\n",
                _ => "}\n",
            };
        } else if let Some(name) = code.strip_prefix("pub struct ").or(code.strip_prefix("pub enum ")) {
            let tag = item.attributes.split_once("tag = \"").and_then(|(_, rest)| rest.split_once('"'));
            of = Type {
                name: name.trim_end_matches(" {").to_owned(),
                is_enum: code.contains(" enum "),
                tag: tag.map(|(tag, _)| tag.to_owned()),
                is_read: item.attributes.contains("Deserialize"),
                has_defaults: item.attributes.contains("#[serde(default)]"),
            };
            let opening =
                if of.is_enum { format!("type {} =", of.name) } else { format!("interface {} {{", of.name) };
            let _ = writeln!(text, "\n{}export {opening}", item.comment(""));
            text.truncate(text.len() - usize::from(of.is_enum));
        } else if item.attributes.contains("flatten") {
            let opening = text.rfind(" {\n").unwrap();
            let base = code.trim_end_matches(',').rsplit(": ").next().unwrap();
            let word = if text[opening - of.name.len()..].starts_with(&of.name) { " extends" } else { "," };
            text.insert_str(opening, &format!("{word} {base}"));
        } else if of.name.is_empty() || item.attributes.contains("skip") {
            // Functions, imports, and fields that are not sent.
        } else if let (Some((fields, comment)), "},") = (&mut open, code) {
            let _ = write!(text, "\n{comment}  | {{ {} }}", fields.join("; "));
            open = None;
        } else if let Some((fields, _)) = &mut open {
            fields.push(field(&of, &item, code));
        } else if !of.is_enum {
            let _ = writeln!(text, "{}  {};", item.comment("  "), field(&of, &item, code));
        } else {
            match variant(&of, &item, code) {
                Ok(line) => text += &line,
                Err(tag) => open = Some((vec![tag], item.comment("  "))),
            }
        }
    }
    text
}

#[test]
fn the_types_of_the_page_are_those_of_the_machine() {
    let files = ["request", "answer", "source", "moment", "board", "bench", "past"];
    let files = files.iter().map(|name| format!("emulator/page/src/protocol/{name}.rs"));
    let lessons =
        ["lesson", "exercise", "verdict", "board_data"].map(|name| format!("emulator/lessons/src/{name}.rs"));
    let rust: Vec<String> = files.chain(lessons).map(|path| text(&path)).collect();
    let made: String = rust.iter().map(|file| types(file)).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/web/protocol.ts");
    assert!(
        golden::agrees(path, format!("{HEAD}{made}")),
        "src/protocol has changed; UPDATE=1 rewrites {path}"
    );
}
