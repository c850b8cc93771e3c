//! Measures how long it takes to assemble a full program memory of macros, and whether ten times the source takes ten
//! times as long. Run with `cargo bench -p gray1-assembler`.

use gray1_assembler::{MemoryLoader, Options, assemble};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A source that fills program memory by macros, with this many lines beside each call.
fn source(lines_beside: usize) -> String {
    let mut source = String::from(
        ".ram n, 16\n\
         .macro store value, where\n      lda  value\n      sta  where\n.endmacro\n\
         .macro bump where, by\n      lda  where\n.if isconst(by)\n      add  by\n.else\n      add  by+0\n.endif\n      \
         sta  where\n      jc   .done\n      store #by, where+1\n.done:\n.endmacro\n",
    );
    // Each iteration makes 8 words.
    for round in 0..512 {
        let _ = writeln!(source, "round{round}:\n      bump n+{}, #{}", round % 8, round % 100);
        let _ = writeln!(source, "      store n, n+2 ; round {round}");
        for line in 0..lines_beside {
            let _ = match line % 3 {
                0 => writeln!(
                    source,
                    "c{round}_{line} = {line} * 3 + round{} - round{round}",
                    (round + 7) % 512
                ),
                1 => writeln!(
                    source,
                    ".assert c{round}_{} != 1 || here >= {round}, \"an assertion\"",
                    line - 1
                ),
                _ => writeln!(source, "; a typical comment, {line}"),
            };
        }
    }
    source
}

/// The best of several runs.
fn time(source: &str) -> Duration {
    let files = MemoryLoader::new([("full.g1", source)]);
    let run = || {
        let begun = Instant::now();
        let assembly = assemble(&files, "full.g1", &Options::default());
        let taken = begun.elapsed();
        assert!(assembly.program.is_some(), "{}", assembly.report.render(false));
        taken
    };
    (0..20).map(|_| run()).min().unwrap_or_default()
}

fn main() {
    let (small, large) = (source(0), source(32));
    let lines = |source: &str| source.lines().count();
    let (short, long) = (time(&small), time(&large));
    println!("4,096 words from {} lines: {short:?}", lines(&small));
    println!("4,096 words from {} lines: {long:?}", lines(&large));
    let per_line = |taken: Duration, source: &str| taken.as_secs_f64() * 1e9 / lines(source) as f64;
    println!("{:.0} and {:.0} nanoseconds a line", per_line(short, &small), per_line(long, &large));
    let words = ".for k, 0, 4000\n      .word k\n.endfor\n";
    println!("4,000 words from one loop: {:?}", time(words));
    let (once, ten) = (constants(4_000), constants(40_000));
    let (once, ten) = (time(&once), time(&ten));
    println!(
        "4,000 and 40,000 constants: {once:?}, {ten:?}, a factor of {:.1}",
        ten.as_secs_f64() / once.as_secs_f64()
    );
}

/// A source of constants, each defined by the next, with a conditional and a comment for each.
fn constants(count: usize) -> String {
    let mut source = String::new();
    for k in 0..count {
        let _ = writeln!(source, "x{k} = x{} + 1 ; the next\n.if {k} % 2\n.assert x{k} > 0\n.endif", k + 1);
    }
    let _ = writeln!(source, "x{count} = 0");
    source
}
