//! The library is built in, complete, and gives way to files.

use gray1_assembler::{LIBRARY_FILES, MemoryLoader, Options, assemble};
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn all_of_the_library_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/lib");
    let entries = std::fs::read_dir(folder).expect("the folder of the library");
    let files: BTreeMap<String, String> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    let built_in = LIBRARY_FILES.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(BTreeMap::from(built_in), files);
}

#[test]
fn the_library_is_found_wherever_a_source_lies_and_files_come_first() {
    let main = "      jnz halt\n      print #7\nhalt: jmp halt\n.include \"lib/all.g1\"\n";
    let report = |files: &[(&str, &str)]| {
        let assembly =
            assemble(&MemoryLoader::new(files.iter().copied()), "far/main.g1", &Options::default());
        (assembly.program.is_some(), assembly.report.render(false))
    };
    assert_eq!(report(&[("far/main.g1", main)]), (true, String::new()));
    let (_, text) = report(&[("far/main.g1", main), ("far/lib/all.g1", ".error \"mine\"\n")]);
    assert!(text.contains("--> far/lib/all.g1:1:1"), "{text}");
    let (_, text) =
        report(&[("far/main.g1", "      jeq #300, halt\nhalt: jmp halt\n.include \"lib/compare.g1\"\n")]);
    assert!(text.contains("--> gray1:lib/arithmetic.g1:"), "{text}");
    let (_, text) = report(&[("far/main.g1", ".include \"lib/al.g1\"\n")]);
    assert!(text.contains("did you mean `lib/all.g1`?"), "{text}");
}
