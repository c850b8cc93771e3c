//! The lessons that there are: those that are shipped, and those that a teacher has written.

use crate::Refusal;
use crate::exercise::Exercise;
use crate::lesson::{Lesson, LessonPart};
use crate::statement::Fault;
use crate::verdict::Verdict;

/// The files of `docs/lessons` that begin with a number, as the build script has found them: name and text.
pub const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// The files of `docs/levels`, likewise.
pub const LEVELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/levels.rs"));

/// The folder of the levels, which are no lessons and have no number among them.
const LEVELS_FOLDER: &str = "docs/levels/";

/// The folder of the shipped lessons, and how many there were when lessons of one's own began to be numbered after them.
const SHIPPED_FOLDER: &str = "docs/lessons/";
const FIRST_LESSONS: u32 = 8;

/// A lesson as a text.
#[derive(Clone, Debug)]
struct File {
    path: String,
    number: u32,
    text: String,
}

/// Lessons, in the order in which they are read.
#[derive(Clone, Debug)]
pub struct Course(Vec<File>);

impl File {
    /// The numbers of its exercises.
    fn ids(&self) -> Vec<String> {
        let lesson = Lesson::read(&self.path, self.number, &self.text);
        lesson.iter().flat_map(Lesson::exercises).map(|exercise| exercise.id.clone()).collect()
    }

    fn is_level(&self) -> bool {
        self.path.starts_with(LEVELS_FOLDER)
    }

    /// The lesson, or its fault.
    fn shown(&self, number: u32) -> Lesson {
        Lesson::read(&self.path, number, &self.text).unwrap_or_else(|fault| Lesson {
            number,
            title: self.path.clone(),
            parts: vec![LessonPart::Fault { text: fault.to_string() }],
        })
    }

    /// Whether it was shipped later than the first eight.
    fn is_late(&self) -> bool {
        self.path.starts_with(SHIPPED_FOLDER) && self.number > FIRST_LESSONS
    }
}

impl Default for Course {
    fn default() -> Course {
        Course::shipped()
    }
}

impl Course {
    /// The lessons that are shipped.
    pub fn shipped() -> Course {
        let number = |name: &str| name.split('-').next()?.parse().ok();
        let file = |(name, text): &(&str, &str)| {
            let path = format!("{SHIPPED_FOLDER}{name}");
            Some(File { path, number: number(name)?, text: (*text).to_owned() })
        };
        Course(SHIPPED.iter().filter_map(file).collect())
    }

    /// The same with the levels of the bench behind them.
    pub fn with_levels() -> Course {
        let mut course = Course::shipped();
        let file = |(name, text): &(&str, &str)| File {
            path: format!("{LEVELS_FOLDER}{name}"),
            number: 0,
            text: (*text).to_owned(),
        };
        course.0.extend(LEVELS.iter().map(file));
        course
    }

    /// Adds a lesson; `path` is how messages call it. Its number is the one that its file name begins with, or else the
    /// next one that is free. Every exercise needs a number that no other has, but may take the place of those that were
    /// shipped later than the first eight lessons.
    pub fn add(&mut self, path: &str, text: &str) -> Result<(), Fault> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let own = File { path: path.to_owned(), number: 0, text: text.to_owned() }.ids();
        self.0.retain(|file| !file.is_late() || !file.ids().iter().any(|id| own.contains(id)));
        let last = self.0.iter().map(|file| file.number).max().unwrap_or_default();
        let number =
            name[..digits].parse().ok().filter(|number| self.0.iter().all(|file| file.number != *number));
        let file = File { path: path.to_owned(), number: number.unwrap_or(last + 1), text: text.to_owned() };
        let lesson = Lesson::read(&file.path, file.number, &file.text)?;
        let mut known: Vec<String> = self.exercises().map(|exercise| exercise.id).collect();
        for exercise in lesson.exercises() {
            if known.contains(&exercise.id) {
                let line = text.lines().position(|line| {
                    line.strip_prefix("```exercise ")
                        .is_some_and(|info| info.split(' ').next() == Some(&exercise.id))
                });
                let message =
                    format!("there is an exercise {} already; give this one another number", exercise.id);
                return Err(Fault { file: path.to_owned(), line: line.unwrap_or_default() + 1, message });
            }
            known.push(exercise.id.clone());
        }
        self.0.push(file);
        Ok(())
    }

    /// All lessons, in order. A shipped one has no fault: a test reads them all.
    pub fn lessons(&self) -> impl Iterator<Item = Result<Lesson, Fault>> {
        self.0.iter().map(|file| Lesson::read(&file.path, file.number, &file.text))
    }

    /// All lessons for readers. One that has a fault says where it is.
    pub fn shown(&self) -> Vec<Lesson> {
        let lessons = self.0.iter().filter(|file| !file.is_level());
        lessons.map(|file| file.shown(file.number)).collect()
    }

    /// The levels, if they are there, numbered from 1.
    pub fn levels(&self) -> Vec<Lesson> {
        let levels = self.0.iter().filter(|file| file.is_level());
        (1..).zip(levels).map(|(number, file)| file.shown(number)).collect()
    }

    /// All exercises, in order.
    pub fn exercises(&self) -> impl Iterator<Item = Exercise> {
        let lessons: Vec<Lesson> = self.lessons().filter_map(Result::ok).collect();
        lessons.into_iter().flat_map(Lesson::into_exercises)
    }

    /// Whether an exercise need not be answered in a file of all answers: a level, or one that was shipped later than the
    /// first, so that older files stay complete.
    pub fn is_optional(&self, id: &str) -> bool {
        let is_free = |file: &File| file.is_late() || file.is_level();
        self.0.iter().any(|file| is_free(file) && file.ids().iter().any(|late| late == id))
    }

    /// The exercise of this number.
    pub fn exercise(&self, id: &str) -> Result<Exercise, Refusal> {
        let found = self.exercises().find(|exercise| exercise.id == id);
        Ok(found.ok_or_else(|| {
            let known: Vec<String> = self.exercises().map(|exercise| exercise.id).collect();
            format!("there is no exercise {}; there are {}", gray1_text::visible(id), known.join(", "))
        })?)
    }

    /// Judges an attempt at the exercise of this number.
    pub fn judge(&self, id: &str, attempt: &str) -> Result<Verdict, Refusal> {
        Ok(self.exercise(id)?.check(attempt))
    }
}

impl Lesson {
    /// Its exercises.
    pub fn exercises(&self) -> impl Iterator<Item = &Exercise> {
        self.parts.iter().filter_map(|part| match part {
            LessonPart::Exercise(exercise) => Some(&**exercise),
            _ => None,
        })
    }

    fn into_exercises(self) -> impl Iterator<Item = Exercise> {
        self.parts.into_iter().filter_map(|part| match part {
            LessonPart::Exercise(exercise) => Some(*exercise),
            _ => None,
        })
    }
}
