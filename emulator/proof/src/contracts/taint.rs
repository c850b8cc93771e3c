//! Path-sensitive taint analysis for the claim `noise`, after the [prefix](crate::contracts::prefix) of a program: a byte is tainted
//! if it may depend on what RAM held at power-up.
//!
//! The paths to a word are distinguished by the values of the [path keys](crate::contracts::path_keys), of A and of C, where these are
//! known. So a routine returns to its caller, and a byte is not read on a path on which a key says that it has not been
//! written. For each word and path there is a set of tainted bytes. Sets only grow, until none does.
//!
//! A store of a tainted value, or a jump on one, refutes nothing: the difference may never become visible.

use crate::contracts::path_keys::{PathKey, path_keys};
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use crate::contracts::variables::Origin;
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::logic::Function;
use std::collections::BTreeMap;

/// The maximum number of paths to all words together.
const MAX_PATHS: usize = 1 << 17;

/// Finds a word that stores a tainted value, or jumps on one. `None` proves that nothing visible depends on noise from
/// this state on.
pub fn tainted_word(image: &Image, from: u16, state: &State, scene: &Scene) -> Option<u16> {
    // If the keys have too many combinations of values, they do not distinguish paths.
    tainted_on_paths(image, from, state, scene, &path_keys(image, from))
        .or_else(|_: TooManyPaths| tainted_on_paths(image, from, state, scene, &[]))
        .unwrap_or(Some(from))
}

struct TooManyPaths;

fn tainted_on_paths(
    image: &Image,
    from: u16,
    state: &State,
    scene: &Scene,
    keys: &[PathKey],
) -> Result<Option<u16>, TooManyPaths> {
    let start = (from, Path::new(state, keys));
    let mut sets = BTreeMap::from([(start.clone(), TaintSet::new(state, scene))]);
    let mut left = vec![start];
    while let Some(place) = left.pop() {
        let (mut set, (at, mut path)) = (sets[&place].clone(), place);
        let word = image.word(at);
        if path.execute(word, keys, &mut set) {
            return Ok(Some(at));
        }
        for place in path.successors(word, at, keys) {
            let grows = match sets.get_mut(&place) {
                Some(known) => known.add(&set),
                None => sets.insert(place.clone(), set.clone()).is_none(),
            };
            if sets.len() > MAX_PATHS {
                return Err(TooManyPaths);
            }
            if grows {
                left.push(place);
            }
        }
    }
    Ok(None)
}

/// The known values on a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    /// The values of the path keys.
    keys: Vec<Option<u8>>,
    a: Option<u8>,
    /// Whether A was computed from a path key. Constants are not computed with: they may begin a loop that counts.
    is_key: bool,
    c: Option<bool>,
}

impl Path {
    fn new(state: &State, keys: &[PathKey]) -> Path {
        let number = |bits: &[Function]| {
            let bits = bits.iter().enumerate();
            bits.map(|(at, &bit)| bit.known().map(|bit| u8::from(bit) << at)).sum::<Option<u8>>()
        };
        let keys = keys.iter().map(|key| state.ram.get(&key.address).and_then(|byte| number(byte)));
        Path { keys: keys.collect(), a: number(&state.a), is_key: false, c: state.c.known() }
    }

    /// Returns the value of A, if it was computed from a path key.
    fn key(&self) -> Option<u8> {
        self.a.filter(|_| self.is_key)
    }

    /// Executes a word on known values and tainted bytes. Returns whether it stores a tainted value, or jumps on one.
    fn execute(&mut self, word: Word, keys: &[PathKey], set: &mut TaintSet) -> bool {
        let is_tainted = !word.m() && word.x() < INPUTS && set.has(word.x() as usize);
        let key = keys.binary_search_by_key(&word.x(), |key| key.address).ok();
        let operand = match (word.m(), key) {
            (true, _) => Some(word.x() as u8),
            (false, key) => key.and_then(|key| self.keys[key]),
        };
        match word.opcode() {
            Opcode::Lda => {
                set.set(A, is_tainted);
                (self.a, self.is_key) = (operand, !word.m());
            }
            Opcode::Nor => {
                set.set(A, is_tainted || set.has(A));
                self.a = self.key().zip(operand).map(|(a, operand)| !(a | operand));
            }
            Opcode::Add => {
                let either = is_tainted || set.has(A);
                [A, C].into_iter().for_each(|place| set.set(place, either));
                let sum = self.key().zip(operand).map(|(a, operand)| a.overflowing_add(operand));
                (self.a, self.c) = (sum.map(|sum| sum.0), sum.map(|sum| sum.1));
            }
            Opcode::Shr => {
                [A, C].into_iter().for_each(|place| set.set(place, is_tainted));
                (self.a, self.c) =
                    (operand.map(|operand| operand >> 1), operand.map(|operand| operand & 1 == 1));
            }
            Opcode::Sta if word.x() >= INPUTS => {}
            Opcode::Sta if set.has(A) => return true,
            Opcode::Sta => {
                set.set(word.x() as usize, false);
                key.into_iter().for_each(|key| self.keys[key] = self.a);
            }
            Opcode::Jc => return set.has(C) && self.c.is_none(),
            Opcode::Jz => return set.has(A) && self.a.is_none(),
            Opcode::Jmp => {}
        }
        false
    }

    /// Returns the words that come next, with the paths to them. The values of keys that are not live are dropped.
    fn successors(self, word: Word, at: u16, keys: &[PathKey]) -> impl Iterator<Item = (u16, Path)> {
        let (a, c) = (self.a, self.c);
        let (jumped, passed) = match word.opcode() {
            Opcode::Jmp => (Some(self), None),
            Opcode::Jz => {
                let jumped = Path { a: Some(0), ..self.clone() };
                (Some(jumped).filter(|_| a.is_none_or(|a| a == 0)), Some(self).filter(|_| a != Some(0)))
            }
            Opcode::Jc => {
                let after = |carry| Some(Path { c: Some(carry), ..self.clone() });
                (after(true).filter(|_| c != Some(false)), after(false).filter(|_| c != Some(true)))
            }
            _ => (None, Some(self)),
        };
        let jump = word.landing().zip(jumped);
        let pass = passed.map(|path| ((at + 1) % PROGRAM_WORDS as u16, path));
        jump.into_iter().chain(pass).map(move |(next, mut path)| {
            let values = path.keys.iter_mut().zip(keys);
            values.filter(|(_, key)| !key.live_at.contains(&next)).for_each(|(value, _)| *value = None);
            (next, path)
        })
    }
}

/// The index of A in a [`TaintSet`], after the bytes of RAM.
const A: usize = RAM_BYTES;
/// The index of C.
const C: usize = RAM_BYTES + 1;

/// The tainted bytes of RAM and registers.
#[derive(Clone, PartialEq)]
struct TaintSet([u64; RAM_BYTES / 64 + 1]);

impl TaintSet {
    /// Returns the bytes of a state that depend on noise.
    fn new(state: &State, scene: &Scene) -> TaintSet {
        let mut set = TaintSet([u64::MAX; RAM_BYTES / 64 + 1]);
        for (&address, byte) in &state.ram {
            set.set(address as usize, depends_on_noise(byte, scene));
        }
        set.set(A, depends_on_noise(&state.a, scene));
        set.set(C, depends_on_noise(&[state.c], scene));
        set
    }

    fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    fn set(&mut self, place: usize, is_in: bool) {
        let bit = 1 << (place % 64);
        self.0[place / 64] = if is_in { self.0[place / 64] | bit } else { self.0[place / 64] & !bit };
    }

    /// Adds another set. Returns whether this set has grown.
    fn add(&mut self, other: &TaintSet) -> bool {
        let before = self.clone();
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        *self != before
    }
}

/// Whether some of these bits depend on what RAM held at power-up.
pub fn depends_on_noise(bits: &[Function], scene: &Scene) -> bool {
    let mut depends = false;
    scene.levels.variables_of(bits, &mut |variable| {
        depends |= matches!(scene.variables.origin(variable), Origin::Ram(_));
    });
    depends
}
