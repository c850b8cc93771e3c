//! The contents of packages besides the command: completions, and the page.

use crate::support::{Folder, GRAY1};
use std::fs;
use std::process::Command;
use test_support::process::output;

#[test]
fn shells_complete_shipped_programs_and_files() {
    let folder = Folder::new();
    for (shell, words) in [
        (
            "zsh",
            &["_gray1_programs() {", "_alternative 'programs:shipped program:(first", ":_gray1_programs'"][..],
        ),
        ("fish", &["-a \"first", "__fish_seen_subcommand_from run"]),
    ] {
        let script = folder.gray1(&["completions", shell]).succeeds().stdout;
        assert!(words.iter().all(|word| script.contains(word)), "{shell}: {script}");
        folder.write(shell, &script);
        // Each shell accepts its script.
        if test_support::tools::installed(&[shell]) {
            let checked = output(Command::new(shell).arg("-n").arg(folder.path(shell)));
            assert!(checked.status.success(), "{shell}: {checked:?}");
        }
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = Folder::new();
    folder.write("gray1.bash", folder.gray1("completions bash").succeeds().stdout);
    // The words typed so far, and the completions of the last word.
    let cases: [(&[&str], &str); 11] = [
        (&["ver"], "verify"),
        (&["run", "--engine", ""], "chips plain isa timed"),
        (&["run", "--eng"], "--engine"),
        (&["completions", "f"], "fish"),
        (&["run", "snak"], "snake"),
        (&["explain", "forgotten-h"], "forgotten-hash"),
        (&["chips", "ALUL"], "ALUL"),
        (&["check", "5.1"], "5.1"),
        (&["verify", "loo"], "loops"),
        (&["run", "--allow", "unused-n"], "unused-name"),
        (&["capture", "--program", "snak"], "snake"),
    ];
    for (words, expected) in cases {
        let last = words.len();
        let script = format!(
            "source gray1.bash; COMP_WORDS=(gray1 \"$@\"); COMP_CWORD={last}; \
             _gray1 gray1 \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let mut bash = Command::new("bash");
        bash.args(["-c", &script, "-"]).args(words).current_dir(folder.path(""));
        let completed = String::from_utf8(output(&mut bash).stdout).unwrap();
        assert_eq!(completed.trim(), expected, "{words:?}");
    }
}

#[test]
fn the_installed_page_is_found() {
    let folder = Folder::new();
    for path in ["usr/bin", "usr/share/gray1"] {
        fs::create_dir_all(folder.path(path)).unwrap();
    }
    fs::copy(GRAY1, folder.path("usr/bin/gray1")).unwrap();
    let page = "<script type=\"application/json\" id=\"program\">null</script>";
    let mut gray1 = Command::new(folder.path("usr/bin/gray1"));
    gray1.args(["page", "first", "-o", "first.html"]).current_dir(folder.path(""));
    let outcome = output(&mut gray1);
    let message = String::from_utf8_lossy(&outcome.stderr);
    assert!(outcome.status.code() == Some(1) && !folder.path("first.html").exists(), "{message}");
    let place = folder.path("usr/share/gray1/gray1.html").display().to_string();
    assert!(message.contains("emulator/page/build") && message.contains(&place), "{message}");
    folder.write("usr/share/gray1/gray1.html", page);
    assert!(output(&mut gray1).status.success());
    assert!(folder.read("first.html").contains("\"name\":\"first.g1\""));
}
