//! Properties of all images and all sources. `tests/fuzz` has more, for sources that resemble programs.

use crate::sources::assembly;
use gray1_assembler::{MemoryLoader, Options, assemble, disassemble, format};
use gray1_isa::{Image, Word};
use proptest::prelude::*;

fn assembled(source: &str) -> Option<Image> {
    assembly(source).program.map(|program| program.image)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn disassembling_loses_nothing(words in prop::collection::vec(any::<u16>(), 0..=4096)) {
        let image = Image::from_words(words.into_iter().map(Word));
        prop_assert_eq!(assembled(&disassemble(&image)), Some(image));
    }

    #[test]
    fn disassembling_sparse_images_loses_nothing(words in prop::collection::vec((0..4096u16, any::<u16>()), 0..40)) {
        let mut image = Image::blank();
        for (sequence, word) in words {
            image.set_word(sequence, Word(word));
        }
        prop_assert_eq!(assembled(&disassemble(&image)), Some(image));
    }

    #[test]
    fn nothing_panics_on_bytes(source in prop::collection::vec(any::<u8>(), 0..300)) {
        let files = MemoryLoader::new([("p.g1", source.clone())]);
        let _ = assemble(&files, "p.g1", &Options::default()).report.render(true);
        let _ = format("p.g1", &source);
    }
}
