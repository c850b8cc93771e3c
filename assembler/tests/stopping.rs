//! A caller's request to stop takes effect soon, whatever the source.
//!
//! No time is measured: the assembler asks its loader after every fixed amount of work, and everything that can take
//! long counts as work.

use gray1_assembler::{Assembly, Loaded, Loader, MemoryLoader, Options, assemble};
use std::cell::Cell;
use std::io;

/// More calls of the loader than this would be more work than any program is allowed.
const MAX_CHECKS: u64 = 3_000;

/// Lines that cause different kinds of work; `k` is a counter.
const LINES: [&str; 32] = [
    "lda #nameLONGbbb",
    "nameLONG{k}:",
    "x{k} = k",
    "x{k} ?= later + k",
    "nosuch k",
    "call nosuch{k}",
    "call nosuch",
    "lda .nosuch",
    ".label: jmp .label",
    ".ram y{k}",
    ".assert later == k",
    ".assert 0",
    ".word 1/0",
    "lda x{k+1}",
    "m k",
    "deep 250",
    "wrong k",
    ".include \"main.g1\"",
    ".error \"no\"",
    ".macro inner\n.endmacro",
    "v := v + k",
    "w := later + w",
    "lda #wide(k)",
    "lda #endless(k)",
    "lda #later2 + wide(later)",
    ".while x == #k % 100\n.when carry\n.break\n.endwhen\n.endwhile",
    ".when k{k} < q\n.else\n.repeat_until !zero\n.endrepeat\n.endwhen",
    "read_table many",
    ".table t{k}, k % 7, later\nread_table t{k}",
    ".function f{k}(n) = n\nlda #f{k}(nosuch)",
    "named k{k}",
    ".extend many, later\n.table grown{k % 9}\n.extend grown{k % 9}, k % 100",
];

/// Counts how often it is asked whether to stop, and asks to stop from a certain count on.
struct Impatient {
    files: MemoryLoader,
    looks: Cell<u64>,
    patience: u64,
}

impl Loader for Impatient {
    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded> {
        self.files.load(path, from)
    }

    fn is_stopped(&self) -> bool {
        self.looks.set(self.looks.get() + 1);
        self.looks.get() > self.patience
    }
}

fn run(source: &str, patience: u64) -> (Assembly, u64) {
    let files = MemoryLoader::new([("main.g1", source)]);
    let loader = Impatient { files, looks: Cell::new(0), patience };
    let assembly = assemble(&loader, "main.g1", &Options::default());
    (assembly, loader.looks.get())
}

/// Every pair of lines in a loop, together with macros that are nested deeply or called wrongly.
fn sources() -> impl Iterator<Item = String> {
    let pairs =
        LINES.iter().enumerate().flat_map(|(index, one)| LINES[index..].iter().map(move |two| (one, two)));
    pairs.map(|(one, two)| {
        let long = "a".repeat(55);
        let many = (0..255).map(|value| (value * 151 % 256).to_string()).collect::<Vec<_>>().join(", ");
        let body = format!("{one}\n{two}").replace("LONG", &long);
        format!(
            ".macro m v\nlda #v\n.endmacro\n.macro wrong\n.endmacro\n\
             .macro deep n\n.if n\ndeep n-1\n.else\nnosuch\n.endif\n.endmacro\n\
             .macro named \"n\"\nlda #\"text\"[len(\"abc\")]\n{{n}} := byte(#k, 1)\n.endmacro\n\
             .function one(n) = n + n\n.function two(n) = one(n) + one(n)\n.function three(n) = two(n) * two(n)\n\
             .function wide(n) = three(n) + three(n) + three(n) + three(n)\n.function endless(n) = endless(n + 1)\n\
             .ram q\nv := 0\nw := 0\n.table many, {many}\n\
             .repeat 1000000000, k\n{body}\n.endrepeat\nlater = 3\n"
        )
    })
}

#[test]
fn whoever_stops_is_heard_after_one_more_look() {
    let mut stopped = 0;
    for source in sources().step_by(2) {
        let (assembly, looks) = run(&source, 3);
        if looks > 3 {
            let text = assembly.report.render(false);
            assert!(
                assembly.program.is_none() && text.contains("stopped before the end"),
                "{source}\n{text}"
            );
            assert_eq!(looks, 4, "after the loader has asked to stop it is not called again:\n{source}");
            stopped += 1;
        }
    }
    assert_eq!(stopped, (LINES.len() * (LINES.len() + 1) / 2).div_ceil(2));
}

#[test]
fn no_short_source_makes_more_work_than_is_allowed() {
    for source in sources().step_by(23) {
        let (assembly, looks) = run(&source, u64::MAX);
        assert!(assembly.program.is_none());
        assert!((10..MAX_CHECKS).contains(&looks), "{looks} looks:\n{source}");
    }
}

/// A misspelt name in a loop, for which every label is a candidate each time.
#[test]
fn a_misspelt_name_beside_thousands_of_labels_is_one_error_each_time() {
    let long = "a".repeat(55);
    let source = format!(".repeat 1000, k\nlda #{long}bbb\n{long}{{k}}:\n.endrepeat\nhalt: jmp halt\n");
    let (assembly, looks) = run(&source, u64::MAX);
    assert!(assembly.report.render(false).contains("unknown name"));
    assert!(looks < 100, "{looks} looks");
}

/// Kinds of lines, of which whole programs are made; `N` is the number of the line.
const KINDS: [&str; 12] = [
    "xN = N\n",
    "xN = xM + 1\n",
    "xM = xN + 1\n",
    "xN ?= N\n",
    "lN:\n.local: \n",
    ".macro mN p\n.endmacro\nmN 1\n",
    ".function fN(p) = p\n.assert fN(1)\n",
    ".table tN, 1, 2\n",
    "v := N\n",
    ".if N\n.endif\n",
    ".for k, 0, 3\n.endfor\n",
    "; N\n",
];

/// The work for a line does not depend on the number of lines.
#[test]
fn work_grows_as_the_lines_do() {
    let looks = |kind: &str, lines: usize| {
        let line =
            |number: usize| kind.replace('N', &number.to_string()).replace('M', &(number + 1).to_string());
        let source: String = (0..lines).map(line).collect();
        let (assembly, looks) = run(&format!("{source}x0 ?= 1\nx{lines} ?= 1\n"), u64::MAX);
        assert!(assembly.program.is_some(), "{}", assembly.report.render(false));
        looks
    };
    for kind in KINDS {
        let (few, many) = (looks(kind, 7_000), looks(kind, 70_000));
        assert!(many <= 11 * few + 1, "{kind}: {few} looks and {many}");
    }
}
