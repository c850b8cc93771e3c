//! `gray1 run` with endless programs: with traces, recordings, waveforms and displays.

use crate::load::{Load, Memory};
use crate::streams;
use gray1_display::Pad;
use gray1_text::grouped;
use std::fs::{self, File};
use std::process::{Command, ExitStatus, Output, Stdio};
use test_support::folder::Folder;
use test_support::process::Process;
use test_support::terminal::Shell;
use test_support::x11::{Server, WindowedProgram};

/// Counts in A for ever.
pub const COUNT: &str = "lda #0\nloop: add #1\njmp loop\n";
/// Shows a number that changes about ten times per second at 8 kHz.
const BLINK: &str = "\
.ram n
loop:   lda #0
wait:   add #1
        jz  next
        jmp wait
next:   lda n
        add #1
        sta n
        sta GREEN+3
        jmp loop
";
/// Shows a number, and sends its low digit as a letter, from O down to A and then P.
const SEND: &str = "\
.ram n
loop:   lda n
        add #1
        sta n
        sta GREEN+3
        nor #$F0
        add #'A'
        sta OUT
        jmp loop
";
/// Shows the column of the pressed pad in the green top row.
const ECHO: &str = "again: lda PADCOL\nsta GREEN\njmp again\n";

/// The escape sequence that leaves the alternate screen.
const LEAVE_SCREEN: &[u8] = b"\x1b[?1049l";

/// A `gray1 run` of this source, which is written to the folder.
fn run(folder: &Folder, source: &str, arguments: &[&str]) -> Command {
    let path = folder.path().join("program.g1");
    fs::write(&path, source).expect("a source in the folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.arg("run").arg(path).args(["--ram", "zero", "--stats"]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The number in the line of the statistics that begins with `name`.
fn statistic(output: &Output, name: &str) -> u64 {
    let text = String::from_utf8_lossy(&output.stderr);
    number(
        text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name}: {text}")),
    )
}

/// The number at the beginning of a text. Its digits may be grouped by commas.
pub fn number(text: &str) -> u64 {
    let digits = text.split_whitespace().next().unwrap_or_default().replace(',', "");
    digits.parse().unwrap_or_else(|_| panic!("no number: {text}"))
}

/// Runs a command for the duration of the load, and then interrupts it.
fn run_under_load(name: &'static str, mut command: Command) -> (Load, Output) {
    let mut process = Process::start(&mut command);
    let mut load = Load::begin(name, process.id());
    load.run_to_end();
    let status = load.end(|| {
        process.interrupt();
        process.wait()
    });
    let output = process.output();
    assert_eq!(status.code(), Some(130), "{output:?}");
    (load, output)
}

#[test]
fn a_trace_has_every_row() {
    let folder = Folder::create();
    let (path, rows) = streams::pipe(folder.path(), "trace.csv", streams::trace);
    let (load, output) =
        run_under_load("run --trace", run(&folder, COUNT, &["--trace", &path.display().to_string()]));
    let rows = rows.join().expect("a trace without a gap");
    assert_eq!(rows, statistic(&output, "cycles "));
    load.report(Memory::SMALL, &format!("{} rows", grouped(rows)));
}

#[test]
fn an_animation_is_complete() {
    let folder = Folder::create();
    let (path, animation) = streams::pipe(folder.path(), "leds.gif", streams::animation);
    let arguments = ["--hz", "8000", "--record", &path.display().to_string()];
    let (load, output) = run_under_load("run --record", run(&folder, BLINK, &arguments));
    let (frames, time) = animation.join().expect("whole frames");
    let cycles = statistic(&output, "cycles ");
    // The last picture stays for three seconds. The light of the last moment has a frame of its own before it.
    let rest = time - cycles / 80;
    assert!((290..=330).contains(&rest), "{cycles} cycles, {time} hundredths of a second");
    load.report(Memory::SMALL, &format!("{} frames", grouped(frames)));
}

#[test]
fn a_vcd_file_has_every_phase() {
    let folder = Folder::create();
    let (path, end) = streams::pipe(folder.path(), "nets.vcd", streams::vcd);
    let (load, output) =
        run_under_load("run --wave", run(&folder, COUNT, &["--wave", &path.display().to_string()]));
    let cycles = statistic(&output, "cycles ");
    assert_eq!(end.join().expect("times without a gap"), cycles * 1000);
    load.report(Memory::SMALL, &format!("{} cycles", grouped(cycles)));
}

#[test]
fn output_has_every_byte() {
    let folder = Folder::create();
    let mut command = run(&folder, SEND, &["--display", "none"]);
    let (path, sent) = streams::pipe(folder.path(), "output", streams::letters);
    command.stdout(File::options().write(true).open(path).expect("a pipe that somebody reads"));
    let (load, output) = run_under_load("run", command);
    let sent = sent.join().expect("letters without a gap");
    // One of the three stores of the loop sends.
    assert_eq!(sent, statistic(&output, "STA ") / 3);
    load.report(Memory::SMALL, &format!("{} bytes", grouped(sent)));
}

/// Output that is sent while the display uses the terminal is printed afterwards: the newest part, and the number of
/// dropped bytes.
#[test]
fn the_terminal_display_keeps_the_latest_output() {
    let folder = Folder::create();
    let command = run(&folder, SEND, &["--display", "term", "--hz", "200k", "--hold", "0"]);
    let told = folder.path().join("told");
    let Some((mut shell, process)) = on_terminal(&folder, &command, &format!("2> {}", told.display())) else {
        return;
    };
    let mut load = Load::begin("run --display term", process);
    let mut cycle = 0;
    while load.is_running() {
        shell.until("a later cycle", |screen| cycle_of(&screen.contents()) > cycle);
        cycle = cycle_of(&shell.terminal.screen().contents());
        shell.all.clear();
    }
    load.end(|| {
        shell.keys("\x03");
        shell.until("its end", |screen| !screen.alternate_screen());
    });
    shell.until("its end", |screen| screen.contents().contains("exit 130"));
    let after = shell
        .all
        .windows(LEAVE_SCREEN.len())
        .rposition(|window| window == LEAVE_SCREEN)
        .expect("it has left the screen");
    let kept: Vec<u8> =
        shell.all[after + LEAVE_SCREEN.len()..].iter().copied().take_while(u8::is_ascii_uppercase).collect();
    let stderr = fs::read(told).expect("what it has told");
    let output = Output { status: ExitStatus::default(), stdout: kept, stderr };
    let sent = statistic(&output, "STA ") / 3;
    let text = String::from_utf8_lossy(&output.stderr);
    let lost = text.split_once("gray1: ").map_or(0, |(_, rest)| number(rest));
    let letters: Vec<u8> = (lost..sent).map(streams::letter).collect();
    assert!(output.stdout == letters, "{lost} and {} of {sent} bytes", output.stdout.len());
    load.report(
        Memory { filled: 64, most: 96 },
        &format!("{} bytes, {} of them dropped", grouped(sent), grouped(lost)),
    );
}

/// Starts a command on a pseudo-terminal. Returns its process ID, too.
pub fn on_terminal(folder: &Folder, command: &Command, redirection: &str) -> Option<(Shell, u32)> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let file = folder.path().join("process");
    let line = format!(
        "bash --norc -c 'echo $$ > {}; exec {} {redirection}'; code=$?; echo; echo exit $code",
        file.display(),
        words.join(" ")
    );
    let mut shell = Shell::start(&line, "xterm-256color")?;
    shell.until("the whole screen", vt100::Screen::alternate_screen);
    let process = fs::read_to_string(file).expect("its number");
    Some((shell, process.trim().parse().expect("a number")))
}

/// The cycle in the last line of a screen.
fn cycle_of(screen: &str) -> u64 {
    let words: Vec<&str> = screen.split_whitespace().collect();
    words.windows(2).find(|pair| pair[1] == "cycles").map_or(0, |pair| number(pair[0]))
}

#[test]
fn a_window_shows_a_run_and_passes_pads() {
    let Some(server) = Server::start() else { return };
    let folder = Folder::create();
    let shown = WindowedProgram::start(&server, run(&folder, ECHO, &["--display", "window", "--hz", "20k"]));
    let mut load = Load::begin("run --display window", shown.id());
    let pad = |column| Pad { row: 4, column };
    let mut clicks = 0_u64;
    while load.is_running() {
        let column = (clicks % 8) as u8;
        shown.mouse(pad(column), "mousedown");
        shown.shows("the column of the pad", |picture| picture.lit(Pad { row: 0, column }));
        shown.mouse(pad(column), "mouseup");
        shown.shows("the pad let go", |picture| !picture.lit(Pad { row: 0, column }));
        clicks += 1;
    }
    let output = load.end(|| {
        shown.interrupt();
        shown.end()
    });
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    load.report(
        Memory::SMALL,
        &format!("{} cycles, {} clicks", grouped(statistic(&output, "cycles ")), grouped(clicks)),
    );
}
