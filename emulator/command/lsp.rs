//! `gray1 lsp`: the language for editors, over standard input and output.

use crate::Ending;
use crate::files::slashes;
use crate::interrupt;
use crate::output::put;
use crate::source::AssemblerArguments;
use gray1_assembler::LIBRARY_FILES;
use gray1_language::{Host, Settings, serve};
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No source is larger; whoever includes an endless device must not fill the memory.
const LARGEST: u64 = 17 << 20;
/// How deep sources are looked for, and how many.
const DEEPEST: usize = 8;
const MOST_SOURCES: usize = 1_000;
/// So many entries of folders are looked at.
const MOST_ENTRIES: usize = 20_000;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    assembler: AssemblerArguments,
    /// Ignored: editors name the way that they speak, and this is the only one
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn lsp(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    interrupt::end_at_once()?;
    let folders = arguments.assembler.folders().iter().map(|folder| slashes(&absolute(folder)));
    let settings = Settings { options: arguments.assembler.options(), folders: folders.collect() };
    serve(io::stdin(), io::stdout().lock(), Box::new(Files), settings)?;
    Ok(Ending::Done)
}

/// The file system.
struct Files;

impl Host for Files {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        // To open a pipe would wait for somebody to write to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other(format!("{path} is no file")));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn sources(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut waiting = vec![(PathBuf::from(folder), 0)];
        let mut entries = 0;
        while let Some((folder, depth)) = waiting.pop() {
            let Ok(inside) = fs::read_dir(&folder) else { continue };
            let mut inside: Vec<_> = inside.flatten().take(MOST_ENTRIES - entries).collect();
            entries += inside.len();
            inside.sort_by_key(fs::DirEntry::file_name);
            for entry in inside {
                let (name, path) = (entry.file_name(), entry.path());
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let is_hidden = name.to_string_lossy().starts_with('.');
                if is_folder && !is_hidden && depth < DEEPEST && name != "target" && name != "node_modules" {
                    waiting.push((path, depth + 1));
                } else if path.extension().is_some_and(|ending| ending == "g1") && found.len() < MOST_SOURCES
                {
                    found.push(slashes(&path));
                }
            }
        }
        found.sort();
        found
    }

    /// A copy: editors show files, and the library is in the program. The others come with it, as it may include them.
    fn library_file(&self, name: &str) -> Option<String> {
        let folder = library_folder();
        let mut wanted = None;
        for (file, text) in LIBRARY_FILES {
            let path = folder.join(file);
            if fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
                fs::create_dir_all(path.parent()?).ok()?;
                put(&path, text.as_bytes()).ok()?;
            }
            if file == name {
                wanted = Some(slashes(&path));
            }
        }
        wanted
    }
}

/// Where copies of the library are kept: those of each version in a folder of its own.
fn library_folder() -> PathBuf {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(env::temp_dir);
    let mut version = DefaultHasher::new();
    LIBRARY_FILES.hash(&mut version);
    caches.join("gray1").join(format!("library-{:016x}", version.finish())).join("lib")
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
