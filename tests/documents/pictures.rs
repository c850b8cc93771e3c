//! The pictures of `docs/building.md`, made by the commands in it. Those that KiCad draws are compared with a
//! tolerance, because versions of KiCad differ in some pixels.

use crate::compare::assert_chart;
use crate::document::{open, root};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use test_support::golden;
use test_support::process::output;
use test_support::tools::installed;

/// Two pixels differ if one of their levels differs by more than this.
const MAX_DIFFERENCE: u8 = 48;
/// The pictures of the printed boards.
const BOARDS: [&str; 3] = ["printed-board.png", "printed-io.png", "printed-display.png"];
/// The limit on the differing pixels of a thousand.
const MAX_DIFFERENT: usize = 3;

/// A folder with the pack from which all pictures are made.
static KIT: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the pictures");
    let built = output(Command::new(env!("CARGO_BIN_EXE_gray1")).args(["build", "kit"]).current_dir(&folder));
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    folder
});

/// Runs the commands of the document that make a picture, and returns the picture.
fn drawn(name: &str) -> Vec<u8> {
    let document = open("docs/building.md");
    let blocks = document.blocks();
    let block = blocks.iter().find(|block| block.info.starts_with("console") && block.text.contains(name));
    let commands = block.unwrap_or_else(|| panic!("no commands for {name}")).text.lines();
    let commands: Vec<&str> = commands.filter_map(|line| line.strip_prefix("$ ")).collect();
    let gray1 = format!("gray1() {{ \"{}\" \"$@\"; }}", env!("CARGO_BIN_EXE_gray1"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{gray1}\nset -e\n{}\n", commands.join("\n"))]).current_dir(&*KIT);
    let output = output(shell.env("KICAD_CONFIG_HOME", KIT.join("settings")));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read(KIT.join(name)).expect("a picture")
}

/// The width of a picture, and red, green and blue of each pixel.
fn pixels(png: &[u8]) -> (usize, Vec<[u8; 3]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a picture");
    let mut levels = vec![0; reader.output_buffer_size().expect("a picture of this size")];
    let info = reader.next_frame(&mut levels).expect("a whole picture");
    let samples = info.color_type.samples();
    assert!(samples >= 3, "a picture in colour");
    (info.width as usize, levels.chunks(samples).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect())
}

/// The number of differing pixels of a thousand; 1000 if the sizes differ.
fn different_pixels(one: &(usize, Vec<[u8; 3]>), other: &(usize, Vec<[u8; 3]>)) -> usize {
    if one.0 != other.0 || one.1.len() != other.1.len() {
        return 1000;
    }
    let is_other =
        |(one, other): &(&[u8; 3], &[u8; 3])| (0..3).any(|at| one[at].abs_diff(other[at]) > MAX_DIFFERENCE);
    one.1.iter().zip(&other.1).filter(is_other).count() * 1000 / one.1.len()
}

/// Asserts that KiCad draws this picture.
fn assert_kicad_draws(name: &str) {
    if !installed(&["kicad-cli", "rsvg-convert"]) {
        return;
    }
    let (kept, made) = (root().join("docs").join(name), drawn(name));
    let right = pixels(&made);
    // The tolerance is small enough that a picture shifted a little is noticed.
    let mut moved = right.clone();
    moved.1.rotate_right(3 * right.0 + 3);
    assert!(different_pixels(&moved, &right) > MAX_DIFFERENT, "{name} shows hardly anything");
    let is_kept = fs::read(&kept).is_ok_and(|png| different_pixels(&pixels(&png), &right) <= MAX_DIFFERENT);
    if !is_kept {
        assert!(golden::agrees(&kept, &made), "docs/{name} is another picture; UPDATE=1 rewrites it");
    }
}

#[test]
fn the_pictures_are_current() {
    assert_chart("selftest.gif", &drawn("selftest.gif"));
    assert_kicad_draws("schematic.png");
}

#[test]
#[ignore = "takes KiCad a minute"]
fn the_printed_boards_are_current() {
    BOARDS.into_iter().for_each(assert_kicad_draws);
}

#[test]
fn pictures_are_small() {
    for name in ["selftest.gif", "schematic.png"].into_iter().chain(BOARDS) {
        let size = fs::metadata(root().join("docs").join(name)).expect("a picture").len();
        assert!(size < 200_000, "docs/{name}: {size} bytes");
    }
}
