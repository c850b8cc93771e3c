//! No input, however unusual, may cause a panic, a stack overflow, or a long run before it is rejected.

use gray1_assembler::{Assembly, MemoryLoader, Options, assemble, format};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Deliberately generous: these tests may run unoptimised, in parallel with others, on a slow machine.
const MAX_TIME: Duration = Duration::from_secs(10);

fn run(source: impl Into<Vec<u8>>) -> Assembly {
    let source = source.into();
    let files = MemoryLoader::new([("odd.g1", source.clone())]);
    let begun = Instant::now();
    let assembly = assemble(&files, "odd.g1", &Options::default());
    let text = assembly.report.render(true);
    assert!(text.len() < 1 << 20, "{} bytes of messages", text.len());
    let _ = format("odd.g1", &source);
    let taken = begun.elapsed();
    eprintln!("{taken:?} for {:?}…", String::from_utf8_lossy(&source[..source.len().min(30)]));
    assert!(taken < MAX_TIME, "{taken:?}");
    assembly
}

fn refuses(source: impl Into<Vec<u8>>, message: &str) {
    let assembly = run(source);
    assert!(assembly.program.is_none());
    let text = assembly.report.render(false);
    assert!(text.contains(message), "{message:?} is not in:\n{}", &text[..text.len().min(2_000)]);
}

#[test]
fn ten_megabytes_of_one_character() {
    for byte in 0..=255u8 {
        if b"\n ;a\"'(-.{#\\0%$\t\r\0\xFF:=,@!_".contains(&byte) {
            run(vec![byte; 10 << 20]);
        }
    }
    for (head, rest) in
        [("", "a:"), ("m ", "a,"), (".macro m ", "p,"), ("", "a{1}"), (".word ", "a{1}"), (".word ", "1?1:")]
    {
        run(head.to_owned() + &rest.repeat((10 << 20) / rest.len()));
    }
    for line in [
        "a:\n",
        "a\n",
        "@\n",
        "1+",
        "a,",
        ".if 1\n",
        "lda #1\n",
        ".ram x\n",
        "x=1\n",
        "\r\n",
        "漢",
        ".error \"\"\n",
    ] {
        run(line.repeat((10 << 20) / line.len()));
    }
}

#[test]
fn deep_nesting() {
    let mut ifs = ".if 1\n".repeat(10_000);
    ifs.push_str("lda #1\n");
    ifs.push_str(&".endif\n".repeat(10_000));
    assert!(run(ifs).program.is_some());
    refuses(".if 1\n".repeat(10_000), "this `.if` is never closed");
    let loops =
        |deep: usize| ".repeat 1, k\n".repeat(deep) + "halt: jmp halt\n" + &".endrepeat\n".repeat(deep);
    refuses(loops(10_000), "nested more than 600 deep");
    assert!(run(loops(599)).program.is_some());
    run(".macro m\n".repeat(10_000) + &".endmacro\n".repeat(10_000));
    let parentheses = format!(".word {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    refuses(parentheses, "nested more than");
    refuses(format!(".word {}1\n", "-".repeat(100_000)), "nested more than");
    refuses(format!(".word {}1\n", "1?1:".repeat(100_000)), "nested more than");
    refuses(format!(".word {}1\n", "1?".repeat(100_000)), "nested more than");
    refuses(format!(".word {}\n", "a{".repeat(100_000)), "nested more than");
    refuses(format!(".word 1{}\n", "+1".repeat(100_000)), "operations");
}

#[test]
fn programs_without_end() {
    refuses(".macro m\nm\n.endmacro\nm\n", "nested more than 256 deep");
    refuses(".macro m\nm\nm\n.endmacro\nm\nm\nm\n", "nested more than 256 deep");
    refuses(".macro a\nb\n.endmacro\n.macro b\na\n.endmacro\na\n", "nested more than 256 deep");
    refuses(".repeat 1000000000\n.endrepeat\n", "far too much");
    refuses(".repeat 1000000000\nlda #1\n.endrepeat\n", "far too much");
    refuses(".repeat 1000000000, k\nx{k} = k\n.endrepeat\n", "far too much");
    refuses(".for k, -9223372036854775807, 9223372036854775807\n.endfor\n", "far too much");
    let mut doubling = String::from(".macro m0\n.endmacro\n");
    for level in 1..64 {
        let _ = writeln!(doubling, ".macro m{level}\nm{0}\nm{0}\n.endmacro", level - 1);
    }
    refuses(doubling + "m63\n", "far too much");
    refuses(".include \"odd.g1\"\n", "includes itself");
    let long = "1+".repeat(4_000) + "1";
    refuses(format!(".repeat 1000000000\n.assert {long}\n.endrepeat\n"), "far too much");
    let recursion =
        ".macro m p, d\n.if d\nm p+p, d-1\n.else\nlda #p\n.endif\n.endmacro\nm later, 200\nlater = 0\n";
    assert!(run(recursion).program.is_some());
    refuses(".macro m p\nm p+p\n.endmacro\nm later\nlater = 0\n", "nested more than 256 deep");
}

#[test]
fn long_chains() {
    let mut chain = String::new();
    for k in 0..100_000 {
        let _ = writeln!(chain, "x{k} = x{} + 1", k + 1);
    }
    chain.push_str("x100000 = 0\n.word x0 == 100000\n");
    assert!(run(chain.clone()).program.is_some());
    refuses(chain.replace("x100000 = 0", "x100000 = x0"), "is defined by itself");
    let mut forward = String::from("x0 = later\n");
    for k in 0..100_000 {
        let _ = writeln!(forward, "x{} = x{k} + 1", k + 1);
    }
    assert!(run(forward + "later = 0\n.word x100 == 100\n").program.is_some());
    let mut pasted = String::from("x{0} = 0\n");
    for k in 1..20_000 {
        let _ = writeln!(pasted, "x{k} = x{{x{} * 0 + {}}} + 1", k - 1, k - 1);
    }
    run(pasted);
    let mut routines = String::from("call r0\nhalt: jmp halt\n");
    for k in 0..2_000 {
        let _ = writeln!(routines, ".routine r{k}\ncall r{}\n.endroutine", (k + 1) % 2_000);
    }
    refuses(routines, "calls itself");
}

#[test]
fn a_mistake_that_is_made_again_is_reported_again() {
    let report = run("inx\nlda #1\ninx\nfoo\nfoo 5\njmp foo\n").report.render(false);
    let places: Vec<&str> =
        report.lines().filter_map(|line| line.split_once("--> odd.g1:")).map(|(_, place)| place).collect();
    assert_eq!(places, ["1:1", "3:1", "4:1", "5:1"], "{report}");
}

#[test]
fn odd_bytes() {
    refuses(b"lda #1\n\xFF\xFE\n".to_vec(), "odd.g1:2:1");
    refuses(b"lda #\0\n".to_vec(), "NUL");
    assert!(run("\u{feff}start: lda #1\r\n\r\nhalt: jmp halt\r\n").program.is_some());
    refuses("\u{feff}lda #x\r\n", "odd.g1:1:6");
    for line_break in ["\n", "\r\n"] {
        refuses(format!("lda #1 +{line_break}h: jmp h{line_break}"), "odd.g1:1:9");
    }
    refuses(b"\xEF\xBB\xBFlda #1\n\xFF".to_vec(), "odd.g1:2:1");
    assert!(run("").program.is_some());
    assert!(run("; no line end").program.is_some());
    refuses(format!("lda #{}\n", "n".repeat(1 << 20)), "unknown name");
    refuses("lda #'\n", "expected");
    refuses("lda #'\\\n", "escape");
}

/// Words share their chains of expansions and their scopes. With a copy for each word, these 700 bytes of source would
/// take hundreds of megabytes.
#[test]
fn words_share_what_led_to_them() {
    let loops: String = (0..500).map(|deep| format!(".for k{deep}, 0, 1\n")).collect();
    let source = format!("{loops}.repeat 4000\nlda #k0 + k499\n.endrepeat\n{}", ".endfor\n".repeat(500));
    let program = run(source).program.expect("a program");
    let last = program.words.last().expect("a word");
    assert_eq!(program.chain(last).count(), 501);
    let innermost = program.locals(last).next().expect("an iteration");
    assert_eq!(innermost.count(), 500);
}

#[test]
fn a_long_text_is_cut_where_it_is_a_message() {
    let source = format!(".repeat 100_000\n.error \"{}\"\n.endrepeat\n", "a".repeat(100_000));
    refuses(source, "aaa…");
}

#[test]
fn pasted_names_of_absurd_length_are_refused() {
    let long = "x".repeat(1000);
    refuses(format!(".repeat 1000000000, i\n{long}{{i}} = i\n.endrepeat\n"), "more than 100 characters");
}

#[test]
fn too_many_errors_are_counted() {
    let assembly = run("lda #x\n".repeat(1500));
    let text = assembly.report.render(false);
    assert_eq!(text.matches("unknown name").count(), 1000);
    assert!(text.contains("and 500 more errors"));
}

/// Silenced warnings beyond a limit must not count as errors, and must not displace other warnings.
#[test]
fn too_many_warnings_are_no_errors() {
    let mut source = String::from(".ram x\nlda x\nhalt: jmp halt\n");
    for k in 0..10_000 {
        let _ = writeln!(source, "y{k} = {k}");
    }
    let assembly = run(source.clone());
    let text = assembly.report.render(false);
    assert!(assembly.program.is_some() && !text.contains("error"), "{text}");
    assert_eq!(text.matches("warning[").count(), 1000);
    let text = run(source + ".allow unused-name\n").report.render(false);
    assert!(text.starts_with("warning[never-written]"), "{text}");
    assert_eq!(text.matches("warning[").count(), 1);
}
