//! A second judge of the small levels, which shares no code with the first. It explores every order of events by brute
//! force, and has the requirements of each level hard-coded.

use gray1_machine::board::Board;
use gray1_proof::CellReach;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A board. Its state has a bit for each address line of each chip: the level that the chip sees.
pub struct Naive {
    chips: Vec<Chip>,
    names: Vec<String>,
    /// The chip and the data line that drive each net; `None` for switches.
    drivers: Vec<Option<(usize, usize)>>,
}

struct Chip {
    reads: Vec<usize>,
    cells: Vec<u8>,
    first: usize,
}

/// The result of a move: the stable state, and the maximum number of changes of each net.
struct Moved {
    end: u64,
    changes: Vec<u8>,
}

/// The exploration of a move: for each state, the changes of each net from then on; `None` while the state is on the
/// stack.
#[derive(Default)]
struct Exploration {
    states: HashMap<u64, Option<Vec<u8>>>,
    end: Option<u64>,
}

impl Naive {
    pub fn new(board: &Board) -> Naive {
        let netlist = board.netlist();
        let mut first = 0;
        let mut drivers = vec![None; netlist.nets.len()];
        let mut chips = Vec::new();
        for (id, chip) in netlist.chips.iter().enumerate() {
            chip.data.iter().enumerate().for_each(|(line, &net)| drivers[net] = Some((id, line)));
            let cells = netlist.table(id).expect("a ROM").to_vec();
            chips.push(Chip { reads: chip.reads.clone(), cells, first });
            first += chip.reads.len();
        }
        assert!(first <= 64);
        Naive { chips, names: netlist.nets.iter().map(|net| net.name.clone()).collect(), drivers }
    }

    fn net(&self, name: &str) -> usize {
        self.names.iter().position(|net| net == name).unwrap_or_else(|| panic!("there is no {name}"))
    }

    fn address(&self, chip: usize, state: u64) -> usize {
        let Chip { reads, first, .. } = &self.chips[chip];
        (state >> first) as usize & ((1 << reads.len()) - 1)
    }

    fn level(&self, net: usize, state: u64, inputs: &[bool]) -> bool {
        match self.drivers[net] {
            Some((chip, line)) => self.chips[chip].cells[self.address(chip, state)] >> line & 1 == 1,
            None => inputs[net],
        }
    }

    /// Returns the number on the nets with this name: `Q`, or `Q0` and so on.
    fn number(&self, name: &str, state: u64, inputs: &[bool]) -> u32 {
        let nets: Vec<usize> = match self.names.iter().position(|net| net == name) {
            Some(net) => vec![net],
            None => {
                (0..).map_while(|n| self.names.iter().position(|net| *net == format!("{name}{n}"))).collect()
            }
        };
        nets.iter().rev().fold(0, |number, &net| number << 1 | u32::from(self.level(net, state, inputs)))
    }

    /// Lists all stable states, with their inputs.
    fn rests(&self) -> Vec<(u64, Vec<bool>)> {
        let read: BTreeSet<usize> = self.chips.iter().flat_map(|chip| chip.reads.clone()).collect();
        let inputs = (0..self.names.len()).filter(|&net| self.drivers[net].is_none());
        let free: Vec<usize> = read.into_iter().chain(inputs).collect::<BTreeSet<_>>().into_iter().collect();
        let mut rests = Vec::new();
        for set in 0..1u64 << free.len() {
            let mut levels = vec![false; self.names.len()];
            free.iter().enumerate().for_each(|(place, &net)| levels[net] = set >> place & 1 == 1);
            let pins = self.chips.iter().flat_map(|chip| &chip.reads);
            let state = pins.enumerate().fold(0, |state, (pin, &net)| state | u64::from(levels[net]) << pin);
            if free.iter().all(|&net| self.level(net, state, &levels) == levels[net]) {
                rests.push((state, levels));
            }
        }
        rests
    }

    /// Explores all orders of a move. Returns `None` if some order never ends, or if two orders end differently.
    fn moved(&self, from: u64, inputs: &[bool]) -> Option<Moved> {
        let mut exploration = Exploration::default();
        let is_orderly = self.explore(from, inputs, &mut exploration);
        let changes = exploration.states.remove(&from)??;
        exploration.end.filter(|_| is_orderly).map(|end| Moved { end, changes })
    }

    fn explore(&self, state: u64, inputs: &[bool], found: &mut Exploration) -> bool {
        if let Some(known) = found.states.get(&state) {
            return known.is_some();
        }
        found.states.insert(state, None);
        let pins = self.chips.iter().flat_map(|chip| &chip.reads).enumerate();
        let due: Vec<usize> = pins
            .filter(|&(pin, &net)| (state >> pin & 1 == 1) != self.level(net, state, inputs))
            .map(|(pin, _)| pin)
            .collect();
        if due.is_empty() && *found.end.get_or_insert(state) != state {
            return false;
        }
        let mut changes = vec![0; self.names.len()];
        for pin in due {
            let next = state ^ 1 << pin;
            if !self.explore(next, inputs, found) {
                return false;
            }
            let later = found.states[&next].clone().unwrap_or_default();
            for (net, most) in changes.iter_mut().enumerate() {
                let changes = self.level(net, state, inputs) != self.level(net, next, inputs);
                *most = (later[net] + u8::from(changes)).max(*most);
            }
        }
        found.states.insert(state, Some(changes));
        true
    }

    /// Follows a single order: always the first pending event.
    fn settled(&self, mut state: u64, inputs: &[bool]) -> u64 {
        let pins: Vec<usize> = self.chips.iter().flat_map(|chip| chip.reads.iter().copied()).collect();
        let is_due = |state: u64, pin: usize| (state >> pin & 1 == 1) != self.level(pins[pin], state, inputs);
        for _ in 0..1_000 {
            let Some(pin) = (0..pins.len()).find(|&pin| is_due(state, pin)) else { break };
            state ^= 1 << pin;
        }
        state
    }

    /// Whether the board meets the requirements of a level.
    pub fn passes(&self, level: usize) -> bool {
        let inputs: Vec<usize> = (0..self.names.len()).filter(|&net| self.drivers[net].is_none()).collect();
        let strobes: &[&str] = if level == 11 || level == 12 { &["P1", "P2"] } else { &[] };
        let strobes: Vec<usize> = strobes.iter().map(|name| self.net(name)).collect();
        let mut rests = self.rests();
        rests.retain(|(_, levels)| strobes.iter().all(|&net| !levels[net]));
        let settings: BTreeSet<Vec<bool>> =
            rests.iter().map(|(_, levels)| inputs.iter().map(|&net| levels[net]).collect()).collect();
        if settings.len() != 1 << (inputs.len() - strobes.len()) {
            return false; // with some inputs there is no stable state
        }
        if !rests.iter().all(|(state, levels)| self.rest(level, *state, levels)) {
            return false;
        }
        rests.iter().all(|(state, levels)| {
            let mut steps: Vec<Vec<usize>> =
                inputs.iter().filter(|net| !strobes.contains(net)).map(|&net| vec![net]).collect();
            if level == 10 && !levels[self.net("P")] {
                steps.push(vec![self.net("A0"), self.net("A1")]);
            }
            steps.iter().all(|nets| self.step(level, *state, levels, nets))
                && (strobes.is_empty() || self.beat(level, *state, levels, &strobes))
        })
    }

    fn rest(&self, level: usize, state: u64, inputs: &[bool]) -> bool {
        let n = |name: &str| self.number(name, state, inputs);
        match level {
            1 => n("Q") == n("A") ^ n("B"),
            2 => n("S") == n("A") + n("B"),
            3 => n("SUM") + 2 * n("CARRY") == n("A") + n("B") + n("C"),
            4 => n("SET") == n("RESET") || n("Q") == n("SET"),
            5 | 6 => n("E") == 0 || n("Q") == n("D"),
            10 => n("E") == n("P") << n("A"),
            13 => {
                let (a, b) = (n("A"), n("B"));
                n("R") == [(a + b) & 15, 15 - (a | b), b, a & b][n("OP") as usize]
            }
            14 => {
                let sum = n("A") + n("B");
                n("S") == sum & 15 && n("C") == sum >> 4 && (n("Z") == 1) == (sum & 15 == 0)
            }
            _ => true,
        }
    }

    fn step(&self, level: usize, state: u64, inputs: &[bool], nets: &[usize]) -> bool {
        let mut now = inputs.to_vec();
        nets.iter().for_each(|&net| now[net] = !now[net]);
        let Some(Moved { end, changes }) = self.moved(state, &now) else { return false };
        let before = |name: &str| self.number(name, state, inputs);
        let after = |name: &str| self.number(name, end, &now);
        let most = |lamp: &str| {
            let lamps = self.names.iter().zip(&changes).filter(|(name, _)| name.starts_with(lamp));
            lamps.map(|(_, &changes)| changes).max().unwrap_or_default()
        };
        let moves = |name: &str| nets.iter().any(|&net| self.names[net] == name);
        match level {
            4 => after("SET") + after("RESET") > 0 || most("Q") == 0,
            5 | 6 => after("E") == 1 || most("Q") == 0,
            7 | 8 => after("Q") == advance_gray(before("Q"), 1, if level == 7 { 4 } else { 16 }),
            9 if moves("CK") => {
                after("Q") == advance_gray(before("Q"), if after("BACK") == 1 { 3 } else { 1 }, 4)
            }
            9 | 12 => most("Q") == 0,
            10 => most("E") <= 1,
            _ => true,
        }
    }

    fn beat(&self, level: usize, from: u64, inputs: &[bool], strobes: &[usize]) -> bool {
        let (mut state, mut now) = (from, inputs.to_vec());
        for &strobe in strobes.iter().flat_map(|strobe| [strobe, strobe]) {
            now[strobe] = !now[strobe];
            let Some(moved) = self.moved(state, &now) else { return false };
            state = moved.end;
        }
        let before = |name: &str| self.number(name, from, inputs);
        let counted = (before("Q") + 1) & 7;
        self.number("Q", state, inputs)
            == if level == 12 && before("LOAD") == 1 { before("T") } else { counted }
    }

    /// Makes every beat of a machine after a reset, in a single order, with every word during and after it. Returns
    /// whether all are correct, and the reachability of all cells: at rest, or passed if each line moves at most once.
    pub fn machine(&self, level: usize) -> (bool, Vec<Vec<CellReach>>) {
        let [p1, p2, reset] = ["P1", "P2", "RESET"].map(|name| self.net(name));
        let is_free = |net: &usize| self.drivers[*net].is_none() && ![p1, p2].contains(net);
        let free: Vec<usize> = (0..self.names.len()).filter(is_free).collect();
        let words = 0..1usize << free.len();
        let inputs = |word: usize, strobe: Option<usize>| {
            let mut inputs = vec![false; self.names.len()];
            free.iter().enumerate().for_each(|(place, &net)| inputs[net] = word >> place & 1 == 1);
            strobe.into_iter().for_each(|net| inputs[net] = true);
            inputs
        };
        let to = |state, word, strobe| self.settled(state, &inputs(word, strobe));
        let each = |state: u64, strobe| words.clone().map(|word| to(state, word, strobe)).collect::<Vec<_>>();
        let mut reach: Vec<Vec<CellReach>> =
            self.chips.iter().map(|chip| vec![CellReach::Never; chip.cells.len()]).collect();
        let word = 1 << free.iter().position(|&net| net == reset).expect("a reset");
        let beat = |state: u64| {
            [Some(p1), None, Some(p2), None].iter().fold(state, |state, &strobe| to(state, word, strobe))
        };
        let pins = self.chips.last().map_or(0, |chip| chip.first + chip.reads.len());
        let noise = |seed: u64| seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - pins);
        let wakes = (0..100).map(|seed| to(beat(noise(seed)), 0, None));
        let (mut seen, mut held) = (wakes.collect::<HashSet<_>>(), HashMap::new());
        let (mut next, mut is_right) = (Vec::from_iter(seen.iter().copied()), seen.len() == 1);
        while let Some(state) = next.pop() {
            let rests = each(state, None);
            self.mark(&rests, &mut reach);
            for (word, &rest) in words.clone().zip(&rests) {
                let up = to(rest, word, Some(p1));
                let down = to(up, word, None);
                self.mark(&[rest, up], &mut reach);
                self.mark(&[up, down], &mut reach);
                let last = *held.entry(to(down, 0, None)).or_insert_with(|| {
                    let (downs, ups) = (each(down, None), each(to(down, word, Some(p2)), Some(p2)));
                    self.mark(&downs, &mut reach);
                    self.mark(&ups, &mut reach);
                    let last = to(to(ups[0], 0, None), 0, None);
                    for (word, (&down, &up)) in words.clone().zip(downs.iter().zip(&ups)) {
                        let (first, end) = (to(down, word, Some(p2)), to(up, word, None));
                        self.mark(&[down, first], &mut reach);
                        self.mark(&[up, end], &mut reach);
                        is_right &= to(end, 0, None) == last && to(to(first, word, None), 0, None) == last;
                    }
                    last
                });
                if seen.insert(last) {
                    next.push(last);
                }
                let now = inputs(word, None);
                let [pc, a, w] = ["PC", "A", if level == 15 { "W" } else { "I" }]
                    .map(|name| self.number(name, rest, &now));
                let expected = match w {
                    _ if now[reset] => [0, 0],
                    16.. if level > 15 => [if a != 0 { w & 7 } else { (pc + 1) & 7 }, a],
                    _ => [(pc + 1) & 7, (a + w) & 15],
                };
                is_right &= ["PC", "A"].map(|name| self.number(name, last, &inputs(0, None))) == expected;
            }
        }
        (is_right, reach)
    }

    /// Marks the addresses of these states, and the addresses between them.
    fn mark(&self, states: &[u64], reach: &mut [Vec<CellReach>]) {
        for (chip, reach) in reach.iter_mut().enumerate() {
            let addresses = || states.iter().map(|&state| self.address(chip, state));
            let first = self.address(chip, states[0]);
            let moved = addresses().fold(0, |moved, address| moved | (address ^ first));
            let mut set = moved;
            loop {
                let cell = &mut reach[first ^ set];
                *cell = (*cell).max(CellReach::Passed);
                if set == 0 {
                    break;
                }
                set = (set - 1) & moved;
            }
            addresses().for_each(|address| reach[address] = CellReach::Rest);
        }
    }
}

/// Advances a Gray code number by some steps, modulo `count`.
fn advance_gray(gray: u32, steps: u32, count: u32) -> u32 {
    let code = |number: u32| number ^ number >> 1;
    let place = (0..count).find(|&number| code(number) == gray).expect("a number in Gray code");
    code((place + steps) % count)
}
