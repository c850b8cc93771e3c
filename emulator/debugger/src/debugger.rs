//! A program, its history, and the points that somebody has set: what every front end stands on.

use crate::expression::{Expression, Reader};
use crate::fault::Fault;
use crate::goals::{Depth, Holds, Leave, LineStart, OnTheWay, Reach};
use crate::history::History;
use crate::hunt::Prey;
use crate::points::{Access, Meeting, Patrol, Point, Subject};
use crate::position::Position;
use crate::source::Source;
use gray1_isa::memory_map::{GREEN, OUT, RAM_BYTES, RED};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Script};
use std::sync::atomic::AtomicBool;

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the halt.
    Forward,
    /// Towards the beginning.
    Backward,
}

/// What to go to; points stop the way there.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The next line.
    Line,
    /// The next line outside of macros.
    LineOver,
    /// The way out of this call of a macro, or of this round.
    Out,
    /// The next line, where what lies deeper than so many lines of a nest is one with the last of them.
    LineWithin(usize),
    /// The way out of the call or round that is so many lines deep at this instruction.
    OutOf(u16, usize),
    /// Any of these instructions.
    Places(Vec<u16>),
    /// Where this is not 0.
    Holds(Expression),
    /// The next byte sent to the output port.
    Output,
    /// The next change of the display.
    Display,
    /// Points alone.
    Points,
}

/// Why a way has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The goal is here.
    Goal,
    /// Points are here.
    Met(Vec<Meeting>),
    /// The machine has halted.
    Halted,
    /// This is where the run begins, or nothing of what was looked for comes before.
    Beginning,
    /// As many cycles as allowed have been run.
    Limit,
}

/// A run being debugged.
pub struct Debugger {
    history: History,
    source: Source,
    board: Board,
    points: Vec<Point>,
    numbers: usize,
}

impl Debugger {
    /// Debugs a machine of this board that holds this program and stands at the beginning of a cycle.
    pub fn new(
        machine: ChipsEngine,
        board: Board,
        source: Source,
        script: Script,
    ) -> Result<Debugger, Fault> {
        let history = History::new(machine, script)?;
        Ok(Debugger { history, source, board, points: Vec::new(), numbers: 0 })
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The history, to go through it or to change it.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// The machine, to look at.
    pub fn machine(&self) -> &ChipsEngine {
        self.history.machine()
    }

    /// The program.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where the machine is.
    pub fn position(&self) -> Position {
        self.history.position()
    }

    /// Who understands expressions.
    pub fn reader(&self) -> Reader<'_> {
        Reader { source: &self.source, machine: self.history.machine() }
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Sets a point; returns its number.
    pub fn set_point(&mut self, mut point: Point) -> usize {
        self.numbers += 1;
        point.number = self.numbers;
        self.points.push(point);
        self.numbers
    }

    /// Removes the point of this number, or all; returns how many have been removed.
    pub fn remove_points(&mut self, number: Option<usize>) -> usize {
        let before = self.points.len();
        self.points.retain(|point| number.is_some_and(|number| number != point.number));
        before - self.points.len()
    }

    /// Goes to a goal, or to a point on the way there. `end` is as far as one goes; `say` is told what points log.
    pub fn travel(
        &mut self,
        direction: Direction,
        goal: &Goal,
        end: Position,
        interrupt: &AtomicBool,
        say: &mut dyn FnMut(String),
    ) -> Result<Arrival, Fault> {
        self.travel_in_order(direction, goal, end, interrupt, &mut |_, text| say(text))
    }

    /// The same for who shows the program's output too: `say` is also given how many bytes had been sent by then.
    pub fn travel_in_order(
        &mut self,
        direction: Direction,
        goal: &Goal,
        end: Position,
        interrupt: &AtomicBool,
        say: &mut dyn FnMut(u64, String),
    ) -> Result<Arrival, Fault> {
        let start = self.machine().running();
        loop {
            let Some((met, arrived)) = self.leg(direction, goal, start, end, interrupt)? else {
                return self.nothing_found(direction, end);
            };
            let stops = self.meet(met, say)?;
            if !stops.is_empty() {
                return Ok(Arrival::Met(stops));
            }
            if arrived {
                return Ok(Arrival::Goal);
            }
        }
    }

    /// Which points stop here, without going anywhere: those at the place where one sets out are not on the way.
    pub fn points_here(&mut self, say: &mut dyn FnMut(String)) -> Result<Vec<Meeting>, Fault> {
        let Debugger { history, source, points, .. } = self;
        let mut patrol = Patrol::new(points, source.image());
        history.look_again(&mut patrol)?;
        let met = std::mem::take(&mut patrol.met);
        self.meet(met, &mut |_, text| say(text))
    }

    /// Goes to the next position where there is a point or the goal: which points, and whether it is the goal.
    fn leg(
        &mut self,
        direction: Direction,
        goal: &Goal,
        start: u16,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<Option<(Vec<Meeting>, bool)>, Fault> {
        let Debugger { history, source, points, .. } = self;
        let own = own_point(goal);
        let mut goal: Box<dyn Prey + '_> = match goal {
            Goal::Line => Box::new(LineStart::new(source, Depth::Words)),
            Goal::LineOver => Box::new(LineStart::new(source, Depth::Statements)),
            Goal::LineWithin(depth) => Box::new(LineStart::new(source, Depth::Lines(*depth))),
            Goal::Out | Goal::OutOf(..) => {
                let (place, depth) =
                    if let Goal::OutOf(place, depth) = goal { (*place, *depth) } else { (start, usize::MAX) };
                match Leave::of(source, place, depth) {
                    Some(leave) => Box::new(leave),
                    None => Box::new(LineStart::new(source, Depth::Words)),
                }
            }
            Goal::Places(list) => Box::new(Reach::new(list)),
            Goal::Holds(expression) => Box::new(Holds(expression)),
            Goal::Output | Goal::Display | Goal::Points => Box::new(Patrol::new(&own, source.image())),
        };
        let mut prey = OnTheWay::new(&mut *goal, Patrol::new(points, source.image()));
        let found = match direction {
            Direction::Forward => history.forward(&mut prey, end, interrupt)?,
            // It has been seen there on the way, and then more after it.
            Direction::Backward => {
                history.backward(&mut prey, interrupt)? && history.look_again(&mut prey)?
            }
        };
        let met = std::mem::take(&mut prey.patrol.met);
        Ok(found.then_some((met, prey.arrived)))
    }

    /// Where the prey is next, without going there; it has to be before `end`.
    pub fn find(
        &mut self,
        direction: Direction,
        prey: &mut dyn Prey,
        interrupt: &AtomicBool,
    ) -> Result<Option<Position>, Fault> {
        let now = self.position();
        let found = match direction {
            Direction::Forward => self
                .history
                .forward(prey, Position::NEVER, interrupt)
                .map(|found| found.then(|| self.history.position())),
            // A look at this position too: what happens right here has happened last.
            Direction::Backward => {
                self.history.last_before(prey, Position { phase: now.phase + 1, ..now }, interrupt)
            }
        };
        self.history.go(now, &AtomicBool::new(false))?;
        found
    }

    fn nothing_found(&mut self, direction: Direction, end: Position) -> Result<Arrival, Fault> {
        if direction == Direction::Backward {
            let start = self.history.start();
            self.history.go(start, &AtomicBool::new(false))?;
            return Ok(Arrival::Beginning);
        }
        let is_limit = self.history.position() >= end && !self.history.is_halted();
        Ok(if is_limit { Arrival::Limit } else { Arrival::Halted })
    }

    /// Counts meetings, lets points say what they have to say, and returns those where one stops.
    fn meet(&mut self, met: Vec<Meeting>, say: &mut dyn FnMut(u64, String)) -> Result<Vec<Meeting>, Fault> {
        let (_, sent) = self.history.output();
        let mut stops = Vec::new();
        for meeting in met {
            let point = &mut self.points[meeting.place];
            point.hits += 1;
            if point.hits <= point.skips {
                continue;
            }
            match &point.log {
                Some(log) => say(sent, log.fill(self.history.machine())?),
                None => stops.push(meeting),
            }
        }
        Ok(stops)
    }
}

/// The point that a goal is like, if it is like one.
fn own_point(goal: &Goal) -> Vec<Point> {
    let subject = match goal {
        Goal::Output => Subject::Ram(OUT, OUT, Access::Write),
        Goal::Display => Subject::Ram(GREEN, RED + 7, Access::Change),
        _ => return Vec::new(),
    };
    vec![Point { number: 0, title: String::new(), subject, condition: None, skips: 0, log: None, hits: 0 }]
}

/// How often each instruction has been run up to now.
pub type Counts = Box<[u64; RAM_BYTES]>;

impl Debugger {
    /// How often each instruction has been run, from the beginning of the run to this position.
    pub fn counts(&mut self, interrupt: &AtomicBool) -> Result<Counts, Fault> {
        let now = self.position();
        let mut counts = Box::new([0; RAM_BYTES]);
        let mut count = |machine: &ChipsEngine| {
            if machine.cycle() < now.cycle {
                counts[usize::from(machine.running()) % RAM_BYTES] += 1;
            }
            false
        };
        self.history.return_to(0);
        count(self.history.machine());
        let result = self.history.run(now.cycle, interrupt, count);
        self.history.go(now, &AtomicBool::new(false))?;
        result.map(|_| counts)
    }

    /// For each chip, which cells it has looked up at the end of any phase up to this one.
    pub fn cells(&mut self, interrupt: &AtomicBool) -> Result<Vec<(String, Vec<bool>)>, Fault> {
        let now = self.position();
        let machine = self.history.machine();
        let probes: Vec<_> = self
            .board
            .chips
            .iter()
            .filter_map(|chip| machine.probe_chip(chip.name(), chip.data().len()))
            .collect();
        let chips = self.board.chips.iter();
        let mut seen: Vec<_> =
            chips.map(|chip| (chip.name().to_owned(), vec![false; 1 << chip.address().len()])).collect();
        self.history.return_to(0);
        let mut result = Ok(());
        loop {
            for (probe, (_, cells)) in probes.iter().zip(&mut seen) {
                let (address, _) = self.history.machine().look_at(probe);
                cells[address as usize] = true;
            }
            if self.position() >= now {
                break;
            }
            if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
                result = Err(Fault::Interrupted);
                break;
            }
            self.history.phase()?;
        }
        self.history.go(now, &AtomicBool::new(false))?;
        result.map(|()| seen)
    }
}
