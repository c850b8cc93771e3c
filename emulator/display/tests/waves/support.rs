//! Recording a run into memory, and reading it back with wellen.

use gray1_display::waves::{ChipsRecorder, NANOSECONDS_A_PHASE, Window};
use gray1_isa::{Image, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, OutputSink};
use std::io::Cursor;
use wellen::{Hierarchy, ScopeOrVarRef, Signal, VarType, simple};

/// The duration of a phase on the time axis.
pub const TICKS: u64 = NANOSECONDS_A_PHASE;

/// The contents of a file.
pub struct Wave {
    pub times: Vec<u64>,
    /// All variables, in the order of the file.
    pub variables: Vec<Shown>,
    /// The number of different signals of the variables.
    pub signals: usize,
}

/// A variable.
pub struct Shown {
    /// Scopes and name, with points between them.
    pub path: String,
    pub range: Option<(usize, usize)>,
    pub is_integer: bool,
    /// All values, each with the index of the time from which on it holds.
    pub changes: Vec<(u32, String)>,
}

impl Shown {
    /// The digits at the time with this index.
    pub fn at(&self, tick: usize) -> &str {
        let changes = self.changes.partition_point(|(since, _)| *since as usize <= tick);
        &self.changes[changes - 1].1
    }
}

/// A program of random words. Every word is an instruction.
pub fn chaos(seed: u64) -> Image {
    let bytes =
        [Noise::Random(seed).ram(), Noise::Random(seed + 100).ram()].map(|half| half.to_vec()).concat();
    Image::from_words(bytes.chunks(2).map(|pair| Word(u16::from_le_bytes([pair[0], pair[1]]))))
}

pub fn engine(board: &Board, image: &Image) -> ChipsEngine {
    ChipsEngine::power_up(board, image, Noise::Random(1)).unwrap()
}

/// The file of a run of this many cycles.
pub fn record(board: &Board, image: &Image, window: Window, cycles: u64) -> Vec<u8> {
    let mut machine = engine(board, image);
    let mut recorder = ChipsRecorder::begin(board, window, Vec::new()).unwrap();
    assert_eq!(recorder.run(&mut machine, cycles, &mut ()).unwrap(), cycles, "it halts early");
    recorder.finish().unwrap()
}

/// Reads a file.
pub fn wave(file: Vec<u8>) -> Wave {
    wave_of(file, &[])
}

/// Reads a file, or only these of its variables.
pub fn wave_of(file: Vec<u8>, wanted: &[&str]) -> Wave {
    let mut read = simple::read_from_reader(Cursor::new(file)).unwrap();
    let mut found = Vec::new();
    let hierarchy = read.hierarchy();
    let items: Vec<_> = hierarchy.items().collect();
    collect(hierarchy, &items, &mut found);
    found.retain(|(path, ..)| wanted.is_empty() || wanted.contains(&path.as_str()));
    let signals: Vec<_> = found.iter().map(|found| found.3).collect();
    read.load_signals(&signals);
    let mut different = signals.clone();
    different.sort();
    different.dedup();
    let variables = found.into_iter().map(|(path, range, is_integer, signal)| Shown {
        path,
        range,
        is_integer,
        changes: changes(read.get_signal(signal).unwrap()),
    });
    Wave { times: read.time_table().to_vec(), variables: variables.collect(), signals: different.len() }
}

fn changes(signal: &Signal) -> Vec<(u32, String)> {
    signal.iter_changes().map(|(time, value)| (time, value.to_bit_string().unwrap())).collect()
}

type Found = (String, Option<(usize, usize)>, bool, wellen::SignalRef);

fn collect(hierarchy: &Hierarchy, items: &[ScopeOrVarRef], found: &mut Vec<Found>) {
    for item in items {
        match *item {
            ScopeOrVarRef::Var(variable) => {
                let variable = &hierarchy[variable];
                let range = variable.index().map(|index| (index.msb() as usize, index.lsb() as usize));
                let is_integer = variable.var_type() == VarType::Integer;
                found.push((variable.full_name(hierarchy), range, is_integer, variable.signal_ref()));
            }
            ScopeOrVarRef::Scope(scope) => {
                let scope = &hierarchy[scope];
                let items: Vec<_> = scope.items(hierarchy).collect();
                collect(hierarchy, &items, found);
            }
        }
    }
}

/// The bytes and stores that a machine has output.
#[derive(Debug, Default, PartialEq)]
pub struct Told(Vec<(u64, usize, u8)>);

impl OutputSink for Told {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.0.push((cycle, 99, byte));
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        self.0.push((cycle, row, leds));
    }
}
