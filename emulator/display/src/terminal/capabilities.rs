//! The capabilities of a terminal, according to its environment.

use super::system::assumed;

/// The colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colors {
    /// None, or none are wanted.
    None,
    /// The sixteen basic ones.
    Sixteen,
    /// The palette of 256.
    Table,
    /// All that can be given as red, green and blue.
    True,
}

/// Terminals that have the palette of 256, even if their name does not say so. All that call themselves `xterm` have.
const KNOWN: [&str; 7] = ["tmux", "screen", "alacritty", "foot", "kitty", "konsole", "vte"];

/// The capabilities of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The colours.
    pub colors: Colors,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
    /// Whether the cursor can be moved.
    pub moves_cursor: bool,
}

impl Capabilities {
    /// The capabilities according to this process's environment.
    pub fn from_environment() -> Self {
        Self::of(|name| std::env::var(name).ok().or_else(|| assumed(name)))
    }

    /// Reads the variables `NO_COLOR`, `COLORTERM` and `TERM`; and for the characters `LC_ALL`, `LC_CTYPE` and `LANG`,
    /// of which the first that is set counts.
    fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        let colors = if set("NO_COLOR").is_some() || term.is_empty() || term == "dumb" {
            Colors::None
        } else if matches!(set("COLORTERM").as_deref(), Some("truecolor" | "24bit"))
            || term.ends_with("-direct")
        {
            Colors::True
        } else if term == "xterm"
            || term.contains("256color")
            || KNOWN.iter().any(|name| term.starts_with(name))
        {
            Colors::Table
        } else {
            Colors::Sixteen
        };
        // The font of the Linux console lacks most characters, whatever the locale.
        let unicode =
            (locale.contains("utf-8") || locale.contains("utf8")) && term != "linux" && term != "dumb";
        let moves_cursor = !term.is_empty() && term != "dumb";
        Self { colors, unicode, moves_cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(environment: &[(&str, &str)]) -> (Colors, bool) {
        let found = Capabilities::of(|name| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        });
        (found.colors, found.unicode)
    }

    #[test]
    fn the_environment_decides() {
        assert_eq!(of(&[]), (Colors::None, false));
        assert_eq!(of(&[("TERM", "xterm")]), (Colors::Table, false));
        assert_eq!(of(&[("TERM", "xterm-16color")]), (Colors::Sixteen, false));
        assert_eq!(of(&[("TERM", "vt220")]), (Colors::Sixteen, false));
        assert_eq!(of(&[("TERM", "xterm-256color"), ("LANG", "de_DE.UTF-8")]), (Colors::Table, true));
        assert_eq!(of(&[("TERM", "tmux-256color"), ("COLORTERM", "truecolor")]), (Colors::True, false));
        assert_eq!(of(&[("TERM", "linux"), ("LANG", "C.utf8")]), (Colors::Sixteen, false));
        assert_eq!(
            of(&[("TERM", "dumb"), ("COLORTERM", "truecolor"), ("LANG", "C.utf8")]),
            (Colors::None, false)
        );
    }

    #[test]
    fn no_color_counts_only_when_it_is_not_empty() {
        assert_eq!(of(&[("TERM", "xterm"), ("NO_COLOR", "1")]).0, Colors::None);
        assert_eq!(of(&[("TERM", "xterm"), ("NO_COLOR", "")]).0, Colors::Table);
    }

    #[test]
    fn the_first_locale_variable_that_is_set_counts() {
        assert!(!of(&[("TERM", "xterm"), ("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]).1);
        assert!(of(&[("TERM", "xterm"), ("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]).1);
    }
}
