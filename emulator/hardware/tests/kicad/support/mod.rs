//! Helpers of the tests: writing the files to a folder, running KiCad, and a parser for its files.

#![allow(dead_code)] // each test uses a part of it

pub mod copper;

use gray1_hardware::kit::{Assembly, File};
use gray1_machine::board::Board;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::folder::Folder;
use test_support::process;

/// The names of the boards' files.
pub const BOARDS: [&str; 3] = ["cpu", "io", "display"];

/// The board of `gray1 build`, its assembly, and its files.
pub struct Built {
    pub board: Board,
    pub assembly: Assembly,
    pub files: Vec<File>,
}

pub fn built() -> Built {
    let board = Board::built();
    let assembly = Assembly::new(&board).unwrap();
    let files = gray1_hardware::kicad::files(&board, &assembly);
    Built { board, assembly, files }
}

/// Writes the files.
pub fn written(files: &[File]) -> (Folder, PathBuf) {
    let folder = Folder::create();
    for file in files {
        let path = folder.path().join(&file.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.bytes).unwrap();
    }
    let path = folder.path().join("kicad");
    (folder, path)
}

/// Runs `kicad-cli` in a folder, with settings of its own.
pub fn kicad(folder: &Path, arguments: &[&str]) -> Output {
    let settings = folder.join("settings");
    process::output(
        Command::new("kicad-cli").args(arguments).current_dir(folder).env("KICAD_CONFIG_HOME", settings),
    )
}

/// An S-expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Word(String),
    List(Vec<Node>),
}

impl Node {
    /// Parses a text.
    pub fn read(text: &str) -> Node {
        let (mut stack, mut chars) = (vec![Vec::new()], text.chars().peekable());
        while let Some(c) = chars.next() {
            match c {
                '(' => stack.push(Vec::new()),
                ')' => {
                    let list = stack.pop().unwrap();
                    stack.last_mut().expect("no more ends than beginnings").push(Node::List(list));
                }
                '"' => {
                    let mut word = String::new();
                    while let Some(c) = chars.next().filter(|c| *c != '"') {
                        word.push(if c == '\\' { chars.next().unwrap() } else { c });
                    }
                    stack.last_mut().unwrap().push(Node::Word(word));
                }
                c if c.is_whitespace() => {}
                c => {
                    let mut word = c.to_string();
                    while let Some(c) = chars.next_if(|c| !c.is_whitespace() && !"()".contains(*c)) {
                        word.push(c);
                    }
                    stack.last_mut().unwrap().push(Node::Word(word));
                }
            }
        }
        let [top] = <[Vec<Node>; 1]>::try_from(stack).expect("as many ends as beginnings");
        top.into_iter().next().unwrap()
    }

    pub fn list(&self) -> &[Node] {
        match self {
            Node::List(list) => list,
            Node::Word(_) => &[],
        }
    }

    /// The word at a place in a list.
    pub fn word(&self, place: usize) -> &str {
        match self.list().get(place) {
            Some(Node::Word(word)) => word,
            _ => "",
        }
    }

    /// The lists in this list that begin with a word.
    pub fn all<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a Node> {
        self.list().iter().filter(move |node| node.word(0) == word)
    }

    /// The first of them.
    pub fn get(&self, word: &str) -> Option<&Node> {
        self.list().iter().find(|node| node.word(0) == word)
    }
}
