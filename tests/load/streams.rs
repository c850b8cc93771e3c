//! Readers of what an endless run writes: named pipes, and checks of the data while it arrives.

use gif::{ColorOutput, DecodeOptions};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};
use test_support::process::output;

/// Makes a named pipe, from which `read` reads in another thread.
pub fn pipe<T: Send + 'static>(
    folder: &Path,
    name: &str,
    read: impl FnOnce(BufReader<File>) -> T + Send + 'static,
) -> (PathBuf, JoinHandle<T>) {
    let path = folder.join(name);
    let made = output(Command::new("mkfifo").arg(&path));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let from = path.clone();
    (path, thread::spawn(move || read(BufReader::with_capacity(1 << 16, File::open(from).expect("a pipe")))))
}

/// Checks the trace of [`crate::runs::COUNT`] row by row, and returns the number of rows.
pub fn trace(mut from: impl BufRead) -> u64 {
    let mut line = String::new();
    from.read_line(&mut line).expect("text");
    assert_eq!(line, "cycle,pc,word,a,c\n");
    for cycle in 0.. {
        line.clear();
        if from.read_line(&mut line).expect("text") == 0 {
            return cycle;
        }
        // LDA #0, then ADD #1 and JMP for ever. The carry is set when the sum reaches 256.
        let place = ["002,b001", "001,5001"][(cycle % 2) as usize];
        let place = if cycle == 0 { "000,1000" } else { place };
        let sum = cycle / 2;
        let carry = u8::from(sum > 0 && sum % 256 == 0);
        assert_eq!(line, format!("{cycle},{place},{:02x},{carry}\n", sum % 256));
    }
    unreachable!("a trace has fewer than 2^64 rows")
}

/// Checks that a VCD file has every phase, and returns the time of the last, in nanoseconds.
pub fn vcd(from: impl BufRead) -> u64 {
    let mut next = 0;
    for line in from.lines() {
        if let Some(time) = line.expect("text").strip_prefix('#') {
            assert_eq!(time.parse(), Ok(next));
            next += 250;
        }
    }
    next - 250
}

/// The letter that the sending program of [`crate::runs`] sends at this place, counted from 0.
pub fn letter(place: u64) -> u8 {
    b'A' + (14_u8.wrapping_sub(place as u8) & 15)
}

/// Checks that no letter is missing, and returns their number.
pub fn letters(from: impl BufRead) -> u64 {
    let mut place = 0;
    for byte in from.bytes() {
        assert_eq!(byte.expect("a byte"), letter(place), "byte {place}");
        place += 1;
    }
    place
}

/// Reads an animation, and returns the number of its frames and their duration in hundredths of a second.
pub fn animation(from: impl Read) -> (u64, u64) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(from).expect("an animation");
    let (mut frames, mut time) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().expect("a whole frame") {
        frames += 1;
        time += u64::from(frame.delay);
    }
    (frames, time)
}

/// Checks the messages of a logpoint in [`crate::runs::COUNT`]. Returns the cycle of the last, and the lines of other kinds.
pub fn messages(from: impl BufRead) -> (u64, Vec<String>) {
    let (mut cycle, mut rest) = (None, Vec::new());
    for line in from.lines() {
        let line = line.expect("text");
        let Some(at) = line.strip_prefix("at ") else {
            rest.push(line);
            continue;
        };
        let next = cycle.map_or(1, |cycle| cycle + 2);
        assert_eq!(at, format!("{next} {}", next / 2 % 256));
        cycle = Some(next);
    }
    (cycle.expect("a message"), rest)
}
