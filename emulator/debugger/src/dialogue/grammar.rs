//! The words that can come next on a command line, read from the syntax of the commands.

/// The words that may follow the beginning of a line, for commands with these usages; and whether no name of the program
/// may follow. Optional words, in brackets, may come anywhere.
pub fn expected_words<'u>(usages: impl Iterator<Item = &'u str> + Clone, head: &str) -> (Vec<&'u str>, bool) {
    let name = |usage: &'u str| usage.split(' ').next().unwrap_or_default();
    let mut typed = head.split_whitespace();
    let Some(command) = typed.next() else { return (usages.map(name).collect(), true) };
    let typed: Vec<&str> = typed.collect();
    let usage = usages.clone().find(|usage| name(usage) == command).unwrap_or_default();
    let (mut words, mut is_complete) = (Vec::new(), !usage.is_empty());
    for variant in usage.split(", ") {
        let tokens: Vec<&str> = variant.split_whitespace().skip(1).collect();
        let fits =
            |(typed, token): (&&str, &&str)| is_free(token) || fixed_words(token).any(|word| word == *typed);
        if !typed.iter().zip(&tokens).all(fits) {
            continue;
        }
        let next = tokens.get(typed.len()).filter(|token| !token.contains('['));
        let options = tokens.iter().filter(|token| token.contains('['));
        words.extend(next.into_iter().chain(options).flat_map(|token| fixed_words(token)));
        is_complete &= typed.len() >= tokens.len();
    }
    words.retain(|word| !typed.contains(word));
    if command == "help" {
        words.extend(usages.map(name));
    }
    (words, is_complete)
}

/// Whether a part of a syntax stands for text of the user.
fn is_free(token: &str) -> bool {
    token.contains(|c: char| c.is_ascii_uppercase() || c == '…')
}

/// The words that a part of a syntax offers: `red|green`.
fn fixed_words(token: &str) -> impl Iterator<Item = &str> {
    let words = token.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::COMMANDS;

    #[test]
    fn a_command_offers_the_words_of_its_grammar() {
        for (head, words) in [
            ("who ", &["wrote", "writes", "read", "reads", "changed", "changes", "lit", "lights"][..]),
            ("who wrote ", &["a", "c"]),
            ("who wrote untried ", &[]),
            ("who lit ", &["red", "green"]),
            ("break loop ", &["if", "after", "log"]),
            ("show ", &["registers", "ram", "board", "display", "source", "output", "stack"]),
        ] {
            assert_eq!(expected_words(COMMANDS.iter().map(|command| command.usage), head).0, words, "{head}");
        }
    }
}
