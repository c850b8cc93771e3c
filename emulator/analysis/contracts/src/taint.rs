//! Ways through a program, told apart by signposts: bytes that only ever hold constants, such as the numbers of calls,
//! or what a program remembers of the last key. A routine returns to the caller that it was called from, and what has not
//! been written is not read where a byte says so. For each way to a word there is a set of bytes that may depend on what
//! RAM held at power-up; sets only grow, until none does.

use crate::flow::next_words;
use crate::levels::Levels;
use crate::prefix::{A, Bytes, C, noisy, reads};
use crate::scene::Scene;
use crate::state::State;
use gray1_isa::memory_map::INPUTS;
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use std::collections::{BTreeMap, BTreeSet};

/// The most ways that are told apart, of all words.
const MOST_WAYS: usize = 1 << 17;

/// A word from this one on at which something is stored, or a way is chosen, that may depend on noise.
pub fn noisy_word<B: Levels>(
    image: &Image,
    from: u16,
    state: &State<B::Level>,
    scene: &Scene<B>,
) -> Option<u16> {
    // Where the signposts have too many numbers together, the ways to a word are not told apart.
    noisy_on_ways(image, from, state, scene, &signposts(image, from))
        .or_else(|_: TooMany| noisy_on_ways(image, from, state, scene, &[]))
        .unwrap_or(Some(from))
}

struct TooMany;

/// What tells apart the ways on which a word is reached: the numbers in the signposts, in A and in C, where they are known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    signs: Vec<Option<u8>>,
    a: Option<u8>,
    /// Whether that is what a signpost says, and not a constant, which may begin a loop that counts.
    is_sign: bool,
    c: Option<bool>,
}

impl Way {
    /// What a signpost says, in A.
    fn sign(&self) -> Option<u8> {
        self.a.filter(|_| self.is_sign)
    }
}

/// A byte that tells ways apart, and the words at which somebody may still read it before it is stored again.
struct Signpost {
    address: u16,
    matters_at: BTreeSet<u16>,
}

/// The bytes to which only constants are stored, such as the numbers of calls, and which are read: whoever has been there
/// can be told by them.
fn signposts(image: &Image, from: u16) -> Vec<Signpost> {
    // Whether A is a constant at a word, on all ways to it.
    let mut is_constant: BTreeMap<u16, bool> = BTreeMap::from([(from, false)]);
    let mut left = vec![from];
    while let Some(at) = left.pop() {
        let word = image.word(at);
        let constant = match word.opcode() {
            Opcode::Lda => word.m(),
            Opcode::Nor | Opcode::Add => word.m() && is_constant[&at],
            Opcode::Shr => false,
            Opcode::Sta | Opcode::Jmp | Opcode::Jc | Opcode::Jz => is_constant[&at],
        };
        for next in next_words(image, at) {
            let before = is_constant.insert(next, constant && is_constant.get(&next) != Some(&false));
            if before != Some(is_constant[&next]) {
                left.push(next);
            }
        }
    }
    let mut before: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
    for &at in is_constant.keys() {
        next_words(image, at).for_each(|next| before.entry(next).or_default().push(at));
    }
    let bytes = |is_wanted: &dyn Fn(Word, bool) -> bool| -> BTreeSet<u16> {
        let words = is_constant.iter().map(|(&at, &is_constant)| (image.word(at), is_constant));
        words.filter(|&(word, constant)| is_wanted(word, constant)).map(|(word, _)| word.x()).collect()
    };
    let is_read = |word: Word| reads(word) && word.x() < INPUTS;
    let read = bytes(&|word, _| is_read(word));
    let others = bytes(&|word, is_constant| word.opcode() == Opcode::Sta && !is_constant);
    let signpost = |&address: &u16| {
        let readers = is_constant
            .keys()
            .copied()
            .filter(|&at| is_read(image.word(at)) && image.word(at).x() == address);
        let mut left: Vec<u16> = readers.collect();
        let mut matters_at = BTreeSet::new();
        while let Some(at) = left.pop() {
            if matters_at.insert(at) {
                let stores =
                    |at: u16| image.word(at).opcode() == Opcode::Sta && image.word(at).x() == address;
                left.extend(before.get(&at).into_iter().flatten().copied().filter(|&at| !stores(at)));
            }
        }
        Signpost { address, matters_at }
    };
    read.difference(&others).map(signpost).collect()
}

/// The same for ways that these signposts tell apart.
fn noisy_on_ways<B: Levels>(
    image: &Image,
    from: u16,
    state: &State<B::Level>,
    scene: &Scene<B>,
    signposts: &[Signpost],
) -> Result<Option<u16>, TooMany> {
    let number = |bits: &[B::Level]| {
        let bits = bits.iter().enumerate();
        bits.map(|(at, &bit)| scene.levels.known(bit).map(|bit| u8::from(bit) << at)).sum::<Option<u8>>()
    };
    let signs =
        signposts.iter().map(|sign| state.ram.get(&sign.address).and_then(|byte| number(byte))).collect();
    let way = Way { signs, a: number(&state.a), is_sign: false, c: scene.levels.known(state.c) };
    let mut sets: BTreeMap<(u16, Way), Bytes> = BTreeMap::from([((from, way.clone()), noisy(state, scene))]);
    let mut left = vec![(from, way)];
    while let Some(place) = left.pop() {
        let (mut set, (at, mut way)) = (sets[&place].clone(), place);
        let word = image.word(at);
        let operand = !word.m() && word.x() < INPUTS && set.has(word.x() as usize);
        let sign = signposts.binary_search_by_key(&word.x(), |sign| sign.address).ok();
        let known = match (word.m(), sign) {
            (true, _) => Some(word.x() as u8),
            (false, sign) => sign.and_then(|sign| way.signs[sign]),
        };
        match word.opcode() {
            Opcode::Lda => {
                set.set(A, operand);
                (way.a, way.is_sign) = (known, !word.m());
            }
            Opcode::Nor => {
                set.set(A, operand || set.has(A));
                way.a = way.sign().zip(known).map(|(a, known)| !(a | known));
            }
            Opcode::Add => {
                let either = operand || set.has(A);
                [A, C].into_iter().for_each(|place| set.set(place, either));
                let sum = way.sign().zip(known).map(|(a, known)| a.overflowing_add(known));
                (way.a, way.c) = (sum.map(|sum| sum.0), sum.map(|sum| sum.1));
            }
            Opcode::Shr => {
                [A, C].into_iter().for_each(|place| set.set(place, operand));
                (way.a, way.c) = (known.map(|known| known >> 1), known.map(|known| known & 1 == 1));
            }
            Opcode::Sta if word.x() >= INPUTS => {}
            Opcode::Sta if set.has(A) => return Ok(Some(at)),
            Opcode::Sta => {
                set.set(word.x() as usize, false);
                sign.into_iter().for_each(|sign| way.signs[sign] = way.a);
            }
            Opcode::Jc if set.has(C) && way.c.is_none() => return Ok(Some(at)),
            Opcode::Jz if set.has(A) && way.a.is_none() => return Ok(Some(at)),
            Opcode::Jmp | Opcode::Jc | Opcode::Jz => {}
        }
        let next = |next: u16, mut way: Way| {
            let signs = way.signs.iter_mut().zip(signposts);
            signs.filter(|(_, sign)| !sign.matters_at.contains(&next)).for_each(|(known, _)| *known = None);
            (next, way)
        };
        let (may_jump, may_pass, jumped, passed) = match word.opcode() {
            Opcode::Jmp => (true, false, way.clone(), way),
            Opcode::Jz => {
                (way.a.is_none_or(|a| a == 0), way.a != Some(0), Way { a: Some(0), ..way.clone() }, way)
            }
            Opcode::Jc => {
                let after = |c| Way { c: Some(c), ..way.clone() };
                (way.c != Some(false), way.c != Some(true), after(true), after(false))
            }
            _ => (false, true, way.clone(), way),
        };
        let jump = word.landing().filter(|_| may_jump).map(|target| next(target, jumped));
        let pass = may_pass.then(|| next((at + 1) % PROGRAM_WORDS as u16, passed));
        for place in jump.into_iter().chain(pass) {
            let grows = match sets.get_mut(&place) {
                Some(known) => known.add(&set),
                None => sets.insert(place.clone(), set.clone()).is_none(),
            };
            if sets.len() > MOST_WAYS {
                return Err(TooMany);
            }
            if grows {
                left.push(place);
            }
        }
    }
    Ok(None)
}
