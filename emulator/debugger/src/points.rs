//! Breakpoints and watchpoints, and the patrol that looks after all of them at once.
//!
//! A breakpoint is at the beginning of the cycle that runs its instruction. A byte of RAM is read there too; it is
//! written in phase 1 of the cycle, which is where watchpoints for writes and changes are. A net changes in the phase
//! at whose end it has another level. So every point has its positions in the run, and they are the same forwards
//! and backwards.

use crate::expression::Expression;
use crate::fault::Fault;
use crate::hunt::{Pace, Places, Prey};
use crate::template::Template;
use gray1_isa::{Image, Opcode, Operand, PROGRAM_WORDS, Word};
use gray1_machine::{ChipsEngine, Engine, Probe};

/// What is done to a byte of RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// An instruction reads it.
    Read,
    /// An instruction stores to it.
    Write,
    /// An instruction stores another value than it had.
    Change,
}

/// What a point is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Instructions.
    Places(Vec<u16>),
    /// Bytes of RAM (display, port and inputs among them), the first and the last.
    Ram(u16, u16, Access),
    /// A net or a bus that changes.
    Net(String, Probe),
}

/// A breakpoint or a watchpoint.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its number, from 1.
    pub number: usize,
    /// What it is called in messages.
    pub title: String,
    /// What it is about.
    pub subject: Subject,
    /// It counts only while this is not 0.
    pub condition: Option<Expression>,
    /// How many times it is passed over.
    pub skips: u64,
    /// What is said, instead of stopping there.
    pub log: Option<Template>,
    /// How often it has been met.
    pub hits: u64,
}

/// A point that has been met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Which of the points.
    pub place: usize,
    /// For a byte or a net: its address (0 for a net), what it was, and what it is.
    pub values: Option<(u16, u16, u16)>,
}

impl Subject {
    /// The instructions it can be at; `None` if it can be anywhere.
    fn places(&self, image: &Image) -> Option<Box<Places>> {
        let mut places = Box::new([false; PROGRAM_WORDS]);
        match self {
            Subject::Places(list) => {
                list.iter().for_each(|&at| places[usize::from(at) % PROGRAM_WORDS] = true);
            }
            Subject::Ram(first, last, access) => {
                for (place, &word) in places.iter_mut().zip(image.words()) {
                    *place = touched(word, *access).is_some_and(|x| (*first..=*last).contains(&x));
                }
            }
            Subject::Net(..) => return None,
        }
        Some(places)
    }
}

/// The byte of RAM that a word accesses in this way, perhaps.
pub fn touched(word: Word, access: Access) -> Option<u16> {
    let is_access = match (word.opcode().row().operand, access) {
        (Operand::Value, Access::Read) => !word.m(),
        (Operand::Address, Access::Write | Access::Change) => word.opcode() == Opcode::Sta,
        _ => false,
    };
    is_access.then(|| word.x())
}

/// Looks after points.
pub struct Patrol<'a> {
    points: &'a [Point],
    image: &'a Image,
    /// For each point: the byte that is about to be written and what it holds, or the level that a net had.
    before: Vec<Option<(u16, u16)>>,
    /// Who has been met at the last look.
    pub met: Vec<Meeting>,
}

impl<'a> Patrol<'a> {
    /// The patrol of these points in a program.
    pub fn new(points: &'a [Point], image: &'a Image) -> Patrol<'a> {
        Patrol { points, image, before: vec![None; points.len()], met: Vec::new() }
    }

    fn meet(&mut self, place: usize, machine: &ChipsEngine) -> Option<Meeting> {
        let phase = machine.phase_number();
        let runs = !machine.halted() || phase != 0;
        match &self.points[place].subject {
            Subject::Places(list) => {
                let is_here = phase == 0 && runs && list.contains(&machine.running());
                is_here.then_some(Meeting { place, values: None })
            }
            Subject::Ram(first, last, access) => {
                if phase > 0 {
                    let (address, old) = self.before[place].take().filter(|_| phase == 1)?;
                    let new = u16::from(machine.ram(address));
                    return Some(Meeting { place, values: Some((address, old, new)) });
                }
                let word = self.image.word(machine.running());
                let address = touched(word, *access).filter(|x| runs && (*first..=*last).contains(x));
                let old = address.map(|address| (address, u16::from(machine.ram(address))));
                let a = u16::from(machine.registers().a);
                match access {
                    Access::Read => old.map(|(address, _)| {
                        let byte = u16::from(machine.reads(address));
                        Meeting { place, values: Some((address, byte, byte)) }
                    }),
                    Access::Write | Access::Change => {
                        let counts = |&(_, old): &(u16, u16)| *access == Access::Write || old != a;
                        self.before[place] = old.filter(counts);
                        None
                    }
                }
            }
            Subject::Net(_, probe) => {
                let new = machine.read(probe);
                let (_, old) = self.before[place].replace((0, new))?;
                (old != new).then_some(Meeting { place, values: Some((0, old, new)) })
            }
        }
    }
}

impl Prey for Patrol<'_> {
    fn pace(&self) -> Pace {
        let mut all = Box::new([false; PROGRAM_WORDS]);
        for point in self.points {
            let Some(places) = point.subject.places(self.image) else { return Pace::Phases };
            all.iter_mut().zip(places.iter()).for_each(|(all, place)| *all |= place);
        }
        Pace::Instructions(all)
    }

    fn set_out(&mut self, machine: Option<&ChipsEngine>) {
        self.before.fill(None);
        if let Some(machine) = machine {
            for place in 0..self.points.len() {
                self.meet(place, machine);
            }
        }
    }

    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault> {
        self.met.clear();
        for place in 0..self.points.len() {
            let Some(meeting) = self.meet(place, machine) else { continue };
            let condition = &self.points[place].condition;
            let counts = condition.as_ref().map_or(Ok(1), |condition| condition.value(machine))?;
            if counts != 0 {
                self.met.push(meeting);
            }
        }
        Ok(!self.met.is_empty())
    }

    fn waits(&self) -> bool {
        let pairs = self.before.iter().zip(self.points);
        let mut waiting =
            pairs.filter(|(before, point)| before.is_some() && matches!(point.subject, Subject::Ram(..)));
        waiting.next().is_some()
    }
}
