//! The macros of the built-in library ("idioms"), read from its sources. Programs may use them once they include it.

use gray1_assembler::LIBRARY_FILES;

/// A macro of the library that is meant for programs.
#[derive(Debug)]
pub struct Idiom {
    pub name: &'static str,
    pub parameters: Vec<&'static str>,
    /// The file that defines it, such as `print.g1`.
    pub file: &'static str,
    /// The comment above it: what it does, then what it costs.
    pub comment: String,
}

impl Idiom {
    /// The costs that its comment gives, for examples of operands.
    pub fn costs(&self) -> Vec<String> {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        self.comment
            .lines()
            .filter(|line| line.starts_with("    ") && line.contains(" word"))
            .map(words)
            .collect()
    }
}

/// Reads all idioms, in the order of the files.
pub fn idioms() -> Vec<Idiom> {
    LIBRARY_FILES.iter().flat_map(|&(file, text)| idioms_in(file, text)).collect()
}

/// Whether including one file also includes the other.
pub fn brings(included: &str, file: &str) -> bool {
    let text = |name: &str| LIBRARY_FILES.iter().find(|(other, _)| *other == name).map(|&(_, text)| text);
    let mut seen: Vec<&str> = Vec::new();
    let mut waiting = vec![included];
    while let Some(name) = waiting.pop() {
        if name == file {
            return true;
        }
        if let Some(text) = text(name).filter(|_| !seen.contains(&name)) {
            seen.push(name);
            waiting
                .extend(text.lines().filter_map(|line| line.strip_prefix(".include \"")?.strip_suffix('"')));
        }
    }
    false
}

fn idioms_in(file: &'static str, text: &'static str) -> Vec<Idiom> {
    let mut found = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some(text) = line.strip_prefix(';') {
            comment.push(text.strip_prefix(' ').unwrap_or(text));
            continue;
        }
        if let Some(head) = line.strip_prefix(".macro ").filter(|head| !head.starts_with('_')) {
            let (name, parameters) = head.trim().split_once(' ').unwrap_or((head.trim(), ""));
            let parameters = parameters.split(',').map(|name| name.trim().trim_matches('"'));
            let parameters = parameters.filter(|name| !name.is_empty()).collect();
            found.push(Idiom { name, parameters, file, comment: comment.join("\n") });
        }
        comment.clear();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idioms_are_read_with_what_they_cost() {
        let idioms = idioms();
        let sub = idioms.iter().find(|idiom| idiom.name == "sub").expect("the library has a `sub`");
        assert_eq!((&sub.parameters[..], sub.file), (&["v"][..], "arithmetic.g1"));
        assert_eq!(sub.costs(), ["sub x 3 words 3 cycles", "sub #5 1 word 1 cycle"]);
        assert!(sub.comment.starts_with("sub v: A ← A - v"));
        // Only macros that programs call have such a comment.
        for idiom in &idioms {
            assert!(idiom.comment.contains(idiom.name), "{idiom:?}");
        }
        assert!(brings("all.g1", "compare.g1"));
        assert!(!brings("logic.g1", "print.g1"));
    }
}
