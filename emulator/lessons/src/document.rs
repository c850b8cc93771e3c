//! Parses a lesson: Markdown into a list of parts.
//!
//! Some fenced blocks are special. ```` ```exercise 5.1 program ```` is an exercise. Its title is the heading above it.
//! The next block, ```` ```g1 start ````, is the initial text of an attempt; for the other kinds it is `table start`,
//! `cells start`, `timing start` or `ron start`. A block ```` ```g1 given ```` between the two is the program that
//! belongs to the exercise. Other `g1` blocks are example programs. Everything else is text.

use crate::exercise::Exercise;
use crate::lesson::{Lesson, LessonPart};
use crate::rows::Columns;
use crate::statement::{Fault, Statement};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::iter::Peekable;
use std::vec::IntoIter;

/// A fenced block.
#[derive(Clone, Copy)]
struct Block<'a> {
    info: &'a str,
    /// The line of the opening fence.
    line: usize,
    text: &'a str,
}

/// A piece of the document.
enum Piece<'a> {
    Text(&'a str),
    Block(Block<'a>),
}

impl Lesson {
    /// Parses a lesson; messages refer to it by `file`.
    pub fn read(file: &str, number: u32, text: &str) -> Result<Lesson, Fault> {
        let fault = |line, message: &str| Fault { file: file.to_owned(), line, message: message.to_owned() };
        let title = text.lines().find_map(|line| line.strip_prefix("# "));
        let title = title.ok_or_else(|| fault(1, "a lesson begins with its title: `# A title`"))?;

        let mut parts = Vec::new();
        let mut heading = "";
        let mut unnamed = 0;
        let mut pieces = split_blocks(file, text)?.into_iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Text(text) => {
                    heading = text.lines().rev().find_map(|line| line.strip_prefix("## ")).unwrap_or(heading);
                    parts.push(LessonPart::Text { html: to_html(text) });
                }
                Piece::Block(Block { info, line, text }) => {
                    match info.split_once(' ') {
                        Some(("exercise", info)) => {
                            let given = take_block(&mut pieces, " given");
                            let start = take_block(&mut pieces, " start").ok_or_else(|| {
                            fault(line, "an exercise must be followed by the initial text of an attempt: ```g1 start")
                        })?;
                            let statement = Statement::new(file, line, info, text);
                            let given = given.map(|block| block.text);
                            let exercise = Exercise::read(&statement, heading, start.text, given)?;
                            if let Some((inputs, outputs)) = exercise.columns.clone() {
                                let checked = Columns { inputs, outputs }.check_start(start.text);
                                checked.map_err(|(at, message)| fault(start.line + 1 + at, &message))?;
                            }
                            parts.push(LessonPart::Exercise(Box::new(exercise)));
                        }
                        name => {
                            let name = name.map(|(_, name)| name.to_owned()).unwrap_or_else(|| {
                                unnamed += 1;
                                format!("lesson-{number}-{unnamed}.g1")
                            });
                            parts.push(LessonPart::Program { name, source: text.to_owned() });
                        }
                    }
                }
            }
        }
        parts.retain(|part| !matches!(part, LessonPart::Text { html } if html.trim().is_empty()));
        Ok(Lesson { number, title: title.to_owned(), parts })
    }
}

/// Takes the next piece if it is a block whose info string ends with `ending`.
fn take_block<'a>(pieces: &mut Peekable<IntoIter<Piece<'a>>>, ending: &str) -> Option<Block<'a>> {
    while pieces.next_if(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty())).is_some() {}
    match pieces.next_if(|piece| matches!(piece, Piece::Block(block) if block.info.ends_with(ending))) {
        Some(Piece::Block(block)) => Some(block),
        _ => None,
    }
}

/// Splits a document into text and special blocks.
fn split_blocks<'a>(file: &str, text: &'a str) -> Result<Vec<Piece<'a>>, Fault> {
    let mut pieces = Vec::new();
    let mut open: Option<(&str, usize, usize)> = None;
    let (mut at, mut text_from) = (0, 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = at + line.len();
        if let Some(info) = line.strip_prefix("```") {
            match open.take() {
                None => open = Some((info.trim(), number, at)),
                Some((info, line, start)) if is_special(info) => {
                    let body = start + text[start..].find('\n').map_or(0, |newline| newline + 1);
                    pieces.push(Piece::Text(&text[text_from..start]));
                    pieces.push(Piece::Block(Block { info, line, text: &text[body..at] }));
                    text_from = end;
                }
                Some(_) => {}
            }
        }
        at = end;
    }
    if let Some((info, line, _)) = open {
        let message = format!("the block ```{info} is not closed");
        return Err(Fault { file: file.to_owned(), line, message });
    }
    pieces.push(Piece::Text(&text[text_from..]));
    Ok(pieces)
}

/// Whether a block is special: an exercise, a part of one, or an example program.
fn is_special(info: &str) -> bool {
    let (language, name) = info.split_once(' ').unwrap_or((info, ""));
    matches!(language, "exercise" | "g1" | "g1,run" | "g1,display") || matches!(name, "start" | "given")
}

/// Converts text to HTML. Omits the top heading, which is the lesson's title. Omits links but keeps their text, because
/// a page in a single file has no targets for them. Omits HTML, except for the tags that fold hints.
fn to_html(markdown: &str) -> String {
    let mut in_title = false;
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => {
            in_title = true;
            None
        }
        Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
            in_title = false;
            None
        }
        _ if in_title => None,
        Event::Html(html) if is_fold(&html) => Some(Event::Html(html)),
        Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock) => None,
        Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock) => None,
        Event::Html(_) | Event::InlineHtml(_) => None,
        event => Some(event),
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    text
}

/// Whether HTML only folds text: it has no tags but these, and no attributes.
fn is_fold(html: &str) -> bool {
    let rest = ["<details>", "</details>", "<summary>", "</summary>"]
        .iter()
        .fold(html.to_owned(), |rest, tag| rest.replace(tag, "\n"));
    !rest.contains(['<', '>', '&'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_folded_and_other_html_is_left_out() {
        let html = to_html("<details><summary>A hint</summary>\n\nLook.\n\n</details>\n");
        assert_eq!(html, "<details><summary>A hint</summary>\n<p>Look.</p>\n</details>\n");
        for hostile in
            ["<details ontoggle=\"x()\" open>", "<details><script>x()</script>", "<summary><img src=x>"]
        {
            assert!(!to_html(&format!("{hostile}\n\nText.\n")).contains(['=', '(']), "{hostile}");
        }
    }
}
