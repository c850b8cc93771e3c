//! What packages contain besides the command: completions and the manual, both generated from the definitions of the
//! commands.

use crate::support::{Folder, GRAY1};
use std::fs;
use std::process::Command;
use test_support::process::output;

/// The commands that `gray1 --help` lists.
fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.gray1(&["--help"]).succeeds().stdout;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_manual_has_a_page_for_each_command_with_all_its_options() {
    let folder = Folder::new();
    folder.gray1(&["manual", "man"]).succeeds();
    let commands = commands(&folder);
    let mut expected: Vec<String> = commands.iter().map(|name| format!("gray1-{name}.1")).collect();
    expected.push("gray1.1".to_owned());
    expected.sort();
    let mut pages: Vec<String> = fs::read_dir(folder.path("man"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    assert_eq!(pages, expected);
    let mut count = 0;
    for name in commands {
        let page = folder.read(&format!("man/gray1-{name}.1")).replace('\\', "");
        let help = folder.gray1(&[&name, "--help"]).succeeds().stdout;
        let words = help.lines().filter(|line| line.starts_with("  ")).flat_map(str::split_whitespace);
        for option in words.filter(|word| word.starts_with("--")) {
            let option = option.trim_end_matches([',', '.', ';', ':', ')']);
            assert!(page.contains(option), "gray1-{name}.1 does not know {option}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} options found");
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = Folder::new();
    folder.write("gray1.bash", folder.gray1(&["completions", "bash"]).succeeds().stdout);
    // The words typed so far, and the completions of the last word.
    let cases: [(&[&str], &str); 4] = [
        (&["ver"], "verify"),
        (&["run", "--engine", ""], "chips plain fast native timed"),
        (&["run", "--eng"], "--engine"),
        (&["completions", "f"], "fish"),
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
fn the_page_is_found_where_packages_put_it() {
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
    assert!(message.contains("emulator/views/page/build") && message.contains(&place), "{message}");
    folder.write("usr/share/gray1/gray1.html", page);
    assert!(output(&mut gray1).status.success());
    assert!(folder.read("first.html").contains("\"name\":\"first.g1\""));
}
