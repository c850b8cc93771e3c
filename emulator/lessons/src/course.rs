//! The available lessons: the shipped ones and those that a teacher has added.

use crate::Refusal;
use crate::exercise::Exercise;
use crate::lesson::{Lesson, LessonPart};
use crate::statement::Fault;
use crate::verdict::Verdict;

/// Name and text of each file of `docs/lessons` that begins with a number. The build script generates the list.
pub const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// Name and text of each file of `docs/levels`.
pub const LEVELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/levels.rs"));

/// The folder of the levels. They are not lessons and take no lesson number.
const LEVELS_FOLDER: &str = "docs/levels/";

/// The folder of the shipped lessons.
const SHIPPED_FOLDER: &str = "docs/lessons/";
/// Shipped lessons up to this number are permanent. A teacher's lesson may replace a later one, because teachers
/// numbered their added lessons from 9 before it existed.
const PERMANENT_LESSONS: u32 = 8;

/// The source of a lesson.
#[derive(Clone, Debug)]
struct File {
    path: String,
    number: u32,
    text: String,
}

/// Lessons in reading order.
#[derive(Clone, Debug)]
pub struct Course(Vec<File>);

impl File {
    /// Makes a shipped file. Levels have no number.
    fn shipped(folder: &str, (name, text): &(&str, &str)) -> File {
        let number = name.split('-').next().and_then(|number| number.parse().ok());
        let number = number.filter(|_| folder == SHIPPED_FOLDER).unwrap_or_default();
        File { path: format!("{folder}{name}"), number, text: (*text).to_owned() }
    }

    /// Lists the numbers of the exercises; none if the lesson has an error.
    fn exercise_ids(&self) -> Vec<String> {
        let lesson = Lesson::read(&self.path, self.number, &self.text);
        lesson.iter().flat_map(Lesson::exercises).map(|exercise| exercise.id.clone()).collect()
    }

    fn is_level(&self) -> bool {
        self.path.starts_with(LEVELS_FOLDER)
    }

    /// Parses the lesson. On an error, returns a lesson that consists of the message.
    fn parse_or_report(&self, number: u32) -> Lesson {
        Lesson::read(&self.path, number, &self.text).unwrap_or_else(|fault| Lesson {
            number,
            title: self.path.clone(),
            parts: vec![LessonPart::Fault { text: fault.to_string() }],
        })
    }

    /// Whether a teacher's lesson may replace this one.
    fn is_replaceable(&self) -> bool {
        self.path.starts_with(SHIPPED_FOLDER) && self.number > PERMANENT_LESSONS
    }
}

impl Default for Course {
    fn default() -> Course {
        Course::shipped()
    }
}

impl Course {
    /// Returns the shipped lessons.
    pub fn shipped() -> Course {
        Course(SHIPPED.iter().map(|file| File::shipped(SHIPPED_FOLDER, file)).collect())
    }

    /// Returns the shipped lessons, followed by the levels of the bench.
    pub fn with_levels() -> Course {
        let levels = LEVELS.iter().map(|file| File::shipped(LEVELS_FOLDER, file));
        Course(Course::shipped().0.into_iter().chain(levels).collect())
    }

    /// Adds a lesson; messages refer to it by `path`. Its number is taken from the beginning of its file name, or else
    /// is the next free one. The numbers of its exercises must be unused, except that they may replace a shipped lesson
    /// after the first eight.
    pub fn add(&mut self, path: &str, text: &str) -> Result<(), Fault> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let added_ids = File { path: path.to_owned(), number: 0, text: text.to_owned() }.exercise_ids();
        self.0.retain(|file| {
            !file.is_replaceable() || !file.exercise_ids().iter().any(|id| added_ids.contains(id))
        });
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
                    format!("there is already an exercise {}; give this one another number", exercise.id);
                return Err(Fault { file: path.to_owned(), line: line.unwrap_or_default() + 1, message });
            }
            known.push(exercise.id.clone());
        }
        self.0.push(file);
        Ok(())
    }

    /// Parses all lessons, in order. Shipped lessons never fail, which a test checks.
    pub fn lessons(&self) -> impl Iterator<Item = Result<Lesson, Fault>> {
        self.0.iter().map(|file| Lesson::read(&file.path, file.number, &file.text))
    }

    /// Parses all lessons except the levels. A lesson with an error is replaced by the message.
    pub fn lessons_or_reports(&self) -> Vec<Lesson> {
        let lessons = self.0.iter().filter(|file| !file.is_level());
        lessons.map(|file| file.parse_or_report(file.number)).collect()
    }

    /// Parses the levels, numbered from 1; none unless the course was made [`with_levels`](Course::with_levels).
    pub fn levels(&self) -> Vec<Lesson> {
        let levels = self.0.iter().filter(|file| file.is_level());
        (1..).zip(levels).map(|(number, file)| file.parse_or_report(number)).collect()
    }

    /// Lists all exercises, in order.
    pub fn exercises(&self) -> impl Iterator<Item = Exercise> {
        let lessons: Vec<Lesson> = self.lessons().filter_map(Result::ok).collect();
        lessons.into_iter().flat_map(|lesson| lesson.exercises().cloned().collect::<Vec<_>>())
    }

    /// Whether a file of all answers may omit an exercise: levels and exercises after the first eight lessons are
    /// optional, so that older files stay complete.
    pub fn is_optional(&self, id: &str) -> bool {
        let is_optional = |file: &File| file.is_replaceable() || file.is_level();
        self.0.iter().any(|file| is_optional(file) && file.exercise_ids().iter().any(|other| other == id))
    }

    /// Finds an exercise by its number.
    pub fn exercise(&self, id: &str) -> Result<Exercise, Refusal> {
        let found = self.exercises().find(|exercise| exercise.id == id);
        Ok(found.ok_or_else(|| {
            let known: Vec<String> = self.exercises().map(|exercise| exercise.id).collect();
            format!(
                "there is no exercise {}; the exercises are {}",
                gray1_text::visible(id),
                known.join(", ")
            )
        })?)
    }

    /// Judges an attempt at the exercise with this number.
    pub fn judge(&self, id: &str, attempt: &str) -> Result<Verdict, Refusal> {
        Ok(self.exercise(id)?.check(attempt))
    }
}

impl Lesson {
    /// Lists the exercises of the lesson.
    pub fn exercises(&self) -> impl Iterator<Item = &Exercise> {
        self.parts.iter().filter_map(|part| match part {
            LessonPart::Exercise(exercise) => Some(&**exercise),
            _ => None,
        })
    }
}
