//! The judge of claims: follows two programs in lockstep, with the same reads, and compares their visible stores.
//!
//! Both run to their next read, and then get the same value. The stores that one run is ahead are kept in a queue. So two
//! runs are a path in a finite graph of pairs. They differ at an unequal store, at an end with stores in the queue, or on
//! a cycle without stores while the queue is not empty.

use crate::contracts::judge::machine::{A, C, Gap, Machine, State, domain};
use crate::contracts::judge::paths::longest_paths;
use gray1_isa::Image;
use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};

/// The maximum number of steps of pairs, for all contents of RAM.
const MAX_STEPS: usize = 6_000;
/// The maximum number of stores in a queue.
const MAX_QUEUE: usize = 40;

/// A store: its address, its value, and its cycle as seen from now.
type Store = (u16, u8, i64);

/// One of two programs, between two reads.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Side {
    /// The run is about to read an input.
    Reads(State),
    Halts(State),
    /// The run neither reads nor stores any more.
    IsSilent,
    /// The run stores for ever and reads nothing; this is its state after a store.
    Stores(State),
}

/// The claim that is judged.
#[derive(Clone, Copy, PartialEq)]
pub enum Claim {
    Noise,
    Same { cycles: bool },
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    sides: [Side; 2],
    /// The stores that one side is ahead.
    queue: VecDeque<Store>,
    /// The side that is ahead.
    ahead: usize,
    /// The cycles by which the first side is behind the second; 0 if cycles are not compared.
    delay: i64,
}

struct Comparison<'a> {
    machines: [&'a Machine; 2],
    claim: Claim,
    /// The steps that may still be followed.
    left: Cell<usize>,
}

/// Whether the claim holds; `None` if there are too many states.
pub fn holds(images: [&Image; 2], claim: Claim) -> Option<bool> {
    let mentioned = Machine::new(images[1], [])?.addresses;
    let mut first = Machine::new(images[0], mentioned)?;
    let mut second = Machine::new(images[1], first.addresses.iter().copied())?;
    (first.remembers_reads, second.remembers_reads) = (false, false);
    // A visible byte that nothing reads is compared as a store, and is not part of the states.
    let is_kept = |&address: &u16| address < 0xFE0 || first.reads(address) || second.reads(address);
    let kept: Vec<u16> = first.addresses.iter().copied().filter(is_kept).collect();
    for machine in [&mut first, &mut second] {
        machine.addresses.clone_from(&kept);
    }
    let comparison = Comparison { machines: [&first, &second], claim, left: Cell::new(MAX_STEPS) };
    let unknown = first.state(0).with(A, 0).with(C, 0);
    let zero = (crate::contracts::judge::machine::RAM..crate::contracts::judge::machine::MAX_CELLS)
        .fold(unknown, |state, cell| state.with(cell, 0));
    let mut entries = vec![unknown];
    while let Some(entry) = entries.pop() {
        // For noise, a comparison with the run from zeros is enough: equality is transitive.
        let other = if claim == Claim::Noise { zero } else { entry };
        match comparison.agree(entry, other) {
            Ok(true) => {}
            Ok(false) => return Some(false),
            Err(Gap::Unknown(cell)) => {
                entries.extend(domain(cell).into_iter().map(|it| entry.with(cell, it)));
            }
            Err(Gap::TooLarge) => return None,
        }
    }
    Some(true)
}

impl Comparison<'_> {
    /// Whether all pairs of runs from these states with the same reads are equal.
    fn agree(&self, one: State, other: State) -> Result<bool, Gap> {
        let mut pairs = Vec::new();
        let mut numbers: HashMap<Pair, usize> = HashMap::new();
        let mut silent: Vec<(usize, usize)> = Vec::new();
        let start = [self.run(0, one)?, self.run(1, other)?];
        let empty =
            Pair { sides: [Side::IsSilent, Side::IsSilent], queue: VecDeque::new(), ahead: 0, delay: 0 };
        let Some(first) = self.join(&empty, start)? else { return Ok(false) };
        numbers.insert(first.clone(), 0);
        pairs.push(first);
        let mut at = 0;
        while let Some(pair) = pairs.get(at).cloned() {
            let reads = pair.sides.iter().zip(self.machines).find_map(|(side, machine)| match side {
                Side::Reads(state) => machine.input(state),
                _ => None,
            });
            let is_over = pair.sides.iter().all(|side| matches!(side, Side::Halts(_) | Side::IsSilent));
            if is_over && !self.ends_alike(&pair, &one)? {
                return Ok(false);
            }
            for read in if is_over { Vec::new() } else { reads.map_or(vec![0], domain) } {
                self.left.set(self.left.get().checked_sub(1).ok_or(Gap::TooLarge)?);
                let mut next = Vec::new();
                for (number, side) in pair.sides.iter().enumerate() {
                    next.push(match side {
                        Side::Reads(state) => {
                            let after = self.machines[number].step(*state, read)?;
                            let (side, stores, cycles) = self.run(number, after)?;
                            (side, stores.into_iter().map(|it| (it.0, it.1, it.2 + 1)).collect(), cycles + 1)
                        }
                        side => (side.clone(), Vec::new(), 0),
                    });
                }
                let has_stored = next.iter().any(|(_, stores, _)| !stores.is_empty());
                let [one, other] = next.try_into().unwrap_or_else(|_| unreachable!());
                let Some(after) = self.join(&pair, [one, other])? else { return Ok(false) };
                let new = pairs.len();
                let number = *numbers.entry(after.clone()).or_insert(new);
                if number == new {
                    pairs.push(after.clone());
                }
                let halts = |side: &Side| matches!(side, Side::Halts(_));
                let one_halts = halts(&after.sides[0]) != halts(&after.sides[1]);
                let all_store = after.sides.iter().all(|side| matches!(side, Side::Stores(_)));
                if !after.queue.is_empty() && !has_stored && !all_store
                    || self.claim == Claim::Noise && one_halts
                {
                    silent.push((at, number));
                }
            }
            at += 1;
        }
        Ok(longest_paths(pairs.len(), &silent).is_some())
    }

    /// Runs one side to its next read. Returns the side, its stores, and the cycles.
    fn run(&self, number: usize, mut state: State) -> Result<(Side, Vec<Store>, i64), Gap> {
        let machine = self.machines[number];
        let (mut stores, mut been, mut cycles) = (Vec::new(), HashMap::new(), 0);
        self.left.set(self.left.get().checked_sub(1).ok_or(Gap::TooLarge)?);
        loop {
            if machine.input(&state).is_some() {
                // A value that the read overwrites does not matter.
                let state = if machine.overwrites_a(&state) { state.with(A, 0) } else { state };
                return Ok((Side::Reads(state), stores, cycles));
            }
            if let Some(before) = been.insert(state, stores.len()) {
                if before == stores.len() {
                    return Ok((Side::IsSilent, stores, cycles));
                }
                return Ok((Side::Stores(state), stores, cycles));
            }
            stores.extend(machine.store(&state)?.map(|(address, value)| (address, value, cycles)));
            let next = machine.step(state, 0)?;
            cycles += 1;
            if next.pc == state.pc {
                return Ok((Side::Halts(state), stores, cycles));
            }
            state = next;
            if stores.len() > 10 * MAX_QUEUE || been.len() > 2_000 {
                return Err(Gap::TooLarge);
            }
        }
    }

    /// Returns the next store of a side that stores for ever.
    fn stored(&self, number: usize, state: &mut State) -> Result<Store, Gap> {
        let mut cycle = 0;
        loop {
            let store = self.machines[number].store(state)?;
            *state = self.machines[number].step(*state, 0)?;
            if let Some((address, value)) = store {
                return Ok((address, value, cycle));
            }
            cycle += 1;
        }
    }

    /// Compares the stores of both sides. Returns the next pair; `None` if the stores differ.
    fn join(&self, before: &Pair, next: [(Side, Vec<Store>, i64); 2]) -> Result<Option<Pair>, Gap> {
        let counts = matches!(self.claim, Claim::Same { cycles: true });
        // All cycles are relative to the first side before this step.
        let mut queues = [VecDeque::new(), VecDeque::new()];
        queues[before.ahead] = before.queue.clone();
        let [(one, ones, some), (other, others, more)] = next;
        let mut times = [some, before.delay + more];
        queues[0].extend(ones);
        queues[1]
            .extend(others.into_iter().map(|(address, value, cycle)| (address, value, cycle + before.delay)));
        let mut sides = [one, other];
        let mut turns = 0;
        loop {
            while let (Some(one), Some(other)) = (queues[0].front(), queues[1].front()) {
                if (one.0, one.1) != (other.0, other.1) || counts && one.2 != other.2 {
                    return Ok(None);
                }
                queues.iter_mut().for_each(|queue| _ = queue.pop_front());
            }
            let behind = (0..2).find(|&it| queues[it].is_empty() && matches!(sides[it], Side::Stores(_)));
            let all_store = sides.iter().all(|side| matches!(side, Side::Stores(_)));
            turns += 1;
            match behind {
                Some(number) if turns < MAX_QUEUE || !all_store => {
                    let Side::Stores(state) = &mut sides[number] else { unreachable!() };
                    let (address, value, cycle) = self.stored(number, state)?;
                    queues[number].push_back((address, value, times[number] + cycle));
                    times[number] += cycle + 1;
                }
                _ => break,
            }
        }
        let ahead = usize::from(queues[0].is_empty());
        if queues[ahead].len() > MAX_QUEUE {
            return Err(Gap::TooLarge);
        }
        let origin = times[0];
        let seen = |(address, value, cycle)| (address, value, if counts { cycle - origin } else { 0 });
        let queue: VecDeque<Store> = queues[ahead].drain(..).map(seen).collect();
        let delay = if counts { times[1] - origin } else { 0 };
        if delay.abs() > 500 {
            return Err(Gap::TooLarge);
        }
        Ok(Some(Pair { sides, queue, ahead, delay }))
    }

    /// Whether two sides that have ended are equal.
    fn ends_alike(&self, pair: &Pair, entry: &State) -> Result<bool, Gap> {
        if !pair.queue.is_empty() || self.claim != Claim::Noise {
            return Ok(pair.queue.is_empty());
        }
        match &pair.sides {
            [Side::Halts(one), Side::Halts(other)] => {
                // A byte that one run has not written is as noisy as at the entry.
                let written: HashSet<usize> =
                    (0..32).filter(|cell| (one.written | other.written) >> cell & 1 == 1).collect();
                for cell in written {
                    if one.written >> cell & 1 == 0 && entry.unknown >> cell & 1 == 1 {
                        return Err(Gap::Unknown(cell));
                    }
                    if one.cells[cell] != other.cells[cell] {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            [Side::IsSilent, Side::IsSilent] => Ok(true),
            _ => Ok(false),
        }
    }
}
