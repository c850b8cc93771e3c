//! Finds the lessons: every file of `docs/lessons` whose name begins with a number becomes part of the page, so that
//! adding a lesson means adding a file.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/lessons");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        names.extend(entry?.file_name().into_string());
    }
    let number = |name: &String| Some((name.split('-').next()?.parse::<u32>().ok()?, name.clone()));
    let mut lessons: Vec<(u32, String)> = names.iter().filter_map(number).collect();
    lessons.sort();
    let lessons = lessons.iter().map(|(_, name)| {
        let path = folder.join(name);
        format!("({name:?}, include_str!({:?})),\n", path.display().to_string())
    });
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("lessons.rs"), format!("&[{}]", lessons.collect::<String>()))
}
