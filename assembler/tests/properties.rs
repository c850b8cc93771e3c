//! Properties of all images and all sources.

use gray1_assembler::{MemoryLoader, Options, assemble, disassemble, format};
use gray1_isa::{Image, Word};
use proptest::prelude::*;
use test_support::random::sources::{PIECES, program};

fn assembled(source: &str) -> Option<Image> {
    let files = MemoryLoader::new([("p.g1", source)]);
    let assembly = assemble(&files, "p.g1", &Options::default());
    let _ = assembly.report.render(false);
    if let Some(program) = &assembly.program {
        let _ = program.listing(&assembly.report.sources);
        let _ = program.symbol_file(&assembly.report.sources);
    }
    assembly.program.map(|program| program.image)
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
    fn formatting_keeps_the_program(source in program()) {
        if let Ok(once) = format("p.g1", source.as_bytes()) {
            let twice = format("p.g1", once.as_bytes()).ok();
            prop_assert_eq!(Some(&once), twice.as_ref());
            prop_assert_eq!(assembled(&source), assembled(&once));
        }
    }

    #[test]
    fn nothing_panics_on_bytes(source in prop::collection::vec(any::<u8>(), 0..300)) {
        let files = MemoryLoader::new([("p.g1", source.clone())]);
        let _ = assemble(&files, "p.g1", &Options::default()).report.render(true);
        let _ = format("p.g1", &source);
    }

    #[test]
    fn nothing_panics_on_pieces_of_the_language(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        let source = pieces.concat();
        let before = assembled(&source);
        if let Ok(once) = format("p.g1", source.as_bytes()) {
            prop_assert_eq!(before, assembled(&once));
            let twice = format("p.g1", once.as_bytes()).ok();
            prop_assert_eq!(Some(once), twice);
        }
    }

    #[test]
    fn nothing_panics_on_mutated_programs(source in program(), at in any::<prop::sample::Index>(), piece in prop::sample::select(PIECES)) {
        let mut source = source;
        let mut at = at.index(source.len());
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        source.insert_str(at, piece);
        let _ = assembled(&source);
    }
}
