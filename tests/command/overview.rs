//! The help: groups, working examples, and advice for usage errors.

use crate::support::{Folder, GRAY1};
use std::process::{Command, Stdio};
use test_support::process::output;

/// Lists the commands of `gray1 --help`, which are indented by two spaces.
pub fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.gray1("--help").succeeds().stdout;
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage:"));
    let lines = lines.take_while(|line| *line != "Options:").filter(|line| line.starts_with("  "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn help_begins_with_suggestions_and_has_groups() {
    let folder = Folder::new();
    let help = folder.gray1("--help").succeeds().stdout;
    let first = help.lines().nth(2).unwrap_or_default().trim();
    assert!(first.starts_with("gray1 run queens"), "{help}");
    for group in ["See it", "Write programs", "Understand a run", "Prove and measure", "Build it", "Tools"] {
        assert!(help.contains(&format!("\n{group}:\n  ")), "{group}: {help}");
    }
    assert!(commands(&folder).len() >= 20);
}

/// `debug` ends with its input, and `run` needs no display here.
#[test]
fn the_examples_of_the_help_work() {
    let folder = Folder::new();
    // The files that some examples need.
    folder.gray1("examples my").succeeds();
    folder.gray1("asm queens").succeeds();
    std::fs::create_dir(folder.path("hand-ins")).unwrap();
    folder.write("hand-ins/a.g1", ".ram x\n.ram y\nlda y\nnor #0\nadd #1\nadd x\nsta OUT\nhalt: jmp halt\n");
    folder.write("page.html", "<script type=\"application/json\" id=\"program\">{}</script>");
    let mut count = 0;
    for command in commands(&folder) {
        let help = folder.gray1(&[&command, "--help"]).succeeds().stdout;
        let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        for line in lines.filter_map(|line| line.trim().split("  ").next()) {
            // The recording does not exist here, and the folder `my` has been written.
            if line.starts_with("gray1 capture") || line == "gray1 examples my queens" {
                continue;
            }
            let more = if command == "page" { " --page page.html" } else { "" };
            let shell = format!("{}{more} >/dev/null", line.replacen("gray1", GRAY1, 1));
            let mut shell_command = Command::new("sh");
            shell_command.args(["-c", &shell]).current_dir(folder.path("")).stdin(Stdio::null());
            let outcome = output(shell_command.env_remove("DISPLAY"));
            assert!(outcome.status.success(), "{line}: {}", String::from_utf8_lossy(&outcome.stderr));
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} examples");
}

#[test]
fn misspelt_words_get_helpful_advice() {
    let folder = Folder::new();
    for (line, messages) in [
        ("run queens --speed 100", &["gray1: unexpected argument '--speed'", "'--hz'"][..]),
        ("run queens --limit 100", &["'--max-cycles'"]),
        ("run queens --hz -5", &["'-5' for '--hz <N|max>'", "cycles per second"]),
        ("version", &["gray1: unrecognized", "`gray1 --version` prints the version"]),
        ("rnu", &["'run'"]),
        ("assemble", &["'asm'"]),
        ("explain forgoten-hash", &["did you mean `forgotten-hash`?"]),
        ("capture", &["gray1: the following required arguments"]),
        ("run queens --cycles 9", &["'--max-cycles'"]),
        ("run --hlep", &["'--help'"]),
        ("run -dash.g1", &["`./-NAME`"]),
    ] {
        let outcome = folder.gray1(line).ends_with(2);
        assert!(
            messages.iter().all(|message| outcome.stderr.contains(message)),
            "{line}: {}",
            outcome.stderr
        );
        assert!(outcome.stderr.starts_with("gray1: "), "{line}: {}", outcome.stderr);
    }
    let other = folder.gray1("run queens --speed 100").ends_with(2).stderr;
    assert!(!other.contains("--seed"), "{other}");
    let shells = folder.gray1("completions tcsh").ends_with(2).stderr;
    assert!(!shells.contains("tip"), "{shells}");
    let missing = folder.gray1("verify --program ../p/right.g1").ends_with(1).stderr;
    assert!(!missing.contains("did you mean"), "{missing}");
    let unlike = folder.gray1("xyzzy").ends_with(2).stderr;
    assert!(!unlike.contains("tip"), "{unlike}");
}

/// `--watch` is the former name of `--observe`.
#[test]
fn a_former_name_still_works_and_is_not_shown() {
    let folder = Folder::new();
    let help = folder.gray1("faults --help").succeeds().stdout;
    assert!(help.contains("--observe") && !help.contains("--watch"), "{help}");
    folder.gray1("faults first --count 1 --watch port").succeeds();
}
