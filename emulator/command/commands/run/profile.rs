//! `--profile`: writes an execution profile to a file or as text.

use super::profile_text::format_profile;
use crate::support::files::{FileError, print};
use crate::support::output::Output;
use crate::support::source::LoadedProgram;
use gray1_debugger::profile::{Layout, Profile};
use std::path::PathBuf;
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

/// The open files of a profile to be written at the end of a run. Text goes to standard output.
pub struct PendingProfile(Vec<(ProfileFormat, Option<Output>)>);

impl ProfileArguments {
    /// Whether the options request a profile.
    pub fn is_requested(&self) -> bool {
        !self.files.is_empty()
    }

    /// Opens the files of the profile.
    pub fn create(&self) -> Result<PendingProfile, FileError> {
        let mut files: Vec<&ProfileFile> = self.files.iter().collect();
        files.sort_by_key(|file| file.format == ProfileFormat::Text); // the last to be written
        let open = |file: &ProfileFile| match file.format {
            ProfileFormat::Text => Ok((file.format, None)),
            format => Ok((format, Some(Output::create(&file.path)?))),
        };
        files.into_iter().map(open).collect::<Result<_, _>>().map(PendingProfile)
    }
}

impl PendingProfile {
    /// Writes the profile of a program with this name.
    pub fn finish(self, name: &str, profile: &Profile) -> Result<(), FileError> {
        for (format, output) in self.0 {
            let contents = match format {
                ProfileFormat::Speedscope => profile.speedscope(name),
                ProfileFormat::Lcov => profile.lcov(),
                ProfileFormat::Json => profile.json(),
                ProfileFormat::Text => format_profile(name, profile),
            };
            match output {
                Some(output) => output.complete(contents.as_bytes())?,
                None => print(contents.as_bytes()).map(|_| ())?,
            }
        }
        Ok(())
    }
}

/// Returns the layout of a program for a profile.
pub fn layout(program: &LoadedProgram) -> Arc<Layout> {
    Arc::new(match &program.assembled {
        Some((assembled, report)) => Layout::of_program(assembled, &report.sources),
        None => Layout::of_image(&program.image),
    })
}

fn parse_profile_path(name: &str) -> Result<ProfileFile, &'static str> {
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
                        or FILE.info, or write `-` for text");
        }
    };
    Ok(ProfileFile { path: PathBuf::from(name), format })
}
