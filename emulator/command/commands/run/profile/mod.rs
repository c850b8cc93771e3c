//! `--profile`: writes an execution profile to a file or as text.

mod text;

use crate::support::files::{FileError, print, shown};
use crate::support::output::Output;
use crate::support::source::LoadedProgram;
use gray1_machine::Engine;
use gray1_profile::{Layout, Profile, ProfiledEngine};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct ProfileArguments {
    /// Write an execution profile: FILE.json, FILE.speedscope.json, FILE.info (lcov), or `-` for text
    ///
    /// The counts are exact for each word, line, macro and routine, and the same for every engine. The option can be
    /// repeated.
    #[arg(id = "profile", long = "profile", value_name = "FILE", value_parser = parse_profile_path)]
    files: Vec<ProfileFile>,
}

/// A path whose extension selects the format of the file.
#[derive(Clone)]
struct ProfileFile {
    path: PathBuf,
    format: ProfileFormat,
}

#[derive(Clone, Copy, PartialEq)]
enum ProfileFormat {
    Json,
    Speedscope,
    Lcov,
    Text,
}

/// A profile to be written at the end of a run, with its open files.
pub struct PendingProfile {
    name: String,
    layout: Arc<Layout>,
    files: Vec<(ProfileFormat, Output)>,
    /// Set if the profile is also printed as text.
    has_text: bool,
}

/// The engine of a run, with or without a profiler.
pub enum RunEngine<'a> {
    Plain(&'a mut dyn Engine),
    Profiled(Box<ProfiledEngine<'a>>),
}

impl RunEngine<'_> {
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            RunEngine::Plain(engine) => *engine,
            RunEngine::Profiled(engine) => &mut **engine,
        }
    }

    /// Returns the profile so far.
    pub fn profile(&self) -> Option<Profile> {
        match self {
            RunEngine::Plain(_) => None,
            RunEngine::Profiled(engine) => Some(Profile::of(engine.recorder())),
        }
    }
}

impl ProfileArguments {
    /// Whether the options request a profile.
    pub fn is_requested(&self) -> bool {
        !self.files.is_empty()
    }

    /// Opens the files of the profile, if the options request one.
    pub fn create(
        &self,
        file: &Path,
        program: &LoadedProgram,
    ) -> Result<Option<PendingProfile>, Box<dyn Error>> {
        if !self.is_requested() {
            return Ok(None);
        }
        let written = self.files.iter().filter(|file| file.format != ProfileFormat::Text);
        let files = written.map(|file| Ok((file.format, Output::create(&file.path)?)));
        Ok(Some(PendingProfile {
            name: shown(file),
            layout: Arc::new(program.layout()),
            files: files.collect::<Result<_, FileError>>()?,
            has_text: self.files.iter().any(|file| file.format == ProfileFormat::Text),
        }))
    }
}

impl PendingProfile {
    /// Returns the layout of the program.
    pub fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout)
    }

    /// Writes the profile.
    pub fn finish(self, profile: &Profile) -> Result<(), FileError> {
        let PendingProfile { name, files, has_text, .. } = self;
        for (format, output) in files {
            let contents = match format {
                ProfileFormat::Speedscope => profile.speedscope(&name),
                ProfileFormat::Lcov => profile.lcov(),
                ProfileFormat::Json | ProfileFormat::Text => profile.json(),
            };
            output.complete(contents.as_bytes())?;
        }
        if has_text {
            print(text::format_profile(&name, profile).as_bytes())?;
        }
        Ok(())
    }
}

fn parse_profile_path(name: &str) -> Result<ProfileFile, String> {
    let lower = name.to_ascii_lowercase();
    let endings = [
        (".speedscope.json", ProfileFormat::Speedscope),
        (".json", ProfileFormat::Json),
        (".info", ProfileFormat::Lcov),
    ];
    let format = match endings.into_iter().find(|(ending, _)| lower.ends_with(ending)) {
        Some((_, format)) => format,
        None if name == "-" => ProfileFormat::Text,
        None => {
            return Err("the extension selects the format: name the file FILE.json, FILE.speedscope.json \
                        or FILE.info, or write `-` for text"
                .to_owned());
        }
    };
    Ok(ProfileFile { path: PathBuf::from(name), format })
}
