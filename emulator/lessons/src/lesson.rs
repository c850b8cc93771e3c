//! The parts of a lesson. The page receives them as JSON.

use crate::exercise::Exercise;
use serde::{Deserialize, Serialize};

/// The author of an attempt. Both fields may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Student {
    /// The student's name.
    pub name: String,
    /// The class, the group or the year.
    pub class: String,
}

/// A lesson.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// The lesson's number, from 1. Links use it as the lesson's name.
    pub number: u32,
    /// The lesson's title.
    pub title: String,
    /// The parts, from top to bottom.
    pub parts: Vec<LessonPart>,
}

/// A part of a lesson.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "part", rename_all = "kebab-case")]
pub enum LessonPart {
    /// Text as HTML: headings, paragraphs, lists, tables, code. It has no scripts, links or pictures.
    Text {
        /// The HTML.
        html: String,
    },
    /// An example program.
    Program {
        /// The program's file name.
        name: String,
        /// The program's source.
        source: String,
    },
    /// An exercise.
    Exercise(Box<Exercise>),
    /// An error in the lesson's source.
    Fault {
        /// The line and the message.
        text: String,
    },
}
