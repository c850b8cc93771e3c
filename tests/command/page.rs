//! `gray1 page`: the inserted program, and invalid arguments.

use crate::support::Folder;
use serde_json::{Value, json};

const SLOT: &str = "<script type=\"application/json\" id=\"program\">";

/// Inserts a program into a page. Returns the JSON in the page.
fn insert(files: &[(&str, &str)], arguments: &[&str]) -> Value {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    files.iter().for_each(|(name, text)| folder.write(name, text));
    folder.write("built.html", format!("<html>{SLOT}null</script></html>"));
    folder.gray1(&[&["page", "--page", "built.html", "-o", "out.html"], arguments].concat()).succeeds();
    let page = folder.read("out.html");
    let inside =
        page.strip_prefix(&format!("<html>{SLOT}")).and_then(|rest| rest.strip_suffix("</script></html>"));
    serde_json::from_str(inside.unwrap()).unwrap()
}

#[test]
fn a_program_comes_with_the_files_it_needs_and_no_others() {
    let main = " .include \"one.g1\"\n .include \"lib/all.g1\"\nhalt: jmp halt\n";
    let cases = [
        (
            &[("p.g1", "halt: jmp halt\n")][..],
            &["p.g1"][..],
            json!({ "name": "p.g1", "text": "halt: jmp halt\n" }),
        ),
        (
            &[("sub/p.g1", main), ("sub/one.g1", "; one\n"), ("sub/two.g1", "; two\n")],
            &["sub/p.g1"],
            json!({ "name": "p.g1", "text": main, "files": { "one.g1": "; one\n" } }),
        ),
        (
            &[("sub/p.g1", " .include \"../one.g1\"\nhalt: jmp halt\n"), ("one.g1", "; one\n")],
            &["sub/p.g1"],
            json!({
                "name": "sub/p.g1",
                "text": " .include \"../one.g1\"\nhalt: jmp halt\n",
                "files": { "one.g1": "; one\n" },
            }),
        ),
        (
            &[("p.g1", "N ?= 1\n lda #N\nhalt: jmp halt\n")],
            &["p.g1", "-D", "N=7"],
            json!({ "name": "p.g1", "text": "N ?= 1\n lda #N\nhalt: jmp halt\n", "constants": { "N": 7 } }),
        ),
        (
            &[("sub/9-mine.md", "# Mine\n")],
            &["--lesson", "sub/9-mine.md"],
            json!({ "name": "queens.g1", "lessons": [["9-mine.md", "# Mine\n"]], "tab": "lesson" }),
        ),
    ];
    for (files, arguments, expected) in cases {
        assert_eq!(insert(files, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn an_image_becomes_source() {
    let folder = Folder::with("halt: jmp halt\n");
    folder.write("built.html", format!("{SLOT}null</script>"));
    folder.gray1("asm p.g1").succeeds();
    folder.gray1("page p.bin --page built.html -o out.html").succeeds();
    assert!(folder.read("out.html").contains("jmp"));
}

#[test]
fn invalid_pages_are_errors_and_write_nothing() {
    let folder = Folder::with(" lda nothing\n");
    folder.write("good.g1", "halt: jmp halt\n");
    folder.write("built.html", format!("{SLOT}null</script>"));
    folder.write("other.html", "<html></html>");
    let cases = [
        (&["page", "p.g1", "--page", "built.html", "-o", "out.html"][..], 1, "unknown name `nothing`"),
        (&["page", "none.g1", "--page", "built.html", "-o", "out.html"], 1, "none.g1: cannot read"),
        (&["page", "good.g1", "--page", "none.html", "-o", "out.html"], 1, "none.html: cannot read"),
        (&["page", "good.g1", "--page", "other.html", "-o", "out.html"], 1, "emulator/page/build"),
        (
            &["page", "good.g1", "--page", "built.html", "-o", "built.html"],
            2,
            "would overwrite an input file",
        ),
        (&["page", "good.g1", "--page", "built.html", "-o", "out.html", "-D", "1=2"], 1, "`1` is not a name"),
        (&["page", "good.g1"], 2, "--output"),
    ];
    for (arguments, code, message) in cases {
        let outcome = folder.gray1(arguments);
        assert_eq!(outcome.code, Some(code), "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
    }
    assert_eq!(folder.names(), ["built.html", "good.g1", "other.html", "p.g1"]);
}
