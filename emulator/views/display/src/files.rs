//! The pictures and animations that the user saves from the window, and the messages about them in the status line.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use gif::EncodingError;
use tempfile::{NamedTempFile, TempPath};

use crate::animation::{Animation, SIDE};
use crate::exposure::Light;
use crate::render::Renderer;

/// The duration of a message.
const MESSAGE: Duration = Duration::from_secs(3);

/// Saves pictures and animations in a folder, the current one by default.
#[derive(Default)]
pub struct Files {
    folder: PathBuf,
    recording: Option<Recording>,
    message: Option<(String, Duration)>,
}

struct Recording {
    animation: Animation<BufWriter<NamedTempFile>>,
    name: String,
    last: Duration,
}

impl Files {
    /// Saves what the renderer shows.
    pub fn save_picture(&mut self, renderer: &Renderer, now: Duration) {
        let saved = create(&self.folder, "png").and_then(|(name, mut file)| {
            let mut bytes = Vec::new();
            renderer.write_png(&mut bytes).map_err(io::Error::other)?;
            file.write_all(&bytes)?;
            file.keep()?;
            Ok(name)
        });
        self.report(saved, now);
    }

    /// Begins an animation, or ends the one that is being recorded.
    pub fn toggle_recording(&mut self, now: Duration) {
        if self.recording.is_some() {
            self.end_recording(now);
            return;
        }
        let begun = create(&self.folder, "gif").map_err(EncodingError::from).and_then(|(name, file)| {
            let animation = Animation::new(BufWriter::new(file), SIDE)?;
            Ok(Recording { animation, name, last: now })
        });
        match begun {
            Ok(recording) => {
                self.recording = Some(recording);
                self.message = None; // about a picture just saved: the recording is the newer message
            }
            Err(error) => self.say(format!("not recorded: {error}"), now),
        }
    }

    /// Adds the light since the last frame to the animation, if one is being recorded.
    pub fn record(&mut self, light: &Light, now: Duration) {
        let Some(recording) = &mut self.recording else { return };
        let lasted = now.saturating_sub(recording.last);
        recording.last = now;
        if let Err(error) = recording.animation.frame(light, lasted) {
            self.recording = None;
            self.say(format!("not recorded: {error}"), now);
        }
    }

    /// The message to show, if there is one.
    pub fn message(&self, now: Duration) -> Option<&str> {
        let message = self.message.as_ref().filter(|(_, until)| now < *until);
        message.map(|(text, _)| text.as_str()).or(self.recording.as_ref().map(|_| "recording"))
    }

    fn end_recording(&mut self, now: Duration) {
        if let Some(recording) = self.recording.take() {
            let ended = recording.animation.finish().map_err(io::Error::other);
            let whole = ended.and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
            let kept = whole.and_then(|file| Ok(file.keep()?));
            self.report(kept.map(|_| recording.name), now);
        }
    }

    fn report(&mut self, saved: io::Result<String>, now: Duration) {
        let message = match saved {
            Ok(name) => format!("saved {name}"),
            Err(error) => format!("not saved: {error}"),
        };
        self.say(message, now);
    }

    fn say(&mut self, message: String, now: Duration) {
        self.message = Some((message, now + MESSAGE));
    }
}

impl Drop for Files {
    /// If the window is closed during a recording, the animation is completed.
    fn drop(&mut self) {
        self.end_recording(Duration::ZERO);
    }
}

/// A new file with the first free name. It is removed again, unless it is kept when all of it has been written.
fn create(folder: &Path, extension: &str) -> io::Result<(String, NamedTempFile)> {
    let mut number = 1;
    loop {
        let name = format!("gray1-{number}.{extension}");
        let path = folder.join(&name);
        match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
            Ok(file) => {
                return Ok((name, NamedTempFile::from_parts(file, TempPath::try_from_path(path)?)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn that_a_recording_runs_is_told_at_once() {
        let folder = std::env::temp_dir().join(format!("gray1-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut files = Files { folder: folder.clone(), recording: None, message: None };
        let at = Duration::from_millis;
        files.save_picture(&Renderer::new(100, 100), at(0));
        assert_eq!(files.message(at(10)), Some("saved gray1-1.png"));
        files.toggle_recording(at(20));
        assert_eq!(files.message(at(30)), Some("recording"));
        files.toggle_recording(at(500));
        assert_eq!(files.message(at(510)), Some("saved gray1-1.gif"));
        assert_eq!(files.message(at(9000)), None);
        // A file that cannot be written completely is removed.
        files.save_picture(&Renderer::new(0, 0), at(9010));
        assert!(files.message(at(9020)).is_some_and(|message| message.starts_with("not saved: ")));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }
}
