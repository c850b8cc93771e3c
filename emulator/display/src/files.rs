//! The pictures that the user saves from the window, and the messages about them in the status line.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::time::Duration;

use tempfile::{NamedTempFile, TempPath};

use crate::render::Renderer;

/// The duration of a message.
const MESSAGE: Duration = Duration::from_secs(3);

/// Saves pictures in a folder, the current one by default.
#[derive(Default)]
pub struct Files {
    folder: PathBuf,
    message: Option<(String, Duration)>,
}

impl Files {
    /// Saves the picture of the renderer.
    pub fn save_picture(&mut self, renderer: &Renderer, now: Duration) {
        let message = match self.save(renderer) {
            Ok(name) => format!("saved {name}"),
            Err(error) => format!("not saved: {error}"),
        };
        self.message = Some((message, now + MESSAGE));
    }

    /// Returns the message to show, if there is one.
    pub fn message(&self, now: Duration) -> Option<&str> {
        self.message.as_ref().filter(|(_, until)| now < *until).map(|(text, _)| text.as_str())
    }

    /// Saves the picture under the first free name. The file is removed again unless all of it could be written.
    fn save(&self, renderer: &Renderer) -> io::Result<String> {
        let mut number = 1;
        let (name, path, file) = loop {
            let name = format!("gray1-{number}.png");
            let path = self.folder.join(&name);
            match File::create_new(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                created => break (name, path, created?),
            }
        };
        let mut file = NamedTempFile::from_parts(file, TempPath::try_from_path(path)?);
        let mut bytes = Vec::new();
        renderer.write_png(&mut bytes).map_err(io::Error::other)?;
        file.write_all(&bytes)?;
        file.keep()?;
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn pictures_are_numbered_and_complete_or_absent() {
        let folder = std::env::temp_dir().join(format!("gray1-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut files = Files { folder: folder.clone(), message: None };
        let at = Duration::from_millis;
        files.save_picture(&Renderer::new(100, 100), at(0));
        assert_eq!(files.message(at(10)), Some("saved gray1-1.png"));
        assert_eq!(files.message(at(9000)), None);
        files.save_picture(&Renderer::new(0, 0), at(9010));
        assert!(files.message(at(9020)).is_some_and(|message| message.starts_with("not saved: ")));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
