//! `gray1 lsp`: a Language Server Protocol server over standard input and output.

use crate::ending::Ending;
use crate::support::files::slashes;
use crate::support::interrupt;
use crate::support::output::write_file;
use crate::support::source::AssemblerArguments;
use gray1_assembler::LIBRARY_FILES;
use gray1_editors::lsp::{Host, Settings, serve};
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The maximum size of a source, in bytes. A source that includes an endless device must not fill the memory.
const MAX_BYTES: u64 = 17 << 20;
/// The maximum depth of the folders that are searched for sources.
const MAX_DEPTH: usize = 8;
/// The maximum number of sources.
const MAX_SOURCES: usize = 1_000;
/// The maximum number of folder entries that are examined.
const MAX_ENTRIES: usize = 20_000;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    assembler: AssemblerArguments,
    /// Ignored: many editors pass it to select standard input and output, which are always used
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn lsp(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    interrupt::end_at_once()?;
    let folders = arguments.assembler.include.iter().map(|folder| slashes(&absolute(folder)));
    let settings = Settings { options: arguments.assembler.options(), folders: folders.collect() };
    serve(io::stdin(), io::stdout().lock(), Box::new(FileHost), settings)?;
    Ok(Ending::Done)
}

/// The file system.
struct FileHost;

impl Host for FileHost {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        // Opening a pipe would block until another process writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other(format!("{path} is not a file")));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn sources(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut waiting = vec![(PathBuf::from(folder), 0)];
        let mut entries = 0;
        while let Some((folder, depth)) = waiting.pop() {
            let Ok(inside) = fs::read_dir(&folder) else { continue };
            let mut inside: Vec<_> = inside.flatten().take(MAX_ENTRIES - entries).collect();
            entries += inside.len();
            inside.sort_by_key(fs::DirEntry::file_name);
            for entry in inside {
                let (name, path) = (entry.file_name(), entry.path());
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let is_hidden = name.to_string_lossy().starts_with('.');
                if is_folder && !is_hidden && depth < MAX_DEPTH && name != "target" && name != "node_modules"
                {
                    waiting.push((path, depth + 1));
                } else if path.extension().is_some_and(|ending| ending == "g1") && found.len() < MAX_SOURCES {
                    found.push(slashes(&path));
                }
            }
        }
        found.sort();
        found
    }

    /// Writes a copy of the built-in library, because editors can only show files. Returns the path of the requested
    /// file. All files are written, because they include each other.
    fn library_file(&self, name: &str) -> Option<String> {
        let folder = library_folder();
        let mut found_path = None;
        for (file, text) in LIBRARY_FILES {
            let path = folder.join(file);
            if fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
                fs::create_dir_all(path.parent()?).ok()?;
                write_file(&path, text.as_bytes()).ok()?;
            }
            if file == name {
                found_path = Some(slashes(&path));
            }
        }
        found_path
    }
}

/// Returns the folder for copies of the library. Each version has its own.
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
