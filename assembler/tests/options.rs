//! Constants from outside must have names that a program could define.

use gray1_assembler::{MemoryLoader, Options, assemble};

#[test]
fn constants_from_outside_need_free_names() {
    let refused = [
        (&["OUT"][..], "`OUT` cannot be defined from outside: it is built in"),
        (&["lda"], "`lda` cannot be defined from outside: it is an instruction"),
        (&["here"], "`here` cannot be defined from outside: it is the current sequence number"),
        (&["two words"], "`two words` cannot be defined from outside: it is not a name"),
        (&["n", "n"], "`n` cannot be defined from outside: it is defined already"),
    ];
    for (names, message) in refused {
        let files = MemoryLoader::new([("a.g1", "halt: jmp halt\n")]);
        let constants = names.iter().map(|name| ((*name).to_owned(), 1)).collect();
        let assembly = assemble(&files, "a.g1", &Options { constants, ..Options::default() });
        assert!(assembly.program.is_none(), "{names:?}");
        assert_eq!(assembly.report.render(false).trim(), format!("error[bad-definition]: {message}"));
    }
}

/// A definition that the program does not use is reported: otherwise `run programs/queens.g1 -D N=10` would silently
/// print 92.
#[test]
fn a_constant_from_outside_that_makes_no_difference_is_noticed() {
    let source = "size ?= 4\n.if DEBUG\n.endif\n.macro m limit\n      lda #limit\n.endmacro\n      m size\nhalt: jmp halt\n";
    for (name, expected) in [
        ("size", None),
        ("DEBUG", None),
        ("limit", Some("the program has defaults for size")),
        ("sise", Some("did you mean `size`?")),
    ] {
        let files = MemoryLoader::new([("a.g1", source)]);
        let mut constants = vec![(name.to_owned(), 1)];
        if name != "DEBUG" {
            constants.push(("DEBUG".to_owned(), 0));
        }
        let report =
            assemble(&files, "a.g1", &Options { constants, ..Options::default() }).report.render(false);
        let is_noticed =
            report.contains(&format!("`{name}` is defined from outside, but the program does not use it"));
        assert_eq!(is_noticed, expected.is_some(), "{report}");
        assert!(report.contains(expected.unwrap_or_default()), "{report}");
    }
}
