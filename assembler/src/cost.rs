//! The cost of a range of words. Every instruction takes exactly one cycle, so the cost of a path is its length.

use gray1_isa::{Image, Opcode};
use std::collections::VecDeque;
use std::fmt;

/// The lengths of the shortest and the longest path through a range of words. As text: `7`, `7..12`, `7..` if a loop makes
/// the longest unbounded, `endless`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cycles {
    /// The shortest path; `None` if no path leads out.
    pub least: Option<usize>,
    /// The longest path; `None` if it is unbounded.
    pub most: Option<usize>,
}

impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match (self.least, self.most) {
            (None, _) => "endless".to_owned(),
            (Some(least), None) => format!("{least}.."),
            (Some(least), Some(most)) if least == most => least.to_string(),
            (Some(least), Some(most)) => format!("{least}..{most}"),
        })
    }
}

/// Computes the cycles from the first of the words `start..end` until control leaves them or the machine halts.
///
/// ```
/// use gray1_isa::{Image, Opcode, Word};
/// let image = Image::from_words([Word::jump(Opcode::Jz, 2), Word::constant(Opcode::Lda, 1)]);
/// assert_eq!(gray1_assembler::cycles(&image, 0, 2).to_string(), "1..2");
/// ```
pub fn cycles(image: &Image, start: u16, end: u16) -> Cycles {
    // The successors of each word, by index; `None` is outside.
    let successors: Vec<Vec<Option<usize>>> = (start..end)
        .map(|address| {
            let word = image.word(address);
            let falls = (word.opcode() != Opcode::Jmp).then_some(address + 1);
            // A self-jump halts, which counts as leaving.
            let inside = |to: u16| (start..end).contains(&to) && to != address;
            let successor = |to: u16| inside(to).then(|| usize::from(to - start));
            [falls, word.landing()].into_iter().flatten().map(successor).collect()
        })
        .collect();
    Cycles { least: shortest(&successors), most: longest(&successors) }
}

fn shortest(successors: &[Vec<Option<usize>>]) -> Option<usize> {
    let mut seen = vec![false; successors.len()];
    let mut waiting = VecDeque::from([(0, 1)]);
    while let Some((index, cycles)) = waiting.pop_front() {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        if successors[index].contains(&None) {
            return Some(cycles);
        }
        waiting.extend(successors[index].iter().flatten().map(|&next| (next, cycles + 1)));
    }
    None
}

/// Works backwards from the last word. A reachable backward jump makes the length unbounded.
fn longest(successors: &[Vec<Option<usize>>]) -> Option<usize> {
    let mut most: Vec<Option<usize>> = vec![None; successors.len()];
    for (index, next) in successors.iter().enumerate().rev() {
        let length = |successor: &Option<usize>| match *successor {
            Some(next) if next > index => most[next].map(|cycles| cycles + 1),
            Some(_) => None,
            None => Some(1),
        };
        let lengths: Option<Vec<usize>> = next.iter().map(length).collect();
        most[index] = lengths.and_then(|lengths| lengths.into_iter().max());
    }
    most.first().copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::Word;

    #[test]
    fn paths_are_counted_through_branches_and_loops() {
        let plain = Word::constant(Opcode::Lda, 1);
        let jump = Word::jump;
        let cases: [(&[Word], &str); 5] = [
            (&[plain, plain], "2"),
            (&[jump(Opcode::Jz, 2), plain, plain], "2..3"),
            (&[plain, jump(Opcode::Jz, 0)], "2.."),
            (&[plain, jump(Opcode::Jmp, 0)], "endless"),
            (&[plain, jump(Opcode::Jmp, 1)], "2"),
        ];
        for (words, expected) in cases {
            let image = Image::from_words(words.iter().copied());
            assert_eq!(cycles(&image, 0, words.len() as u16).to_string(), expected, "{words:?}");
        }
    }
}
