//! `gray1 lsp`: the language server for editors, over standard input and output.

use crate::ending::Ending;
use crate::support::files::slashes;
use crate::support::interrupt;
use crate::support::output::put;
use crate::support::source::AssemblerArguments;
use gray1_assembler::LIBRARY_FILES;
use gray1_lsp::{Host, Settings, serve};
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest source that is read: a source that includes an endless device must not fill the memory.
const LARGEST: u64 = 17 << 20;
/// Maximum depth of folders that are searched for sources, and maximum number of sources found.
const DEEPEST: usize = 8;
const MOST_SOURCES: usize = 1_000;
/// Maximum number of folder entries that are examined.
const MOST_ENTRIES: usize = 20_000;

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
    let folders = arguments.assembler.folders().iter().map(|folder| slashes(&absolute(folder)));
    let settings = Settings { options: arguments.assembler.options(), folders: folders.collect() };
    serve(io::stdin(), io::stdout().lock(), Box::new(Files), settings)?;
    Ok(Ending::Done)
}

/// The file system.
struct Files;

impl Host for Files {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        // Opening a pipe would block until another process writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other(format!("{path} is not a file")));
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

    /// Writes a copy, since editors can only show files and the library is built in. The other files of the library are
    /// written with it, because it may include them.
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

/// The folder for copies of the library, a separate one for each version.
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
