//! `gray1 page`: inserts a program into the web page that runs the machine in a browser. The result is a single file.

use crate::ending::Ending;
use crate::support::completion;
use crate::support::files::{self, Fault, FileError, shown};
use crate::support::output::write_file;
use crate::support::source::{AssemblerArguments, Text, read_program, show};
use gray1_assembler::{BUILT_IN, disassemble, is_built_in};
use gray1_lessons::Course;
use serde::Serialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// The start tag of the element that contains the program as JSON.
const SLOT_START: &str = "<script type=\"application/json\" id=\"program\">";
const SLOT_END: &str = "</script>";
/// The default program of a page with lessons.
const DEFAULT_PROGRAM: &str = "queens.g1";
/// The name of the page that `emulator/page/build` makes.
const PAGE_FILE: &str = "gray1.html";

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, with its included files, or an image; optional with --lesson
    #[arg(value_parser = completion::program(), hide_possible_values = true, required_unless_present = "lesson")]
    file: Option<PathBuf>,
    /// Write the page to this file
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// Insert the program into this page; the default is the page built by emulator/page/build
    #[arg(long, value_name = "BUILT.html")]
    page: Option<PathBuf>,
    /// Add this lesson and open it; can be repeated
    #[arg(long, value_name = "FILE.md")]
    lesson: Vec<PathBuf>,
    /// Define a constant
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,
}

/// The program in the page's format, which its links use too.
#[derive(Default, Serialize)]
struct PageProgram {
    name: String,
    /// The source; `None` for a program that the page contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    constants: BTreeMap<String, i64>,
    /// The added lessons: file name and text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lessons: Vec<(String, String)>,
    /// The pane to open.
    #[serde(skip_serializing_if = "Option::is_none")]
    tab: Option<&'static str>,
}

pub fn page(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let assembler = AssemblerArguments::with_constants(&arguments.define)?;
    let lessons = read_lessons(&arguments.lesson)?;
    let program = match &arguments.file {
        Some(file) => load_program(file, &assembler)?,
        None => PageProgram { name: DEFAULT_PROGRAM.to_owned(), ..PageProgram::default() },
    };
    let program = PageProgram { tab: (!lessons.is_empty()).then_some("lesson"), lessons, ..program };
    let (path, page) = find_page(arguments.page.as_deref())?;
    let page = insert_program(&page, &program).ok_or_else(|| {
        format!("{}: this page has no slot for a program: build one with emulator/page/build", shown(&path))
    })?;
    write_file(&arguments.output, page.as_bytes())?;
    Ok(Ending::Done)
}

/// Reads lessons and checks them for errors. Returns their file names and texts.
fn read_lessons(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut course = Course::shipped();
    let mut lessons = Vec::new();
    for path in paths {
        let text = files::read_text(path)?;
        course.add(&shown(path), &text)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        lessons.push((name, text));
    }
    Ok(lessons)
}

/// Reads a program with all its source files. Fails if the program has errors.
fn load_program(file: &Path, assembler: &AssemblerArguments) -> Result<PageProgram, Box<dyn Error>> {
    let constants = assembler.define.iter().cloned().collect();
    let found = match read_program(file)? {
        Text::Image(image) => {
            let name =
                file.with_extension("g1").file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = Some(disassemble(&image));
            return Ok(PageProgram { name, text, constants, ..PageProgram::default() });
        }
        Text::Source(found) => found,
    };
    let sources = assembler.assemble(found, &mut show)?.1.sources;
    let paths: Vec<&str> = sources.paths().collect();
    // If all files are in the program's folder, make their paths relative to it. Includes stay valid.
    let folder = paths[0].rsplit_once('/').map_or("", |(folder, _)| &paths[0][..=folder.len()]);
    let own = || paths.iter().zip(0..).filter(|(path, number)| *number == 0 || !is_built_in(path));
    let folder = if own().all(|(path, _)| path.starts_with(folder)) { folder } else { "" };
    let mut files: BTreeMap<String, String> = own()
        .map(|(path, number)| (path[folder.len()..].to_owned(), sources.text(number).to_owned()))
        .collect();
    let path = &paths[0][folder.len()..];
    let text = Some(files.remove(path).unwrap_or_default());
    let name = path.strip_prefix(BUILT_IN).unwrap_or(path).to_owned();
    Ok(PageProgram { name, text, files, constants, ..PageProgram::default() })
}

/// Finds the built page: the one given by `--page`, or else the first one beside this executable, where packages
/// install it, or in the build folders of a clone.
fn find_page(page: Option<&Path>) -> Result<(PathBuf, String), Box<dyn Error>> {
    if let Some(path) = page {
        return Ok((path.to_owned(), files::read_text(path)?));
    }
    let executable = std::env::current_exe().unwrap_or_default();
    let folder = executable.parent().unwrap_or(Path::new(""));
    let prefix = folder.parent().unwrap_or(Path::new(""));
    let installed = prefix.join("share/gray1").join(PAGE_FILE);
    // In a clone: the output folder of the build, and the copy in the repository.
    let own = ["target/page", "docs"].map(|folder| Path::new(folder).join(PAGE_FILE));
    let beside = [prefix.join("page"), prefix.join("../docs")].map(|folder| folder.join(PAGE_FILE));
    for path in [folder.join(PAGE_FILE), installed.clone()].into_iter().chain(beside).chain(own) {
        match files::read_text(&path) {
            Err(FileError { fault: Fault::Read(error), .. }) if error.kind() == io::ErrorKind::NotFound => {}
            text => return Ok((path, text?)),
        }
    }
    // Only an installed executable has a folder for the page.
    let hint = if folder.ends_with("bin") {
        format!(", or copy it to {}", shown(&installed))
    } else {
        String::new()
    };
    Err(format!(
        "the page {PAGE_FILE} was not found: in a clone of the sources it is docs/{PAGE_FILE}, or emulator/page/build \
         makes it; name it with --page{hint}"
    )
    .into())
}

/// Replaces the program of a page. `None` if the page has no slot for a program.
fn insert_program(page: &str, program: &PageProgram) -> Option<String> {
    let (before, rest) = page.split_once(SLOT_START)?;
    let (_, after) = rest.split_once(SLOT_END)?;
    // The text of the program must not contain the end tag of the element.
    let json = serde_json::to_string(program).ok()?.replace('<', "\\u003c");
    Some(format!("{before}{SLOT_START}{json}{SLOT_END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_replaces_another_and_cannot_escape_its_element() {
        let page =
            |inside: &str| format!("<p>before</p>{SLOT_START}{inside}{SLOT_END}<script>after</script>");
        let program = |text: &str| PageProgram {
            name: "a.g1".to_owned(),
            text: Some(text.to_owned()),
            ..PageProgram::default()
        };
        let first =
            insert_program(&page("null"), &program("; </script><script>alert(1)</script>\n")).unwrap();
        assert_eq!(first.matches("<script>").count(), 1);
        let json = &first[first.find('{').unwrap()..=first.rfind('}').unwrap()];
        let read: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(read["text"], "; </script><script>alert(1)</script>\n");
        let second = insert_program(&first, &program("x")).unwrap();
        assert_eq!(second, page(r#"{"name":"a.g1","text":"x"}"#));
        assert_eq!(insert_program("<html></html>", &program("")), None);
    }
}
