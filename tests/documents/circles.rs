//! The files of a crate can be read one after the other: none uses a file that uses it in turn, however far round. The
//! same holds for the modules of each folder, with all files below them.
//!
//! A file uses another if it imports something from it, or names something in it by a path. What a file imports from
//! one that only passes it on (`pub use`) counts as imported from where it is defined. Tests do not count, nor do calls
//! of methods.

use crate::document::root;
use crate::map::sources;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

/// The segments of a path, such as `crate`, `board`, `Board`.
type Names = Vec<String>;

/// A file of a crate.
#[derive(Default)]
struct File {
    /// What it defines.
    items: BTreeSet<String>,
    /// What it imports: the name here, and its path.
    imports: BTreeMap<String, Names>,
    /// The paths that it uses; not those that it only passes on.
    uses: Vec<Names>,
}

/// The files of a crate, by the path of their module.
type Files = BTreeMap<Names, File>;

/// Adds a file and those below it; `folder` is where the latter are.
fn add(files: &mut Files, module: Names, path: &Path, folder: &Path) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut file, mut import, mut before) = (File::default(), None::<(bool, String)>, "");
    let (mut passed_on, mut used) = (Vec::<(String, Names)>::new(), Vec::new());
    let mut code = String::new();
    for line in text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
        let attribute = std::mem::replace(&mut before, line);
        let visibility =
            ["pub ", "pub(crate) ", "pub(super) "].into_iter().find(|word| line.starts_with(word));
        let statement = &line[visibility.map_or(0, str::len)..];
        if let Some(name) = statement.strip_prefix("mod ").and_then(|name| name.strip_suffix(';')) {
            // A module may have a file for each system.
            let named = attribute.split('"').nth(1).and_then(|file| Some(path.parent()?.join(file)));
            let own = [format!("{name}.rs"), format!("{name}/mod.rs")].map(|file| folder.join(file));
            let below = own.into_iter().chain(named).find(|path| path.exists());
            let below = below.unwrap_or_else(|| panic!("{}: no file for `{name}`", path.display()));
            if attribute != "#[cfg(test)]" {
                add(files, [&module[..], &[name.to_owned()]].concat(), &below, &folder.join(name));
            }
        } else if let Some(tree) = statement.strip_prefix("use ") {
            import = Some((visibility.is_some(), tree.to_owned()));
        } else if let Some((_, tree)) = &mut import {
            *tree += line;
        } else {
            code = code + line + "\n";
        }
        if let Some((is_passed_on, tree)) = import.take_if(|(_, tree)| tree.ends_with(';')) {
            for (name, path) in leaves(tree.trim_end_matches(';'), &[]) {
                let uses = if is_passed_on { &mut passed_on } else { &mut used };
                uses.push((name.clone(), path.clone()));
                file.imports.insert(name, path);
            }
        }
    }
    let words = file.read(&code);
    // A name that is passed on may be used here, too.
    used.extend(passed_on.into_iter().filter(|(name, _)| words.contains(name.as_str())));
    file.uses.extend(used.into_iter().map(|(_, path)| path));
    files.insert(module, file);
}

impl File {
    /// Adds what this code defines, the and the paths in it. Returns its words.
    fn read<'a>(&mut self, code: &'a str) -> BTreeSet<&'a str> {
        const DEFINES: [&str; 8] =
            ["fn", "struct", "enum", "trait", "type", "const", "static", "macro_rules"];
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let words = code.split(|c: char| !is_part(c)).map(|word| word.trim_matches(':'));
        let (mut before, mut all) = ("", BTreeSet::new());
        for word in words.filter(|word| !word.is_empty()) {
            if word.contains("::") {
                self.uses.push(word.split("::").map(str::to_owned).collect());
            } else if DEFINES.contains(&before) {
                self.items.insert(word.to_owned());
            }
            before = word;
            all.insert(word);
        }
        all
    }
}

/// The imports of a tree such as `crate::{board::Board, pace as speed}`: each name and its path.
fn leaves(tree: &str, before: &[String]) -> Vec<(String, Names)> {
    let tree = tree.trim();
    let (path, branches) =
        tree.split_once('{').map_or((tree, None), |(path, rest)| (path, rest.rsplit_once('}')));
    let (path, name) = path.split_once(" as ").map_or((path, None), |(path, name)| (path, Some(name)));
    let segments = path.split("::").filter(|segment| !segment.is_empty() && *segment != "self");
    let path: Names = before.iter().cloned().chain(segments.map(str::to_owned)).collect();
    let Some((branches, _)) = branches else {
        let name = name.or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        return vec![(name, path)];
    };
    let mut depth = 0;
    let branches = branches.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    branches.filter(|branch| !branch.trim().is_empty()).flat_map(|branch| leaves(branch, &path)).collect()
}

/// The file that defines what a path means in a module; `None` if it is of another crate.
fn definer(files: &Files, module: &[String], path: &[String], depth: usize) -> Option<Names> {
    let (first, mut rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" => Vec::new(),
        "super" => module.split_last()?.1.to_vec(),
        _ => {
            let is_known = files.contains_key(&[module, &path[..1]].concat())
                || files[module].imports.contains_key(first);
            rest = if is_known { path } else { return None };
            module.to_vec()
        }
    };
    while let Some((name, further)) = rest.split_first() {
        let below = [&at[..], &rest[..1]].concat();
        match files[&at].imports.get(name) {
            _ if name == "super" => at = at.split_last()?.1.to_vec(),
            _ if files.contains_key(&below) => at = below,
            Some(import) if !files[&at].items.contains(name) => {
                return if depth < 9 && import != path {
                    definer(files, &at, import, depth + 1)
                } else {
                    None
                };
            }
            _ => return Some(at),
        }
        rest = further;
    }
    Some(at)
}

/// The files that each file uses.
type Uses = BTreeMap<Names, BTreeSet<Names>>;

/// The files that each file uses.
fn uses(files: &Files) -> Uses {
    let used = |module: &Names| {
        let used = files[module].uses.iter().filter_map(|path| definer(files, module, path, 0));
        used.filter(|used| used != module).collect()
    };
    files.keys().map(|module| (module.clone(), used(module))).collect()
}

/// The uses of the modules of each folder by each other.
fn folders(files: &Uses) -> Uses {
    let mut folders: Uses = files.keys().map(|module| (module.clone(), BTreeSet::new())).collect();
    for (user, used) in files.iter().flat_map(|(user, used)| used.iter().map(move |used| (user, used))) {
        let common = user.iter().zip(used).take_while(|(one, other)| one == other).count();
        if common < user.len().min(used.len()) {
            folders.entry(user[..=common].to_vec()).or_default().insert(used[..=common].to_vec());
        }
    }
    folders
}

/// The shortest way from a file back to itself.
fn circle(used: &Uses) -> Option<String> {
    let ways = used.keys().filter_map(|first| {
        let mut ways = VecDeque::from([vec![first]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop_front() {
            for next in &used[*way.last()?] {
                let way = [&way[..], &[next]].concat();
                if next == first {
                    return Some(way);
                }
                if seen.insert(next) {
                    ways.push_back(way);
                }
            }
        }
        None
    });
    let name = |module: &&Names| if module.is_empty() { "the root".to_owned() } else { module.join("/") };
    Some(ways.min_by_key(Vec::len)?.iter().map(name).collect::<Vec<_>>().join(" → "))
}

#[test]
fn no_file_of_a_crate_uses_one_that_uses_it() {
    let mut count = 0;
    let roots = ["assembler", "emulator"].map(|folder| sources(&root().join(folder))).concat();
    let roots = roots.iter().filter(|path| path.ends_with("src/lib.rs") || path.ends_with("command/main.rs"));
    for path in roots {
        let folder = path.parent().expect("a folder");
        let mut files = Files::new();
        add(&mut files, Vec::new(), path, folder);
        count += files.len();
        let uses = uses(&files);
        assert_eq!(circle(&uses), None, "{}: move what both need to a file below", path.display());
        let circle = circle(&folders(&uses));
        assert_eq!(circle, None, "{}: move what both need to a folder below", path.display());
    }
    assert!(count > 500, "only {count} files");
}

#[test]
fn a_circle_is_found() {
    let file = |uses: &[&str], items: &[&str]| File {
        uses: uses.iter().map(|path| path.split("::").map(str::to_owned).collect()).collect(),
        items: items.iter().map(|&item| item.to_owned()).collect(),
        ..File::default()
    };
    let names =
        |path: &str| path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Names>();
    let mut root = file(&[], &[]);
    root.imports = leaves("a::{One, b::Two as Other}", &[]).into_iter().collect();
    let crate_of = |deepest: &[&str]| {
        let files = [
            ("", File { imports: root.imports.clone(), ..File::default() }),
            ("a", file(&["b::Two"], &["One"])),
            ("a/b", file(deepest, &["Two"])),
        ];
        Files::from(files.map(|(path, file)| (names(path), file)))
    };
    assert_eq!(circle(&uses(&crate_of(&["std::fmt", "crate::Other"]))), None);
    for back in ["super::One", "crate::One", "crate::a::One"] {
        assert_eq!(circle(&uses(&crate_of(&[back]))).as_deref(), Some("a → a/b → a"), "{back}");
    }
}

#[test]
fn a_circle_of_folders_is_found() {
    let names = |path: &str| path.split('/').map(str::to_owned).collect::<Names>();
    let used = |path: &[&str]| path.iter().map(|path| names(path)).collect::<BTreeSet<Names>>();
    let files = [("a/one", used(&["b"])), ("a/two", used(&[])), ("b", used(&["a/two"]))];
    let files = Uses::from(files.map(|(path, used)| (names(path), used)));
    assert_eq!(circle(&files), None);
    assert_eq!(circle(&folders(&files)).as_deref(), Some("a → b → a"));
}
