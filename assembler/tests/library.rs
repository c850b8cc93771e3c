//! The library is built in and complete, and files of the same name have priority over it.

use gray1_assembler::{LIBRARY_FILES, MemoryLoader, Options, Warning, assemble};
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

/// The words of a program, and its diagnostics.
fn assembled(files: &[(&str, &str)]) -> (Option<Vec<String>>, String) {
    let silenced = vec![Warning::NeverWritten, Warning::UnusedName, Warning::UnreachableCode];
    let options = Options { silenced, ..Options::default() };
    let assembly = assemble(&MemoryLoader::new(files.iter().copied()), "main.g1", &options);
    let words = assembly.program.map(|program| {
        let words = program.words.iter().map(|word| program.image.word(word.sequence).to_string());
        words.collect()
    });
    (words, assembly.report.render(false))
}

fn words_of(source: &str) -> Vec<String> {
    let (words, report) = assembled(&[("main.g1", source)]);
    assert_eq!(report, "", "{source}");
    words.unwrap_or_else(|| panic!("{source}"))
}

/// A program may define any name of the library, as anything, before or after the include. The library keeps using its
/// own.
#[test]
fn what_a_program_defines_wins_over_the_library() {
    let names = defined_names();
    assert!(names.len() > 80, "{} names", names.len());
    let uses =
        ["xor x", "jle x, halt", "lda x", "jslt x, halt", "jlt16 w, w, halt", "print x", "multiply x, #3"];
    let uses: String =
        uses.iter().chain(&["divide x, #3", "bit_number x"]).map(|line| format!("      {line}\n")).collect();
    let used = ["xor", "print", "multiply", "divide", "bit_number", "jle", "jslt", "jlt16", "x", "w", "halt"];
    let library = ".include \"lib/all.g1\"\n.include \"lib/font.g1\"\n";
    let plain = |source: &str| words_of(&format!("{source}halt: jmp  halt\n.ram  x\n.ram  w, 2\n{library}"));
    let expected = plain(&uses);
    let mut cases = 0;
    for name in names.iter().filter(|name| !used.contains(&name.as_str())) {
        // None of these makes a word.
        for definition in [
            "NAME = 5\n.assert NAME == 5\n",
            "NAME := 5\n.assert NAME == 5\n",
            ".assert NAME == 5\nNAME = 5\n",
            ".function NAME(p) = p + 5\n.assert NAME(1) == 6\n",
            ".macro NAME p, q, r, s\n.assert p + q + r + s == 10\n.endmacro\n      NAME 1, 2, 3, 4\n",
            "      NAME 1, 2, 3, 4\n.macro NAME p, q, r, s\n.assert p + q + r + s == 10\n.endmacro\n",
            ".table NAME, 1, 2\n",
        ] {
            let definition = definition.replace("NAME", name);
            let words = plain(&format!("{definition}{uses}"));
            assert_eq!(words, expected, "{definition}");
            cases += 1;
        }
        // RAM and a label have addresses. The library at the top does not make words either.
        let label = format!("      jmp  {name}\n{name}:\n{uses}");
        let jump = format!("\n.allow jump-to-next\n{label}");
        assert_eq!(plain(&jump)[1..], plain(&format!("      jmp  here\n{uses}"))[1..], "{name}");
        let at_the_top = format!(
            ".include \"lib/logic.g1\"\n.ram  {name}\n      lda  #1\n      sta  {name}\n      lda  {name}\n"
        );
        assert_eq!(words_of(&at_the_top), ["LDA #$01", "STA $002", "LDA $002"], "{name}");
        cases += 2;
    }
    assert!(cases > 500, "{cases} cases");
}

/// All names that a file of the library spells out at the beginning of a line.
fn defined_names() -> Vec<String> {
    let mut names = Vec::new();
    for line in LIBRARY_FILES.iter().flat_map(|(_, text)| text.lines()) {
        let directive =
            [".macro ", ".routine ", ".ram  ", ".function "].iter().find_map(|word| line.strip_prefix(word));
        let constant =
            line.split_once(" = ").filter(|(name, _)| !name.contains(['{', ';', '.'])).map(|(name, _)| name);
        let Some(defined) = directive.or(constant) else { continue };
        let end = defined.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(defined.len());
        names.push(defined[..end].to_owned());
    }
    names
}

#[test]
fn two_definitions_in_files_of_a_program_are_an_error_with_both_places() {
    let (words, report) = assembled(&[
        (
            "main.g1",
            ".include \"own.g1\"\n.macro sub v\n.endmacro\nhalt: jmp halt\n.include \"lib/all.g1\"\n",
        ),
        ("own.g1", ".macro sub v\n.endmacro\n"),
    ]);
    assert_eq!(words, None);
    assert!(report.contains("`sub` is defined twice"), "{report}");
    assert!(report.contains("--> main.g1:2:1") && report.contains("--> own.g1:1:1"), "{report}");
}

/// A copy counts as the library as long as it is unchanged.
#[test]
fn an_unchanged_copy_of_a_file_is_the_library_and_a_changed_one_is_not() {
    let main = "      sub  #1\n      jeq  #3, halt\nhalt: jmp  halt\n.macro sub v\n      lda  v\n.endmacro\n.include \"lib/all.g1\"\n";
    let copies = LIBRARY_FILES.map(|(name, text)| (format!("lib/{name}"), text.to_owned()));
    let with = |change: &dyn Fn(&str, &str) -> String| {
        let changed: Vec<(String, String)> =
            copies.iter().map(|(name, text)| (name.clone(), change(name, text))).collect();
        let files: Vec<(&str, &str)> = changed.iter().map(|(name, text)| (&name[..], &text[..])).collect();
        assembled(&[&[("main.g1", main)], &files[..]].concat())
    };
    let (words, report) = with(&|_, text| text.to_owned());
    assert_eq!(
        (words, &report[..]),
        (Some(["LDA #$01", "ADD #$FD", "JZ 3", "JMP 3"].map(String::from).to_vec()), "")
    );
    let (words, report) = with(&|name, text| match name {
        "lib/arithmetic.g1" => format!("{text}; mine\n"),
        _ => text.to_owned(),
    });
    assert_eq!(words, None);
    assert!(report.contains("--> main.g1:4:1") && report.contains("--> lib/arithmetic.g1:"), "{report}");
    // The files of the library can include files that are not part of it.
    let calls = "      jeq  #3, halt\nhalt: jmp  halt\n.include \"lib/all.g1\"\n";
    let own = ".macro sub v\n      add  #-v - 1\n.endmacro\n.macro shl v\n.endmacro\n";
    let compare = LIBRARY_FILES.iter().find(|(name, _)| *name == "compare.g1").expect("a file").1;
    let files = [("main.g1", calls), ("lib/all.g1", compare), ("lib/arithmetic.g1", own)];
    assert_eq!(assembled(&files).0.expect("a program")[0], "ADD #$FC");
}

#[test]
fn a_name_of_the_library_that_was_used_is_not_defined_anew_in_silence() {
    let source = "      neg\n.if 1\n.macro neg\n.endmacro\n.endif\n      neg\nhalt: jmp halt\n.include \"lib/all.g1\"\n";
    let (words, report) = assembled(&[("main.g1", source)]);
    assert_eq!(words, None);
    assert!(report.contains("`neg` is defined after it was used"), "{report}");
    assert!(report.contains("--> main.g1:3:1") && report.contains("--> main.g1:1:7"), "{report}");
    // Code that is not assembled defines nothing.
    assert_eq!(words_of(&source.replace(".if 1", ".if 0")).len(), 5);
    let source = ".include \"lib/logic.g1\"\nx = _logic + 1\n.macro make \"ending\"\n.ram _log{ending}\n.endmacro\n      make ic\n      lda  x\nhalt: jmp halt\n";
    let (_, report) = assembled(&[("main.g1", source)]);
    assert!(report.contains("`_logic` is defined after it was used"), "{report}");
    let source = source.replace("_log{ending}", "_logic");
    assert!(!assembled(&[("main.g1", &source)]).1.contains("defined"));
}

/// A program may even have a macro `call`: in the library, `call` keeps its meaning in the language.
#[test]
fn words_of_the_language_mean_the_same_in_the_library() {
    let source = ".macro call r\n      lda  #r\n.endmacro\n.macro return\n.endmacro\n      call 1\n      return\n      print #2\n\
                  halt: jmp  halt\n.include \"lib/print.g1\"\n";
    let words = words_of(source);
    assert_eq!(words[..3], ["LDA #$01", "LDA #$02", "STA $000"]);
    assert!(words[3].starts_with("JMP"), "{words:?}");
}

#[test]
fn both_names_are_among_the_symbols() {
    let source = ".ram  _left\n      lda  #1\n      sta  _left\n      print _left\nhalt: jmp  halt\n.include \"lib/print.g1\"\n";
    let program = crate::sources::assembled(source);
    let found = program.symbols.iter().filter(|symbol| symbol.name.ends_with("_left"));
    let found: Vec<(&str, i64)> = found.map(|symbol| (&symbol.name[..], symbol.value)).collect();
    assert_eq!(found, [("_left", 0), ("lib._left", 1)]);
    assert!(program.symbols.iter().any(|symbol| symbol.name == "_digit"));
}
