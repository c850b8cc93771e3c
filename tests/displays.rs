//! `gray1 run` on an X server and on a pseudo-terminal: it shows the LEDs, reacts to clicks and keys, and ends
//! properly.

use gray1_display::Pad;
use gray1_display::layout::Layout;
use std::path::Path;
use std::process::{Command, Output};
use test_support::golden;
use test_support::process::output;
use test_support::tools::installed;
use test_support::x11::{Picture, Server, WindowedProgram};

/// Shows the column of the pressed pad in the green top row, and the keys held in the red bottom row.
const ECHO: &str = "\
again:  lda  PADCOL
        sta  GREEN
        lda  KEYS
        sta  RED+7
        jmp  again
";

fn gray1(name: &str, source: &str, arguments: &[&str]) -> Command {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, source).expect("a source in the folder for tests");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.arg("run").arg(path).args(["--ram", "zero"]).args(arguments);
    command
}

#[test]
fn a_window_shows_the_program_and_passes_mouse_and_keys() {
    let Some(server) = Server::start() else { return };
    let shown =
        WindowedProgram::start(&server, gray1("echo.g1", ECHO, &["--display", "window", "--hz", "2000"]));
    shown.shows("all LEDs dark", |picture| {
        (0..64).all(|led| !picture.lit(Pad { row: led / 8, column: led % 8 }))
    });
    let picture = shown.picture();
    let layout = Layout::new(picture.width, picture.height);
    let board = picture.board(&layout);
    let dark = |picture: &Picture| picture.board(&layout) == board;

    let cell = layout.cell(Pad { row: 4, column: 6 });
    let (x, y) = (cell.x + cell.width / 2, cell.y + cell.height / 2);
    shown.xdotool(&["mousemove", "--window", &shown.window, &x.to_string(), &y.to_string()]);
    shown.xdotool(&["mousedown", "1"]);
    shown.shows("the column of the pad", |picture| picture.lit(Pad { row: 0, column: 6 }));
    shown.xdotool(&["mouseup", "1"]);
    shown.shows("the pad let go", dark);

    shown.xdotool(&["keydown", "Up"]);
    shown.shows("the key", |picture| picture.lit(Pad { row: 7, column: 2 }));
    shown.xdotool(&["keyup", "Up"]);
    shown.shows("the key let go", dark);

    shown.keys(&["q"]);
    assert_exit(shown, 0);
}

#[test]
fn after_a_halt_the_last_picture_stays_and_the_output_is_complete() {
    let Some(server) = Server::start() else { return };
    let source = "lda #$81\nsta GREEN+2\nlda #'!'\nsta OUT\nhalt: jmp halt\n";
    let shown = WindowedProgram::start(&server, gray1("halt.g1", source, &["--display", "window"]));
    for _ in 0..3 {
        shown.shows("the last picture", |picture| {
            (0..64).all(|led| picture.lit(Pad { row: led / 8, column: led % 8 }) == (led == 16 || led == 23))
        });
    }
    shown.keys(&["Escape"]);
    assert_eq!(assert_exit(shown, 0).stdout, b"!");
}

#[test]
fn after_a_halt_the_last_result_is_shown_until_l_is_pressed() {
    let Some(server) = Server::start() else { return };
    let source = "lda #$81\nsta GREEN+2\nlda #'7'\nsta OUT\nlda #10\nsta OUT\n\
                  lda #0\nsta GREEN+2\nlda #'1'\nsta OUT\nlda #10\nsta OUT\nhalt: jmp halt\n";
    let lit =
        |picture: &Picture| (0..64).filter(|led| picture.lit(Pad { row: led / 8, column: led % 8 })).count();
    let shown =
        WindowedProgram::start(&server, gray1("result.g1", source, &["--display", "window", "--hz", "max"]));
    shown.shows("the result", |picture| lit(picture) == 2);
    shown.keys(&["l"]);
    shown.shows("the LEDs", |picture| lit(picture) == 0);
    shown.keys(&["q"]);
    assert_eq!(assert_exit(shown, 0).stdout, b"7\n1\n");
    // With `--hold 0` no results are kept to be shown.
    let shown =
        WindowedProgram::start(&server, gray1("result.g1", source, &["--display", "window", "--hold", "0"]));
    shown.shows("the LEDs", |picture| lit(picture) == 0);
    shown.keys(&["q"]);
    assert_exit(shown, 0);
}

/// A display would show only the noise of power-up, and the user would have to close it.
#[test]
fn programs_without_display_and_inputs_open_no_window() {
    let Some(server) = Server::start() else { return };
    let source = "lda #'!'\nsta OUT\nhalt: jmp halt\n";
    let mut run = gray1("port.g1", source, &["--display", "auto"]);
    let output = output(run.env("DISPLAY", &server.display));
    assert_eq!((output.status.code(), &*output.stdout, &*output.stderr), (Some(0), &b"!"[..], &b""[..]));
}

/// A script that reads the output would wait for the window to be closed.
#[test]
fn a_pipe_opens_no_window() {
    let Some(server) = Server::start() else { return };
    let source = "lda #$81\nsta GREEN+2\nlda #'!'\nsta OUT\nhalt: jmp halt\n";
    let output = output(gray1("pipe.g1", source, &[]).env("DISPLAY", &server.display));
    assert_eq!((output.status.code(), &*output.stdout, &*output.stderr), (Some(0), &b"!"[..], &b""[..]));
}

#[test]
fn ctrl_c_closes_a_window() {
    let Some(server) = Server::start() else { return };
    let shown = WindowedProgram::start(&server, gray1("ctrl-c.g1", ECHO, &["--display", "window"]));
    shown.interrupt();
    assert_exit(shown, 130);
}

/// Waits until the program ends with this exit code and without messages.
fn assert_exit(shown: WindowedProgram, code: i32) -> Output {
    let output = shown.end();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
    output
}

#[test]
fn the_terminal_display_is_restored_with_the_output() {
    if !installed(&["script"]) {
        return;
    }
    let source = "lda #$81\nsta GREEN+2\nlda #'!'\nsta OUT\nlda #10\nsta OUT\nhalt: jmp halt\n";
    let command = gray1("term.g1", source, &["--display", "auto", "--hz", "100"]);
    let output = on_terminal(&command);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let (screen, after) = text.rsplit_once("\u{1b}[?1049l").expect("the alternate screen is left");
    assert!(screen.contains("\u{1b}[?1049h"), "the alternate screen was entered");
    assert!(after.starts_with("!\r\n"), "the program's output follows: {after:?}");
    assert!(after.contains('▀') && after.contains("halted"), "and the picture is the last: {after:?}");
}

/// Shapes are for people who cannot tell red from green.
#[test]
fn shapes_are_optional() {
    if !installed(&["script"]) {
        return;
    }
    let source = "lda #$81\nsta GREEN+2\nhalt: jmp halt\n";
    let shown = |options: &[&str]| {
        let command = gray1("shapes.g1", source, &[&["--display", "term", "--hz", "100"], options].concat());
        String::from_utf8_lossy(&on_terminal(&command).stdout).into_owned()
    };
    assert!(shown(&["--shapes"]).contains('○'));
    assert!(!shown(&[]).contains('○'));
}

/// Runs a command on a pseudo-terminal, which `script` provides. The output is what the terminal receives.
fn on_terminal(command: &Command) -> Output {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
    let mut script = Command::new("script");
    script.args(["-qec", &words.join(" "), "/dev/null"]).env_remove("DISPLAY").env_remove("NO_COLOR");
    output(script.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8"))
}

/// A recording is timed by machine cycles, so it is the same on every computer.
#[test]
fn documented_animations_match_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (program, options) in [
        // Up to the fifth solution.
        ("queens", "--hz 610 --hold 700 --max-cycles 7808"),
        // Up to the middle.
        ("rings", "--hz 16000 --max-cycles 73500"),
    ] {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{program}.gif"));
        let mut record = Command::new(env!("CARGO_BIN_EXE_gray1"));
        record.arg("run").arg(format!("programs/{program}.g1")).args(options.split(' ')).arg("--record");
        let output = output(record.arg(&made).current_dir(root));
        assert_eq!(output.status.code(), Some(3), "{program}");
        let made = std::fs::read(made).expect("a picture");
        let kept = root.join(format!("docs/{program}.gif"));
        assert!(golden::agrees(kept, &made), "{program}: the picture differs; UPDATE=1 rewrites it");
        assert!(made.len() < 1_000_000, "{program}: {} bytes", made.len());
    }
}
