//! Templates of files: text with names in braces, which are replaced by values.

/// Replaces each known name. Values are not searched again, and all other braces stay.
pub fn filled(template: &str, fields: &[(&str, &str)]) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let named = part.split_once('}');
        match named.and_then(|(name, rest)| Some((fields.iter().find(|field| field.0 == name)?.1, rest))) {
            Some((value, rest)) => text.extend([value, rest]),
            None => text.extend(["{", part]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_are_replaced_and_only_once() {
        let fields = [("name", "{other}"), ("other", "2")];
        assert_eq!(filled("{name} {other} { name } {}} {", &fields), "{other} 2 { name } {}} {");
    }
}
