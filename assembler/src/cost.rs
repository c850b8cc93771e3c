//! What a stretch of code costs. Every instruction takes exactly one cycle, so the cost of a path is its length.

use gray1_isa::{Image, Opcode};
use std::collections::VecDeque;
use std::fmt;

/// Cycles from the first word of a stretch until it is left (or halts), over all paths through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cycles {
    /// The shortest way through; `None` when there is none.
    pub least: Option<usize>,
    /// The longest; `None` when a loop makes it unbounded.
    pub most: Option<usize>,
}

/// `7`, `7..12`, `7..` with a loop, `endless`.
impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (None, _) => f.pad("endless"),
            (Some(least), None) => f.pad(&format!("{least}..")),
            (Some(least), Some(most)) if least == most => f.pad(&least.to_string()),
            (Some(least), Some(most)) => f.pad(&format!("{least}..{most}")),
        }
    }
}

/// The cost of the words `start..end`, entered at the top.
pub(crate) fn cycles(image: &Image, start: u16, end: u16) -> Cycles {
    let ways: Vec<Vec<Way>> = (start..end)
        .map(|address| {
            let word = image.word(address);
            let falls = (word.opcode() != Opcode::Jmp).then_some(address + 1);
            let way = |to: u16| match (start..end).contains(&to) {
                true if to != address => Way::To(usize::from(to - start)),
                // A jump to itself halts: it leaves the stretch for good.
                _ => Way::Out,
            };
            [falls, word.landing()].into_iter().flatten().map(way).collect()
        })
        .collect();
    Cycles { least: shortest(&ways), most: longest(&ways) }
}

/// Where a run can go from a word.
#[derive(Clone, Copy)]
enum Way {
    To(usize),
    Out,
}

fn shortest(ways: &[Vec<Way>]) -> Option<usize> {
    let mut seen = vec![false; ways.len()];
    let mut waiting = VecDeque::from([(0, 1)]);
    while let Some((index, cycles)) = waiting.pop_front() {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        for &way in &ways[index] {
            match way {
                Way::To(next) => waiting.push_back((next, cycles + 1)),
                Way::Out => return Some(cycles),
            }
        }
    }
    None
}

/// Works from the last word back; a jump back that can be reached makes it unbounded.
fn longest(ways: &[Vec<Way>]) -> Option<usize> {
    let mut most: Vec<Option<usize>> = vec![None; ways.len()];
    for index in (0..ways.len()).rev() {
        let lengths = ways[index].iter().map(|&way| match way {
            Way::To(next) if next > index => most[next].map(|cycles| cycles + 1),
            Way::To(_) => None,
            Way::Out => Some(1),
        });
        most[index] = lengths.collect::<Option<Vec<usize>>>().and_then(|lengths| lengths.into_iter().max());
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
