//! `gray1 debug` on a pseudo-terminal: it shows the golden screens of the crate's own tests, reacts to keys, the mouse,
//! new sizes and signals, and restores the terminal however it ends.

use std::path::{Path, PathBuf};
use test_support::process::until;
use test_support::terminal::{ALTERNATE_SCREEN, Shell};

const TERM: &str = "xterm-256color";

#[test]
fn keys_lead_to_the_golden_screens() {
    let Some(mut shell) = start("begin", "exec_gray1 debug count.g1", TERM) else { return };
    shows(&mut shell, "begin");
    assert!(shell.terminal.screen().alternate_screen() && shell.terminal.screen().hide_cursor());
    shell.keys("nnnns");
    shows(&mut shell, "stepped");
    shell.keys("p");
    shows(&mut shell, "in_a_macro");
    // The rest of a session: a command, and back to the beginning.
    shell.keys(":until output\r");
    shell.until("output", |screen| screen.contents().contains("until output  cycle 6 phase 1"));
    shell.keys("\x1b[H");
    shell.until("the beginning", |screen| screen.contents().contains("cycle 0 phase 0"));
    shell.keys("q");
    shell.ends_restored("exit 0");
}

#[test]
fn a_click_and_a_drag_reach_the_panes() {
    let Some(mut shell) = start("mouse", "exec_gray1 debug count.g1", TERM) else { return };
    shows(&mut shell, "begin");
    shell.keys("r");
    shell.until("the halt", |screen| screen.contents().contains("halted"));
    // The time line is in row 20. Its middle is the middle of the run.
    shell.keys("\x1b[<0;41;20M\x1b[<0;41;20m");
    shell.until("the middle", |screen| screen.contents().contains("cycle 16 phase 0"));
    shell.keys("\x1b[<0;41;20M\x1b[<32;30;19M\x1b[<32;2;15M\x1b[<0;2;15m");
    shell.until("the beginning", |screen| screen.contents().contains("cycle 0 phase 0"));
    // A click into the gutter of the current line.
    let contents = shell.terminal.screen().contents();
    let row = contents.lines().position(|line| line.contains('►')).expect("the line of the machine") + 1;
    shell.keys(&format!("\x1b[<0;3;{row}M\x1b[<0;3;{row}m"));
    shell.until("a breakpoint", |screen| screen.contents().contains("┃● 14 ►"));
    shell.keys("q");
    shell.ends_restored("exit 0");
}

#[test]
fn endless_runs_show_their_cycles_and_can_be_stopped() {
    for end in ["\x1b", "\x03", " "] {
        let Some(mut shell) = start("endless", "exec_gray1 debug endless.g1", TERM) else { return };
        shell.until("the program", |screen| screen.contents().contains("endless.g1"));
        shell.keys("r");
        shell.until("a run", |screen| screen.contents().contains("Esc stop"));
        let first = cycle(&shell);
        shell.until("progress", |screen| cycle_of(&screen.contents()) > first);
        // Panes can be changed while the machine runs.
        shell.keys("4");
        shell.until("RAM", |screen| screen.contents().contains("┏━ 4 ram"));
        shell.keys(end);
        shell.until("the end", |screen| screen.contents().contains("stopped"));
        shell.keys("q");
        shell.ends_restored("exit 0");
    }
}

#[test]
fn the_screen_adapts_to_any_size() {
    let folder = folder("sizes");
    let sizes = [(1, 1), (120, 40), (19, 3), (80, 24)];
    let wait = |number: usize| format!("while [ ! -e {number} ]; do sleep 0.02; done");
    let resizes: Vec<String> = sizes
        .iter()
        .enumerate()
        .map(|(number, (columns, rows))| {
            format!("{}; stty cols {columns} rows {rows} </dev/tty", wait(number))
        })
        .collect();
    let command = format!("rm -f 0 1 2 3; ({}) & exec_gray1 debug count.g1", resizes.join("; "));
    let Some(mut shell) = start("sizes", &command, TERM) else { return };
    shows(&mut shell, "begin");
    for (number, (columns, rows)) in sizes.into_iter().enumerate() {
        // A new terminal emulator, because how the old one changes its size is not tested here.
        shell.terminal = vt100::Parser::new(rows, columns, 0);
        std::fs::write(folder.join(number.to_string()), "").expect("a file that asks for a size");
        match columns {
            1 => shell.until("a letter", |screen| screen.contents().starts_with('…')),
            120 => shows(&mut shell, "begin_wide"),
            19 => shell.until("the cycle", |screen| screen.contents().starts_with("cycle 0.0")),
            _ => shows(&mut shell, "begin"),
        }
    }
    shell.keys("q");
    shell.ends_restored("exit 0");
}

#[test]
fn signals_and_suspension_restore_the_terminal() {
    for (program, keys) in [("count.g1", ""), ("endless.g1", "r")] {
        let command = format!(
            "rm -f now; (while [ ! -e now ]; do sleep 0.02; done; kill -TERM $$) & exec_gray1 debug {program}"
        );
        let Some(mut shell) = start("signal", &command, TERM) else { return };
        shell.until("the program", |screen| screen.contents().contains(program));
        shell.keys(keys);
        if !keys.is_empty() {
            shell.until("a run", |screen| screen.contents().contains("Esc stop"));
        }
        std::fs::write(folder("signal").join("now"), "").expect("a file that asks for the signal");
        shell.ends_restored("exit 130");
    }
    let command = "set -m; exec_gray1 debug count.g1; stty -g; echo suspended; fg";
    let Some(mut shell) = start("suspend", command, TERM) else { return };
    shows(&mut shell, "begin");
    shell.keys("\x1a");
    shell.until_written("suspended", 1);
    shell.until_written(ALTERNATE_SCREEN, 2);
    shell.until("the screen again", |screen| screen.contents().contains("count.g1"));
    shell.keys("q");
    shell.ends_restored("");
    assert!(String::from_utf8_lossy(&shell.all).contains("suspended"));
}

#[test]
fn dumb_terminals_get_the_dialogue() {
    for (command, term) in
        [("exec_gray1 debug count.g1", "dumb"), ("exec_gray1 debug --plain count.g1", TERM)]
    {
        let Some(mut shell) = start("plain", command, term) else { return };
        shell.until("a prompt", |screen| screen.contents().contains("> "));
        shell.keys("step\rquit\r");
        shell.ends_restored("cycle 1  pc=001");
        assert!(!String::from_utf8_lossy(&shell.all).contains("\u{1b}[?1049h"));
    }
}

#[test]
fn without_unicode_the_screen_is_ascii() {
    let Some(mut shell) = start("ascii", "NO_COLOR=1 LC_ALL=C exec_gray1 debug count.g1", "xterm") else {
        return;
    };
    shell.until("the program", |screen| screen.contents().contains("count.g1"));
    shell.keys("nnnnsp");
    shows(&mut shell, "ascii");
    assert!(!shell.all.is_empty() && shell.terminal.screen().contents().is_ascii());
    shell.keys("q");
    shell.ends_restored("exit 0");
}

#[test]
fn commands_end_when_their_terminal_closes() {
    for (command, at_work) in [
        ("debug count.g1", "count.g1"),
        ("debug endless.g1", "endless.g1"),
        ("run endless.g1 --display term", "running"),
    ] {
        let Some(mut shell) = start("gone", &format!("echo $$ > pid; exec_gray1 {command}"), TERM) else {
            return;
        };
        shell.until("the program", |screen| screen.contents().contains(at_work));
        let process = std::fs::read_to_string(folder("gone").join("pid")).expect("its number");
        let process = Path::new("/proc").join(process.trim());
        assert!(process.exists(), "{command}");
        drop(shell);
        until(&format!("{command} ends without its terminal"), || {
            let line = std::fs::read_to_string(process.join("cmdline"));
            line.map_or(true, |line| !line.contains("gray1")).then_some(())
        });
    }
}

/// Runs a command in a folder with the programs. `exec_gray1` stands for the binary.
fn start(name: &str, command: &str, term: &str) -> Option<Shell> {
    let folder = folder(name);
    let binary = env!("CARGO_BIN_EXE_gray1");
    let command = match command.contains("$$") {
        // The debugger replaces the shell, so that a signal reaches it directly.
        true => format!("bash --norc -c '{}'", command.replace("exec_gray1", &format!("exec {binary}"))),
        false => command.replace("exec_gray1", binary),
    };
    Shell::start(&format!("cd {}; {command}; echo exit $?", folder.display()), term)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workbench").join(name);
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let count = include_str!("../emulator/workbench/tests/count.g1");
    let endless = "loop: lda #1\n jmp loop\n";
    for (name, text) in [("count.g1", count), ("endless.g1", endless)] {
        std::fs::write(folder.join(name), text).expect("a source in the folder for tests");
    }
    folder
}

/// Waits until the screen equals this golden screen of the crate's own tests.
fn shows(shell: &mut Shell, name: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("emulator/workbench/tests/screens/{name}.txt"));
    let expected = std::fs::read_to_string(&path).expect("a screen of the crate's tests");
    shell.until(&format!("screen like {name}:\n{expected}"), |screen| {
        let contents = screen.contents();
        contents.lines().map(str::trim_end).eq(expected.trim_end().lines())
    });
}

fn cycle(shell: &Shell) -> u64 {
    cycle_of(&shell.terminal.screen().contents())
}

/// The cycle in the first line of a screen.
fn cycle_of(contents: &str) -> u64 {
    let number = contents.split("cycle ").nth(1).and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.replace(',', "").parse().ok()).unwrap_or(0)
}
