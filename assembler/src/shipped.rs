//! The programs of the folder `programs`, built into the tools: the command finds them by name, and the page offers them.
//! They include nothing but the library, which is built into the assembler.

use crate::source::{first_sentence, head_comment};

/// A program that is shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippedProgram {
    /// The name of its file.
    pub file: &'static str,
    /// Its source.
    pub text: &'static str,
    /// A suitable speed, in hertz; 0 is the maximum speed.
    pub hz: u64,
}

impl ShippedProgram {
    /// All programs, in a suitable order for reading.
    pub fn all() -> impl Iterator<Item = ShippedProgram> {
        TABLE.into_iter().map(|(file, text, hz)| ShippedProgram { file, text, hz })
    }

    /// The program of this name, with or without the extension.
    pub fn named(name: &str) -> Option<ShippedProgram> {
        ShippedProgram::all().find(|program| program.file == name || program.name() == name)
    }

    /// Its name: that of its file without the extension.
    pub fn name(&self) -> &'static str {
        self.file.strip_suffix(".g1").unwrap_or(self.file)
    }

    /// Its description: the comment at its beginning.
    pub fn about(&self) -> String {
        head_comment(self.text)
    }

    /// A one-line description.
    pub fn title(&self) -> String {
        let about = self.about();
        first_sentence(about.split("\n\n").next().unwrap_or_default()).trim_end_matches('.').to_owned()
    }
}

/// The programs in a suitable order for reading, each with its speed.
const TABLE: [(&str, &str, u64); 27] = [
    ("first.g1", include_str!("../../programs/first.g1"), 8_000),
    ("counter.g1", include_str!("../../programs/counter.g1"), 8_000),
    ("primes.g1", include_str!("../../programs/primes.g1"), 0),
    ("fibonacci.g1", include_str!("../../programs/fibonacci.g1"), 0),
    ("sort.g1", include_str!("../../programs/sort.g1"), 8_000),
    ("ant.g1", include_str!("../../programs/ant.g1"), 800),
    ("muldiv.g1", include_str!("../../programs/muldiv.g1"), 0),
    ("queens.g1", include_str!("../../programs/queens.g1"), 8_000),
    ("queens-bits.g1", include_str!("../../programs/queens-bits.g1"), 8_000),
    ("queens-array.g1", include_str!("../../programs/queens-array.g1"), 8_000),
    ("queens-permute.g1", include_str!("../../programs/queens-permute.g1"), 8_000),
    ("queens-masks.g1", include_str!("../../programs/queens-masks.g1"), 8_000),
    ("queens-brute.g1", include_str!("../../programs/queens-brute.g1"), 8_000),
    ("queens-small.g1", include_str!("../../programs/queens-small.g1"), 0),
    ("nqueens.g1", include_str!("../../programs/nqueens.g1"), 0),
    ("rings.g1", include_str!("../../programs/rings.g1"), 8_000),
    ("scroll.g1", include_str!("../../programs/scroll.g1"), 8_000),
    ("sudoku.g1", include_str!("../../programs/sudoku.g1"), 0),
    ("calculator.g1", include_str!("../../programs/calculator.g1"), 20_000),
    ("brainf.g1", include_str!("../../programs/brainf.g1"), 8_000),
    ("life.g1", include_str!("../../programs/life.g1"), 8_000),
    ("draw.g1", include_str!("../../programs/draw.g1"), 8_000),
    ("snake.g1", include_str!("../../programs/snake.g1"), 8_000),
    ("lights.g1", include_str!("../../programs/lights.g1"), 8_000),
    ("simon.g1", include_str!("../../programs/simon.g1"), 8_000),
    ("selftest.g1", include_str!("../../programs/selftest.g1"), 8_000),
    ("board.g1", include_str!("../../programs/board.g1"), 8_000),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::{fs, io};

    #[test]
    fn every_program_of_the_folder_is_shipped() -> io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
        let names =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
        let names = names.collect::<io::Result<BTreeSet<String>>>()?;
        let programs: BTreeSet<String> = names.into_iter().filter(|name| name.ends_with(".g1")).collect();
        let shipped: BTreeSet<String> =
            ShippedProgram::all().map(|program| program.file.to_owned()).collect();
        assert_eq!(shipped, programs);
        Ok(())
    }

    #[test]
    fn every_program_has_a_title_of_one_line_and_is_found_by_both_names() {
        for program in ShippedProgram::all() {
            let title = program.title();
            assert!((10..=130).contains(&title.len()), "{}: {title}", program.file);
            assert_eq!(ShippedProgram::named(program.file), Some(program));
            assert_eq!(ShippedProgram::named(program.name()), Some(program));
        }
        assert_eq!(ShippedProgram::named("all"), None, "a file of the library is no program");
    }
}
