//! The built-in copy of the library `programs/lib`. `.include "lib/all.g1"` finds it from any folder, unless there is a
//! file of that name. Its names do not collide with the program's.

use crate::names::name_length;
use crate::source::{Loaded, beside};
use hashbrown::HashMap;
use std::sync::LazyLock;

/// The files of the library and their contents.
pub const LIBRARY_FILES: [(&str, &str); 18] = [
    ("all.g1", include_str!("../../programs/lib/all.g1")),
    ("logic.g1", include_str!("../../programs/lib/logic.g1")),
    ("arithmetic.g1", include_str!("../../programs/lib/arithmetic.g1")),
    ("compare.g1", include_str!("../../programs/lib/compare.g1")),
    ("wide.g1", include_str!("../../programs/lib/wide.g1")),
    ("long.g1", include_str!("../../programs/lib/long.g1")),
    ("multiply.g1", include_str!("../../programs/lib/multiply.g1")),
    ("divide.g1", include_str!("../../programs/lib/divide.g1")),
    ("array.g1", include_str!("../../programs/lib/array.g1")),
    ("switch.g1", include_str!("../../programs/lib/switch.g1")),
    ("print.g1", include_str!("../../programs/lib/print.g1")),
    ("count.g1", include_str!("../../programs/lib/count.g1")),
    ("pads.g1", include_str!("../../programs/lib/pads.g1")),
    ("random.g1", include_str!("../../programs/lib/random.g1")),
    ("delay.g1", include_str!("../../programs/lib/delay.g1")),
    ("leds.g1", include_str!("../../programs/lib/leds.g1")),
    ("small_font.g1", include_str!("../../programs/lib/small_font.g1")),
    ("font.g1", include_str!("../../programs/lib/font.g1")),
];

/// The prefix of the paths of built-in files.
pub const BUILT_IN: &str = "gray1:";
const FOLDER: &str = "lib/";

/// Whether this is the path of a built-in file, as it appears in diagnostics and programs. There is no such file on a
/// disk.
pub fn is_built_in(path: &str) -> bool {
    path.starts_with(BUILT_IN)
}

/// Whether this is the text of a file of the library. An unchanged copy on a disk is part of the library, too.
pub(crate) fn is_of_library(text: &str) -> bool {
    LIBRARY_FILES.iter().any(|(_, file)| *file == text)
}

/// Whether the library defines this global name. In its own files, the name belongs to the library.
pub(crate) fn defines(spelling: &str) -> bool {
    DEFINED.contains_key(spelling)
}

/// The file of the library that defines a name for programs, with this directive: `.macro` or `.ram`.
pub fn library_file(directive: &str, name: &str) -> Option<&'static str> {
    let &(file, definer) = DEFINED.get(name)?;
    (definer == Some(directive) && !name.starts_with('_')).then_some(file)
}

/// Each global name of the library, with its file and the directive that defines it. The name follows the directive, or
/// precedes a sign. The parser would take far longer; a test compares the two.
static DEFINED: LazyLock<HashMap<&str, (&str, Option<&str>)>> = LazyLock::new(|| {
    const DIRECTIVES: [&str; 5] = [".function", ".macro", ".ram", ".routine", ".table"];
    let defined = |file: &'static str, line: &'static str| {
        let line = line.trim_start();
        let directive = DIRECTIVES.into_iter().find(|directive| line.starts_with(directive));
        let statement = line[directive.map_or(0, str::len)..].trim_start();
        let (name, rest) = statement.split_at(name_length(statement));
        let is_defined = match directive {
            Some(_) => !rest.starts_with('{'),
            None => !name.is_empty() && rest.trim_start().starts_with([':', '=', '?']),
        };
        is_defined.then_some((name, (file, directive)))
    };
    let of_file = |&(file, text): &(&'static str, &'static str)| {
        text.lines().filter_map(move |line| defined(file, line))
    };
    LIBRARY_FILES.iter().flat_map(of_file).collect()
});

/// The built-in file of this name.
pub(crate) fn load(path: &str) -> Option<Loaded> {
    let name = path.strip_prefix(FOLDER)?;
    let (_, text) = LIBRARY_FILES.iter().find(|(file, _)| *file == name)?;
    Some(Loaded { path: format!("{BUILT_IN}{path}"), bytes: text.as_bytes().to_vec() })
}

/// The file that a built-in file includes by this path.
pub(crate) fn load_beside(from: &str, path: &str) -> Option<Loaded> {
    load(&beside(Some(from.strip_prefix(BUILT_IN)?), path))
}

/// The paths by which the files can be included.
pub(crate) fn names() -> impl Iterator<Item = String> {
    LIBRARY_FILES.iter().map(|(file, _)| format!("{FOLDER}{file}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use crate::source::Sources;
    use crate::syntax::{Syntax, parse};
    use hashbrown::HashSet;

    #[test]
    fn the_names_of_the_library_are_those_that_the_parser_finds() {
        let (mut sources, mut syntax, mut names) = (Sources::default(), Syntax::default(), Names::default());
        for (path, text) in LIBRARY_FILES {
            let file = sources.add(path.to_owned(), text.to_owned());
            parse(&sources, file, false, &mut syntax, &mut names);
        }
        let defined = syntax.statements.iter().filter_map(|statement| statement.kind.defines()?.plain());
        let global = defined.filter(|&name| !names.is_local(name));
        let found: HashSet<&str> = global.map(|name| names.spelling(name)).collect();
        assert_eq!(DEFINED.keys().copied().collect::<HashSet<&str>>(), found);
        assert_eq!(library_file(".macro", "add16"), Some("wide.g1"));
        assert_eq!(library_file(".ram", "add16"), None);
    }
}
