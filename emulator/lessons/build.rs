//! Lists the lessons and the levels: every file of `docs/lessons` and `docs/levels` whose name begins with a number. To
//! add a lesson, add a file.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    for name in ["lessons", "levels"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
        fs::write(Path::new(&out).join(name).with_extension("rs"), file_list(&folder)?)?;
    }
    Ok(())
}

/// Generates a Rust expression for the files of a folder: the name and the text of each, sorted by number.
fn file_list(folder: &Path) -> io::Result<String> {
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
