//! Images, Gray code and the table of the instructions.

use gray1_isa::{
    IMAGE_BYTES, INSTRUCTIONS, Image, ImageError, Opcode, PROGRAM_WORDS, Word, from_gray, gray, parity,
};
use proptest::prelude::*;

#[test]
fn every_step_flips_one_bit_and_the_parity_is_the_lowest_bit() {
    for sequence in 0..4096u16 {
        let code = gray(sequence);
        assert_eq!(from_gray(code), sequence);
        assert_eq!((code ^ gray((sequence + 1) % 4096)).count_ones(), 1, "step after {sequence}");
        assert_eq!(parity(code), sequence % 2 == 1);
    }
}

#[test]
fn rows_stand_at_their_codes() {
    for (code, row) in INSTRUCTIONS.iter().enumerate() {
        assert_eq!(row.opcode as usize, code);
        assert_eq!(Opcode::from_mnemonic(&row.mnemonic.to_lowercase()), Some(row.opcode));
    }
    assert_eq!(Opcode::from_mnemonic("HLT"), None);
}

#[test]
fn words_read_like_source() {
    let cases = [
        (Word::constant(Opcode::Lda, 5), 0x1005, "LDA #$05"),
        (Word::ram(Opcode::Sta, 0xFE0), 0x2FE0, "STA $FE0"),
        (Word::ram(Opcode::Shr, 3), 0x8003, "SHR $003"),
        (Word::jump(Opcode::Jmp, 0), 0xA000, "JMP 0"),
        (Word::jump(Opcode::Jc, 1), 0xD001, "JC 1"),
        (Word::jump(Opcode::Jz, 4095), 0xF800, "JZ 4095"),
        (Word::new(Opcode::Jmp, true, 3), 0xB003, "JMP 2+1"),
    ];
    for (word, bits, text) in cases {
        assert_eq!(word.0, bits, "{text}");
        assert_eq!(word.to_string(), text);
    }
}

#[test]
fn a_jump_of_wrong_parity_lands_one_further() {
    for target in 0..4096 {
        let right = Word::jump(Opcode::Jmp, target);
        assert_eq!(right.landing(), Some(target));
        assert_eq!(Word(right.0 ^ 0x1000).landing(), Some((target + 1) % 4096));
    }
    assert_eq!(Word::constant(Opcode::Lda, 0).landing(), None);
}

#[test]
fn wrong_sizes_are_refused() {
    for size in [0, 1, IMAGE_BYTES - 1, IMAGE_BYTES + 1] {
        assert_eq!(Image::from_bytes(&vec![0; size]), Err(ImageError::Size(size)));
    }
}

#[test]
fn a_blank_cell_jumps_to_itself() {
    let image = Image::blank();
    for sequence in 0..4096 {
        assert_eq!(image.word(sequence).landing(), Some(sequence));
    }
}

proptest! {
    #[test]
    fn bytes_round_trip(words in proptest::collection::vec(any::<u16>(), 0..=PROGRAM_WORDS)) {
        let image = Image::from_words(words.iter().copied().map(Word));
        prop_assert_eq!(Image::from_bytes(&image.to_bytes()), Ok(image.clone()));
        let [low, high] = image.to_proms();
        for (sequence, &word) in words.iter().enumerate() {
            let physical = sequence ^ (sequence >> 1);
            prop_assert_eq!(word, u16::from_le_bytes([low[physical], high[physical]]));
        }
    }
}
