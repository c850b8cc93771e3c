//! Finds the lessons and the levels: every file of `docs/lessons` and `docs/levels` whose name begins with a number, so
//! that adding one means adding a file.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    for name in ["lessons", "levels"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs").join(name);
        let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
        fs::write(Path::new(&out).join(name).with_extension("rs"), found(&folder)?)?;
    }
    Ok(())
}

/// The files of a folder as a Rust expression: the name and the text of each, by their numbers.
fn found(folder: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string());
    }
    let number = |name: &String| Some((name.split('-').next()?.parse::<u32>().ok()?, name.clone()));
    let mut numbered: Vec<(u32, String)> = names.iter().filter_map(number).collect();
    numbered.sort();
    let files = numbered.iter().map(|(_, name)| {
        let path = folder.join(name);
        format!("({name:?}, include_str!({:?})),\n", path.display().to_string())
    });
    Ok(format!("&[{}]", files.collect::<String>()))
}
