//! Labels that do not occur in the source, for control blocks and tables, and the jumps to them.

use super::expander::{Expander, HiddenLabel};
use super::words::{ComparisonEnd, Content};
use crate::source::Span;
use gray1_isa::{Opcode, PROGRAM_WORDS, Word};

impl Expander<'_, '_> {
    pub fn new_label(&mut self) -> usize {
        self.code.hidden.push(HiddenLabel::default());
        self.code.hidden.len() - 1
    }

    /// Records the targets of comparisons as their ends, too.
    pub fn note_targets(&mut self) {
        for (index, label) in std::mem::take(&mut self.code.compared_labels) {
            let compared = self.code.compared[index];
            self.code
                .compared
                .extend(self.code.hidden[label].address.map(|here| ComparisonEnd { here, ..compared }));
        }
    }

    /// Sets the address of a label to the current one.
    pub fn bind_label(&mut self, label: usize) {
        let here = self.code.here;
        self.code.hidden[label].address = Some(here);
        for index in std::mem::take(&mut self.code.hidden[label].waiting) {
            if let Some(word) = self.code.words.get_mut(index as usize)
                && let Content::Fixed(jump) = word.content
            {
                word.content = jump_to(jump.opcode(), here);
            }
        }
    }

    pub fn put_jump(&mut self, opcode: Opcode, label: usize, span: Span) {
        let (index, address) = (self.code.words.len() as u32, self.code.hidden[label].address);
        self.put_word(jump_to(opcode, address.unwrap_or_default()), span);
        if address.is_none() {
            self.code.hidden[label].waiting.push(index);
        }
    }
}

fn jump_to(opcode: Opcode, address: u32) -> Content {
    Content::Fixed(Word::jump(opcode, (address % PROGRAM_WORDS as u32) as u16))
}
