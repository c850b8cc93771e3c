//! What a lesson consists of. The page gets it as JSON.

use crate::exercise::Exercise;
use serde::{Deserialize, Serialize};

/// Whose attempt it is, as far as somebody has said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Student {
    /// A name.
    pub name: String,
    /// The class, the group or the year.
    pub class: String,
}

/// A lesson.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// Its place, from 1; also its name in links.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// What it consists of, one below the other.
    pub parts: Vec<LessonPart>,
}

/// A part of a lesson.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "part", rename_all = "kebab-case")]
pub enum LessonPart {
    /// A text, as HTML: headings, paragraphs, lists, tables, code. No scripts, links or pictures.
    Text {
        /// The text.
        html: String,
    },
    /// A program to be tried.
    Program {
        /// A file name for it.
        name: String,
        /// Its source.
        source: String,
    },
    /// An exercise.
    Exercise(Box<Exercise>),
    /// A mistake in the lesson: what it is, and in which line.
    Fault {
        /// The mistake.
        text: String,
    },
}
