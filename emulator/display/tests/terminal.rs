//! The real terminal display on a pseudo-terminal: it draws, obeys keys, and gives the terminal back as it
//! was, however it ends.

use test_support::example;
use test_support::terminal::{ALTERNATE_SCREEN, Shell};

#[test]
fn it_draws_and_obeys_keys() {
    let Some(mut shell) = start("demo term 7000", "xterm-256color") else { return };
    shell.until("a solution", |screen| screen.contents().contains("15863724"));
    assert!(shell.terminal.screen().alternate_screen());
    let (row, column) = (1, 22);
    let cell = shell.terminal.screen().cell(row, column).expect("on the screen");
    assert_eq!(cell.contents(), "▀");
    assert_ne!(cell.fgcolor(), vt100::Color::Default);
    shell.keys(" ");
    shell.until("paused", |screen| screen.contents().contains("paused"));
    shell.keys("h");
    shell.until("help", |screen| screen.contents().contains("this help"));
    shell.keys("h-");
    shell.until("slower", |screen| screen.contents().contains("5 kHz"));
    shell.keys("q");
    shell.ends_restored("Quit");
}

#[test]
fn after_a_halt_the_last_picture_stays() {
    let Some(mut shell) = start("demo term max", "xterm-256color") else { return };
    shell.ends_restored("Halted");
    let contents = shell.terminal.screen().contents();
    assert!(contents.contains("halted") && contents.contains("92"), "{contents}");
    assert!(contents.contains('▀'), "{contents}");
}

#[test]
fn after_the_halt_of_a_machine_that_is_held_its_last_result_stays() {
    let Some(mut shell) = start("NO_COLOR=1 LC_ALL=C demo term max hold", "xterm") else { return };
    shell.ends_restored("Halted");
    let contents = shell.terminal.screen().contents();
    // The last solution, 84136275, in a picture without squares that are free.
    let rows: Vec<&str> = contents.lines().map(str::trim).filter(|row| row.len() == 15).collect();
    let columns = rows.iter().map(|row| row.find(['#', '@']).map_or(0, |at| at / 2 + 1).to_string());
    assert_eq!(columns.collect::<String>(), "84136275", "{contents}");
    assert!(
        contents.contains("halted") && contents.contains("LEDs at ") && contents.contains("  92"),
        "{contents}"
    );
    assert!(!contents.contains("Q: close"), "{contents}");
}

#[test]
fn without_colour_and_unicode_there_are_shapes_of_ascii() {
    let Some(mut shell) = start("NO_COLOR=1 LC_ALL=C demo term 100", "xterm") else { return };
    shell.until("a queen", |screen| screen.contents().contains("# o o o o o o o"));
    assert!(shell.terminal.screen().contents().is_ascii());
    shell.keys("q");
    shell.ends_restored("Quit");
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_the_last_picture_alone() {
    let Some(mut shell) = start("demo term max", "dumb") else { return };
    shell.ends_restored("Halted");
    let text = String::from_utf8_lossy(&shell.all).into_owned();
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(text.contains("halted"), "{text}");
}

#[test]
fn the_smallest_terminal_is_large_enough() {
    let Some(mut shell) = start("stty rows 1 cols 1; demo term max", "xterm-256color") else {
        return;
    };
    shell.ends_restored("Halted");
}

#[test]
fn control_c_and_signals_give_the_terminal_back() {
    let Some(mut shell) = start("demo term 7000", "xterm-256color") else { return };
    shell.until("a picture", |screen| screen.contents().contains("running"));
    shell.keys("\x03");
    shell.ends_restored("Interrupted");
    for signal in ["INT", "TERM", "HUP"] {
        let command = format!("(sleep 0.7; kill -{signal} $$) & exec_demo term 7000");
        let Some(mut shell) = start(&command, "xterm-256color") else { return };
        shell.ends_restored("Interrupted");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    let Some(mut shell) = start("demo term 7000 panic", "xterm-256color") else { return };
    shell.ends_restored("the requested panic");
}

#[test]
fn a_suspended_job_gives_the_terminal_back_and_takes_it_again() {
    let command = "set -m; demo term 7000; stty -g; echo suspended; fg";
    let Some(mut shell) = start(command, "xterm-256color") else { return };
    shell.until("a picture", |screen| screen.contents().contains("running"));
    shell.keys("\x1a");
    shell.until_written("suspended", 1);
    shell.until_written(ALTERNATE_SCREEN, 2);
    shell.until("the picture again", |screen| screen.contents().contains("running"));
    shell.keys("q");
    shell.ends_restored("Quit");
    let text = String::from_utf8_lossy(&shell.all).into_owned();
    assert!(text.contains("suspended"), "{text}");
}

/// Runs a command, in which `demo` is the example.
fn start(command: &str, term: &str) -> Option<Shell> {
    let demo = example("demo");
    // A signal must reach the demo itself, not the shell that started it.
    let command = match command.split_once("exec_demo") {
        Some((before, after)) => format!("sh -c '{before} exec {}{after}'", demo.display()),
        None => command.replace("demo", &demo.display().to_string()),
    };
    Shell::start(&command, term)
}
