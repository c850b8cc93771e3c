//! Constants from outside must have names that a program could give.

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
        assert_eq!(assembly.report.render(false).trim(), format!("error: {message}"));
    }
}
