//! Every command can be given by key and by name, with the same effect.

use crate::support;
use crossterm::event::Event;
use gray1_workbench::keys::{Action, bindings, commands};
use support::{Bench, key};

const PROGRAM: &str = "\
.ram  n
.macro both value
      sta  value
      sta  OUT
.endmacro
      lda  #3
loop: both n
      add  #-1
      jz   halt
      jmp  loop
halt: jmp  halt
";

fn bench() -> Bench {
    let mut bench = Bench::new("program.g1", PROGRAM, 100, 50);
    bench.keys(":goto cycle 8<Enter>");
    bench
}

#[test]
fn no_key_does_two_things() {
    let all: Vec<_> = bindings().collect();
    for (place, binding) in all.iter().enumerate() {
        assert!(all[..place].iter().all(|other| other.key != binding.key), "{}", binding.key);
    }
}

#[test]
fn a_capital_letter_is_the_small_one_backwards() {
    let command = |letter: char| {
        let letter = letter.to_string();
        bindings().find(|binding| binding.key == letter).map(|binding| binding.action.text())
    };
    let mut count = 0;
    for letter in 'A'..='Z' {
        let Some(back) = command(letter) else { continue };
        let forward = command(letter.to_ascii_lowercase()).expect("a way forwards");
        let backwards = match forward.strip_prefix("step") {
            _ if forward == "run" => "reverse".to_owned(),
            Some(unit) => format!("back{unit}"),
            None => format!("back {forward}"),
        };
        assert_eq!(back, backwards, "{letter}");
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn every_command_has_a_key() {
    let first_word = |action: Action| action.text().split_whitespace().next().unwrap_or("").to_owned();
    let names: Vec<_> = commands().map(|command| command.name()).collect();
    for name in &names {
        assert!(bindings().any(|binding| first_word(binding.action) == *name), "{name} has no key");
    }
    println!("{} commands", names.len());
    assert!(names.len() >= 36);
}

/// Pressing a key and typing its command lead to the same screen.
#[test]
fn a_key_does_what_its_command_does() {
    let mut count = 0;
    for binding in bindings() {
        let (mut pressed, mut typed) = (bench(), bench());
        pressed.event(&Event::Key(key(binding.key)));
        match binding.action {
            Action::Command(text) => typed.keys(&format!(":{text}<Enter>")),
            Action::AtCursor(text) => typed.keys(&format!(":{}<Enter>", text.replace('@', "8"))),
            Action::Type(text) => {
                let last = pressed.text().lines().last().unwrap_or("").to_owned();
                let begun = text.split_once('@').map_or(text, |(before, _)| before);
                assert!(last.starts_with(&format!(":{}", begun.trim_end())), "{}: {last}", binding.key);
                continue;
            }
        }
        assert_eq!(pressed.text(), typed.text(), "{}", binding.key);
        assert_eq!(pressed.is_over, typed.is_over);
        assert!(!pressed.text().contains("there is no command"), "{}", pressed.text());
        count += 1;
    }
    println!("{count} keys");
    assert!(count >= 50, "only {count} keys compared");
}

/// The help shows every key and every command, and explains a key.
#[test]
fn the_help_tells_of_every_key_and_command() {
    let mut bench = Bench::new("program.g1", PROGRAM, 250, 200);
    bench.keys("?");
    let help = bench.text();
    for binding in bindings() {
        assert!(help.contains(binding.about), "{}", binding.key);
        bench.event(&Event::Key(key(binding.key)));
    }
    for command in commands() {
        assert!(help.contains(command.about), "{}", command.about);
    }
    let mut bench = Bench::new("program.g1", PROGRAM, 80, 24);
    bench.keys("?w");
    assert!(bench.text().contains("w: stop at accesses to RAM or a net"), "{}", bench.text());
}
