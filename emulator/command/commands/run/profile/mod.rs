//! `--profile`: where the cycles of a run went, in a file or as text.

mod text;

use crate::support::files::{FileError, print, shown};
use crate::support::output::Output;
use crate::support::source::ReadProgram;
use gray1_machine::Engine;
use gray1_profile::{Layout, Profile, ProfiledEngine};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct ProfileArguments {
    /// Write where the cycles went: FILE.json, FILE.speedscope.json, FILE.info (lcov), or `-` for a text
    ///
    /// The counts are exact, for each word, line, macro and routine, and the same for every engine. The option can be
    /// given several times.
    #[arg(id = "profile", long = "profile", value_name = "FILE", value_parser = profile_file)]
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

/// The profile that a run writes at its end.
pub struct Wanted {
    name: String,
    layout: Arc<Layout>,
    files: Vec<(ProfileFormat, Output)>,
    has_text: bool,
}

/// The engine of a run, which may be profiled.
pub enum Watched<'a> {
    Plain(&'a mut dyn Engine),
    Profiled(Box<ProfiledEngine<'a>>),
}

impl Watched<'_> {
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            Watched::Plain(engine) => *engine,
            Watched::Profiled(engine) => &mut **engine,
        }
    }

    /// The profile up to here.
    pub fn profile(&self) -> Option<Profile> {
        match self {
            Watched::Plain(_) => None,
            Watched::Profiled(engine) => Some(Profile::of(engine.recorder())),
        }
    }
}

impl ProfileArguments {
    pub fn is_given(&self) -> bool {
        !self.files.is_empty()
    }

    /// Begins the files of the profile, if one is wanted.
    pub fn begin(&self, file: &Path, program: &ReadProgram) -> Result<Option<Wanted>, Box<dyn Error>> {
        if !self.is_given() {
            return Ok(None);
        }
        let written = self.files.iter().filter(|file| file.format != ProfileFormat::Text);
        let files = written.map(|file| Ok((file.format, Output::create(&file.path)?)));
        Ok(Some(Wanted {
            name: shown(file),
            layout: Arc::new(program.layout()),
            files: files.collect::<Result<_, FileError>>()?,
            has_text: self.files.iter().any(|file| file.format == ProfileFormat::Text),
        }))
    }
}

impl Wanted {
    /// The program, laid out.
    pub fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout)
    }

    /// Writes the profile of the run.
    pub fn finish(self, profile: &Profile) -> Result<(), FileError> {
        let Wanted { name, files, has_text, .. } = self;
        for (format, output) in files {
            let contents = match format {
                ProfileFormat::Speedscope => profile.speedscope(&name),
                ProfileFormat::Lcov => profile.lcov(),
                ProfileFormat::Json | ProfileFormat::Text => profile.json(),
            };
            output.complete(contents.as_bytes())?;
        }
        if has_text {
            print(text::of_profile(&name, profile).as_bytes())?;
        }
        Ok(())
    }
}

fn profile_file(name: &str) -> Result<ProfileFile, String> {
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
                        or FILE.info, or write `-` for a text"
                .to_owned());
        }
    };
    Ok(ProfileFile { path: PathBuf::from(name), format })
}
